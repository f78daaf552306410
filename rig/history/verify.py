"""The proof of a game file: what was sealed is what was shown, and every chip is right.

Independent checks look at each event: its link to the one before, and its time; whether the rules
allow it there, and to its actor; the seals, when ballots are locked and shown; and the chips, by
recounting. Each error is reported in a sentence with the number of the event, and the checks go on.
"""

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from rig.errors import RigError
from rig.games.estimation import events as ev
from rig.games.estimation.ballots import seal
from rig.games.estimation.game import Game
from rig.games.estimation.physical.push_events import PushBegun
from rig.games.estimation.terms import CAMERA, Phase, Side
from rig.history.gamefile import OLDER, GameFile, first_link, next_link, short
from rig.history.lawful import allowed, explained, possible
from rig.history.recount import Count, counted
from rig.history.restore import games_in, opening, revived, with_ballots
from rig.journal import Record
from rig.session.events import OptionsChosen
from rig.session.state import Event, OutcomeSeen, Table, apply

Kind = Literal[
    "empty",
    "picture",
    "gap",
    "end",
    "half",
    "changed",
    "time",
    "event",
    "rules",
    "table",
    "actor",
    "paid",
    "winners",
    "chips",
    "unsealed",
    "no_seal",
    "no_salt",
    "swapped",
    "broken",
    "camera",
    "fingerprint",
]
"""What can be wrong; pages have words for each."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong with a file.

    Attributes:
        v: the number of the event, 0 for the file as a whole.
        what: an English sentence.
        kind: key of the words in which pages say it.
        of: values for the placeholders in those words.
    """

    v: int
    what: str
    kind: Kind
    of: Mapping[str, str | int]


@dataclass(slots=True)
class Proof:
    """What was checked, and what was found.

    Attributes:
        findings: everything that is wrong, in the order of the events.
        rounds: pushes that were paid.
        ballots: ballots shown whose seal was proved.
        unsealed: ballots shown that never had a seal.
        chips: chips recounted.
        over: whether the game came to its end.
        fingerprint: the last link, recomputed.
        older: whether the file is of version 1, so that a missing end cannot be noticed.
        expected: the fingerprint it was compared with; "" if none was given.
        matches: whether the file, or a game in it, has that fingerprint.
    """

    findings: list[Finding] = field(default_factory=list)
    rounds: int = 0
    ballots: int = 0
    unsealed: int = 0
    chips: int = 0
    over: bool = False
    fingerprint: str = ""
    older: bool = False
    expected: str = ""
    matches: bool = False

    @property
    def good(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    def find(self, v: int, kind: Kind, what: str, least: bool = False, **of: str | int) -> None:
        """Record an error; with `least`, only if nothing else is found about that event."""
        if what and not (least and any(f.v == v and f.kind not in _LINKS for f in self.findings)):
            self.findings.append(Finding(v, what, kind, of))


_LINKS: tuple[Kind, ...] = ("changed", "gap")


def verified(file: GameFile, expected: str = "") -> Proof:
    """Check everything in a file; errors are reported, never raised.

    Args:
        file: the file.
        expected: what its fingerprint must begin with, as `gamefile.digits()` gives it.
    """
    proof = Proof(older=file.version == OLDER)
    if not file.events:
        proof.find(0, "empty", "there is no event in the file")
        return proof
    _links(file, proof)
    _end(file, proof)
    for n, jpeg in file.pictures.items():
        if hashlib.sha256(jpeg).hexdigest() != file.hashes.get(n):
            proof.find(0, "picture", f"picture {n} is not the one that was taken", n=n)
    events = _events(file, proof)
    if events is not None:
        _Walk(proof, file).through(events)
    proof.expected = expected
    proof.matches = expected != "" and _has(file, proof.fingerprint, expected)
    if expected and not proof.matches:
        shown, asked = short(proof.fingerprint), short(expected)
        what = f"its fingerprint is {shown}, not {asked}"
        proof.find(0, "fingerprint", what, shown=shown, asked=asked)
    proof.findings.sort(key=lambda finding: finding.v)
    return proof


def _has(file: GameFile, fingerprint: str, expected: str) -> bool:
    """Whether the file has this fingerprint or, for a whole table's file, one of its games has."""
    if fingerprint.startswith(expected):
        return True
    try:
        return any(game.fingerprint.startswith(expected) for game in games_in(file))
    except Exception:  # what cannot be is found elsewhere
        return False


def _links(file: GameFile, proof: Proof) -> None:
    """Check that every event is linked to the one before it, and none is missing."""
    before, v = first_link(file), file.events[0].record.v
    proof.fingerprint = before
    for event in file.events:
        if event.record.v != v:
            what = f"event {v} should stand here: something was taken out"
            proof.find(event.record.v, "gap", what, n=v)
            v = event.record.v
        if event.link != next_link(before, event.record):
            proof.find(v, "changed", "it was changed after the game, or what stands before it")
        proof.fingerprint = next_link(proof.fingerprint, event.record)
        before, v = event.link, v + 1


def _end(file: GameFile, proof: Proof) -> None:
    """Check that the file ends where its head says; version 1 does not say it."""
    if file.version == OLDER:
        return
    has, due = len(file.events), file.count
    if has < due:
        what = f"the end was cut off: {has} events are there, and there were {due}"
        proof.find(0, "end", what, has=has, due=due)
    elif has > due or file.events[-1].link != file.last:
        what = f"its end is not as it was: there were {due} events, and there are {has}"
        proof.find(0, "end", what, has=has, due=due)


def _events(file: GameFile, proof: Proof) -> list[Event | None] | None:
    """The events, or None if one of them cannot be read: then nothing after it means anything."""
    events: list[Event | None] = []
    for linked in file.events:
        try:
            events.append(revived(linked.record))
        except RigError as error:
            proof.findings = [f for f in proof.findings if f.v < linked.record.v]
            proof.find(linked.record.v, "event", f"it is no event of a game: {error}")
            return None
    return with_ballots(events)


_OPTIONS = (OptionsChosen, ev.GameStarted)
_CLEARED = (ev.SeatLeft, ev.LobbyReopened)
"""What the last person to go may bring about; a file of version 1 does not tell who has a phone."""
_LATE_S = 1.0
"""Seconds by which a time named in an event may be later than the event itself."""


@dataclass(slots=True)
class _Walk:
    """Goes through a game event by event."""

    proof: Proof
    file: GameFile
    table: Table = field(init=False)
    count: Count = field(default_factory=Count)
    due: int = 0
    """How many of the next events of the game have been explained already."""
    began: Table = field(init=False)
    """The table before the command at hand."""
    command: tuple[float, str] = (-math.inf, "")
    """Time and actor of the command at hand."""
    sealed: bool = False
    """Whether the game has seals."""
    chosen: bool = False
    """Whether the file tells which options the next game begins by."""

    def __post_init__(self) -> None:
        self.table = self.began = opening(self.file)

    def through(self, events: Sequence[Event | None]) -> None:
        records = [each.record for each in self.file.events]
        for i, (record, event) in enumerate(zip(records, events, strict=True)):
            alone = self._command(record)
            if event is None:
                continue
            try:
                self._step(record, event, events[i:], alone)
            except Exception:  # a game's functions are not made for what cannot be
                what = f"{type(event).__name__} cannot follow here"
                self.proof.find(record.v, "rules", what)
                return
        self.proof.over = self.table.phase is Phase.GAME_OVER
        if self.due:
            what = "part of what was written together with it is missing"
            self.proof.find(records[-1].v, "half", what)

    def _command(self, record: Record) -> bool:
        """Say whether a command begins with this record, and hear of its time."""
        at_s, who = self.command
        playing, other = self.table.phase is not Phase.LOBBY, (record.at, record.actor)
        if playing and not self.proof.older and record.at < at_s:
            self.proof.find(record.v, "time", "its time is before that of the event before it")
        if self.due and record.at != at_s:
            what = "its time is not that of the event before it, which was written together with it"
            self.proof.find(record.v, "time", what, least=True)
        if self.due and record.actor != who:
            self._actor(record)
        self.command = other
        if other != (at_s, who):
            self.began = self.table
        return other != (at_s, who)

    def _step(
        self, record: Record, event: Event, rest: Sequence[Event | None], alone: bool
    ) -> None:
        v, game = record.v, self.table.game
        if not self.proof.older and getattr(event, "at_s", record.at) > record.at + _LATE_S:
            self.proof.find(v, "time", "it tells of a time that had not come yet")
        if not possible(self.table, event) or self._other_options(event):
            name = type(event).__name__
            what = f"{name} could not have happened at the table at that moment"
            self.proof.find(v, "table", what, name=name)
        if isinstance(event, ev.Event):
            self._seals(v, game, event)
            self.count, wrong = counted(self.count, event)
            kind: Kind = "winners" if isinstance(event, ev.GameEnded) else "paid"
            self.proof.find(v, kind, wrong)
            self._camera(v, event)
            self._rules(record, event, rest)
            self._tally(event)
        else:
            if not allowed(self.began, record.actor, event, alone):
                self._actor(record)
            self._pictures(v, event)
        self.table = apply(self.table, event)
        if dict(self.table.game.chips) != dict(self.count.chips) and self.table.game.chips:
            what = "the chips of the seats are not those that were paid"
            self.proof.find(v, "chips", what, least=True)

    def _other_options(self, event: Event) -> bool:
        """Whether a game begins by other options than those that were chosen in this file."""
        chosen, self.chosen = self.chosen, self.chosen or isinstance(event, _OPTIONS)
        if not isinstance(event, ev.GameStarted):
            return False
        return chosen and event.options != self.table.game.options

    def _actor(self, record: Record) -> None:
        hand, _, seat = record.actor.partition(" for ")
        name, whom = self._name(hand), f" for {self._name(seat)}" if seat else ""
        what = f"{record.type} was not for {name} to do{whom}"
        self.proof.find(record.v, "actor", what, name=name)

    def _rules(self, record: Record, event: ev.Event, rest: Sequence[Event | None]) -> None:
        if self.due == 0:
            head = [e for e in rest[:24] if isinstance(e, ev.Event)]
            self.due, theirs = explained(self.table, record.actor, head)
            if self.due == 0:
                what = f"by the rules, {record.type} cannot follow here"
                self.proof.find(record.v, "rules", what, least=True)
                return
            if not (theirs or (self.proof.older and isinstance(event, _CLEARED))):
                self._actor(record)
        self.due -= 1

    def _seals(self, v: int, game: Game, event: ev.Event) -> None:
        """Check that every ballot has its seal, and that each one shown is the one sealed."""
        if isinstance(event, ev.GameStarted):
            self.sealed = bool(event.id) or not self.proof.older
        if isinstance(event, ev.BallotsLocked):
            self.sealed = self.sealed or bool(event.seals)
            if self.sealed and not event.seals:
                self.proof.find(v, "unsealed", "its seals were taken out")
        if not isinstance(event, ev.BallotsRevealed):
            return
        for seat, side in event.ballots.items():
            before, salt, name = game.seals.get(seat), event.salts.get(seat), self._name(seat)
            if before is None and salt is None and not self.sealed:
                self.proof.unsealed += 1
            elif before is None and salt is None:
                self.proof.find(v, "unsealed", "its seals were taken out", least=True)
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

    def _camera(self, v: int, event: ev.Event) -> None:
        """Check that the camera's claim is what it saw."""
        if not isinstance(event, ev.OutcomeClaimed) or event.by != CAMERA:
            return
        seen = self.table.seen
        if seen is None:
            self.proof.find(v, "camera", "the camera claims what it has not seen")
        elif event.outcome.value != seen.outcome:
            said = f"the camera saw that it {seen.outcome}, and claimed the opposite"
            self.proof.find(v, "camera", said)

    def _pictures(self, v: int, event: Event) -> None:
        """Check that every picture that an event names has its hash."""
        n = event.seen.picture if isinstance(event, OutcomeSeen) else None
        n = event.picture if isinstance(event, PushBegun) else n
        if n is not None and n not in self.file.hashes and not self.proof.older:
            self.proof.find(v, "picture", f"picture {n} is not the one that was taken", n=n)

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
