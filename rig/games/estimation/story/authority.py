"""Who could bring about what at a table of Estimation Domino, and whether it was possible there.

Journals of this game keep events, not commands. What an event of the game follows from is decided
again (`walk`); here stands who could have given that command, and for an event of the table itself
what had to be so before it.
"""

from rig.games.estimation import commands as cmd
from rig.games.estimation import events as ev
from rig.games.estimation.decide import may
from rig.games.estimation.game import goes_on
from rig.games.estimation.physical.photo_finish import in_order
from rig.games.estimation.table.estimation_table import (
    EstimationTable,
    PhotoFinishSet,
    Shouted,
    ShoutsForgotten,
    asks_people,
    by_hand,
    hand_at_an_arm,
)
from rig.games.estimation.terms import (
    CAMERA,
    HOST,
    MOST_PLAYERS,
    REFEREE,
    End,
    Phase,
)
from rig.games.interface import Data
from rig.row.push_events import (
    FallPhotographed,
    OutcomeSeen,
    PushBegun,
    PushEnded,
    PushRequested,
    PushStep,
)
from rig.row.row_table import FilmsSet, RowRead
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

_FOR = " for "
"""Between whose hand it was and whose part it played."""
_OWN = (cmd.LockBallot, cmd.Leave)
"""What the host's hand cannot do for a seat without a phone."""


def is_host(table: EstimationTable, who: str) -> bool:
    """Whether somebody has the host's rights at this table, by seat or by the secret."""
    player = table.player(who)
    if player is None:
        seated = {p.device for p in table.players}
        return who == HOST and any(device not in seated for device in table.host_devices)
    return who == table.host or (player.device is not None and player.device in table.host_devices)


def may_ask(table: EstimationTable, who: str, actor: str, command: cmd.Command) -> bool:
    """Whether `who` could give this command, which the rules take from `actor`."""
    hand, _, seat = who.partition(_FOR)
    if seat:
        return _may_ask_for(table, hand, seat, actor, command)
    if who == actor and actor != HOST:
        return True
    match command:
        case cmd.Rematch():
            return table.player(who) is not None or who == HOST or _is_deserted(table)
        case cmd.Start() if who == HOST and all(p.bot for p in table.players):
            return True  # whoever has come to watch
        case cmd.Leave() if actor == REFEREE:
            return _is_deserted(table)  # the last person has gone: the game is cleared away
        case cmd.NextRound():
            return who in table.game.chips
        case cmd.Continue():
            return goes_on(table.game, who)
        case _ if actor == HOST:
            return is_host(table, who)
        case cmd.Call(at_s):
            return who == REFEREE and _was_first(table, actor, at_s)
        case cmd.Place() | cmd.Move():
            return who == REFEREE
        case cmd.ClaimAccident():
            return who == CAMERA and actor == table.game.active
        case cmd.WrongEnd():
            return who == CAMERA and actor == table.game.toppler
        case _:
            return False


def _may_ask_for(
    table: EstimationTable, hand: str, seat: str, actor: str, command: cmd.Command
) -> bool:
    """Whether a hand could give this command for a seat."""
    if hand == REFEREE:  # the tile as it was read counts after a while
        return actor == seat and isinstance(command, cmd.Place | cmd.Move)
    player, person = table.player(seat), table.player(hand)
    if asks_people(table) and seat == table.game.active:  # a bot has no hands
        stands = isinstance(command, cmd.Place | cmd.Move)
        return stands and actor == seat and person is not None and not person.bot
    if player is None or player.bot or not is_host(table, hand):
        return False
    if actor == HOST:
        return isinstance(command, cmd.ConfirmAccident | cmd.RejectAccident)
    if actor == REFEREE:
        if isinstance(command, cmd.Continue):
            return goes_on(table.game, seat)
        return isinstance(command, cmd.NextRound) and seat in table.game.chips
    return actor == seat and not isinstance(command, _OWN)


def _is_deserted(table: EstimationTable) -> bool:
    return not any(p.device and not p.bot for p in table.players)


def _was_first(table: EstimationTable, seat: str, at_s: float) -> bool:
    """Whether this was the first of the calls that were heard; those who have left do not count."""
    here = [s for s in table.shouts if s.seat in table.game.playing]
    heard = [s for s in here if s.step == here[-1].step]
    return bool(heard) and (in_order(heard)[0].seat, in_order(heard)[0].at_s) == (seat, at_s)


def at_table(
    table: EstimationTable, began: EstimationTable, who: str, event: Data, alone: bool
) -> tuple[bool, bool]:
    """Look at an event that is none of the rules', or at the start of a game.

    Args:
        table: the table before it.
        began: the table before the command it belongs to.
        who: its actor.
        event: what is said to have happened.
        alone: it is the first event of its command.

    Returns:
        Whether it was possible there, and whether it was its actor's to bring about.
    """
    host, (hand, _, seat) = is_host(began, who), who.partition(_FOR)
    for_whom = seat if seat and is_host(began, hand) else who
    lobby = table.phase is Phase.LOBBY
    match event:
        case ev.GameStarted(seats):
            return seats == tuple(p.seat for p in table.players), True
        case Seated(own, name, mark, device, bot):
            room = (lobby or table.is_over) and len(table.players) < MOST_PLAYERS
            free = table.player(own) is None and mark not in {p.mark for p in table.players}
            newcomer = table.by_device(device) is None and not _called(table, name, None)
            return room and free and newcomer, host or who in ((REFEREE,) if bot else (HOST, own))
        case Renamed(own, name):
            named = table.player(own) is not None and not _called(table, name, own)
            return named, host or who == own
        case Readied(own):
            return table.player(own) is not None, host or for_whom == own
        case SeatEmptied(own) | HostHanded(own):
            return table.player(own) is not None, host or who == own
        case SeatHanded(own, device):
            player, owner = table.player(own), table.by_device(device)
            person = player is not None and not player.bot
            return person and owner in (None, player), host or who == own
        case SeatMoved(own, to):
            return lobby and table.player(own) is not None and 0 <= to < len(table.players), host
        case HostGiven(device):
            return device not in table.host_devices, who == REFEREE
        case RightsTaken(device):
            return device in table.host_devices, host
        case OptionsChosen():
            return lobby, host
        case Undone(what):
            return bool(table.pasts) and table.pasts[-1].what == what, host
        case TimersSet() | PhotoFinishSet() | FilmsSet():
            return True, host
        case DevicesChanged():
            return True, host or who == REFEREE
        case Ruled(_, by):
            return True, host and by == who
        case Paused(by):
            return True, who == REFEREE or (host and by in (None, who))
        case Stopped(None):
            return True, host
        case Stopped(by):
            return table.stopped_by is None, by == who and (host or began.player(who) is not None)
        case RowRead(_, _, None):
            return True, who == CAMERA or not alone
        case RowRead(_, _, by, nod):
            two = by != nod and table.player(by) is not None
            return two, for_whom == nod or (nod == HOST and host)
        case Shouted(own, at_s, pressed_s):
            return pressed_s <= at_s and _may_call(table, own, at_s), for_whom == own
        case ShoutsForgotten():
            return bool(table.shouts), who == REFEREE
        case PushRequested():
            hands = (began.game.toppler, hand_at_an_arm(began))
            return _may_push(table, event), for_whom in hands and (for_whom != HOST or host)
        case PushBegun(number):
            return _is_asked_for(table, number), who == REFEREE
        case PushEnded(number, step):
            ended = _is_asked_for(table, number) and step is not PushStep.REQUESTED
            return ended, who in (CAMERA, REFEREE)
        case OutcomeSeen():
            return _can_be_seen(table, event), who == CAMERA
        case FallPhotographed():
            seated = table.player(for_whom) is not None
            return _can_be_photographed(table, event), seated or host
        case _:
            return True, True


def _called(table: EstimationTable, name: str, seat: str | None) -> bool:
    """Whether somebody else is called like this."""
    return any(p.name.casefold() == name.casefold() and p.seat != seat for p in table.players)


def _may_call(table: EstimationTable, seat: str, at_s: float) -> bool:
    return may(table.game, seat, cmd.Call(at_s))


def _may_push(table: EstimationTable, event: PushRequested) -> bool:
    """Whether this push is the one that is due: of that end, and the next one."""
    attempt, game = table.attempt, table.game
    ends = {End.LEFT: game.row[:1], End.RIGHT: game.row[-1:]}
    due = game.end is not None and (game.end.value, ends[game.end]) == (event.end, (event.value,))
    free = table.stopped_by is None and (attempt is None or attempt.again)
    # The first of a file may be any: the table may have pushed in games before it.
    next_one = event.number == table.pushes + 1 or table.pushes == 0
    return table.phase is Phase.TOPPLE and due and free and next_one


def _is_asked_for(table: EstimationTable, number: int) -> bool:
    """Whether this push was asked for, and nobody knows yet what became of it."""
    attempt = table.attempt
    return attempt is not None and (attempt.step, attempt.number) == (PushStep.REQUESTED, number)


def _can_be_seen(table: EstimationTable, event: OutcomeSeen) -> bool:
    """Whether a push has ended that was not looked at, and these are tiles of its row."""
    attempt, row = table.attempt, table.game.row
    ended = attempt is not None and attempt.step is not PushStep.REQUESTED
    told = [v for v in (*event.seen.fallen, *event.seen.up) if v]
    return ended and table.seen is None and all(told.count(v) <= row.count(v) for v in told)


def _can_be_photographed(table: EstimationTable, event: FallPhotographed) -> bool:
    """Whether people judge a push that no camera sees, and these are tiles of its row."""
    row, told = table.game.row, (*event.seen.fallen, *event.seen.up)
    due = table.phase is Phase.TOPPLE and table.game.end is not None and by_hand(table)
    return due and all(told.count(v) <= row.count(v) for v in told)
