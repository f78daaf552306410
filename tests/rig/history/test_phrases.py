"""What a game tells of itself are keys and facts: every word of it stands in the catalogues."""

import pytest

from rig.cli.teller import teller
from rig.games.dominoes.game import How, Result
from rig.games.estimation.terms import Mishap
from rig.games.phrase import NOTHING, Phrase, in_words, listed
from rig.games.registry import GAMES, play_of
from rig.history.story import PlainStory, story_of
from rig.row.push_events import Cause
from rig.row.row_table import RowRead
from rig.session.devices import Devices
from rig.session.events import ALONE, Readied, Seated
from tests.rig.cli.test_terminal_words import english, tree
from tests.support import high_card
from tests.support.samples import examples_of
from tests.support.telling import in_english, unmarked
from tests.support.words import LANGUAGES
from web.content.words import speaker

NAMES = {"s1": "11", "s2": "22"}
"""Whoever plays is called by digits: letters that are read come from somewhere else."""
WHO = ["s1", "host", "camera", "referee", None]
KNOWN = {
    **{name: ["s1"] for name in ("seat", "first", "caller", "toppler")},
    **dict.fromkeys(("by", "nod", "culprit"), WHO),
    "seats": [("s1", "s2"), ("s1",)],
    "won": [{"s1": 2, "s2": 0}, {}],
    "returned": [{"s1": 2, "s2": 1}, {}],
    "ballots": [{"s1": "success", "s2": "failure"}],
    "outcome": ["fell", "stood", "", "77"],
    "end": ["left", "right", "", None],
    "what": ["placed", "skipped", "renamed", "moved", "77"],
    "why": ["mistap", "agreed", "looked", "camera", "moved", "unfair", "77", ""],
    "devices": [Devices(), Devices(lost=("camera",)), Devices(lost=("pusher",))],
}
OF_GAME = {
    "estimation": {
        "kind": ["undone", "verdict", "void", "accident", "turn", "ballot", "77"],
        "winners": [("s1",), ("s1", "s2"), ()],
    },
    "dominoes": {
        "winners": [(0,), ()],
        "losers": [(1,), ()],
        "bones": [("3-4", "0-0"), ()],
        "bone": ["3-4", ""],
        "forced": ["3-4", None],
        "result": [
            Result(how, "s1", {"s1": (), "s2": ("1-1",)}, {"s1": 0, "s2": 2}, (0, 0)) for how in How
        ],
        "account": [(7, None)],
        "memory": [(0, 5)],
        "carry": [0, 1, 5],
    },
}
ENDS = {"end": ["left", "right"]}
OF_EVENT = {
    **dict.fromkeys(("TileMoved", "EndChosen", "PushRequested"), ENDS),
    "AccidentClaimed": {"kind": [*Mishap]},
    "PushEnded": {"why": ["77", ""]},  # the log's own words, where there is no cause
}
UNTOLD = {"estimation": set(), "dominoes": {"BoneyardLaid", "TurnBegan"}}
TABLE_TOLD = {"Seated", "Readied", "SeatEmptied", "Paused", "Stopped", "DevicesChanged", "Renamed"}
TABLE_TOLD |= {"SeatMoved", "HostHanded", "OptionsChosen", "Ruled"}


def table_of(game):
    """Two who play, in the middle of a game."""
    play = play_of(game)
    table = play.table()
    for seat, name in NAMES.items():
        table = play.apply(table, Seated(seat, name, "circle", None))
        table = play.apply(table, Readied(seat, True))
    rules = play.rules
    for event in rules.decide(table.game, "host", rules.start(tuple(NAMES), None, 0, "77")):
        table = play.apply(table, event)
    return table


def told_of(game):
    """Every event that can happen at a table of a game, and what is told of it."""
    play, table = play_of(game), table_of(game)
    known = KNOWN | OF_GAME[game]
    for name, kind in play.kinds.items():
        for event in examples_of(kind, known | OF_EVENT.get(name, {})):
            yield event, story_of(play).sentence(table, event)


@pytest.mark.parametrize("game", GAMES)
def test_every_word_that_is_told_of_an_event_stands_in_the_catalogues(game, marks):
    assert [event for event, told in told_of(game) if unmarked(told, game)] == []


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_no_place_in_a_sentence_is_left_open(game, lang):
    tells = teller(lang, game)
    assert [event for event, told in told_of(game) if "{{" in tells.tell(told)] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_event_of_the_rules_is_told_and_no_other_in_silence(game):
    tells, rules = teller("en", game), play_of(game).rules
    told = {type(event).__name__ for event, what in told_of(game) if tells.tell(what)}
    assert told & rules.events.keys() == rules.events.keys() - UNTOLD[game]
    of_table = {kind.__name__ for kind in ALONE} & told
    assert of_table == (TABLE_TOLD if game == "estimation" else set())


@pytest.mark.parametrize(
    "path",
    [
        *(f"rig/cli/{name}.py" for name in ("replay", "demo", "hints", "teller")),
        *(f"rig/history/{name}.py" for name in ("decided", "proof", "story", "verify")),
        *(f"rig/games/estimation/story/{n}.py" for n in ("decided_again", "narrator", "walk")),
        *(f"rig/games/{name}.py" for name in ("dominoes/table/narrator", "phrase", "shuffle")),
    ],
)
def test_what_tells_and_proves_games_has_no_sentence_of_its_own(path):
    assert list(english(tree(path))) == []


def test_a_row_that_nobody_speaks_of_is_not_told():
    sentence = play_of().story.sentence
    assert sentence(table_of(""), RowRead(())) is NOTHING


def test_a_game_without_words_tells_what_its_events_are_called():
    story = PlainStory(high_card.PLAY)
    for kind in high_card.PLAY.rules.events.values():
        event = object.__new__(kind)
        assert in_english(story.sentence(None, event), "high_card") == kind.__name__
    assert story.sentence(None, Readied("s1", True)) is NOTHING


def test_english_says_what_the_log_of_a_push_says_and_other_languages_have_words_for_its_cause():
    why = "The pusher refused in state SAFE: no arming; nothing moved."
    told = Phrase(f"told.cause.{Cause.PUSHER}", otherwise=why, logged=True)
    assert (teller("en").tell(told), teller("de").tell(told)) == (
        why,
        "der Arm hat nicht geschubst",
    )
    assert teller("de").tell(Phrase("told.cause.", otherwise=why, logged=True)) == why


def test_facts_are_listed_as_a_sentence_lists_them():
    say = speaker("de", "replay")
    told = [in_words(listed(names), say) for names in ([], ["Ana"], ["Ana", "Bo", "Cy"])]
    assert told == ["", "Ana", "Ana, Bo und Cy"]


def test_a_name_that_looks_like_a_place_is_left_as_it_is():
    told = Phrase("told.and", {"most": "{{last}}", "last": Phrase("told.by.host")})
    assert in_words(told, speaker("en", "replay")) == "{{last}} and the host"
