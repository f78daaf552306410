"""Estimation Domino at a table: its rules, with the row, the push and the calls around them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, TypeAlias, cast, get_args

from rig.config import Config
from rig.games.estimation import commands as cmd
from rig.games.estimation import events as ev
from rig.games.estimation.ballots import all_in
from rig.games.estimation.game import Game, Options, leaders
from rig.games.estimation.physical import fall_view, photo_finish, proposal
from rig.games.estimation.physical.estimation_physical import EstimationPhysical
from rig.games.estimation.rules import Estimation
from rig.games.estimation.story.estimation_story import EstimationStory
from rig.games.estimation.table import timing
from rig.games.estimation.table.awards import SETTLING, remembered
from rig.games.estimation.table.commands import COMMANDS
from rig.games.estimation.table.estimation_table import (
    EstimationTable,
    FinishEvent,
    RowContext,
    RowPresent,
    cleared,
    fold_finish,
)
from rig.games.estimation.table.snapshot import table_view
from rig.games.estimation.terms import HOST, Phase, Side
from rig.games.interface import Data, Seat
from rig.journal import Record
from rig.row import telling
from rig.row.push_events import (
    FallPhotographed,
    OutcomeSeen,
    PushEnded,
    PushStep,
    Standing,
)
from rig.row.row_live import Reading, RowLive, RowMachine
from rig.row.row_table import RowEvent, fold_row
from rig.session.events import OptionsChosen, Past, TableEvent
from rig.session.live import Limit
from rig.session.playing import Audience, Command, Context, Next, Play, Shown
from rig.session.state import followed, remembering

_Context: TypeAlias = Context[EstimationTable, RowLive, RowMachine]
_FINISH_EVENTS = get_args(FinishEvent)
_ROW_EVENTS = get_args(RowEvent)
_WITH_SEEN = (OutcomeSeen.__name__, FallPhotographed.__name__)
_STEPS = {None: "ready", "refused": "ready", "stopped": "ready", "missed": "ready"}
_STEPS |= {"requested": "moving", "done": "looking"}
"""What the pusher was about, where the machine itself is not there to ask."""
_ROW_SHOWN = (Phase.TURN, Phase.BALLOT, Phase.TOPPLE)


@dataclass(frozen=True, slots=True)
class RowStep:
    """What the last tile, or the last skip, has changed: game and row as they were before."""

    game: Game
    row: tuple[Standing, ...]
    latest: int | None


class EstimationPlay(Play[EstimationTable, RowLive, RowMachine]):
    """Estimation Domino, with a camera and a pusher or without."""

    def __init__(self) -> None:
        super().__init__(Estimation())
        self.story = EstimationStory(self.apply)
        own = {kind.__name__: kind for kind in (*_ROW_EVENTS, *_FINISH_EVENTS)}
        self.kinds = {**self.kinds, **own}

    acts_for = True
    physical = EstimationPhysical()
    written_as = ""
    moves_nothing = (ev.BallotCast, ev.BallotLocked, ev.BallotsLocked)
    step = RowStep
    put_in = MappingProxyType({"side": Side.SUCCESS.value, "salts": {}})
    machine_words = frozenset({PushEnded.__name__})

    @property
    def commands(self) -> Mapping[str, Command]:
        """What phones may ask for."""
        return COMMANDS

    def kept_of(self, actor: str, command: Any) -> tuple[Data, ...]:
        """Nothing: journals of this game have always had the events alone."""
        return ()

    def table(self, options: Mapping[str, object] | None = None) -> EstimationTable:
        """A table at which nothing has happened yet."""
        return EstimationTable(game=self.rules.new(options or {}))

    def live(self, opened_s: float = 0.0) -> RowLive:
        """What such a table knows for the moment."""
        return RowLive.opened(opened_s)

    def winners(self, game: Game) -> tuple[Seat, ...]:
        """Those still in the game with the most chips."""
        return leaders(game) if game.phase is Phase.GAME_OVER else ()

    def may_look_back(self, table: EstimationTable) -> bool:
        """Not at an open vote: its events show who has changed a ballot."""
        return table.game.stage not in (Phase.BALLOT, Phase.COUNTDOWN)

    def looked_back(self, table: EstimationTable, shot: dict[str, Any]) -> Mapping[str, Any]:
        """The push as its events have it: the machine is not there to ask."""
        push = shot["push"]
        if push is None:
            return shot
        step = table.attempt.step.value if table.attempt else None
        state = push["state"]
        if step in _STEPS and state not in ("stopped", "report"):
            state = _STEPS[step]
        return {**shot, "push": {**push, "state": state, "machine": True, "clear": True}}

    def figures(self, event: Data) -> Mapping[str, Any]:
        """Chips won, and who has won."""
        match event:
            case ev.OutcomeJudged() | ev.AccidentConfirmed() | ev.VerdictCorrected():
                return {"won": {seat: n for seat, n in event.won.items() if n}}
            case ev.AccidentTakenBack():
                return {"won": {seat: -n for seat, n in event.returned.items() if n}}
            case ev.GameEnded():
                return {"winners": list(event.winners)}
            case _:
                return {}

    def pictures_in(self, record: Record) -> tuple[int, ...]:
        """The picture of a row before its push, or after it."""
        seen = record.public["seen"] if record.type in _WITH_SEEN else record.public
        told = record.type in ("PushBegun", *_WITH_SEEN)
        number = seen.get("picture") if told else None
        return () if number is None else (number,)

    def was_sealed(self, record: Record) -> bool:
        """Whether every ballot that is shown had its seal."""
        if record.type != "BallotsRevealed":
            return True
        public = record.public
        return bool(public["ballots"].keys() == public.get("salts", {}).keys())

    def _table_event(self, table: EstimationTable, event: TableEvent) -> EstimationTable:
        match event:
            case OptionsChosen(options):
                return replace(table, game=replace(table.game, options=Options.parse(options)))
            case _:
                return super()._table_event(table, event)

    def _game_event(self, table: EstimationTable, event: Data) -> EstimationTable:
        if isinstance(event, _FINISH_EVENTS):
            return fold_finish(table, cast(FinishEvent, event))
        if isinstance(event, _ROW_EVENTS):
            return fold_row(table, cast(RowEvent, event))
        before = table
        table = super()._game_event(table, event)
        if table.attempt is None and table.seen is not None and table.phase is Phase.TURN:
            table = replace(table, seen=None)  # what was photographed has been stood up again
        if isinstance(event, SETTLING):
            table = replace(table, judged=remembered(table.judged, before, event, table.game))
        match event:
            case ev.RoundDealt():
                return replace(cleared(table), skips=0)
            case ev.RoundVoided() | ev.LobbyReopened():
                return cleared(table)
            case ev.TilePlaced(seat) | ev.TileMoved(seat):
                past = _step("placed", seat, before)
                return remembering(replace(table, skips=0), followed(before.pasts), past)
            case ev.TurnSkipped(seat):
                past = _step("skipped", seat, before)
                table = replace(table, skips=before.skips + 1)
                return remembering(table, followed(before.pasts), past)
            case ev.RowFixProposed() | ev.RowFixDeclined():
                return replace(table, pasts=before.pasts)
            case _:
                return table

    def put_back(self, table: EstimationTable, past: Past) -> EstimationTable:
        """The row and the turn as they were before the last tile, or the last skip."""
        before: RowStep = past.before
        return replace(
            table,
            game=replace(before.game, turn=table.game.turn + 1),
            row=before.row,
            latest=before.latest,
            step=table.step + 1,
        )

    def begun(self, table: EstimationTable) -> Mapping[str, Any]:
        """No thumb is on the button as a step begins, and a turn begins with a look at the row."""
        changes: dict[str, Any] = {"hold": None, "noticed": (), "kept": None, "wanted": None}
        changes |= {"cast": None}
        if table.game.phase in (Phase.TURN, Phase.LOBBY):
            # Where nobody looks, the row stands as it was entered.
            reading = Reading("looking" if table.devices.sees else "waiting")
            changes |= {"shouts": (), "reading": reading, "proposal": None, "forecast": None}
        if table.game.phase is Phase.ACCIDENT:
            changes["reading"] = Reading("looking")  # what it says of the row has to be of now
        if table.game.phase is Phase.TOPPLE:
            changes["clear"] = False  # until the camera has looked anew
        return changes

    def brings(
        self,
        before: EstimationTable,
        after: EstimationTable,
        live: RowLive,
        config: Config,
        now_s: float,
    ) -> Mapping[str, Any]:
        """When a ballot came in last; a fall on the virtual table, to be seen before it is told."""
        changes: dict[str, Any] = {}
        if after.game.phase is Phase.BALLOT:
            for seat, _ in after.game.ballots.items() - before.game.ballots.items():
                all_s = live.cast[2] if live.cast and all_in(before.game) else now_s
                changes["cast"] = (seat, now_s, all_s)
        if live.telling is not None or after.seen is not before.seen:
            changes["telling"] = fall_view.to_be_seen(before, after, live, config, now_s)
        return changes

    def noted(self, live: RowLive, records: Sequence[Record]) -> Mapping[str, Any]:
        """Which ballots of the last vote did not come from the player's own phone."""
        given = live.given
        for record in records:
            match record.type:
                case "DominoCalled":
                    given = frozenset()
                case "BallotCast" if " for " not in record.actor:
                    given -= {record.public["seat"]}
                case "BallotCast" | "BallotTimedOut":
                    given |= {record.public["seat"]}
        return {"given": given}

    def seen(self, live: RowLive, now_s: float, shown: Shown | None = None) -> Mapping[str, Any]:
        """A fall has been shown, or a screen that should show it does not."""
        told = live.telling
        if told is None or not told.waits:
            return {}
        told = telling.seen_by(told, live.screens, now_s)
        if shown is not None:
            told = telling.reported(told, shown.screen, shown.number, shown.what, now_s)
        return {"telling": told}

    def seen_in_s(self, live: RowLive, now_s: float) -> float | None:
        """Until the words about a fall may be told, or the phones have to show it."""
        due_s = None if live.telling is None else telling.next_s(live.telling)
        return None if due_s is None else due_s - now_s

    def as_told(self, table: EstimationTable, live: RowLive) -> EstimationTable:
        """Nothing is told of a fall before it was shown."""
        return table if live.telling is None else fall_view.as_told(table, live)

    def heard(self, live: RowLive, word: Reading, now_s: float) -> Mapping[str, Any]:
        """Take what the camera makes of the row now."""
        proposed = {"proposal": proposal.heard(live, word, now_s)}
        return proposed if word == live.reading else {**proposed, "reading": word, "kept": None}

    def shows(self, before: RowLive, after: RowLive) -> bool:
        """Whether the camera reads something else than before."""
        return before.reading != after.reading

    def shows_row(self, table: EstimationTable) -> bool:
        """Whether a row is looked at."""
        return table.game.phase in _ROW_SHOWN

    def reckoned_from(self, table: EstimationTable) -> Iterator[float]:
        """When calls came that still wait, and when the last tile and the last call did."""
        yield from (shout.at_s for shout in table.shouts)
        yield from (at_s for at_s in (table.game.placed_at_s, table.game.called_at_s) if at_s)

    def unfinished(self, table: EstimationTable) -> tuple[Data, ...]:
        """A push that was asked for: nobody can know whether it was made, a person has to look."""
        attempt = table.attempt
        if attempt is None or attempt.step is not PushStep.REQUESTED:
            return ()
        return (PushEnded(attempt.number, PushStep.UNKNOWN),)  # never push again

    def start(self, session: _Context, first: str | None) -> Sequence[Data]:
        """Begin a game; where the first player is picked, it is whoever sits first."""
        players = session.table.players
        if first is None and session.table.game.options.first_player == "pick":
            first = players[0].seat if players else None
        return super().start(session, first)

    def skip(self, session: _Context, seat: str) -> tuple[Sequence[Data], str]:
        """Pass over a turn, or close a ballot."""
        if session.table.game.phase is Phase.BALLOT:
            return session.decide(HOST, cmd.SkipBallot(seat)), "ballot"
        return session.decide(HOST, cmd.SkipTurn()), "turn"

    def paused(self, session: _Context) -> None:
        """No thumb counts across a pause."""
        cast(RowContext, session).let_go()

    def lost_phone(self, session: _Context, seat: str) -> None:
        """A thumb on a phone that loses its seat pushes nothing."""
        held = session.live.hold
        if held is not None and held.who == seat:
            cast(RowContext, session).let_go()

    def interrupted(self, session: RowPresent, kind: str) -> str:
        """While calls are told apart nothing but another call counts."""
        table = session.table
        if kind != "call" and table.shouts and photo_finish.pending(table):
            return "Somebody has called; look at the table again."
        return ""

    def forgives(self, table: EstimationTable, kind: str) -> bool:
        """A call that lost the race by a blink is no mistake."""
        return kind == "call" and table.game.phase in (Phase.BALLOT, Phase.COUNTDOWN)

    def may_change_devices(self, table: EstimationTable) -> bool:
        """Not while a push was asked for whose end is not known yet."""
        return table.attempt is None or table.attempt.step is not PushStep.REQUESTED

    def limit(self, session: RowPresent) -> Limit | None:
        """What runs out in this step, if anything does."""
        return timing.limit(session)

    def due(self, session: _Context) -> Next | None:
        """What the referee does next by itself, if anything."""
        return timing.due(cast(RowContext, session))

    def view(self, session: Any, who: Audience, base: dict[str, Any]) -> dict[str, Any]:
        """The snapshot of one audience."""
        return table_view(session, who, base)


def _step(what: str, seat: str, before: EstimationTable) -> Past:
    return Past(what, seat, before=RowStep(before.game, before.row, before.latest))


PLAY = EstimationPlay()
apply, from_record, to_record = PLAY.apply, PLAY.read, PLAY.written
