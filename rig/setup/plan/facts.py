"""What is known of a rig being set up: what was stored, and what can be seen now. Values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Any

STEPS = ("network", "print", "camera", "mat", "tiles", "pusher", "row")
"""The steps of the evening, in the best order."""


class Mark(StrEnum):
    """The state of a step or of one of its points."""

    FINE = "fine"
    OFF = "off"
    """Chosen to do without."""
    WAITING = "waiting"
    """Not known yet, or something is under way."""
    TODO = "todo"
    FAILED = "failed"
    """It was tried, and did not work."""


@dataclass(frozen=True, slots=True)
class Point:
    """One line about a step.

    Attributes:
        mark: its state.
        key: key of its words in the catalogue, after `setup.`; what to do has `.do` added.
        of: values for the words' placeholders; those with decimals are `Decimal`.
    """

    mark: Mark
    key: str
    of: dict[str, Any] = field(default_factory=dict)


def as_json(of: Mapping[str, Any]) -> dict[str, Any]:
    """Give values as JSON has them; a page writes decimal numbers as its language does.

    >>> as_json({"mm": Decimal("7.50"), "id": "2"})
    {'mm': 7.5, 'id': '2'}
    """
    return {name: float(v) if isinstance(v, Decimal) else v for name, v in of.items()}


@dataclass(frozen=True, slots=True)
class SetupStep:
    """One step of the evening, or one check of the doctor.

    Attributes:
        name: one of `STEPS`, or a check that only the doctor makes.
        points: the lines about it.
    """

    name: str
    points: tuple[Point, ...]

    @property
    def mark(self) -> Mark:
        """Its state as a whole: that of its worst point."""
        marks = {point.mark for point in self.points}
        order = (Mark.FAILED, Mark.TODO, Mark.WAITING, Mark.FINE, Mark.OFF)
        return next((mark for mark in order if mark in marks), Mark.OFF)


@dataclass(frozen=True, slots=True)
class Progress:
    """What has been set up so far, and where the evening was left.

    Attributes:
        at: the step at which it was left.
        visitor: the first phone that got through.
        ruler_mm: what the printed 100 mm ruler measures.
        camera: id of the camera whose picture was found good enough.
        lens_px: by how much the points of its lens pictures miss.
        survey_mm: how uncertain the worst corner of the surveyed mat is.
        tile: a tile has been measured.
        port: where the pusher was found, and
        firmware: what it said of itself there.
        tried: it has made a stroke in the air.
        tag: the camera has seen its tag.
        row: what became of the test row, "fell" or "stood".
        p_fall: what had been predicted of it.
    """

    at: str = STEPS[0]
    visitor: str = ""
    ruler_mm: float | None = None
    camera: str = ""
    lens_px: float | None = None
    survey_mm: float | None = None
    tile: bool = False
    port: str = ""
    firmware: str = ""
    tried: bool = False
    tag: bool = False
    row: str = ""
    p_fall: float | None = None


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the settings say of the devices.

    Attributes:
        camera: kind of camera.
        camera_id: which, where it is a real one.
        mat: its mat file, "" for the printed mat.
        pusher: kind of pusher.
        port: where it is plugged in, "" for wherever it answers.
        tile: length, width, thickness (mm) and weight (g) of a tile.
    """

    camera: str = "virtual"
    camera_id: str = ""
    mat: str = ""
    pusher: str = "virtual"
    port: str = ""
    tile: tuple[float, float, float, float] = (48.0, 24.0, 7.5, 8.0)


@dataclass(frozen=True, slots=True)
class Network:
    """What can be told of the network.

    Attributes:
        findings: what stands in the way, the most telling first, as the network doctor names it.
        visitor: a phone that got through in this evening.
    """

    findings: tuple[str, ...] = ()
    visitor: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """What the camera's picture shows, as far as setting up asks.

    Attributes:
        markers: how many markers of the mat are seen, of `expected`.
        expected: how many there are.
        error_px: by how much they miss the lens and the mat's file; None where the mat is not
            found.
        trouble: what is wrong with the picture where the mat is not found, as `vision.trouble`
            names it.
        paper: lightness of the mat's paper, 0..255, its darkest and its lightest side.
        glare: share of the work area that a lamp is mirrored in.
        room: for each side of the work area how far its outline is from the picture's border,
            as a share of the picture's height.
        lean_deg: how far the camera's axis leans from straight down.
        mm_per_px: size of a pixel in the middle of the work area.
        blur_px: how soft the sharpest edges are, at 1920 px width.
    """

    markers: int = 0
    expected: int = 30
    error_px: float | None = None
    trouble: str = ""
    paper: tuple[float, float] = (0.0, 0.0)
    glare: float = 0.0
    room: dict[str, float] = field(default_factory=dict)
    lean_deg: float = 0.0
    mm_per_px: float = 0.5
    blur_px: float = 0.5


@dataclass(frozen=True, slots=True)
class CameraFacts:
    """What is known of the camera now.

    Attributes:
        picture: what it shows; None while there is none.
        trouble: why there is none, "gone" or "hangs"; "" while it may still come.
        lens: whether a lens is kept for it.
        views: pictures taken so far for the lens or the mat.
    """

    picture: Picture | None = None
    trouble: str = ""
    lens: bool = False
    views: int = 0


@dataclass(frozen=True, slots=True)
class Arm:
    """What is known of the pusher now.

    Attributes:
        found: it answers.
        firmware: what it says of itself.
        trouble: why it does not answer, in words or as the error that tells it.
        kind: the same as one word, "" where there is none for it.
        state: its state, as the firmware names it.
        ready: a hand has turned its switch, and it would arm.
    """

    found: bool = False
    firmware: str = ""
    trouble: str | Exception = ""
    kind: str = ""
    state: str = ""
    ready: bool = False


@dataclass(frozen=True, slots=True)
class Port:
    """The port on which phones reach the referee.

    Attributes:
        number: it.
        table: a table is served there now.
        trouble: why it cannot be had; "" if it can, or a table has it.
        holder: the program that has it, as far as that is told.
    """

    number: int = 8000
    table: bool = False
    trouble: str | Exception = ""
    holder: str = ""


@dataclass(frozen=True, slots=True)
class Extra:
    """An optional part.

    Attributes:
        there: it is installed.
        wanted: the settings ask for it.
        install: the command that installs it.
    """

    there: bool
    wanted: bool = False
    install: str = ""


@dataclass(frozen=True, slots=True)
class House:
    """What the computer has for a game.

    Attributes:
        config: what is wrong with the settings, in words; "" if nothing is.
        opencv: why OpenCV cannot be loaded, in words.
        port: where phones reach the referee.
        mat: what is wrong with the mat file, in words.
        surveyed: whether the mat file is of a survey.
        lens: whether a lens is kept for the camera.
        camera: why the camera gives no picture; "" if it does, or nobody looked.
        free_mb: room on the disk of the journal.
        folder: where the journal is.
        journal: what is wrong with the file: "folder", "held" elsewhere, "newer" than this
            program, "broken"; "" for nothing.
        damage: what in it is not as it was written.
        file: its path.
        writable: whether it can be written.
        remote: the kind of network drive that it is on, "" for none.
        extras: the optional parts by name.
    """

    config: str = ""
    opencv: str = ""
    port: Port = Port()
    mat: str = ""
    surveyed: bool = False
    lens: bool = False
    camera: str | Exception = ""
    free_mb: float = 1e6
    folder: str = ""
    journal: str = ""
    damage: str | Exception = ""
    file: str = ""
    writable: bool = True
    remote: str = ""
    extras: dict[str, Extra] = field(default_factory=dict)
