"""The proof of a game of Estimation Domino: its seals, its rules and its chips, event by event."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rig.games.estimation import events as ev
from rig.games.estimation.ballots import seal
from rig.games.estimation.game import Game
from rig.games.estimation.story.authority import at_table
from rig.games.estimation.story.decided_again import decided_again, wrong
from rig.games.estimation.story.narrator import outcome_phrase
from rig.games.estimation.table.estimation_table import EstimationTable
from rig.games.estimation.terms import CAMERA, Phase, Side
from rig.games.interface import Data
from rig.games.phrase import Fact, Phrase
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
                self.proof.find(record.v, "rules", "impossible", event=type(event).__name__)
                return
        self.proof.over = self.table.game.phase is Phase.GAME_OVER
        if self.due:
            self.proof.find(records[-1].v, "half")

    def _command(self, record: Record) -> bool:
        """Say whether a command begins with this record, and hear of its time."""
        at_s, who = self.command
        playing, other = self.table.game.phase is not Phase.LOBBY, (record.at, record.actor)
        if playing and not self.proof.older and record.at < at_s:
            self.proof.find(record.v, "time", "back")
        if self.due and record.at != at_s:
            self.proof.find_at_least(record.v, "time", "apart")
        if self.due and record.actor != who:
            self._actor(record)
        self.command = other
        if other != (at_s, who):
            self.began = self.table
        return other != (at_s, who)

    def _step(self, record: Record, event: Data, rest: Sequence[Data | None], alone: bool) -> None:
        v, game = record.v, self.table.game
        if not self.proof.older and getattr(event, "at_s", record.at) > record.at + _LATE_S:
            self.proof.find(v, "time", "ahead")
        possible, theirs = at_table(self.table, self.began, record.actor, event, alone)
        if not possible or self._other_options(event):
            self.proof.find(v, "table", name=type(event).__name__)
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
        name = self._name(hand)
        who = Phrase(f"proof.by.{hand}", otherwise=name)
        of: dict[str, Fact] = {"event": record.type, "name": name, "who": who}
        if seat:
            of["whom"] = self._name(seat)
        self.proof.find(record.v, "actor", "for" if seat else "", **of)

    def _rules(self, record: Record, event: ev.Event, rest: Sequence[Data | None]) -> None:
        if not self.due:
            head = [e for e in rest[:24] if isinstance(e, ev.Event)]
            found = decided_again(self.table, record.actor, head, self.alone)
            if not found.events:
                self.proof.find_at_least(record.v, "rules", event=record.type)
                return
            if not (found.theirs or (self.proof.older and isinstance(event, _CLEARED))):
                self._actor(record)
            self.due = found.events
        due, *more = self.due
        if found_wrong := wrong(due, event):
            kind, how, of = found_wrong
            self.proof.find(record.v, kind, how, **of)
        self.due = tuple(more)

    def _seals(self, v: int, game: Game, event: ev.Event) -> None:
        """Every ballot has its seal, and each one shown is the one that lay under it."""
        if isinstance(event, ev.GameStarted):
            self.sealed = bool(event.id) or not self.proof.older
        if isinstance(event, ev.BallotsLocked):
            self.sealed = self.sealed or bool(event.seals)
            if self.sealed and not event.seals:
                self.proof.find(v, "unsealed")
        if not isinstance(event, ev.BallotsRevealed):
            return
        for seat, side in event.ballots.items():
            before, salt, name = game.seals.get(seat), event.salts.get(seat), self._name(seat)
            if before is None and salt is None and not self.sealed:
                self.proof.unsealed += 1
            elif before is None and salt is None:
                self.proof.find_at_least(v, "unsealed")
            elif before is None or salt is None:
                self.proof.find(v, "no_seal" if before is None else "no_salt", name=name)
            elif before != seal(game.id, game.round, seat, side, salt):
                self.proof.find(v, self._broken(game, seat, side, salt), side.value, name=name)
            else:
                self.proof.ballots += 1

    def _broken(self, game: Game, seat: str, side: Side, salt: str) -> Kind:
        """Whether the other side lay under the seal."""
        other = seal(game.id, game.round, seat, side.other, salt)
        return "swapped" if game.seals.get(seat) == other else "broken"

    def _camera(self, v: int, event: ev.Event) -> None:
        """What the camera claims is what it saw."""
        if not isinstance(event, ev.OutcomeClaimed) or event.by != CAMERA:
            return
        seen = self.table.seen
        if seen is None:
            self.proof.find(v, "camera", "unseen")
        elif event.outcome.value != seen.outcome:
            self.proof.find(v, "camera", outcome=outcome_phrase(seen.outcome))

    def _pictures(self, v: int, event: Data) -> None:
        """Every picture that is spoken of has its hash."""
        n = event.seen.picture if isinstance(event, OutcomeSeen | FallPhotographed) else None
        n = event.picture if isinstance(event, PushBegun) else n
        if n is not None and n not in self.file.hashes and not self.proof.older:
            self.proof.find(v, "picture", n=n)

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
