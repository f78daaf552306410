"""Events are told in sentences, whatever people are called."""

import pytest

from rig.games.estimation import events as ev
from rig.games.estimation.game import Options
from rig.games.estimation.story.narrator import sentence
from rig.games.estimation.table.estimation_play import PLAY
from rig.games.estimation.terms import End, Mishap, Result, Side
from rig.row.push_events import OutcomeSeen, PushEnded, PushStep, Seen
from rig.session.events import Paused, Renamed, Ruled, Seated, Stopped
from tests.support.telling import in_english

SEATED = [
    Seated("s1", "{Ana}", "circle", "a phone"),
    Seated("s2", "Bo", "star", "another"),
    Seated("s4", "mcDonald", "square", None),
]


@pytest.fixture(scope="module")
def table():
    table = PLAY.table()
    for event in SEATED:
        table = PLAY.apply(table, event)
    return table


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (Seated("s3", "Cy", "cross", None), "Cy sits down."),
        (Renamed("s2", "{seat}"), "Bo is called {seat} from now on."),
        (Paused("host"), "the host pauses the game."),
        (Paused(None), "The game goes on."),
        (Stopped("s2"), "STOP, by Bo!"),
        (Ruled("void", "host", "the {cat}"), "The host rules (void): the {cat}."),
        (Ruled("void", "s4", "mistap"), "McDonald rules (void): mistap."),
        (ev.GameStarted(("s1", "s2"), None), "The game begins: {Ana} and Bo."),
        (
            ev.BallotsRevealed({"s2": Side.FAILURE, "s9": Side.SUCCESS}),
            "Ballots: Bo Failure, s9 Success.",
        ),
        (ev.PushOrdered("s2", End.LEFT), "Bo has to push at the left end."),
        (ev.PushOrdered("s2", None), "Bo has to push."),
        (ev.OutcomeClaimed("camera", Result.STOOD), "The camera says: it stood."),
        (ev.OutcomeJudged(Result.FELL, {"s1": 0, "s2": 2}), "It fell. Chips: Bo 2."),
        (ev.OutcomeJudged(Result.FELL, {"s1": 0}), "It fell. No chips."),
        (
            ev.AccidentClaimed("s1", None, Mishap.KNOCK),
            "An accident? Nobody knocked the row over.",
        ),
        (ev.RoundVoided("", {}), "The round is void."),
        (PushEnded(1, PushStep.UNKNOWN, "cable"), "The push: unknown (cable)."),
        (
            OutcomeSeen(Seen("{stood}", (1,), (2, 3)), {}),
            "The camera sees that it {stood}; up: 2 and 3.",
        ),
    ],
)
def test_what_happened_is_told_in_a_sentence(table, event, told):
    assert in_english(sentence(table, event)) == told


def test_a_tile_is_told_with_those_it_stands_between(table):
    dealt = (ev.GameStarted(("s1", "s2"), Options()), ev.RoundDealt(1, "s2", ("s1", "s2")))
    for event in (*dealt, ev.TilePlaced("s2", 2, 1, 0.0)):
        table = PLAY.apply(table, event)
    told = [in_english(sentence(table, ev.TilePlaced("s2", 9, at, 0.0))) for at in range(3)]
    assert [each.partition(" the 9 ")[2] for each in told] == [
        "at the left end.",
        "between 6 and 2.",
        "at the right end.",
    ]
