"""What a table of rows knows for the moment: what the camera reads, the thumb on the button."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from physics.row.tile import Tile
from rig.films.film_script import Films
from rig.games.interface import Data
from rig.pusher.port import Hands, Heartbeat, Pretend
from rig.row.push_events import Forecast
from rig.row.row_diff import Difference
from rig.row.row_table import RowTable
from rig.row.telling import Telling
from rig.session.live import Hearing, Live, MachinePort


@dataclass(frozen=True, slots=True)
class Seeing:
    """How well the camera sees the table.

    Attributes:
        kind: what is in the way, by which pages have words; "" if nothing is.
        blind: nothing can be told from what the camera shows. Otherwise it is only to be known.
        words: the same in English with all that is known of it.
    """

    kind: str = ""
    blind: bool = False
    words: str = ""


CLEAR = Seeing()


@dataclass(frozen=True, slots=True)
class Guide:
    """How the pusher has to be moved, for pages; directions as in `vision.guidance`.

    Attributes:
        seen: the camera sees its tag; otherwise nothing else is known.
        right: it stands right behind the end tile.
        forward_mm: towards the row, less than 0 back from it.
        left_mm: to the left, less than 0 to the right.
        turn_deg: counter-clockwise, less than 0 clockwise.
        round: it points the other way altogether.
        touching: its tip touches the tile, or would.
    """

    seen: bool
    right: bool = False
    forward_mm: float = 0.0
    left_mm: float = 0.0
    turn_deg: float = 0.0
    round: bool = False
    touching: bool = False


UNSEEN = Guide(seen=False)

Notice = tuple[str, tuple[int, ...]]
"""Something that people should hear of, and the values it is about."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What the camera makes of the active player's tile, until it is confirmed.

    Attributes:
        state: waiting, hand, looking, proposal, wrong or unsure; several, exchanged, gone or down
            where what has changed is no tile placed; differs where the row itself stands otherwise
            than it was written down.
        tile: the tile that came.
        position: where it would stand in the row, from 0.
        row: the whole row with it, left to right; where it differs, as it stands now.
        violations: what is wrong with it: kind and values.
        came: values of the tiles that came where none can be placed, None where nobody can read it.
        gone: values of the tiles that went, or are down.
        notices: what else people may want to put right: `shifted` tiles, some that are `lying`;
            or `nothing_new`: a hand reached in, and the camera sees no new tile.
        differs: how what stands there differs from the row, tile by tile.
    """

    state: str = "looking"
    tile: Tile | None = None
    position: int | None = None
    row: tuple[Tile, ...] = ()
    violations: tuple[Notice, ...] = ()
    came: tuple[int | None, ...] = ()
    gone: tuple[int | None, ...] = ()
    notices: tuple[Notice, ...] = ()
    differs: tuple[Difference, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """A tile as it was read, which counts by itself after a while.

    Attributes:
        reading: as it was when it was read first.
        since_s: when that was, on the clock's monotonic time.
        held: the phone on which somebody is about to put it right; it waits while that is here.
    """

    reading: Reading
    since_s: float
    held: str | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """A player has said that the row is right as it stands, and waits for another to nod."""

    seat: str


@dataclass(frozen=True, slots=True)
class Hold:
    """A thumb on the button: a push may follow with this nonce.

    `who`: the seat that pushes, or the host for a bot. `by_eye`: they have looked where the pusher
    stands, as the camera does not see its tag.
    """

    nonce: str
    who: str
    at_s: float
    by_eye: bool = False


@dataclass(frozen=True, slots=True)
class Lesson:
    """What came of showing the camera the empty table.

    Attributes:
        state: "" before the first, "looking" while pictures are taken, then `learned`, or why not:
            `moved` (a hand, most likely), `tiles` (they stand or lie there) or `blind`.
        values: the tiles that were seen.
    """

    state: str = ""
    values: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Bench:
    """What hands have done to devices that cannot be touched, so that a loss can be tried.

    Attributes:
        camera: its cable is in; None where the camera is a real one, or there is none.
        folder: there are pictures in its folder; None where it plays none.
        hands: what is held at the pusher; None where that is real, or there is none.
    """

    camera: bool | None
    folder: bool | None
    hands: Hands | None


@dataclass(frozen=True, slots=True)
class RowLive(Live):
    """What a restart may forget of a table with a row.

    Attributes:
        reading: what the camera makes of the tile that is being stood.
        proposal: what the placer is asked to confirm, if anything is.
        wanted: the tile that people are asked to stand for a seat without hands, and where.
        kept: who says that a row that differs is right as it stands.
        clear: nothing but the row is on the table.
        seeing: what keeps the camera from seeing, if anything does.
        noticed: values of the tiles whose fall the camera has proposed as an accident.
        hold: the thumb on the button.
        forecast: what the model thinks of the row.
        push_due: the push that the machine has to make, and
        push_due_s: when it was asked for, on the clock's monotonic time.
        going: it is being made: nobody may come near until the arm is at rest.
        now_ms: when a finger may push, in milliseconds since 1970; None unless one shall.
        pusher: how it was when the screens were last told.
        away: names this very time that its arm may be out; "" while it does not.
        guide: where the pusher has to go; None where nothing tells of it.
        lesson: what came of showing the camera the empty table.
        cast: whose ballot came in last and when, on the clock's monotonic time, and since when
            none is missing.
        given: seats whose last ballot did not come from their own phone.
        shouts: seats that called after the first, with milliseconds.
        films: what is known of films of this game; None where none are made.
        telling: the fall that has to be seen before it is told, and since when it may be.
    """

    reading: Reading = field(default_factory=Reading)
    proposal: Proposal | None = None
    wanted: Reading | None = None
    kept: Kept | None = None
    clear: bool = False
    seeing: Seeing = CLEAR
    noticed: tuple[int | None, ...] = ()
    hold: Hold | None = None
    forecast: Forecast | None = None
    push_due: int | None = None
    push_due_s: float = 0.0
    going: bool = False
    now_ms: int | None = None
    pusher: Heartbeat | None = None
    away: str = ""
    guide: Guide | None = None
    lesson: Lesson = Lesson()
    cast: tuple[str, float, float] | None = None
    given: frozenset[str] = frozenset()
    shouts: tuple[tuple[str, int], ...] = ()
    telling: Telling | None = None
    films: Films | None = None


class RowHearing(Hearing, Protocol):
    """What camera, pusher and hands tell the session of a table with a row."""

    nonce: Callable[[], str]

    @property
    def live(self) -> RowLive:
        """What is known now."""

    # Of what the camera sees.

    def looked(self, table: RowTable, seeing: Seeing, guide: Guide | None, clear: bool) -> bool:
        """The camera has looked while this was the table; say whether it still is."""
        return self.update_at(table, clear=clear, seeing=seeing, guide=guide)

    def blinded(self, seeing: Seeing) -> None:
        """The camera could not look, and why."""
        fault = seeing.words if seeing.blind else ""
        self.update(seeing=seeing, fault=fault, clear=False)

    def looks_away(self, seeing: Seeing) -> None:
        """Nobody needs to look for now."""
        self.update(seeing=seeing)

    def camera_found(self) -> None:
        """The camera is back; what lies on the table it has yet to see."""
        self.update(clear=False)

    def unwatched(self) -> None:
        """No camera looks: people see to it that nothing is in the way."""
        self.update(clear=True, seeing=CLEAR)

    def taught(self, lesson: Lesson) -> None:
        """The camera is shown the empty table, or has been."""
        self.update(lesson=lesson)

    def fell(self, values: tuple[int | None, ...]) -> None:
        """These tiles were seen to fall by accident."""
        self.update(noticed=values)

    def predicted(self, table: RowTable, forecast: Forecast | None) -> None:
        """The model thinks this of the row, while it was that of this table."""
        self.update_at(table, forecast=forecast)

    # Of the machine.

    def failed(self, fault: str) -> None:
        """Something is wrong with the machine, in words; nobody may count on a clear table."""
        self.update(fault=fault, clear=False)

    def pusher_said(self, status: Heartbeat | None) -> None:
        """The pusher says this of itself; None: it does not answer."""
        away = self.live.away if status is None else ""
        if status is not None and status.away:
            away = self.live.away or self.nonce()
        self.update(pusher=status, away=away)

    def arm_home(self) -> None:
        """A person has put the arm home, and the pusher has taken their word."""
        self.update(away="")

    # Of a push.

    def held(self, hold: Hold) -> None:
        """A thumb is on the button."""
        self.update(hold=hold)

    def let_go(self) -> None:
        """Nobody holds the button any more, or what they held it for is over."""
        self.update(hold=None)

    def push_asked(self, number: int, at_s: float) -> None:
        """The machine has to make this push, asked for at `at_s` by the monotonic clock."""
        self.update(push_due=number, push_due_s=at_s)

    def push_began(self) -> None:
        """The machine has taken it up: nobody may come near."""
        self.update(push_due=None, going=True)

    def arm_going(self, going: bool) -> None:
        """The arm is on its way, or at rest."""
        self.update(going=going)

    def finger_may_push(self, at_ms: int) -> None:
        """A finger may push from then on, in milliseconds since 1970."""
        self.update(now_ms=at_ms)

    def push_over(self) -> None:
        """The arm is at rest and no finger is waited for."""
        self.update(now_ms=None, going=False)

    def pushed(self) -> None:
        """The row has been pushed: what was predicted of it has had its use."""
        self.update(forecast=None)

    # Of films.

    def filmed(self, films: Films) -> None:
        """Take the films that there are of the game, or will be."""
        self.update(films=films)

    # Of people.

    def proposed(self, proposal: Proposal) -> None:
        """What is proposed waits anew, or for somebody."""
        self.update(proposal=proposal)

    def asked_for(self, wanted: Reading) -> None:
        """People are asked to stand this tile at this place."""
        self.update(wanted=wanted)

    def kept_by(self, kept: Kept | None) -> None:
        """A player says that a row that differs is right; None: nobody says so any more."""
        self.update(kept=kept)

    def shouted(self, seat: str, late_ms: int) -> None:
        """A seat has called after the first, so much later."""
        self.came_late((*self.live.shouts, (seat, late_ms)))

    def came_late(self, shouts: Sequence[tuple[str, int]]) -> None:
        """These seats called after the first, so many milliseconds later."""
        self.update(shouts=tuple(shouts))


class Workbench(Protocol):
    """Where people can try out how a pretend device fails: pull its cable, or empty its folder."""

    def state(self) -> Bench:
        """What hands have done to them."""

    def put(self, what: str, on: bool) -> bool:
        """Put a cable in or pull it, fill a folder or empty it; False if there is no such thing."""


class RowMachine(MachinePort, Protocol):
    """What a table of rows needs of its machine besides.

    Attributes:
        virtual: whether its tiles are pretend.
        pretend: what hands do at its pusher; None where that can be touched, or there is none.
        bench: where pretend devices can be made to fail; None if all devices are real.
    """

    virtual: bool
    pretend: Pretend | None
    bench: Workbench | None

    def pusher_status(self) -> Heartbeat | None:
        """How the pusher was a moment ago; None without one, or while it does not answer."""

    def set_switch(self, on: bool) -> None:
        """Turn the arm switch of the virtual pusher."""

    def aim(self) -> None:
        """Put the virtual pusher behind the row, as a hand does: nearly."""

    def touch(self) -> None:
        """Push the row of the virtual table with a finger."""

    def clear_stop(self) -> None:
        """Leave the stopped state."""

    def homed(self) -> None:
        """A person says that a hand has put the pusher's arm home."""

    def learn_table(self) -> None:
        """A person says that nothing lies on the table but what belongs there: learn it so."""

    def stand(
        self, value: int, x_mm: float, y_mm: float, heading_rad: float, orientation: str
    ) -> Sequence[Data]:
        """Stand a tile on the virtual table."""

    def read_by_photo(self, tiles: Sequence[Tile]) -> None:
        """A photo by hand shows these tiles.

        Raises:
            NotPossible: they are not the row with one tile more, or with one moved.
        """

    def take_back(self, value: int) -> Sequence[Data]:
        """Take the tile that was just stood off the virtual table again."""

    def stand_up(self) -> Sequence[Data]:
        """Stand the lone tile of the virtual table up again."""

    def confirmed(self) -> None:
        """Hear that the row as read is the row."""

    def accepted(self) -> None:
        """Hear that people took the row of the table as it stands, whatever it was before."""
