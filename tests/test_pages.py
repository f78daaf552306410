"""Pages that explain the source: their links, file names and examples are true."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("physics", "vision", "rig", "web", "firmware", "tests")
PAGES = sorted(
    {*ROOT.glob("*.md"), *(one for name in FOLDERS for one in (ROOT / name).rglob("*.md"))}
)


def without_code(text):
    return re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)


def anchors(page):
    """Give the anchors of a page's headings as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", without_code(page.read_text(encoding="utf-8")), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_of_a_page_lead_to_a_file_and_a_heading_in_it(page):
    broken = []
    for target, anchor in re.findall(
        r"\]\(([^)#:]*)(?:#([^)]+))?\)", page.read_text(encoding="utf-8")
    ):
        file = page.parent / target if target else page
        if not file.exists() or (anchor and anchor not in anchors(file)):
            broken.append(f"{target}#{anchor}")
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_files_that_a_page_names_are_there(page):
    if page.name == "CHANGELOG.md":
        return
    text = without_code(page.read_text(encoding="utf-8"))
    named = re.findall(r"`([\w./-]+\.(?:py|c|h|js|toml|svg|wasm|hex))`", text)
    folders = [page.parent, ROOT, *(ROOT / one for one in FOLDERS)]
    missing = []
    for name in named:
        if name in MADE_BY_PEOPLE or any((folder / name).exists() for folder in folders):
            continue
        if "/" in name or not any(any(one.rglob(name)) for one in (page.parent, ROOT / "tests")):
            missing.append(name)
    assert missing == []


MADE_BY_PEOPLE = {"rig.toml", "build/pusher.wasm", "build/pusher.hex"}
"""What a page names and the source does not have."""


def test_the_example_of_the_rules_runs():
    text = (ROOT / "rig" / "games" / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", text, flags=re.S)
    exec(example, {})
