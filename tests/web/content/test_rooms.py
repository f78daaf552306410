"""The rooms that every game shares know no game: neither its files nor how it goes on."""

import re
from pathlib import Path

import pytest

from rig.games.estimation.terms import Phase
from rig.games.interface import GAME_OVER, LOBBY

STATIC = Path(__file__).parents[3] / "web" / "static"
SHARED = sorted(
    path
    for pattern in ("*.js", "core/**/*.js", "host/**/*.js", "lobby/**/*.js", "past/**/*.js")
    for path in STATIC.glob(pattern)
)
OF_A_GAME = [phase.value for phase in Phase if phase.value not in {LOBBY, GAME_OVER}]


@pytest.mark.parametrize("path", SHARED, ids=lambda path: path.name)
def test_no_shared_page_names_a_phase_of_a_game_or_a_file_of_it(path):
    text = path.read_text(encoding="utf-8")
    assert re.findall(rf"\b(?:{'|'.join(OF_A_GAME)})\b", text) == []
    imported = set(re.findall(r'"(\.[^"]*/games/[^"]*)"', text))
    assert imported <= {"./games/index.js", "../games/index.js"}


def test_the_rooms_are_read():
    assert len(SHARED) > 35
