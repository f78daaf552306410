"""The words of the table screen: the same in every language, and all of them used."""

import re
from pathlib import Path

import pytest

from tests.support.words import PLURALS, page_words, words
from web.content.words import base

STATIC = Path(__file__).parents[2] / "web" / "static"
PAGE = [
    STATIC / "table.js",
    STATIC / "games" / "plain" / "table.js",
    *(STATIC / "table").glob("*.js"),
]
GAME = [
    path
    for path in (STATIC / "games" / "estimation").rglob("*.js")
    if "table" in path.relative_to(STATIC).as_posix()
]


DOMINOES = [
    STATIC / "games" / "dominoes" / "table.js",
    *(STATIC / "games" / "dominoes" / "table").glob("*.js"),
]


FILM = "film."
"""What only films say, which are drawn without a page."""
NAME = "table.game"
"""What a game is called: the page says it, in the words of whichever is played."""


@pytest.mark.parametrize(
    ("files", "keys"),
    [
        (PAGE, {NAME, *page_words("en/table")}),
        (PAGE + GAME, {key for key in words("en/table") if not key.startswith(FILM)}),
        (DOMINOES, page_words("en/dominoes/table").keys() - {NAME}),
    ],
    ids=["page", "game", "dominoes"],
)
def test_no_text_is_missing_and_none_is_left_over(files, keys):
    source = "".join(path.read_text(encoding="utf-8") for path in files)
    whole = set(re.findall(r'"(table\.[\w.]+)"', source))
    begun = tuple(re.findall(r"`(table\.[\w.]+)\$", source))
    keys = {base(key) for key in keys if not key.startswith("film.")}  # those the film draws
    assert whole <= keys
    assert {key for key in keys - whole if not key.startswith(begun)} == set()
    assert all(any(key.startswith(start) for key in keys) for start in begun)


def test_titles_have_at_most_eight_words():
    for lang in PLURALS:
        for key, text in words(f"{lang}/table").items():
            if key.endswith("title"):
                assert len(text.split()) <= 8, (lang, key)
