"""What follows for the ballots, up to the order to push; and their seals."""

import hashlib
from collections.abc import Mapping
from functools import reduce

from rig.games.estimation import commands as cmd
from rig.games.estimation import events as ev
from rig.games.estimation.evolve import evolve
from rig.games.estimation.game import Game, count, lower_end, who_pushes
from rig.games.estimation.terms import Side


def vote(game: Game, actor: str, command: cmd.Vote) -> tuple[ev.Event, ...]:
    """Choose or change a side; the last open ballot closes all of them, unless it is to wait."""
    cast = ev.BallotCast(actor, command.side)
    return cast, *(locked_when_complete(evolve(game, cast)) if command.closes else ())


def close(game: Game, actor: str, command: cmd.CloseBallots) -> tuple[ev.Event, ...]:
    """Lock all ballots: nobody has changed one for a while."""
    return locked_when_complete(game)


def lock_ballot(game: Game, actor: str, command: cmd.LockBallot) -> tuple[ev.Event, ...]:
    """Lock one's own ballot before the others are in."""
    return (ev.BallotLocked(actor),)


def timeout(game: Game, actor: str, command: cmd.Timeout) -> tuple[ev.Event, ...]:
    """Turn every missing ballot into Success (ruling A17), and close them."""
    missing = [ev.BallotTimedOut(seat) for seat in game.playing if seat not in game.ballots]
    return (*missing, *locked_when_complete(reduce(evolve, missing, game)))


def reveal(game: Game, actor: str, command: cmd.Reveal) -> tuple[ev.Event, ...]:
    """Turn all ballots over, clockwise whatever order they came in."""
    ballots = {seat: game.ballots[seat] for seat in game.playing}
    salts = {seat: game.salts[seat] for seat in game.playing if seat in game.salts}
    return (ev.BallotsRevealed(ballots, salts),)


def go_on(game: Game, actor: str, command: cmd.Continue) -> tuple[ev.Event, ...]:
    """Back to the turn if all said Success, else to the push."""
    if count(game, Side.FAILURE) == 0:
        return (ev.EstimationPassed(),)
    return (ev.PushOrdered(who_pushes(game), lower_end(game.row)),)


def choose_end(game: Game, actor: str, command: cmd.ChooseEnd) -> tuple[ev.Event, ...]:
    """Choose between ends of the same value (ruling A1)."""
    return (ev.EndChosen(command.end),)


def all_in(game: Game) -> bool:
    """Whether nobody's ballot is missing."""
    return all(seat in game.ballots for seat in game.playing)


def locked_when_complete(game: Game) -> tuple[ev.Event, ...]:
    """All ballots lock once nobody's is missing; only then are their seals made and shown."""
    if not all_in(game):
        return ()
    salts = {seat: game.salts[seat] for seat in game.playing if seat in game.salts}
    return (ev.BallotsLocked(seals(game.id, game.round, game.ballots, salts)),)


PREIMAGE = "domino-rig-ballot/1"


def seal(game: str, round_: int, seat: str, side: Side, salt: str) -> str:
    """The SHA-256 of one ballot, as 64 hexadecimal digits.

    Without the salt (at least 128 random bits) nobody can try out the two sides; with it, anybody
    can: it is the hash of the six words joined by single spaces, in UTF-8.

    Args:
        game: the name drawn for the game.
        round_: the round's number, from 1.
        seat: whose ballot it is.
        side: what it says.
        salt: what was drawn for this ballot.

    >>> seal("4f1c", 2, "s3", Side.SUCCESS, "9a0b")[:16]
    '6d6fefcbd5587c99'
    """
    words = (PREIMAGE, game, str(round_), seat, side.value, salt)
    return hashlib.sha256(" ".join(words).encode()).hexdigest()


def seals(
    game: str, round_: int, ballots: Mapping[str, Side], salts: Mapping[str, str]
) -> dict[str, str]:
    """The seals of all ballots that have a salt, in the order of the salts, never of the votes."""
    return {
        seat: seal(game, round_, seat, ballots[seat], salt)
        for seat, salt in salts.items()
        if seat in ballots
    }
