"""The proof of a game file: what was sealed is what was shown, and every chip is right.

Each event is looked at four times, by things that do not know of each other: its link to the one
before; whether the rules let it follow; the seals, where ballots are shown; and the chips, counted
anew. What is wrong is said in a sentence with the number of the event, and the look goes on.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from rig.errors import RigError
from rig.gamefile import GameFile, first_link, next_link
from rig.games.estimation import events as ev
from rig.games.estimation.game import Game
from rig.games.estimation.seals import seal
from rig.games.estimation.words import CAMERA, Phase, Side
from rig.lawful import explained
from rig.recount import Count, counted
from rig.revive import opening, revived, with_ballots
from rig.table import Event, OutcomeSeen, Table, apply

Kind = Literal[
    "empty",
    "picture",
    "gap",
    "changed",
    "event",
    "rules",
    "paid",
    "winners",
    "chips",
    "no_seal",
    "no_salt",
    "swapped",
    "broken",
    "camera",
]
"""What can be wrong; pages have words for each."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong with a file.

    Attributes:
        v: the number of the event, 0 for the file as a whole.
        what: a sentence.
        kind: what it is, for pages that say it in their own words, and
        of: what these words name.
    """

    v: int
    what: str
    kind: Kind
    of: Mapping[str, str | int]


@dataclass(slots=True)
class Proof:
    """What was looked at, and what was found.

    Attributes:
        findings: everything that is wrong, in the order of the events.
        rounds: pushes that were paid.
        ballots: ballots shown whose seal was proved.
        unsealed: ballots shown that never had a seal.
        chips: chips counted anew.
        over: whether the game came to its end.
        fingerprint: the last link as it has to be.
    """

    findings: list[Finding] = field(default_factory=list)
    rounds: int = 0
    ballots: int = 0
    unsealed: int = 0
    chips: int = 0
    over: bool = False
    fingerprint: str = ""

    @property
    def good(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    def find(self, v: int, kind: Kind, what: str, least: bool = False, **of: str | int) -> None:
        """Note what is wrong; what says `least` only where nothing else is found of that event."""
        if what and not (least and any(f.v == v for f in self.findings)):
            self.findings.append(Finding(v, what, kind, of))


def verified(file: GameFile) -> Proof:
    """Look at everything in a file; it is never refused here."""
    proof = Proof()
    if not file.events:
        proof.find(0, "empty", "there is no event in the file")
        return proof
    _links(file, proof)
    for n, jpeg in file.pictures.items():
        if hashlib.sha256(jpeg).hexdigest() != file.hashes.get(n):
            proof.find(0, "picture", f"picture {n} is not the one that was taken", n=n)
    events = _events(file, proof)
    if events is None:
        return proof
    _Walk(proof, opening(file), Count()).through([e.record.v for e in file.events], events)
    proof.findings.sort(key=lambda finding: finding.v)
    return proof


def _links(file: GameFile, proof: Proof) -> None:
    """Every event hangs on the one before it, and none is missing."""
    before, v = first_link(file), file.events[0].record.v
    for event in file.events:
        if event.record.v != v:
            what = f"event {v} should stand here: something was taken out"
            proof.find(event.record.v, "gap", what, n=v)
            v = event.record.v
        proof.fingerprint = next_link(before, event.record)
        if event.link != proof.fingerprint:
            proof.find(v, "changed", "it was changed after the game, or what stands before it")
        before, v = event.link, v + 1


def _events(file: GameFile, proof: Proof) -> list[Event | None] | None:
    """The events, or None if one of them is none: then nothing after it means anything."""
    events: list[Event | None] = []
    for linked in file.events:
        try:
            events.append(revived(linked.record))
        except RigError as error:
            proof.findings = [f for f in proof.findings if f.v < linked.record.v]
            proof.find(linked.record.v, "event", f"it is no event of a game: {error}")
            return None
    return with_ballots(events)


@dataclass(slots=True)
class _Walk:
    """Goes through a game event by event."""

    proof: Proof
    table: Table
    count: Count
    due: int = 0
    """How many of the next events of the game have been explained already."""

    def through(self, numbers: Sequence[int], events: Sequence[Event | None]) -> None:
        for i, (v, event) in enumerate(zip(numbers, events, strict=True)):
            if event is None:
                continue
            try:
                self._step(v, event, events[i:])
            except Exception:  # a game's functions are not made for what cannot be
                self.proof.find(v, "rules", f"{type(event).__name__} cannot follow here")
                return
        self.proof.over = self.table.phase is Phase.GAME_OVER

    def _step(self, v: int, event: Event, rest: Sequence[Event | None]) -> None:
        game = self.table.game
        if isinstance(event, ev.Event):
            self._seals(v, game, event)
            self.count, wrong = counted(self.count, event)
            kind: Kind = "winners" if isinstance(event, ev.GameEnded) else "paid"
            self.proof.find(v, kind, wrong)
            self._rules(v, game, event, rest)
            self._tally(event)
        elif isinstance(event, OutcomeSeen):
            self._camera(v, event, rest)
        self.table = apply(self.table, event)
        if dict(self.table.game.chips) != dict(self.count.chips) and self.table.game.chips:
            what = "the chips of the seats are not those that were paid"
            self.proof.find(v, "chips", what, least=True)

    def _rules(self, v: int, game: Game, event: ev.Event, rest: Sequence[Event | None]) -> None:
        if self.due == 0:
            head = [e for e in rest[:24] if isinstance(e, ev.Event)]
            self.due = explained(game, head)
            if self.due == 0:
                name = type(event).__name__
                what = f"by the rules, {name} cannot follow here"
                self.proof.find(v, "rules", what, least=True)
                return
        self.due -= 1

    def _seals(self, v: int, game: Game, event: ev.Event) -> None:
        """Every ballot shown is the one that lay under its seal."""
        if not isinstance(event, ev.BallotsRevealed):
            return
        for seat, side in event.ballots.items():
            before, salt, name = game.seals.get(seat), event.salts.get(seat), self._name(seat)
            if before is None and salt is None:
                self.proof.unsealed += 1
            elif before is None or salt is None:
                missing = "seal" if before is None else "salt"
                what = f"the ballot of {name} has no {missing}"
                self.proof.find(v, "no_seal" if before is None else "no_salt", what, name=name)
            elif before != seal(game.id, game.round, seat, side, salt):
                kind, what = self._broken(game, seat, side, salt)
                self.proof.find(v, kind, what, name=name)
            else:
                self.proof.ballots += 1

    def _broken(self, game: Game, seat: str, side: Side, salt: str) -> tuple[Kind, str]:
        name, said = self._name(seat), side.value
        if game.seals.get(seat) == seal(game.id, game.round, seat, side.other, salt):
            return "swapped", f"{name} sealed {side.other.value}, and {said} was shown"
        return "broken", f"the ballot of {name} ({said}) is not the one that was sealed"

    def _camera(self, v: int, event: OutcomeSeen, rest: Sequence[Event | None]) -> None:
        """What the camera claims is what it saw."""
        for after in rest[1:4]:
            if isinstance(after, ev.OutcomeClaimed):
                wrong = after.by == CAMERA and after.outcome.value != event.seen.outcome
                said = f"the camera saw that it {event.seen.outcome}, and claimed the opposite"
                self.proof.find(v, "camera", said if wrong else "")
                return

    def _tally(self, event: ev.Event) -> None:
        match event:
            case ev.OutcomeJudged(_, won):
                self.proof.rounds += 1
                self.proof.chips += sum(won.values())
            case ev.AccidentConfirmed(_, won):
                self.proof.chips += sum(won.values())

    def _name(self, seat: str) -> str:
        player = self.table.player(seat)
        return player.name if player else seat
