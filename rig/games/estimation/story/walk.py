"""The proof of a game of Estimation Domino: its seals, its rules and its chips, event by event."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rig.games.estimation import events as ev
from rig.games.estimation.ballots import seal
from rig.games.estimation.game import Game
from rig.games.estimation.story.authority import at_table
from rig.games.estimation.story.decided_again import decided_again, wrong
from rig.games.estimation.table.estimation_table import EstimationTable
from rig.games.estimation.terms import CAMERA, Phase, Side
from rig.games.interface import Data
from rig.history.proof import Kind, Proof
from rig.journal import Record
from rig.row.push_events import FallPhotographed, OutcomeSeen, PushBegun
from rig.session.events import OptionsChosen
from rig.session.fingerprint import GameFile

_OPTIONS = (OptionsChosen, ev.GameStarted)
_CLEARED = (ev.SeatLeft, ev.LobbyReopened)
"""What the last person to go may bring about; a file of version 1 does not tell who has a phone."""
_LATE_S = 1.0
"""No event tells of a time that is later than its own by more."""


@dataclass(slots=True)
class Walk:
    """Goes through a game event by event."""

    proof: Proof
    file: GameFile
    opened: EstimationTable
    apply: Callable[[EstimationTable, Data], EstimationTable]
    table: EstimationTable = field(init=False)
    due: tuple[ev.Event, ...] = ()
    """The next events of the game, where the command at hand has more than came so far."""
    began: EstimationTable = field(init=False)
    """The table before the command at hand."""
    command: tuple[float, str] = (-math.inf, "")
    """Time and actor of the command at hand."""
    sealed: bool = False
    """Whether the game has seals."""
    alone: bool = False
    """Whether the event at hand is all that its command gave."""
    chosen: bool = False
    """Whether the file tells which options the next game begins by."""

    def __post_init__(self) -> None:
        self.table = self.began = self.opened

    def through(self, events: Sequence[Data | None]) -> None:
        records = [each.record for each in self.file.events]
        for i, (record, event) in enumerate(zip(records, events, strict=True)):
            alone = self._command(record)
            after = records[i + 1 : i + 2]
            self.alone = alone and self.command not in [(each.at, each.actor) for each in after]
            if event is None:
                continue
            try:
                self._step(record, event, events[i:], alone)
            except Exception:  # a game's functions are not made for what cannot be
                what = f"{type(event).__name__} cannot follow here"
                self.proof.find(record.v, "rules", what)
                return
        self.proof.over = self.table.game.phase is Phase.GAME_OVER
        if self.due:
            what = "part of what was written together with it is missing"
            self.proof.find(records[-1].v, "half", what)

    def _command(self, record: Record) -> bool:
        """Say whether a command begins with this record, and hear of its time."""
        at_s, who = self.command
        playing, other = self.table.game.phase is not Phase.LOBBY, (record.at, record.actor)
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

    def _step(self, record: Record, event: Data, rest: Sequence[Data | None], alone: bool) -> None:
        v, game = record.v, self.table.game
        if not self.proof.older and getattr(event, "at_s", record.at) > record.at + _LATE_S:
            self.proof.find(v, "time", "it tells of a time that had not come yet")
        possible, theirs = at_table(self.table, self.began, record.actor, event, alone)
        if not possible or self._other_options(event):
            name = type(event).__name__
            what = f"{name} could not have happened at the table at that moment"
            self.proof.find(v, "table", what, name=name)
        if isinstance(event, ev.Event):
            self._seals(v, game, event)
            self._camera(v, event)
            self._rules(record, event, rest)
            self._tally(event)
        else:
            if not theirs:
                self._actor(record)
            self._pictures(v, event)
        self.table = self.apply(self.table, event)

    def _other_options(self, event: Data) -> bool:
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

    def _rules(self, record: Record, event: ev.Event, rest: Sequence[Data | None]) -> None:
        if not self.due:
            head = [e for e in rest[:24] if isinstance(e, ev.Event)]
            found = decided_again(self.table, record.actor, head, self.alone)
            if not found.events:
                what = f"by the rules, {record.type} cannot follow here"
                self.proof.find(record.v, "rules", what, least=True)
                return
            if not (found.theirs or (self.proof.older and isinstance(event, _CLEARED))):
                self._actor(record)
            self.due = found.events
        due, *more = self.due
        self.proof.find(record.v, *wrong(due, event))
        self.due = tuple(more)

    def _seals(self, v: int, game: Game, event: ev.Event) -> None:
        """Every ballot has its seal, and each one shown is the one that lay under it."""
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
        """What the camera claims is what it saw."""
        if not isinstance(event, ev.OutcomeClaimed) or event.by != CAMERA:
            return
        seen = self.table.seen
        if seen is None:
            self.proof.find(v, "camera", "the camera claims what it has not seen")
        elif event.outcome.value != seen.outcome:
            said = f"the camera saw that it {seen.outcome}, and claimed the opposite"
            self.proof.find(v, "camera", said)

    def _pictures(self, v: int, event: Data) -> None:
        """Every picture that is spoken of has its hash."""
        n = event.seen.picture if isinstance(event, OutcomeSeen | FallPhotographed) else None
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


def with_ballots(events: Sequence[Data | None]) -> list[Data | None]:
    """The same events with the sides and salts put in that were shown later.

    Only the last choice of a seat is ever shown; what it was changed from stays unknown, and stands
    as the same.
    """
    told: list[Data | None] = []
    shown: ev.BallotsRevealed | None = None
    for event in reversed(events):
        match event:
            case ev.BallotsRevealed():
                shown = event
            case ev.BallotCast(seat) if shown is not None:
                event = ev.BallotCast(seat, shown.ballots.get(seat, Side.SUCCESS))
            case ev.DominoCalled(caller, forced, at_s):
                if shown is not None:
                    event = ev.DominoCalled(caller, forced, at_s, shown.salts)
                shown = None
            case _:
                pass
        told.append(event)
    return told[::-1]
