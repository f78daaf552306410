"""What each viewer is shown, phase by phase."""

from dataclasses import replace

import pytest

from rig.games.estimation import commands as cmd
from rig.games.estimation.decide import TABLE, decide
from rig.games.estimation.evolve import evolve
from rig.games.estimation.game import Game, Options
from rig.games.estimation.rules import Estimation
from rig.games.estimation.terms import CAMERA, HOST, REFEREE, Result, Side
from rig.games.estimation.view import view

S, F = Side.SUCCESS, Side.FAILURE
KEYS = (
    "phase phase_id round rounds options seats playing first active placer caller toppler row "
    "supply last end estimated row_fix place_from_s chips accident_chips in locked game "
    "seals ballot reveal verdict accident accident_paid history final may why"
)


def do(game: Game, *moves: tuple[str, cmd.Command]) -> Game:
    for actor, command in moves:
        for event in decide(game, actor, command):
            game = evolve(game, event)
    return game


def turn(**options: object) -> Game:
    """A has placed 9 at the right, B is to place."""
    game = Game(options=Options.parse(options))
    return do(game, (HOST, cmd.Start(tuple("ABC"), first="A")), ("A", cmd.Place(9, 1)))


def reveal(sides: str = "FS") -> Game:
    game = do(turn(), ("C", cmd.Call()))
    for seat, side in zip("BC", sides, strict=True):
        game = do(game, (seat, cmd.Vote(S if side == "S" else F)))
    return do(game, (REFEREE, cmd.Reveal()))


def topple() -> Game:
    return do(reveal(), (REFEREE, cmd.Continue()))


def round_end() -> Game:
    return do(topple(), (CAMERA, cmd.Report(Result.STOOD)), (REFEREE, cmd.Stand()))


def can(game: Game, viewer: str | None) -> set[str]:
    return {name for name, may in view(game, viewer)["may"].items() if may}


@pytest.mark.parametrize("viewer", ["A", "Z", HOST, None])
@pytest.mark.parametrize("game", [Game(), turn(), topple(), round_end()])
def test_every_view_has_the_same_keys(game, viewer):
    assert list(view(game, viewer)) == KEYS.split()


def test_a_turn_shows_row_supply_and_whose_turn_it_is():
    shown = view(turn(), None)
    assert (shown["phase"], shown["round"], shown["rounds"]) == ("TURN", 1, 3)
    assert (shown["row"], shown["last"], shown["end"]) == ([6, 9], 9, "left")
    assert shown["supply"] == [1, 2, 3, 4, 5, 7, 8, 10, 11]
    assert (shown["first"], shown["active"], shown["placer"]) == ("A", "B", "A")
    lone = view(do(Game(), (HOST, cmd.Start(("A", "B"), first="A"))), None)
    assert (lone["row"], lone["last"], lone["end"]) == ([6], None, None)


def test_nobody_is_to_place_once_the_row_is_to_be_pushed():
    assert [view(game, None)["active"] for game in (reveal(), topple(), round_end())] == [
        "B",
        None,
        None,
    ]


def test_open_ballots_show_who_is_in_and_no_side_but_ones_own():
    game = do(turn(), ("C", cmd.Call()), ("C", cmd.Vote(F)), ("C", cmd.LockBallot()))
    shown = view(game, "C")
    assert (shown["in"], shown["locked"]) == (["A", "C"], ["A", "C"])
    assert shown["reveal"] is None
    mine = {viewer: view(game, viewer)["ballot"]["mine"] for viewer in ("A", "B", "C", HOST, None)}
    assert mine == {"A": "success", "B": None, "C": "failure", HOST: None, None: None}
    forced = [view(game, viewer)["ballot"]["forced"] for viewer in ("A", "C", None)]
    assert forced == [True, False, False]


def test_the_reveal_shows_all_ballots_what_they_can_win_and_whether_to_push():
    assert view(reveal(), None)["reveal"] == {
        "ballots": {"A": "success", "B": "failure", "C": "success"},
        "salts": {},
        "stake": {"success": 1, "failure": 2},
        "push": True,
    }
    assert view(reveal("SS"), None)["reveal"]["push"] is False


def test_a_verdict_shows_the_claim_the_votes_and_what_was_won():
    game = do(topple(), ("A", cmd.Report(Result.FELL)))
    assert view(topple(), None)["verdict"] is None
    claimed = {"outcome": "fell", "by": "A", "step": "confirm", "agreed": [], "won": {}}
    assert view(game, None)["verdict"] == {**claimed, "votes": None}
    game = do(game, ("B", cmd.Dispute()))
    assert view(game, None)["verdict"] == {**claimed, "step": "vote", "votes": {}}
    game = do(game, ("A", cmd.TableVote(Result.FELL)), ("C", cmd.TableVote(Result.FELL)))
    settled = view(game, None)["verdict"]
    assert (settled["step"], settled["won"]) == ("settled", {"A": 1, "C": 1})
    assert settled["votes"] == {"A": "fell", "C": "fell"}
    assert view(round_end(), None)["verdict"]["votes"] is None
    won, otherwise = {"A": 1, "C": 1}, {"B": 2}
    scored = {"round": 1, "outcome": "fell", "won": won, "otherwise": otherwise}
    assert view(game, None)["history"] == [scored]


def test_an_accident_shows_who_is_named_and_what_waits():
    game = do(turn(), ("B", cmd.ClaimAccident("C")))
    assert view(game, None)["accident"] == {
        "culprit": "C",
        "by": "B",
        "kind": "knock",
        "denied": False,
        "before": "TURN",
    }
    assert view(game, None)["ballot"] is None


def test_what_one_may_do_is_what_the_rules_would_allow():
    assert can(turn(), "A") == {"take_back", "fix_row", "accident", "leave"}
    assert can(turn(), "B") == {"stand", "call", "accident", "leave"}
    assert can(turn(), "C") == {"call", "accident", "leave"}
    assert can(turn(), HOST) == {"void"}
    assert can(turn(), None) == can(turn(), "Z") == set()
    ballot = do(turn(caller="failure_only"), ("C", cmd.Call()))
    assert can(ballot, "B") == {"vote", "accident", "leave"}
    assert can(do(ballot, ("B", cmd.ClaimAccident("A"))), "A") == {
        "accident_confirm",
        "accident_reject",
        "leave",
    }
    assert can(topple(), "C") == {"report", "wrong_end", "accident", "leave"}
    shown = do(topple(), (CAMERA, cmd.Report(Result.FELL)))
    assert can(shown, "A") == {"agree", "object", "leave"}
    claimed = do(topple(), ("A", cmd.Report(Result.FELL)))
    assert can(claimed, "B") == {"agree", "object", "leave"}
    assert can(claimed, "C") == {"leave"}
    assert can(do(claimed, ("B", cmd.Dispute())), "C") == {"table_vote", "leave"}


def test_what_one_may_do_is_told_without_trying_it_out(monkeypatch):
    games = (turn(), do(turn(), ("C", cmd.Call())), topple())
    tried = {
        at: replace(each, decider=lambda *_: pytest.fail("a decision was tried out"))
        for at, each in TABLE.items()
    }
    monkeypatch.setattr("rig.games.estimation.decide.TABLE", tried)
    for game in games:
        assert can(game, "B") != set()
        assert list(Estimation().legal(game, "B")) != []


def test_any_player_may_ask_for_the_next_round_and_no_watcher():
    assert can(round_end(), "C") == {"next", "leave"}
    assert can(round_end(), None) == set()
    assert "next" not in can(turn(), "A")


def test_what_one_may_not_do_says_why():
    assert view(turn(), "A")["why"]["call"] == "placer"
    assert view(turn(), "C")["why"]["stand"] == "not_your_turn"
    assert view(turn(), "Z")["why"]["call"] == "not_playing"
    assert "vote" not in view(turn(), "B")["why"]
    ballot = do(turn(caller="failure_only"), ("C", cmd.Call()))
    for seat in "AC":
        assert view(ballot, seat)["why"]["vote"] == "ballot_locked"
    assert "call" not in can(ballot, "B")
