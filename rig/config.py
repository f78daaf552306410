"""One TOML file into frozen values; `default.toml` beside this file names every setting."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from rig.errors import RigError


class ConfigError(RigError):
    """A setting cannot be used; nothing has been started."""


@dataclass(frozen=True, slots=True)
class TableConfig:
    """How the table opens."""

    bots: int
    seed: int


@dataclass(frozen=True, slots=True)
class NetworkConfig:
    """Where phones find it."""

    port: int
    public: bool


@dataclass(frozen=True, slots=True)
class Timing:
    """Pauses of the game, in seconds."""

    countdown_step: float
    reveal: float
    verdict: float
    round_end: float
    hold: float
    bot: float


@dataclass(frozen=True, slots=True)
class CameraConfig:
    """Which camera looks at the table."""

    kind: str
    table: str
    clip: bool


@dataclass(frozen=True, slots=True)
class PusherConfig:
    """Which pusher there is, and the stroke it makes."""

    kind: str
    tip_height_mm: float
    tip_radius_mm: float
    speed_mm_s: float
    stroke_mm: float
    standoff_mm: float


@dataclass(frozen=True, slots=True)
class VirtualConfig:
    """What rows on the virtual table fall in."""

    world: str


@dataclass(frozen=True, slots=True)
class Config:
    """All settings."""

    table: TableConfig
    network: NetworkConfig
    timing: Timing
    camera: CameraConfig
    pusher: PusherConfig
    virtual: VirtualConfig
    rules: Mapping[str, Any] = field(default_factory=dict)


_SECTIONS: dict[str, Any] = {
    "table": TableConfig,
    "network": NetworkConfig,
    "timing": Timing,
    "camera": CameraConfig,
    "pusher": PusherConfig,
    "virtual": VirtualConfig,
}
_CHOICES = {
    ("camera", "kind"): ("virtual",),
    ("camera", "table"): ("wood", "dark", "white", "grey", "felt"),
    ("pusher", "kind"): ("virtual",),
    ("virtual", "world"): ("auto", "pymunk", "mujoco"),
}


def load_config(path: Path | None = None, **changes: Mapping[str, Any]) -> Config:
    """Read the settings.

    Args:
        path: a file of one's own over the defaults, or None.
        changes: settings from the command line by section, over both.

    Raises:
        ConfigError: naming the file, the setting and what was expected.

    >>> load_config(network={"port": 8123}).network.port
    8123
    """
    default = Path(__file__).with_name("default.toml")
    data = _toml(default)
    for source, extra in ((str(path), _toml(path) if path else {}), ("command line", changes)):
        for section, values in extra.items():
            if section not in data:
                raise ConfigError(f"{source}: no section [{section}]; there are {_list(data)}")
            if not isinstance(values, Mapping):
                raise ConfigError(f"{source}: {section} must be a section [{section}]")
            known = data[section]
            for key, value in values.items():
                if section != "rules":
                    _check(source, section, key, value, known)
                known[key] = value
    sections = {name: kind(**data[name]) for name, kind in _SECTIONS.items()}
    return Config(rules=data["rules"], **sections)


def _check(source: str, section: str, key: str, value: Any, known: Mapping[str, Any]) -> None:
    where = f"{source}: [{section}] {key}"
    if key not in known:
        raise ConfigError(f"{where} is no setting; [{section}] has {_list(known)}")
    expected = type(known[key])
    right = isinstance(value, expected) and not (expected is int and isinstance(value, bool))
    if expected is float:
        right = isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
    if not right:
        raise ConfigError(f"{where} = {value!r}: expected {_KINDS[expected]}")
    choices = _CHOICES.get((section, key))
    if choices and value not in choices:
        raise ConfigError(f"{where} = {value!r}: expected one of {_list(choices)}")
    if (section, key) in _RANGES:
        low, high = _RANGES[section, key]
        if not low <= value <= high:
            raise ConfigError(f"{where} = {value!r}: expected {low} to {high}")


_KINDS = {int: "a whole number", float: "a number from 0", bool: "true or false", str: "a text"}
_RANGES = {
    ("table", "bots"): (0, 5),
    ("network", "port"): (0, 65535),
    ("pusher", "tip_height_mm"): (5.0, 45.0),
}


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not a TOML file: {error}") from None


def _list(names: Any) -> str:
    return ", ".join(str(name) for name in names)


def names() -> dict[str, list[str]]:
    """Every section with its settings, for tests and help.

    >>> names()["network"]
    ['port', 'public']
    """
    return {name: [f.name for f in fields(kind)] for name, kind in _SECTIONS.items()}
