"""The one writer of a table: takes commands, asks the rules, writes the journal, then answers.

Requests come from many threads and never wait for the machine: slow work (camera, stroke) is done
by `rig/machine/loop.py` on a thread of its own, which comes back here with what it saw. Everything
that may be forgotten in a crash stands in `Live`; everything else is in the journal.

Commands take `lock`, one after the other, and hold it until the disk has what they change. What is
looked at is a `Moment` that never changes; a newer one takes its place in an instant. So a slow
disk delays commands and nothing else.
"""

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from typing import Any, Generic, TypeVar

from rig import snapshots
from rig.clock import Clock
from rig.config import Config, Timers
from rig.errors import NotPossible, RigError
from rig.games.interface import REFEREE, STARTED, Data
from rig.games.registry import play_of
from rig.journal import DiskTrouble, Journal, JournalDamaged, Record
from rig.private import RoundKey
from rig.pusher.port import StopAnswer
from rig.salvage import Damage
from rig.session import commands, host, views
from rig.session.devices import Devices, DevicesChanged
from rig.session.events import GameChosen, HostGiven
from rig.session.fingerprint import Newest
from rig.session.host import SeatTicket
from rig.session.live import Hearing, Limit, Live, MachinePort, PhotoReader
from rig.session.playing import Audience, Next, Play, Shown, needs_no_key, under_key
from rig.session.state import Table
from rig.session.views import Moment

T = TypeVar("T", bound=Table)
L = TypeVar("L", bound=Live)
M = TypeVar("M", bound=MachinePort)

_CHANGING = "The table goes on with another game: one moment."
"""What is said to every command in the moment between two games."""
_LOCKED = "Waiting for any phone that was in this round; then the game goes on."
"""What is said to every command while the key of a round is missing."""
_TICKET_OVER = "This code is no longer good; make a new one."
"""What is said to whoever shows a ticket that is no longer good."""
_AGAIN_S = 0.02
"""So soon after a command was being written it is looked again what is due."""
_KEPT = 8
"""How many of the newest pictures are at hand without the disk: those of a few rounds."""
_TICK_S = 0.001
"""So long after the command before it a command was given at the earliest, in a game."""


class Session(Hearing, Generic[T, L, M]):
    """One table, from the lobby to the last chip.

    Args:
        journal: where everything is written; what it holds already is replayed, and moves nothing.
            From one that is damaged, what is good is shown, and no command is taken.
        clock: its time.
        config: its settings.
        nonce: gives a fresh unguessable text.
        play: the game for a new journal; one that is not new says itself what is played.
    """

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        config: Config,
        nonce: Callable[[], str],
        play: Play[T, L, M] | None = None,
    ) -> None:
        self.journal = journal
        self.clock = clock
        self.config = config
        self.nonce = nonce
        self.lock = threading.RLock()
        self._swap = threading.Lock()
        self.opened_epoch_s = clock.now_s()
        self.play: Play[T, L, M] = play or play_of(snapshots.game_of(journal))
        self.games: Sequence[str] = ()
        self.on_change: Callable[[], None] = lambda: None
        self._has_left = False
        self._commands = commands.all_commands(self.play.commands)
        self._maker = snapshots.maker(self.play, config.rules)
        table: T = snapshots.replayed(journal, self.play, config.rules, self._maker)
        live = self._begun(table, self.play.live(clock.monotonic_s()))
        self._pictures: dict[int, bytes] = {}
        self._newest, self._so_far = Newest(self.play), self._of_this_game(table)
        live = live.changed(self.play.noted(live, self._so_far))
        self._moment = Moment(self, table, live, journal.version, self._fingerprint(table))
        self._told_v = journal.version
        self.machine: M | None = None
        self._listeners: list[Callable[[], None]] = []
        self._as_written: list[Callable[[], None]] = []
        self._afterwards: list[Callable[[], None]] = []
        self._before_start = frozenset(self.play.reckoned_from(table))
        if self.damage is None and not self.locked:
            journal.key = under_key(journal.key, table, nonce)
            if unfinished := self.play.unfinished(table):
                self.commit(unfinished, REFEREE)

    def submit(self, device: str, command: Mapping[str, Any], code: str = "") -> dict[str, Any]:
        """Carry out a command of a device, or say why not.

        Args:
            device: hash of the device's token, or "bot:SEAT".
            command: `id` and `type`, and what the type needs.
            code: what phones join by from then on, if it puts a phone out.

        Returns:
            `ok` and `v`, with `reason` and `message` where it was refused, and `put_out` where the
            code has changed. The same id gets the same answer again, marked `dup`, and does
            nothing.
        """
        kind, cmd_id = command.get("type"), command.get("id")
        if not isinstance(cmd_id, str) or not 1 <= len(cmd_id) <= 64 or not isinstance(kind, str):
            return self._refusal("bad_command", "A command has an id and a type.")
        if kind == "stop" and self.may_stop(device):
            self.stop()  # before any lock, any check, any disk
        if not _can_be_written(command):
            return self._refusal("bad_command", "A command has whole characters and no loops.")
        return self._carry_out(device, kind, cmd_id, command, code)

    @property
    def told_v(self) -> int:
        """How many events may be told: of a fall that is still to be shown they wait."""
        before_v, now = self._told_v, self._moment
        waits = self.play.as_told(now.table, now.live) is not now.table
        return before_v if waits else now.version

    def may_stop(self, device: str) -> bool:
        """Whether a device may stop the pusher: that of any player or host; waits for nothing."""
        return _has_place(self.table, device)

    def refused(self, device: str, kind: str) -> dict[str, Any] | None:
        """Say why a device may not ask for such a thing at all, None if it may; never waits."""
        try:
            commands.may(self._moment, self._commands, device, kind)
        except NotPossible as error:
            return self._refusal(error.reason, str(error))
        return None

    def stop(self) -> StopAnswer:
        """Stop the pusher at once, from any thread: no lock, no disk, nothing written down."""
        return StopAnswer.ACKNOWLEDGED if self.machine is None else self.machine.stop()

    def photo_reader(self) -> PhotoReader | None:
        """What reads photos by hand of this table; None where none is wanted; never waits."""
        return None if self.machine is None else self.machine.photo_reader()

    def photographed(self, device: str, told: Mapping[str, Any]) -> dict[str, Any]:
        """Take what a device's photo shows after a push; answers as `submit` does.

        What a reader that `photo_reader` gave has told comes here whole, with its picture: no
        command of a phone can bring one.
        """
        return self._carry_out(device, "fall_photographed", self.nonce(), told)

    def note_stop(self, device: str) -> dict[str, Any]:
        """Write down that a device has stopped the pusher; answers as `submit` does."""
        return self._carry_out(device, "stop", self.nonce(), {})

    def _carry_out(
        self, device: str, kind: str, cmd_id: str, command: Mapping[str, Any], code: str = ""
    ) -> dict[str, Any]:
        if self.damage is not None:
            return self._refusal("damaged", self.damage.brief)
        with self.lock:
            try:
                self._require_here()
                before = self.journal.reply(device, cmd_id)
                if before is not None:
                    return {**before, "dup": True}
                if self.locked and kind != "unlock":
                    return self._refusal("locked", _LOCKED)
                told, actor = commands.carry_out(self, device, kind, command, code, self._commands)
                reply = {"ok": True, **told.extra}
                done = (device, cmd_id, reply)
                v = self.commit(told.events, actor, done=done, pictures=told.pictures)
                return {**reply, "v": v}
            except RigError as error:
                return self._refusal(_reason(error), str(error))
            finally:
                self._drop()  # whatever is left of a command that came to nothing

    @property
    def moment(self) -> Moment[T, L, M]:
        """The table as it stands now, for whoever looks more than once; waits for nothing."""
        return self._moment

    @property
    def table(self) -> T:
        """What the journal tells."""
        return self._moment.table

    @table.setter
    def table(self, table: T) -> None:
        with self._swap:
            self._moment = replace(self._moment, table=table)

    @property
    def live(self) -> L:
        """What a restart may forget; `Hearing` has how it changes."""
        return self._moment.live

    @property
    def game(self) -> Any:
        """The game as it stands."""
        return self._moment.game

    def make_host(self, device: str) -> dict[str, Any]:
        """Make a device host, after the caller has checked its secret; answers like `submit`."""
        with self.lock:
            if device in self.table.host_devices:
                return {"ok": True, "v": self.journal.version}
            if self.damage is None:
                try:
                    self.commit([HostGiven(device)], REFEREE)
                except RigError as error:
                    return self._refusal(_reason(error), str(error))
            else:  # to take home what is left; it is for this evening alone
                self.table = self.play.apply(self.table, HostGiven(device))
                self.notify()
            return {"ok": True, "v": self.journal.version}

    @property
    def locked(self) -> str:
        """The name of the key without which the round that runs cannot go on, "" if none is."""
        return self.journal.locked

    @property
    def round_key(self) -> RoundKey | None:
        """The key of the round that runs, for the phones that sit here; None without one."""
        return self.journal.key

    def unlock(self, key: str) -> Sequence[Data]:
        """Go on with the round whose key this is; gives what has to be written then."""
        if not self.locked:
            return ()
        if not self.journal.unlock(key):
            raise NotPossible("wrong_key", "key has to be the one that phones have of this round.")
        table: T = snapshots.replayed(self.journal, self.play, self.config.rules, self._maker)
        self._newest, self._so_far = Newest(self.play), self._of_this_game(table)
        self._before_start |= frozenset(self.play.reckoned_from(table))
        fingerprint = self._fingerprint(table)
        with self._swap:
            live = self._begun(table, self._moment.live)
            self._moment = Moment(self, table, live, self.journal.version, fingerprint)
        self.notify()
        return self.play.unfinished(table)

    def _require_here(self) -> None:
        """Refuse what comes after another game was chosen.

        What is played at a table does not change while a session has it: whoever opened this one
        hears of it by `on_change`, and opens another on the same journal. Nothing is written here
        any more, as it would be read by the rules of the other game.
        """
        if self._has_left:
            raise NotPossible("changing", _CHANGING)

    def devices_changed(self, devices: Devices, why: str = "") -> None:
        """Write down what there is to see and to push with from now on, and why."""
        self.commit([DevicesChanged(devices, why)], REFEREE)

    def decide(self, actor: str, command: Any) -> tuple[Data, ...]:
        """Ask the rules; nothing has happened yet."""
        return self.play.decide(self.table.game, actor, command)

    def commit(
        self,
        events: Sequence[Data],
        actor: str,
        done: tuple[str, str, Mapping[str, Any]] | None = None,
        pictures: Mapping[int, bytes] | None = None,
    ) -> int:
        """Write events to the journal, then make them the table's present."""
        with self.lock:
            try:
                self._require_here()
                leaves = any(isinstance(event, GameChosen) for event in events)
                if self.journal.version == 0 and self.play.written_as:
                    events = [GameChosen(self.play.written_as), *events]
                events, table = self.play.with_opening(self.table, events)
                moves = [e for e in events if not isinstance(e, self.play.moves_nothing)]
                if self.machine is not None and not leaves and (moves or not events):
                    extra = self.machine.before_commit(self.table, table)
                    events = [*events, *extra]
                    table = reduce(self.play.apply, extra, table)
                at_s = self._now_s()
                cmd_id = done[1] if done else None
                records = [self.play.written(event, at_s, actor, cmd_id) for event in events]
                begins = any(type(event).__name__ == STARTED for event in events)
                snapshot = snapshots.taken(table, self._maker) if begins else None
                key = under_key(self.journal.key, table, self.nonce)
                opens = key is not None and needs_no_key(table)
                v = self.journal.append(records, done, pictures, snapshot, key, opens)
            except BaseException:
                self._drop()
                raise
            self._has_left = leaves
            written, self._as_written = self._as_written, []
            for action in written:
                action()
            numbered = enumerate(records, v + 1 - len(records))
            self._so_far = [] if begins else self._so_far
            self._so_far += [replace(record, v=n) for n, record in numbered]
            self._pictures = dict([*self._pictures.items(), *(pictures or {}).items()][-_KEPT:])
            fingerprint = self._fingerprint(table)
            with self._swap:
                now = self._moment
                stepped = table.phase_id != now.table.phase_id
                live = self._begun(table, now.live) if stepped else now.live
                now_s = self.clock.monotonic_s()
                live = live.changed(self.play.brings(now.table, table, live, self.config, now_s))
                live = live.changed(self.play.noted(live, records))
                self._told_v = self.told_v
                self._moment = Moment(self, table, live, v, fingerprint)
            afterwards, self._afterwards = self._afterwards, []
        for action in afterwards:
            action()
        if leaves:
            self.on_change()
        self.notify()
        return v

    def _now_s(self) -> float:
        """The time of the next command: in a game none is before another, though clocks jump."""
        now_s = self.clock.now_s()
        if self.table.in_lobby or not self._so_far:
            return now_s
        return max(now_s, self._so_far[-1].at + _TICK_S)

    def _of_this_game(self, table: T) -> list[Record]:
        """What the journal has of the game that goes on, or is over and still on the screens."""
        if table.in_lobby:
            return []
        return list(self.journal.events(self.journal.newest(STARTED) - 1))

    def _fingerprint(self, table: T) -> str:
        """That of the file of the game that is over; "" while none is."""
        if not table.is_over or table.started is None:
            return ""
        return self._newest.fingerprint(table.started, self._so_far, self.picture)

    def when_written(self, action: Callable[[], None]) -> None:
        """Have something take place once the command at hand is written, before anybody knows."""
        self._as_written.append(action)

    def after_commit(self, action: Callable[[], None]) -> None:
        """Have something done once the command at hand is safely written and told."""
        self._afterwards.append(action)

    def _drop(self) -> None:
        """Forget what was prepared and not written: nothing has changed by it yet."""
        self._as_written.clear()
        self._afterwards.clear()

    def _begun(self, table: T, live: L) -> L:
        """What is live as a new step begins: what belonged to the one before is over."""
        since_s, since_epoch_s = self.times_s()
        step = {"since_s": since_s, "since_epoch_s": since_epoch_s, "extra_s": 0.0}
        return live.changed({**step, **self.play.begun(table)})

    def read(self, word: Any) -> None:
        """Take what the machine makes of the table now."""
        with self._swap:
            now = self._moment.live
            live = now.changed(self.play.heard(now, word, self.clock.monotonic_s()))
            self._moment = replace(self._moment, live=live)
        if self.play.shows(now, live):
            self.notify()

    def update_at(self, table: T | None, **changes: Any) -> bool:
        """Change what is live, unless there is another table than this by now; say whether not."""
        with self._swap:
            now = self._moment
            if table is not None and table is not now.table:
                return False
            if all(getattr(now.live, name) == value for name, value in changes.items()):
                return True
            self._moment = replace(now, live=now.live.changed(changes))
        self.notify()
        return True

    def _change(self, changes_of: Callable[[L], Mapping[str, Any]]) -> bool:
        """Change what is live, given what it is; say whether anything is another now."""
        with self._swap:
            now = self._moment
            changes = changes_of(now.live)
            if all(getattr(now.live, name) == value for name, value in changes.items()):
                return False
            self._moment = replace(now, live=now.live.changed(changes))
        self.notify()
        return True

    def tick(self) -> float | None:
        """Do what has become due; give the seconds to the next such thing, if there is one.

        While a command is being written nothing is done: it is due again a moment later.
        """
        self.drawer_is(host.drawer_is_free(self.moment))
        self._seen()
        now_s = self.clock.monotonic_s()
        soon_s = [self._until_due_s(), self.play.seen_in_s(self.live, now_s)]
        left_s = min((each for each in soon_s if each is not None), default=None)
        if left_s is None or left_s > 0:
            return left_s
        if not self.lock.acquire(blocking=False):
            return _AGAIN_S
        try:
            due = self._due()
            if due is None or due[1] > 0:
                return None if due is None else due[1]
            events = due[0].act()
            if not events:
                return None
            self.commit(events, due[0].actor)
            return 0.0
        finally:
            self.lock.release()

    def _due(self) -> tuple[Next, float] | None:
        """What will be done by itself, and in how many seconds."""
        waits = self.table.paused_by is not None or self._has_left
        if waits or self.damage is not None or self.locked:
            return None
        due = self.play.due(self)
        if due is None:
            return None
        return due, self.live.since_s + due.after_s - self.clock.monotonic_s()

    def _until_due_s(self) -> float | None:
        due = self._due()
        return None if due is None else due[1]

    def ago_s(self, at_s: float) -> float:
        """How long ago a moment was that the table remembers.

        What was before this start counts as at the start: nobody knows how long the table was
        closed, as the computer's clock may have been set meanwhile.
        """
        if at_s in self._before_start:
            return self.clock.monotonic_s() - self.live.opened_s
        return self.clock.now_s() - at_s

    def times_s(self) -> tuple[float, float]:
        """The time of now: on the clock's monotonic time, and as wall time."""
        return self.clock.monotonic_s(), self.clock.now_s()

    def now_ms(self) -> float:
        """Give the table's clock, for phones to set theirs by."""
        return self.clock.now_s() * 1000

    def limit(self) -> Limit | None:
        """Give what runs out now, if anything does."""
        return self._moment.limit()

    @property
    def damage(self) -> Damage | None:
        """What is wrong with the journal; then there is only something to look at."""
        return self.journal.damage

    @property
    def timers(self) -> Timers:
        """How long ballots and turns may take at this table."""
        return self._moment.timers

    def phone_at(self, seat: str) -> str | None:
        """The device that has a seat now, None if none has."""
        player = self.table.player(seat)
        return None if player is None else player.device

    def is_good(self, ticket: SeatTicket) -> bool:
        """Whether a seat would be handed over for a ticket now; waits for nothing."""
        return host.is_good(self.table, ticket)

    def hand_over(self, seat: str, device: str, ticket: SeatTicket | None = None) -> dict[str, Any]:
        """Give a seat to a device that has shown a right to it; answers as `submit` does.

        With the ticket it has shown, if that is its right: one that is good no more is refused.
        """
        with self.lock:
            if self.locked:
                return self._refusal("locked", _LOCKED)
            if ticket is not None and not self.is_good(ticket):
                return self._refusal("ticket", _TICKET_OVER)
            try:
                v = self.commit(host.hand_over(self, seat, device), seat)
            except RigError as error:
                return self._refusal(_reason(error), str(error))
            finally:
                self._drop()
        return {"ok": True, "v": v}

    def view(self, device: str | None, role: str = "phone") -> dict[str, Any]:
        """Give all that a device may know, as one snapshot; waits for no disk."""
        now = self._moment
        return views.snapshot(now, views.audience(now.table, device, role))

    def you(self, device: str) -> dict[str, Any]:
        """Say who a device is, as its view does: role, seat and host's rights."""
        return views.you(self.audience(device))

    def audience(self, device: str | None, role: str = "phone") -> Audience:
        """Give what tells viewers apart: two of the same audience see the same."""
        return views.audience(self.table, device, role)

    def view_of(self, audience: Audience) -> dict[str, Any]:
        """Give all that an audience may know; one view serves all who are alike."""
        return views.snapshot(self._moment, audience)

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Have `callback` called, from any thread, when there is a newer view."""
        with self._swap:
            self._listeners = [*self._listeners, callback]

        def unsubscribe() -> None:
            with self._swap:
                self._listeners = [each for each in self._listeners if each is not callback]

        return unsubscribe

    def notify(self) -> None:
        """Tell everybody that there is a newer view."""
        for listener in self._listeners:
            listener()

    def connected(self, device: str, on: bool) -> None:
        """Hear that a device opened its first stream, or closed its last."""
        with self._swap:
            now, live = self._moment, self._moment.live
            if live.connected.get(device, False) == on:
                return
            at_s = self.clock.monotonic_s()
            live = live.with_device(device, on, at_s, partial(_has_place, now.table))
            self._moment = replace(now, live=live)
        if now.table.speaker(device) is not None:
            self.notify()

    def screen(self, screen: str, visible: bool, number: int = 0, what: str = "") -> None:
        """Hear whether a table screen can be seen, and what of a scene it shows; never waits.

        It is believed as to when people have seen something, within bounds: see `Play.seen`.
        """

        def change(live: L) -> Mapping[str, Any]:
            screens = live.screens | {screen} if visible else live.screens - {screen}
            # One that is gone will say anew whether it sounds.
            sounding = live.sounding if visible else live.sounding - {screen}
            return {"screens": screens, "sounding": sounding}

        self._change(change)
        if self._seen(Shown(screen, number, what) if what else None) and self.machine is not None:
            self.machine.wake()

    def sounds(self, screen: str, on: bool) -> None:
        """Hear whether a table screen lets the table be heard: then phones are quiet."""

        def change(live: L) -> Mapping[str, Any]:
            return {"sounding": live.sounding | {screen} if on else live.sounding - {screen}}

        self._change(change)

    def speaks(self, device: str, language: str) -> None:
        """Hear which language a phone speaks; the host's is that of the table screens."""
        if self._moment.table.is_host(device):
            self.host_speaks(language)

    def _seen(self, shown: Shown | None = None) -> bool:
        """Let what people have seen by now be told; say whether anything has changed."""
        now_s = self.clock.monotonic_s()
        return self._change(lambda live: self.play.seen(live, now_s, shown))

    def picture(self, n: int) -> bytes | None:
        """Give an evidence picture as JPEG; the newest ones wait for no disk."""
        known = self._pictures.get(n)
        return self.journal.picture(n) if known is None else known

    def at_hand(self, n: int) -> bool:
        """Whether a picture is there without the disk."""
        return n in self._pictures

    def picture_now(self) -> bytes | None:
        """Give what the camera sees now as JPEG; None where no row is looked at."""
        if self.machine is None or not self.play.shows_row(self.table):
            return None
        return self.machine.picture_now()

    def close(self) -> None:
        """Stop the machine and close the journal."""
        if self.machine is not None:
            self.machine.close()
        self.journal.close()

    def _refusal(self, reason: str, message: str) -> dict[str, Any]:
        return {"ok": False, "reason": reason, "message": message, "v": self.journal.version}


def _has_place(table: Table, device: str) -> bool:
    """Whether a device has a seat, or the host's rights."""
    return table.speaker(device) is not None or table.is_host(device)


def _can_be_written(command: Mapping[str, Any]) -> bool:
    """Whether a command is made of what JSON and UTF-8 can hold."""
    try:
        json.dumps(dict(command), ensure_ascii=False).encode()
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def _reason(error: RigError) -> str:
    """The key that tells a page why nothing was done."""
    match error:
        case JournalDamaged():
            return "damaged"
        case DiskTrouble():
            return "disk"
        case _:
            return str(error.reason)
