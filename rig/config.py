"""Reads settings from TOML into frozen values; `default.toml` lists every setting."""

import math
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from physics.row.tile import STANDARD, TileSpec
from rig.errors import RigError
from rig.serialise import NotPlain, from_plain

NO_CAMERA = "none"
PHONES = "phone"
UNHUNG = (NO_CAMERA, PHONES)
"""Kinds of camera of which none hangs over the table."""

NO_PUSHER = "hand"


@dataclass(frozen=True, slots=True)
class Timers:
    """How long ballots and turns may take: no limit, one that is only shown, or one that acts.

    Attributes:
        ballot: off, soft or hard; after a hard limit a missing ballot counts as Success.
        turn: off, soft or hard; after a hard limit the next seat has its turn.
        ballot_s: how long, in seconds; `turn_s` likewise.
        no_hurry: nothing happens by itself, and the count goes half as fast.
    """

    ballot: str = "off"
    turn: str = "off"
    ballot_s: float = 60.0
    turn_s: float = 90.0
    no_hurry: bool = False


class ConfigError(RigError):
    """A setting cannot be used; nothing has been started."""


@dataclass(frozen=True, slots=True)
class TableConfig:
    """How the table opens."""

    tables: int
    bots: int
    strength: str
    seed: int


@dataclass(frozen=True, slots=True)
class NetworkConfig:
    """Where phones find it."""

    port: int
    public: bool
    https: bool
    mdns: bool


@dataclass(frozen=True, slots=True)
class Timing:
    """Pauses of the game, in seconds."""

    proposal: float
    countdown_step: float
    last_ballot: float
    reveal: float
    verdict: float
    round_end: float
    hold: float
    bot: float
    photo_finish: float
    lost: float


@dataclass(frozen=True, slots=True)
class CameraConfig:
    """Which camera looks at the table."""

    kind: str
    id: str
    folder: str
    width: int
    height: int
    power_line_hz: float
    lens: str
    mat: str
    marks: str
    table: str
    clip: bool
    collect: bool


@dataclass(frozen=True, slots=True)
class PusherConfig:
    """Which pusher there is, and the stroke it makes."""

    kind: str
    port: str
    tip_height_mm: float
    tip_radius_mm: float
    speed_mm_s: float
    stroke_mm: float
    standoff_mm: float
    tag_height_mm: float
    tip_forward_mm: float
    tip_left_mm: float


@dataclass(frozen=True, slots=True)
class VirtualConfig:
    """How rows on the virtual table fall and are shown, and whether its pusher has to be put."""

    world: str
    tag: bool
    show_fall: bool


@dataclass(frozen=True, slots=True)
class FilmWishes:
    """What is wanted of films of pushes: by the settings, until the host says otherwise.

    Attributes:
        on: they are made.
        names: people are named in them.
        language: of their words, "" for that of the table.
    """

    on: bool = True
    names: bool = True
    language: str = ""


@dataclass(frozen=True, slots=True)
class PhysicsConfig:
    """What the prediction knows of the table."""

    table: str


@dataclass(frozen=True, slots=True)
class Config:
    """All settings."""

    table: TableConfig
    network: NetworkConfig
    timing: Timing
    camera: CameraConfig
    pusher: PusherConfig
    virtual: VirtualConfig
    tiles: TileSpec = STANDARD
    physics: PhysicsConfig = PhysicsConfig("")
    timers: Timers = field(default_factory=Timers)
    film: FilmWishes = field(default_factory=FilmWishes)
    rules: Mapping[str, Any] = field(default_factory=dict)


_SECTIONS: dict[str, Any] = {
    "table": TableConfig,
    "network": NetworkConfig,
    "timing": Timing,
    "timers": Timers,
    "tiles": TileSpec,
    "camera": CameraConfig,
    "pusher": PusherConfig,
    "virtual": VirtualConfig,
    "film": FilmWishes,
    "physics": PhysicsConfig,
}
_CHOICES = {
    ("table", "strength"): ("weak", "medium", "strong"),
    ("timers", "ballot"): ("off", "soft", "hard"),
    ("timers", "turn"): ("off", "soft", "hard"),
    ("camera", "kind"): ("virtual", "opencv", "folder", *UNHUNG),
    ("camera", "power_line_hz"): (0.0, 50.0, 60.0),
    ("camera", "table"): ("wood", "dark", "white", "grey", "felt"),
    ("pusher", "kind"): ("virtual", "serial", NO_PUSHER),
    ("virtual", "world"): ("auto", "pymunk", "mujoco"),
}


def load_config(
    path: Path | None = None, languages: Sequence[str] = (), **changes: Mapping[str, Any]
) -> Config:
    """Read the settings.

    Args:
        path: a file that overrides the defaults, or None.
        languages: the codes of those that films can have; none where that does not matter.
        changes: settings from the command line by section; they override both.

    Raises:
        ConfigError: names the file, the setting and what was expected.

    >>> load_config(network={"port": 8123}).network.port
    8123
    """
    default = Path(__file__).with_name("default.toml")
    data = _toml(default)
    choices = {**_CHOICES, ("film", "language"): ("", *languages) if languages else ()}
    for source, extra in ((str(path), _toml(path) if path else {}), ("command line", changes)):
        for section, values in extra.items():
            if section not in data:
                raise ConfigError(f"{source}: no section [{section}]; there are {_list(data)}")
            if not isinstance(values, Mapping):
                raise ConfigError(f"{source}: {section} must be a section [{section}]")
            known = data[section]
            for key, value in values.items():
                if section != "rules":
                    _check(source, section, key, value, known, choices)
                known[key] = value
    sections = {name: kind(**data[name]) for name, kind in _SECTIONS.items()}
    _check_tile(sections["tiles"])
    return Config(rules=data["rules"], **sections)


def _check_tile(tile: TileSpec) -> None:
    if not tile.length_mm > tile.width_mm > tile.thickness_mm:
        raise ConfigError(
            f"[tiles] length_mm = {tile.length_mm}, width_mm = {tile.width_mm}, thickness_mm = "
            f"{tile.thickness_mm}: expected each smaller than the one before; measure one tile "
            "with a ruler"
        )


def _check(
    source: str,
    section: str,
    key: str,
    value: Any,
    known: Mapping[str, Any],
    choices: Mapping[tuple[str, str], Sequence[Any]],
) -> None:
    where = f"{source}: [{section}] {key}"
    if key not in known:
        raise ConfigError(f"{where} is no setting; [{section}] has {_list(known)}")
    expected = type(known[key])
    try:
        number = from_plain(expected, value)
        right = expected is not float or 0 <= number < math.inf or (section, key) in _RANGES
    except NotPlain:
        right = False
    if not right:
        raise ConfigError(f"{where} = {value!r}: expected {_KINDS[expected]}")
    named = choices.get((section, key))
    if named and value not in named:
        raise ConfigError(f"{where} = {value!r}: expected one of {_list(named)}")
    if (section, key) in _RANGES:
        low, high = _RANGES[section, key]
        if not low <= value <= high:
            raise ConfigError(f"{where} = {value!r}: expected {low} to {high}")


_KINDS = {int: "a whole number", float: "a number from 0", bool: "true or false", str: "a text"}
_RANGES = {
    ("table", "tables"): (1, 300),
    ("table", "bots"): (0, 5),
    ("network", "port"): (0, 65535),
    ("timing", "photo_finish"): (0.0, 0.5),
    ("timing", "lost"): (1.0, 600.0),
    ("timers", "ballot_s"): (10.0, 600.0),
    ("timers", "turn_s"): (10.0, 600.0),
    ("tiles", "length_mm"): (20.0, 100.0),
    ("tiles", "width_mm"): (10.0, 60.0),
    ("tiles", "thickness_mm"): (3.0, 30.0),
    ("tiles", "mass_g"): (0.5, 200.0),
    ("camera", "width"): (160, 10_000),
    ("camera", "height"): (120, 10_000),
    ("pusher", "tip_height_mm"): (5.0, 45.0),
    ("pusher", "tag_height_mm"): (1.0, 300.0),
    ("pusher", "tip_forward_mm"): (-300.0, 300.0),
    ("pusher", "tip_left_mm"): (-300.0, 300.0),
}


def _toml(path: Path) -> dict[str, Any]:
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8-sig"))  # may begin with a BOM
    except OSError as error:
        raise ConfigError(
            f"{path}: cannot be read ({error.strerror}); name a settings file"
        ) from None
    except (ValueError, RecursionError) as error:  # of a number, or of brackets, without end
        raise ConfigError(
            f"{path}: not a TOML file: {error}; expected settings as in rig/default.toml"
        ) from None
    for text in _texts(said):
        if any(unicodedata.category(char) == "Cc" for char in text):
            raise ConfigError(f"{path}: {text[:40]!r} has a control character: leave it out")
    return said


def _texts(said: Any) -> Iterator[str]:
    """Every name and every text in what a file says: commands print them as they are."""
    if isinstance(said, str):
        yield said
    elif isinstance(said, dict | list):
        for each in (*said, *said.values()) if isinstance(said, dict) else said:
            yield from _texts(each)


def _list(names: Any) -> str:
    return ", ".join(str(name) or '""' for name in names)


def names() -> dict[str, list[str]]:
    """Every section with its settings, for tests and help.

    >>> names()["network"]
    ['port', 'public', 'https', 'mdns']
    """
    return {name: [f.name for f in fields(kind)] for name, kind in _SECTIONS.items()}
