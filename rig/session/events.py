"""What happens at a table whatever is played there: people, seats, devices, the host's word.

Nothing is ever taken out of the journal: to undo is an event too. The table keeps what was before
the last step that can be undone, and forgets it as soon as something follows that cannot.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

from rig.config import Timers
from rig.games.interface import ENDED, known_to
from rig.session.devices import DevicesChanged


@dataclass(frozen=True, slots=True)
class Past:
    """What a step that can be undone has changed.

    Attributes:
        what: renamed, moved, or what the game calls a step of its own.
        seat: whose step it was.
        name: the name before it.
        order: the order of seats before it.
        before: for a step of the game, what it has to put back: the game's own `Play.step`.
    """

    what: str
    seat: str
    name: str = ""
    order: tuple[str, ...] = ()
    before: Any = None


@dataclass(frozen=True, slots=True)
class TableOpened:
    """A table came to be, with the code that phones join by and the secret of its host."""

    code: str
    host_secret: str = field(metadata={"secret": True})


@dataclass(frozen=True, slots=True)
class Seated:
    """Somebody, or a bot, took a seat."""

    seat: str
    name: str
    mark: str
    device: str | None = field(metadata={"secret": True})
    bot: bool = False


@dataclass(frozen=True, slots=True)
class Readied:
    """A player said whether they are ready."""

    seat: str
    on: bool


@dataclass(frozen=True, slots=True)
class SeatEmptied:
    """A seat is empty again."""

    seat: str


@dataclass(frozen=True, slots=True)
class HostGiven:
    """A device has the host's rights, by its secret."""

    device: str = field(metadata={"secret": True})


@dataclass(frozen=True, slots=True)
class Paused:
    """The table waits, or goes on where `by` is None."""

    by: str | None


@dataclass(frozen=True, slots=True)
class Stopped:
    """Somebody pressed STOP, or cleared it where `by` is None."""

    by: str | None


@dataclass(frozen=True, slots=True)
class GameChosen:
    """What is played at this table from now on, by the game's name.

    A journal that does not begin with one begins with Estimation Domino. After a later one the same
    people go on with another game.
    """

    game: str


@dataclass(frozen=True, slots=True)
class EveningBegan:
    """People are back after a long time: games are counted anew."""


@dataclass(frozen=True, slots=True)
class CommandTaken:
    """What was asked of the rules, before the events that followed; a proof asks them again.

    Estimation Domino's journals have none: its proof goes by the events alone.
    """

    actor: str
    command: str
    data: Mapping[str, Any] = field(metadata=known_to("actor", until=ENDED))


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the host settled by word, for all to see while the same moment lasts."""

    kind: str
    by: str
    why: str
    seat: str | None
    step: int


@dataclass(frozen=True, slots=True)
class Renamed:
    """A player has another name."""

    seat: str
    name: str


@dataclass(frozen=True, slots=True)
class SeatMoved:
    """A seat went to another place in the order round the table."""

    seat: str
    to: int


@dataclass(frozen=True, slots=True)
class SeatHanded:
    """A seat has another phone from now on, or none where `device` is None."""

    seat: str
    device: str | None = field(metadata={"secret": True})


@dataclass(frozen=True, slots=True)
class HostHanded:
    """Another seat is the host's."""

    seat: str


@dataclass(frozen=True, slots=True)
class RightsTaken:
    """A device no longer has the host's rights by their secret."""

    device: str = field(metadata={"secret": True})


@dataclass(frozen=True, slots=True)
class OptionsChosen:
    """The table reads the open points of the rules in this way."""

    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TimersSet:
    """Ballots and turns have these limits."""

    timers: Timers


@dataclass(frozen=True, slots=True)
class Undone:
    """The last step that could be undone was taken back."""

    what: str


@dataclass(frozen=True, slots=True)
class Ruled:
    """Who settled what, and why: undone, verdict, void, or the turn or ballot of a seat."""

    kind: str
    by: str
    why: str = ""
    seat: str | None = None


TableEvent = (
    TableOpened
    | GameChosen
    | EveningBegan
    | CommandTaken
    | Seated
    | Readied
    | SeatEmptied
    | HostGiven
    | Paused
    | Stopped
    | DevicesChanged
    | Renamed
    | SeatMoved
    | SeatHanded
    | HostHanded
    | RightsTaken
    | OptionsChosen
    | TimersSet
    | Undone
    | Ruled
)
"""What can happen at a table beside its game."""

ALONE = tuple(kind for kind in get_args(TableEvent) if kind not in (CommandTaken, Undone))
"""Those that change the table whatever stands before them in its game."""
