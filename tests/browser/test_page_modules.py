"""The pages name all their modules beforehand, so that a phone fetches them in one go."""

import re
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "web"
IMPORT = re.compile(r'\b(?:from|import)\s*"(\.[^"]+)"')
PRELOAD = re.compile(r'<link rel="modulepreload" href="([^"]+)">')


def modules_of(entry):
    """The addresses of all modules that an entry needs, without itself."""
    waiting = [WEB / "static" / entry]
    found = set()
    while waiting:
        file = waiting.pop()
        for name in IMPORT.findall(file.read_text(encoding="utf-8")):
            imported = (file.parent / name).resolve()
            if imported not in found:
                found.add(imported)
                waiting.append(imported)
    return sorted(f"/{file.relative_to(WEB).as_posix()}" for file in found)


@pytest.mark.parametrize("name", ["phone", "table"])
def test_a_page_names_every_module_it_needs_and_no_other(name):
    page = (WEB / "templates" / f"{name}.html").read_text(encoding="utf-8")
    assert PRELOAD.findall(page) == modules_of(f"{name}.js")
