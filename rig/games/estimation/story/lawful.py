"""Whether events follow from the rules and the table, and whether it was for their actor to do.

An event of the game has to be one that `decide()` gives for some command, and that command one
that its actor could give. An event of the table has to be possible there, and its actor's to do.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rig.games.estimation import commands as cmd
from rig.games.estimation import events as ev
from rig.games.estimation.decide import decide
from rig.games.estimation.game import Game
from rig.games.estimation.physical.photo_finish import in_order
from rig.games.estimation.terms import (
    CAMERA,
    HOST,
    MOST_PLAYERS,
    REFEREE,
    End,
    Mishap,
    Phase,
    Refused,
)
from rig.games.interface import Data
from rig.row.push_events import (
    OutcomeSeen,
    PushBegun,
    PushEnded,
    PushRequested,
    PushStep,
)
from rig.row.row_table import (
    PhotoFinishSet,
    RowRead,
    RowTable,
    Shouted,
    ShoutsForgotten,
)
from rig.session.devices import DevicesChanged
from rig.session.events import (
    HostGiven,
    HostHanded,
    OptionsChosen,
    Paused,
    Readied,
    Renamed,
    RightsTaken,
    Ruled,
    Seated,
    SeatEmptied,
    SeatHanded,
    SeatMoved,
    Stopped,
    TimersSet,
    Undone,
)

Move = tuple[str, cmd.Command]

_BY_HAND = (
    cmd.Place,
    cmd.Move,
    cmd.Call,
    cmd.Vote,
    cmd.TakeBack,
    cmd.FixRow,
    cmd.ConsentRow,
    cmd.DeclineRow,
    cmd.ChooseEnd,
    cmd.WrongEnd,
    cmd.Report,
    cmd.Confirm,
    cmd.Object,
    cmd.Dispute,
    cmd.TableVote,
    cmd.ClaimAccident,
    cmd.ConfirmAccident,
    cmd.RejectAccident,
    cmd.LoneTileFell,
)
"""What the host's hand may do for a seat without a phone; the rest is each player's own."""

_FOR = " for "
"""Between whose hand it was and whose part it played."""


def explained(table: RowTable, who: str, events: Sequence[ev.Event]) -> tuple[int, bool]:
    """How many of the events at the head of `events` one command brings about.

    Args:
        table: the table before them.
        who: whose doing they are said to be.
        events: those of the game, the ballots' sides and salts filled in where they are known.

    Returns:
        Their number, 0 if no command of anybody does, and whether that command was theirs to give.
        It is larger than that of the events where a part of what the command does is missing.
    """
    game, longest = table.game, 0
    if isinstance(events[0], ev.GameStarted):
        game = replace(game, options=events[0].options)
    for actor, command in _moves(game, events):
        try:
            follow = decide(game, actor, command)
        except Refused:
            continue
        if follow and all(map(_same, follow, events)):
            if _speaks(table, who, actor, command):
                return len(follow), True
            longest = max(longest, len(follow))
    return longest, False


def _same(due: ev.Event, event: ev.Event) -> bool:
    """Whether this is the event that is due; seals are looked at where their salts are shown."""
    if isinstance(due, ev.BallotsLocked) and isinstance(event, ev.BallotsLocked):
        return True
    return due == event


def is_host(table: RowTable, who: str) -> bool:
    """Whether somebody has the host's rights at this table, by seat or by the secret."""
    player = table.player(who)
    if player is None:
        seated = {p.device for p in table.players}
        return who == HOST and any(device not in seated for device in table.host_devices)
    return who == table.host or (player.device is not None and player.device in table.host_devices)


def _speaks(table: RowTable, who: str, actor: str, command: cmd.Command) -> bool:
    """Whether `who` could give this command, which the rules take from `actor`."""
    hand, _, seat = who.partition(_FOR)
    if seat:
        return _speaks_for(table, hand, seat, actor, command)
    if actor == HOST:
        if isinstance(command, cmd.Rematch):
            return table.player(who) is not None or who == HOST or not _people(table)
        return is_host(table, who)
    if who == actor:
        return True
    if actor == REFEREE:
        if isinstance(command, cmd.Leave):
            return not _people(table)  # the last person has gone: the game is cleared away
        return isinstance(command, cmd.NextRound) and who in table.game.chips
    if who == REFEREE:
        if isinstance(command, cmd.Call):
            return _was_first(table, actor, command.at_s)
        return isinstance(command, cmd.Place | cmd.Move)
    if who == CAMERA:
        if isinstance(command, cmd.ClaimAccident):
            return actor == table.game.active
        return isinstance(command, cmd.WrongEnd) and actor == table.game.toppler
    return False


def _speaks_for(table: RowTable, hand: str, seat: str, actor: str, command: cmd.Command) -> bool:
    """Whether a hand could give this command for a seat."""
    if hand == REFEREE:  # the tile as it was read counts after a while
        return actor == seat and isinstance(command, cmd.Place | cmd.Move)
    player = table.player(seat)
    if player is None or player.bot or not is_host(table, hand):
        return False
    if actor == HOST:
        return isinstance(command, cmd.ConfirmAccident | cmd.RejectAccident)
    if actor == REFEREE:
        return isinstance(command, cmd.NextRound) and seat in table.game.chips
    return actor == seat and isinstance(command, _BY_HAND)


def _people(table: RowTable) -> bool:
    return any(p.device and not p.bot for p in table.players)


def _was_first(table: RowTable, seat: str, at_s: float) -> bool:
    """Whether this was the first of the calls that were heard; those who have left do not count."""
    here = [s for s in table.shouts if s.seat in table.game.playing]
    heard = [s for s in here if s.step == here[-1].step]
    return bool(heard) and (in_order(heard)[0].seat, in_order(heard)[0].at_s) == (seat, at_s)


def _moves(game: Game, events: Sequence[ev.Event]) -> Iterator[Move]:
    """The commands that might lead to these events; what decides is which of them does."""
    everybody = (*game.seats, HOST, REFEREE, CAMERA)
    match events[0]:
        case ev.GameStarted(seats, _, name):
            for first in seats:
                yield HOST, cmd.Start(seats, first, None, name)
                yield HOST, cmd.Start(seats, None, seats.index(first), name)
        case ev.TilePlaced(seat, value, position, at_s):
            yield seat, cmd.Place(value, position, at_s)
        case ev.TileMoved(seat, _, index, end, at_s):
            yield seat, cmd.Move(index, end, at_s)
        case ev.PlacementTakenBack(seat):
            yield seat, cmd.TakeBack()
        case ev.RowFixProposed(seat, order):
            yield seat, cmd.FixRow(order)
        case ev.RowFixDeclined(seat):
            yield seat, cmd.DeclineRow()
        case ev.RowFixed(seat):
            yield from ((seat, cmd.ConsentRow()) for seat in (seat, *game.seats))
        case ev.TurnSkipped():
            yield from ((actor, cmd.SkipTurn()) for actor in (HOST, REFEREE))
        case ev.DominoCalled(caller, _, at_s, salts):
            yield caller, cmd.Call(at_s, salts)
        case ev.BallotCast(seat, side):
            yield seat, cmd.Vote(side)
        case ev.BallotLocked(seat):
            yield seat, cmd.LockBallot()
        case ev.BallotTimedOut(seat):
            yield from ((actor, cmd.SkipBallot(seat)) for actor in (HOST, REFEREE))
            late_s = (game.called_at_s or 0.0) + game.options.ballot_timeout
            yield REFEREE, cmd.Timeout(late_s + 1.0)
        case ev.BallotsRevealed():
            yield REFEREE, cmd.Reveal()
        case ev.EstimationPassed() | ev.PushOrdered():
            yield REFEREE, cmd.Continue()
        case ev.EndChosen(end):
            yield game.toppler or "", cmd.ChooseEnd(end)
        case _:
            yield from _after_the_push(events[0], everybody)


def _after_the_push(event: ev.Event, everybody: Sequence[str]) -> Iterator[Move]:
    match event:
        case ev.OutcomeClaimed(by, outcome):
            yield by, cmd.Report(outcome)
        case ev.OutcomeAgreed(seat):
            yield seat, cmd.Confirm()
        case ev.OutcomeObjected(seat):
            yield from ((seat, cmd.Object()) for seat in (seat, *everybody))
        case ev.OutcomeDisputed(seat):
            yield seat, cmd.Dispute()
        case ev.TableVoteCast(seat, outcome):
            yield seat, cmd.TableVote(outcome)
        case ev.OutcomeJudged():
            yield REFEREE, cmd.Stand()
            for actor in everybody:
                yield actor, cmd.Confirm()
                yield actor, cmd.ConfirmAccident()
        case ev.VerdictCorrected(_, _, _, why):
            yield HOST, cmd.CorrectVerdict(why)
        case ev.RoundDealt() | ev.GameEnded():
            yield REFEREE, cmd.NextRound()
        case ev.AccidentClaimed(by, culprit, kind):
            yield by, cmd.WrongEnd() if kind is Mishap.WRONG_END else cmd.ClaimAccident(culprit)
        case ev.AccidentDenied(seat):
            yield seat, cmd.RejectAccident()
        case ev.AccidentRejected():
            yield HOST, cmd.RejectAccident()
        case ev.AccidentConfirmed():
            for actor in everybody:
                yield actor, cmd.ConfirmAccident()
        case ev.LoneTileStoodUp(by):
            yield by, cmd.LoneTileFell()
        case ev.RoundVoided(why):
            yield HOST, cmd.VoidRound(why)
        case ev.SeatLeft(seat):
            yield from ((actor, cmd.Leave(seat)) for actor in (seat, HOST, REFEREE))
        case ev.LobbyReopened():
            yield HOST, cmd.Rematch()


def possible(table: RowTable, event: Data) -> bool:
    """Whether an event that is none of the rules' can happen at this table; and a start there."""
    between = table.phase in (Phase.LOBBY, Phase.GAME_OVER)
    match event:
        case ev.GameStarted(seats):
            return seats == tuple(p.seat for p in table.players)
        case Seated(seat, name, mark, device):
            free = table.player(seat) is None and mark not in {p.mark for p in table.players}
            newcomer = device is None or table.by_device(device) is None
            room = between and len(table.players) < MOST_PLAYERS
            return room and free and newcomer and not _called(table, name, None)
        case Renamed(seat, name):
            return table.player(seat) is not None and not _called(table, name, seat)
        case Readied(seat) | SeatEmptied(seat):
            return table.player(seat) is not None
        case SeatMoved(seat, to):
            here = table.player(seat) is not None and 0 <= to < len(table.players)
            return table.phase is Phase.LOBBY and here
        case SeatHanded(seat, device):
            owner = table.by_device(device)
            player = table.player(seat)
            return player is not None and not player.bot and owner in (None, player)
        case HostHanded(seat):
            return table.player(seat) is not None
        case HostGiven(device):
            return device not in table.host_devices
        case RightsTaken(device):
            return device in table.host_devices
        case OptionsChosen():
            return table.phase is Phase.LOBBY
        case Undone(what):
            return bool(table.pasts) and table.pasts[-1].what == what
        case Stopped(by):
            return by is None or table.stopped_by is None
        case RowRead(_, _, by, nod):
            return by is None or (by != nod and table.player(by) is not None)
        case Shouted(seat, at_s, pressed_s):
            return pressed_s <= at_s and _may_call(table, seat, at_s)
        case ShoutsForgotten():
            return bool(table.shouts)
        case PushRequested() | PushBegun() | PushEnded() | OutcomeSeen():
            return _push_is_possible(table, event)
    return True


def _called(table: RowTable, name: str, seat: str | None) -> bool:
    """Whether somebody else is called like this."""
    return any(p.name.casefold() == name.casefold() and p.seat != seat for p in table.players)


def _may_call(table: RowTable, seat: str, at_s: float) -> bool:
    try:
        return table.phase is Phase.TURN and bool(decide(table.game, seat, cmd.Call(at_s)))
    except Refused:
        return False


def _push_is_possible(
    table: RowTable, event: PushRequested | PushBegun | PushEnded | OutcomeSeen
) -> bool:
    """Whether a push can be asked for, begin or end: each once, and one after the other."""
    attempt, game = table.attempt, table.game
    match event:
        case PushRequested(number, end, value):
            ends = {End.LEFT: game.row[:1], End.RIGHT: game.row[-1:]}
            due = game.end is not None and (game.end.value, ends[game.end]) == (end, (value,))
            free = table.stopped_by is None and (attempt is None or attempt.again)
            # The first of a file may be any: the table may have pushed in games before it.
            next_one = number == table.pushes + 1 or table.pushes == 0
            return table.phase is Phase.TOPPLE and due and free and next_one
        case PushBegun(number) | PushEnded(number):
            open_ = attempt is not None and attempt.step is PushStep.REQUESTED
            ends_now = not isinstance(event, PushEnded) or event.step is not PushStep.REQUESTED
            return open_ and attempt is not None and attempt.number == number and ends_now
        case OutcomeSeen(seen):
            ended = attempt is not None and attempt.step is not PushStep.REQUESTED
            told = [v for v in (*seen.fallen, *seen.up) if v]
            return (
                ended
                and table.seen is None
                and all(told.count(v) <= game.row.count(v) for v in told)
            )


def allowed(table: RowTable, who: str, event: Data, alone: bool) -> bool:
    """Whether an event that is none of the rules' was its actor's to bring about.

    Args:
        table: the table before the command it belongs to.
        who: its actor.
        event: what is said to have happened.
        alone: it is the first event of its command.
    """
    host, (hand, _, seat) = is_host(table, who), who.partition(_FOR)
    for_whom = seat if seat and is_host(table, hand) else who
    match event:
        case Seated(own, bot=bot):
            return host or (who == REFEREE if bot else who in (HOST, own))
        case Renamed(own) | SeatEmptied(own) | SeatHanded(own) | HostHanded(own):
            return host or who == own
        case Readied(own):
            return host or for_whom == own
        case HostGiven() | ShoutsForgotten() | PushBegun():
            return who == REFEREE
        case (
            SeatMoved()
            | RightsTaken()
            | OptionsChosen()
            | TimersSet()
            | PhotoFinishSet()
            | Undone()
        ):
            return host
        case Paused(by):
            return who == REFEREE or (host and by in (None, who))
        case Stopped(by):
            return host if by is None else by == who and (host or table.player(who) is not None)
        case Ruled(_, by):
            return host and by == who
        case RowRead(_, _, by, nod):
            if by is None:
                return who == CAMERA or not alone
            return for_whom == nod or (nod == HOST and host)
        case Shouted(own):
            return for_whom == own
        case PushRequested():
            return for_whom == table.game.toppler
        case PushEnded():
            return who in (CAMERA, REFEREE)
        case OutcomeSeen():
            return who == CAMERA
        case DevicesChanged():
            return host or who == REFEREE
    return True
