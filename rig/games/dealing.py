"""How the table and its phones shuffle together, step by step. Pure, and the same for every game.

The table publishes a hash of its secret, and every phone one of its share. Nobody's hash is shown
until all phones that were asked have sent theirs, or their time is over. Then the shares are sent,
and `rig.games.shuffle` gives the order. A seat whose hash was shown and whose share does not come
makes the shuffle void, and everything is drawn anew. Secret and shares are known to nobody until
the round is over. Chance comes as an argument, time as the command of somebody who has a clock.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from rig.errors import NotPossible
from rig.games.interface import Seat, known_to
from rig.games.shuffle import HEX_DIGITS, Shuffle, committed, is_value, order_of, share_hash
from rig.serialise import to_plain

_OPEN = "ShuffleOpened"
_ALL_IN = "HashesShown"
MOST_WITHHELD = 2
"""So many shares may a seat withhold in a round: once may be a phone that went to sleep between."""


@dataclass(frozen=True, slots=True)
class ShuffleBegun:
    """The table has drawn its secret, and asks phones for hashes of their shares.

    Attributes:
        game: the game's name, 64 digits.
        round: which shuffle of the game this is, from 1; one that was void does not count.
        count: how many items are shuffled.
        seats: who plays, in their order round the table.
        asked: those whose phones are asked; the table has drawn the shares of the others.
        commitment: the hash of the secret.
        secret: what the table has drawn, and
        drawn: the shares of seats without a phone of their own.
    """

    game: str
    round: int
    count: int
    seats: tuple[Seat, ...]
    asked: tuple[Seat, ...]
    commitment: str
    secret: str = field(metadata=known_to("nobody", until=_OPEN))
    drawn: Mapping[Seat, str] = field(metadata=known_to("nobody", until=_OPEN))


@dataclass(frozen=True, slots=True)
class ShareHashed:
    """A phone has sent the hash of its share."""

    seat: Seat
    hash: str = field(metadata=known_to("seat", until=_ALL_IN))


@dataclass(frozen=True, slots=True)
class HashesShown:
    """All hashes lie open, those of the shares drawn by the table too; `left_out` sent none."""

    hashes: Mapping[Seat, str]
    left_out: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class ShareSent:
    """A phone has sent its share."""

    seat: Seat
    share: str = field(metadata=known_to("seat", until=_OPEN))


@dataclass(frozen=True, slots=True)
class ShuffleVoid:
    """The shares of these seats did not come: everything is drawn anew."""

    missing: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class ShuffleMade:
    """All shares are there, and the order follows from them; the game deals it."""

    order: tuple[int, ...] = field(metadata=known_to("nobody", until=_OPEN))


@dataclass(frozen=True, slots=True)
class ShuffleOpened:
    """The round is over: its secret and all its shares lie open."""

    round: int


ShuffleEvent = (
    ShuffleBegun | ShareHashed | HashesShown | ShareSent | ShuffleVoid | ShuffleMade | ShuffleOpened
)


class ShuffleStage(StrEnum):
    """How far a shuffle has come."""

    HASHES = "hashes"
    SHARES = "shares"
    DEALT = "dealt"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Dealing:
    """The newest shuffle of a game.

    Attributes:
        begun: how it began.
        stage: how far it has come.
        hashes: of the shares, as far as they have been sent.
        shares: those sent, and those drawn by the table.
        left_out: the seats that sent no hash in time.
        order: how it was dealt.
        void: the seats whose shares were missing in the shuffle before, which was void by that.
        opened: the newest shuffle of the game that lies open.
        withheld: whose shares were missing in the void shuffles of this round, once for each.
    """

    begun: ShuffleBegun
    stage: ShuffleStage = ShuffleStage.HASHES
    hashes: Mapping[Seat, str] = field(default_factory=dict)
    shares: Mapping[Seat, str] = field(default_factory=dict)
    left_out: tuple[Seat, ...] = ()
    order: tuple[int, ...] = ()
    void: tuple[Seat, ...] = ()
    opened: Shuffle | None = None
    withheld: tuple[Seat, ...] = ()

    @property
    def missing(self) -> tuple[Seat, ...]:
        """The seats that are waited for."""
        begun = self.begun
        match self.stage:
            case ShuffleStage.HASHES:
                return tuple(seat for seat in begun.asked if seat not in self.hashes)
            case ShuffleStage.SHARES:
                return tuple(s for s in begun.seats if s in self.hashes and s not in self.shares)
            case _:
                return ()

    @property
    def is_going_on(self) -> bool:
        """Whether it has begun and is not dealt."""
        return self.stage in (ShuffleStage.HASHES, ShuffleStage.SHARES)


def evolve(dealing: Dealing | None, event: ShuffleEvent) -> Dealing | None:
    """The newest shuffle after an event."""
    if isinstance(event, ShuffleBegun):
        again = dealing is not None and dealing.is_going_on
        return Dealing(
            event,
            hashes=_hashes(event, event.drawn),
            shares=event.drawn,
            void=dealing.void if dealing is not None and again else (),
            opened=dealing.opened if dealing is not None else None,
            withheld=dealing.withheld if dealing is not None and again else (),
        )
    if dealing is None:
        return None
    match event:
        case ShareHashed(seat, hash):
            return replace(dealing, hashes={**dealing.hashes, seat: hash})
        case HashesShown(hashes, left_out):
            return replace(dealing, stage=ShuffleStage.SHARES, hashes=hashes, left_out=left_out)
        case ShareSent(seat, share):
            return replace(dealing, shares={**dealing.shares, seat: share})
        case ShuffleVoid(missing):
            return replace(dealing, void=missing, withheld=(*dealing.withheld, *missing))
        case ShuffleMade(order):
            return replace(dealing, stage=ShuffleStage.DEALT, order=order)
        case ShuffleOpened():
            return replace(dealing, stage=ShuffleStage.OPEN, opened=as_opened(dealing))


def as_opened(dealing: Dealing) -> Shuffle:
    """A shuffle with all that lies open after its round."""
    begun = dealing.begun
    return Shuffle(
        game=begun.game,
        round=begun.round,
        count=begun.count,
        commitment=begun.commitment,
        secret=begun.secret,
        seats=begun.seats,
        hashes=dealing.hashes,
        shares=dealing.shares,
        order=dealing.order,
        drawn=_by_table(begun),
    )


def _by_table(begun: ShuffleBegun) -> tuple[Seat, ...]:
    """The seats that were not asked: the table has drawn their shares."""
    return tuple(seat for seat in begun.seats if seat not in begun.asked)


def begin(
    before: Dealing | None,
    count: int,
    seats: Sequence[Seat],
    asked: Sequence[Seat],
    draw: Callable[[], str],
) -> ShuffleBegun:
    """Begin the shuffle that a game needs.

    Args:
        before: the shuffle before it in this game; None for the first.
        count: how many items the game needs.
        seats: who plays, in their order round the table.
        asked: those who have a phone; whoever has withheld `MOST_WITHHELD` shares in this round is
            not asked again, as they could stop the game for ever.
        draw: gives 64 fresh unguessable digits.
    """
    game = before.begun.game if before else draw()
    number = before.begun.round + (not before.is_going_on) if before else 1
    if before and before.is_going_on:
        asked = [seat for seat in asked if before.withheld.count(seat) < MOST_WITHHELD]
    secret = draw()
    drawn = {seat: draw() for seat in seats if seat not in asked}
    commitment = committed(game, number, secret)
    return ShuffleBegun(game, number, count, tuple(seats), tuple(asked), commitment, secret, drawn)


def goes_on(dealing: Dealing) -> ShuffleEvent:
    """What follows when everybody has sent what was asked for, or their time is over."""
    begun, missing = dealing.begun, dealing.missing
    if dealing.stage is ShuffleStage.HASHES:
        return HashesShown({s: dealing.hashes[s] for s in begun.seats if s not in missing}, missing)
    if missing:
        return ShuffleVoid(missing)
    order = order_of(
        begun.game, begun.round, begun.count, begun.secret, begun.seats, dealing.shares
    )
    return ShuffleMade(order)


def take_hash(dealing: Dealing | None, seat: Seat, data: Mapping[str, Any]) -> ShareHashed:
    """Take the hash of a seat's share.

    Args:
        dealing: the shuffle that is going on.
        seat: who sends it.
        data: `shuffle`, which names the shuffle by what the table published for it, and `hash`.

    Raises:
        NotPossible: it is not asked for, or is none.
    """
    going, given = _asked(dealing, seat, data), _value(data, "hash")
    if going.stage is not ShuffleStage.HASHES:
        raise NotPossible("stale", "hash comes too late: the hashes of this round lie open.")
    if seat in going.hashes:
        raise NotPossible("stale", "hash has come already: a seat sends one a round.")
    return ShareHashed(seat, given)


def take_share(dealing: Dealing | None, seat: Seat, data: Mapping[str, Any]) -> ShareSent:
    """Take the share of a seat; `data` has `shuffle`, as for its hash, and `share`.

    Raises:
        NotPossible: it is not asked for, is none, or does not fit its hash.
    """
    going, given = _asked(dealing, seat, data), _value(data, "share")
    if going.stage is not ShuffleStage.SHARES:
        raise NotPossible("stale", "share has to wait until the hashes of this round lie open.")
    if seat not in going.hashes:
        raise NotPossible("stale", "share comes from a seat that sent no hash in time.")
    if seat in going.shares:
        raise NotPossible("stale", "share has come already: a seat sends one a round.")
    if share_hash(going.begun.game, going.begun.round, seat, given) != going.hashes[seat]:
        raise NotPossible("bad_command", "share has to fit the hash that this seat sent before.")
    return ShareSent(seat, given)


def _asked(dealing: Dealing | None, seat: Seat, data: Mapping[str, Any]) -> Dealing:
    """The shuffle that is going on, of which this seat was asked for a share."""
    if dealing is None or not dealing.is_going_on:
        raise NotPossible("stale", "shuffle has to name one that is going on, and none is.")
    if data.get("shuffle") != dealing.begun.commitment:
        raise NotPossible(
            "stale", "shuffle has to be what the table published for the one that is going on."
        )
    if seat not in dealing.begun.asked:
        raise NotPossible("not_allowed", f"seat {seat} was not asked for a share in this round.")
    return dealing


def _value(data: Mapping[str, Any], name: str) -> str:
    given = data.get(name)
    if not is_value(given):
        raise NotPossible("bad_command", f"{name} has to be {HEX_DIGITS} digits 0-9 and a-f.")
    return str(given)


def _hashes(begun: ShuffleBegun, shares: Mapping[Seat, str]) -> Mapping[Seat, str]:
    return {s: share_hash(begun.game, begun.round, s, share) for s, share in shares.items()}


def view(dealing: Dealing | None) -> Mapping[str, Any]:
    """What everybody may know of the newest shuffle, and all of the newest that lies open."""
    if dealing is None:
        return {"shuffle": None, "shuffle_opened": None}
    begun, sealed = dealing.begun, dealing.stage is ShuffleStage.HASHES
    shuffle = {
        "game": begun.game,
        "round": begun.round,
        "count": begun.count,
        "commitment": begun.commitment,
        "stage": dealing.stage.value,
        "asked": list(begun.asked),
        "missing": list(dealing.missing),
        "left_out": list(dealing.left_out),
        "drawn": list(_by_table(begun)),
        "void": list(dealing.void),
        "hashes": {} if sealed else dict(dealing.hashes),
    }
    return {"shuffle": shuffle, "shuffle_opened": to_plain(dealing.opened)}
