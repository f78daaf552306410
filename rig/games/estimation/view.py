"""view(): all that a viewer may know of the game, JSON-ready."""

from typing import Any

from rig.games.estimation import commands as cmd
from rig.games.estimation.decide import is_absorbed, refusal
from rig.games.estimation.game import Game, count, lower_end, stakes
from rig.games.estimation.terms import (
    SCORED_ROUNDS,
    End,
    Phase,
    Reason,
    Result,
    Side,
    Step,
)
from rig.serialise import to_plain

NO_HURRY = float("inf")
PLACING = (Phase.TURN, Phase.BALLOT, Phase.COUNTDOWN, Phase.REVEAL)


def view(game: Game, seat: str | None) -> dict[str, Any]:
    """What this viewer may know and do.

    Args:
        game: the game as it stands.
        seat: a seat, HOST for the host's own powers, or None for one who watches.

    Returns:
        JSON-ready data. A ballot that is not revealed is in nobody's view but its seat's.
    """
    may, why = allowed(game, seat)
    return {
        "phase": game.phase.value,
        "phase_id": game.phase_id,
        "round": game.round,
        "rounds": SCORED_ROUNDS,
        "options": to_plain(game.options),
        "seats": list(game.present),
        "playing": list(game.playing),
        "first": game.first,
        "active": game.active if game.stage in PLACING else None,
        "placer": game.placer,
        "caller": game.caller,
        "toppler": game.toppler,
        "row": list(game.row),
        "supply": list(game.supply),
        "last": game.placement.value if game.placement else None,
        "end": to_plain(game.end or (lower_end(game.row) if game.row else None)),
        "estimated": game.estimated,
        "row_fix": to_plain(game.row_fix),
        "place_from_s": _place_from_s(game),
        "chips": dict(game.chips),
        "accident_chips": dict(game.accident_chips),
        "in": [s for s in game.playing if s in game.ballots],
        "locked": [s for s in game.playing if s in game.locked],
        "game": game.id,
        "seals": dict(game.seals),
        "ballot": _ballot(game, seat),
        "reveal": _reveal(game),
        "verdict": _verdict(game),
        "accident": _accident(game),
        "accident_paid": to_plain(game.accident_paid),
        "history": [
            {
                "round": r.round,
                "outcome": r.outcome.value,
                "won": dict(r.won),
                "otherwise": dict(r.otherwise),
            }
            for r in game.history
        ],
        "final": _final(game),
        "may": may,
        "why": why,
    }


def _ballot(game: Game, seat: str | None) -> dict[str, Any] | None:
    """One's own ballot, and how many are in; no word of the sides of the others."""
    if game.phase not in (Phase.BALLOT, Phase.COUNTDOWN):
        return None
    return {
        "mine": to_plain(game.ballots.get(seat)) if seat is not None else None,
        "forced": seat in game.forced,
        "count": len(game.ballots),
        "of": len(game.playing),
        "until_s": _ballots_until_s(game),
    }


def _reveal(game: Game) -> dict[str, Any] | None:
    """All ballots and what they can win, once they are turned over."""
    if not game.revealed:
        return None
    return {
        "ballots": to_plain(game.ballots),
        "salts": dict(game.salts),
        "stake": {side.value: n for side, n in stakes(game).items()},
        "push": count(game, Side.FAILURE) > 0,
    }


def _verdict(game: Game) -> dict[str, Any] | None:
    """What is claimed or settled about the push."""
    if game.claim is None:
        return None
    return {
        "outcome": game.claim.outcome.value,
        "by": game.claim.by,
        "step": to_plain(game.step),
        "agreed": list(game.agreed),
        "votes": to_plain(game.votes) if game.step is Step.VOTE or game.votes else None,
        "won": dict(game.history[-1].won) if game.step is Step.SETTLED else {},
    }


def _accident(game: Game) -> dict[str, Any] | None:
    """The accident claimed."""
    accident = game.accident
    if accident is None:
        return None
    return {
        "culprit": accident.culprit,
        "by": accident.by,
        "kind": accident.kind.value,
        "denied": accident.denied,
        "before": accident.before.value,
    }


def _final(game: Game) -> dict[str, Any] | None:
    """The ranking, once the game is over."""
    if game.phase is not Phase.GAME_OVER:
        return None
    return {"ranking": list(game.ranking), "winners": list(game.winners)}


def _place_from_s(game: Game) -> float | None:
    """When the window for calls closes, so that the next tile may be placed."""
    if game.phase is not Phase.TURN or game.placed_at_s is None or not game.options.call_window:
        return None
    return game.placed_at_s + game.options.call_window


def _ballots_until_s(game: Game) -> float | None:
    """When a ballot that is missing becomes Success."""
    if game.called_at_s is None or not game.options.ballot_timeout:
        return None
    return game.called_at_s + game.options.ballot_timeout


def allowed(game: Game, seat: str | None) -> tuple[dict[str, bool], dict[str, str]]:
    """What a viewer may do now, and the reason for each thing that is refused.

    Every answer is what the rules say to a command of that kind; only `next` is the referee's to
    give, when a player asks for it.
    """
    may: dict[str, bool] = {}
    why: dict[str, str] = {}
    for name, probe in _probes(game, seat or "").items():
        reason = refusal(game, seat or "", probe)
        may[name] = reason is None and not is_absorbed(game, probe)
        if reason not in (None, Reason.WRONG_PHASE):
            why[name] = reason.value
    may["next"] = game.phase is Phase.ROUND_END and seat in game.present
    return may, why


def _probes(game: Game, seat: str) -> dict[str, cmd.Command]:
    """For everything one can do, a command that is refused only if the thing itself is."""
    value = game.supply[0] if game.supply else 0
    stand: cmd.Command = cmd.Place(value, 0, NO_HURRY)
    if not game.supply:
        stand = cmd.Move(1, End.LEFT, NO_HURRY)
    shown = game.step is Step.SHOWN
    return {
        "stand": stand,
        "call": cmd.Call(),
        "take_back": cmd.TakeBack(),
        "fix_row": cmd.FixRow(game.row),
        "consent_row": cmd.ConsentRow(),
        "decline_row": cmd.DeclineRow(),
        "lone_tile": cmd.LoneTileFell(),
        "vote": cmd.Vote(game.ballots.get(seat, Side.SUCCESS)),
        "lock": cmd.LockBallot(),
        "choose_end": cmd.ChooseEnd(End.LEFT),
        "wrong_end": cmd.WrongEnd(),
        "report": cmd.Report(Result.FELL),
        "agree": cmd.Confirm(),
        "object": cmd.Object() if shown else cmd.Dispute(),
        "table_vote": cmd.TableVote(Result.FELL),
        "accident": cmd.ClaimAccident(None),
        "accident_confirm": cmd.ConfirmAccident(),
        "accident_reject": cmd.RejectAccident(),
        "accident_withdraw": cmd.WithdrawAccident(),
        "accident_undo": cmd.TakeBackAccident(),
        "void": cmd.VoidRound(),
        "leave": cmd.Leave(seat),
        "rematch": cmd.Rematch(),
    }
