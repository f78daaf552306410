"""The pages load nothing from outside and carry no script or style of their own."""

import re
from pathlib import Path

import pytest

import web

WEB = Path(web.__file__).parent
SHIPPED = sorted(
    path
    for folder in ("static", "templates")
    for path in (WEB / folder).rglob("*")
    if path.suffix in {".js", ".css", ".html", ".svg", ".json"}
)
TEMPLATES = sorted((WEB / "templates").glob("*.html"))
NAMES_ONLY = ("http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink")


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: str(path.relative_to(WEB)))
def test_no_file_names_an_outside_address(path):
    text = path.read_text(encoding="utf-8")
    for name in NAMES_ONLY:
        text = text.replace(name, "")
    # Comments of the vendored library say where it comes from; nothing fetches them.
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    assert re.findall(r"(?:https?:)?//[a-z0-9-]+\.[a-z]{2,}\S*", _without_line_comments(text)) == []


def _without_line_comments(text):
    return re.sub(r"(?m)(^|\s)//(?!\S*\.\w+/).*$", "", text)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_templates_hold_no_script_and_no_style(path):
    text = path.read_text(encoding="utf-8")
    assert re.findall(r"<script(?![^>]*\ssrc=)", text) == []
    assert re.findall(r"<style|\sstyle=|\son\w+=|javascript:", text) == []
    assert "|safe" not in text and "autoescape false" not in text


def test_the_shell_pages_name_the_version_for_tests_to_wait_for():
    for name in ("phone.html", "table.html"):
        assert " data-v" in (WEB / "templates" / name).read_text(encoding="utf-8")
