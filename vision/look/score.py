"""How well looks agree with what is known to stand there: files of truth, figures, `see --score`.

This is the only place that knows how truth files write a heading: they give the direction of the
long edge of the face that looks up, a quarter turn from the normal of the broad face.
"""

import fnmatch
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from physics.row.pose import Pose, half_turn
from physics.row.tile import (
    STANDARD,
    Orientation,
    State,
    Tile,
    TileSet,
    TileSpec,
    apart_mm,
    turned_rad,
)
from vision.capture.camera import Frame, NoFrame, load_frame, of_width
from vision.errors import VisionError
from vision.files import read_json
from vision.geometry.lens import load_intrinsics
from vision.geometry.mat import Mat, load_mat
from vision.look.eye import Eye, Look
from vision.look.track import Tracker
from vision.marks.sticker import marks_on
from vision.tuning.look import SCORE
from vision.tuning.tuning import TUNING, Tuning

EMPTY = "empty"
"""What truth files call a frame of the empty table."""
PEOPLE = "people"
"""Where their `truth` is this, people have confirmed it during a game, and nobody has measured."""
OVERRULED = "overruled"
"""What they call a frame of which people said that it was otherwise than seen, and not how."""
MAT = "mat.json"
"""Where a folder of frames has such a file, the strips of their mat lie as it says."""


class BadTruth(VisionError):
    """A truth file cannot be used; nothing was scored with it."""

    expected = "a truth file, which domino-rig camera collect makes"


@dataclass(frozen=True, slots=True)
class Truth:
    """What a frame really shows.

    Attributes:
        name: of the frame.
        kind: what the frame is for, such as `before` or `hand`.
        tiles: all tiles, hidden ones included.
        hand_in_view: whether a hand is in it.
        new_tile: the tile that the frame before did not have.
        by_people: it is what people confirmed in a game: which tiles stand, and in what order.
            Where exactly is what an eye measured then, and whether a hand is in view, too.
        spec: size of the tiles.
    """

    name: str
    kind: str
    tiles: tuple[Tile, ...]
    hand_in_view: bool
    new_tile: Tile | None
    by_people: bool = False
    spec: TileSpec = STANDARD


def read_truth(path: Path) -> Truth:
    """Read the truth file beside a frame.

    Raises:
        BadTruth: the file cannot be read or lacks a field.
    """
    if not path.exists():
        raise BadTruth(
            f"{path}: there is no such file; a frame is scored against a file of its own name that "
            "says what really stands there, and without one nobody knows what is right"
        )
    data = read_json(path, BadTruth)
    try:
        spec = TileSpec(*map(float, data["tile_mm"])) if "tile_mm" in data else STANDARD
        tiles = {tile["id"]: tile_of(tile, spec) for tile in data["tiles"]}
        return Truth(
            str(data["name"]),
            str(data["kind"]),
            tuple(tiles.values()),
            bool(data["hand_in_view"]),
            tiles.get(data.get("new_tile")),
            data.get("truth") == PEOPLE,
            spec,
        )
    except (ValueError, KeyError, TypeError) as error:
        raise BadTruth(f"{path}: is no truth file of a frame ({error!r})") from error


def tile_of(data: Mapping[str, Any], spec: TileSpec = STANDARD) -> Tile:
    """The tile that a truth file tells of; the other way round of `as_truth`.

    Raises:
        ValueError, KeyError, TypeError: a field is missing or is not what it should be.
    """
    long_edge = math.radians(float(str(data["heading_deg"])))
    state = State(str(data["state"]))
    heading = long_edge if state is State.FALLEN else long_edge + math.pi / 2
    value, orientation = data["value"], data["orientation"]
    return Tile(
        None if value is None else int(str(value)),
        Pose(float(str(data["x"])), float(str(data["y"])), half_turn(heading)),
        None if orientation is None else Orientation(str(orientation)),
        state,
        spec=spec,
    )


def as_truth(tile: Tile, number: int) -> dict[str, Any]:
    """Write a tile as truth files do; its number is its own in the frame."""
    heading = tile.pose.heading_rad
    long_edge = heading if tile.state is State.FALLEN else heading - math.pi / 2
    return {
        "id": number,
        "value": tile.value,
        "x": round(tile.pose.x_mm, 2),
        "y": round(tile.pose.y_mm, 2),
        "heading_deg": round(math.degrees(long_edge) % 180, 2),
        "orientation": tile.orientation.value if tile.orientation is not None else None,
        "state": tile.state.value,
    }


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of what a score says.

    Attributes:
        name: what it is.
        values: a share, a count, or median and p95; empty without a case.
        cases: of how many.
        part: how many of them, for shares.
        least: what the values must reach at least; None where nothing is asked.
        most: what they may be at most; None where nothing is asked.
    """

    name: str
    values: tuple[float, ...]
    cases: int
    part: int | None = None
    least: tuple[float, ...] | None = None
    most: tuple[float, ...] | None = None

    @property
    def met(self) -> bool | None:
        """Whether it is as good as it must be; None where nothing is asked or there is no case."""
        if not self.values or (self.least is None and self.most is None):
            return None
        low, high = self.least or (-math.inf,), self.most or (math.inf,)
        at_least = all(v >= limit for v, limit in zip(self.values, low, strict=False))
        return at_least and all(v <= limit for v, limit in zip(self.values, high, strict=False))

    @property
    def text(self) -> str:
        """Its values in words."""
        if not self.values:
            return "none"
        if self.part is not None:
            return f"{self.part}/{self.cases} = {self.values[0]:.3f}"
        if len(self.values) == 1:
            return f"{self.values[0]:.0f}"
        return " / ".join(f"{value:.2f}" for value in self.values)

    @property
    def must(self) -> str:
        """What it must be, in words; empty where nothing is asked."""
        limits = self.least if self.least is not None else self.most
        if limits is None:
            return ""
        sign = ">=" if self.least is not None else "<="
        shown = " / ".join("any" if math.isinf(limit) else f"{limit:g}" for limit in limits)
        return f"{sign} {shown}"


@dataclass
class Score:
    """Counts and errors over many frames; `figures()` says what they come to."""

    marked: list[bool] = field(default_factory=list)
    read: list[bool] = field(default_factory=list)
    wrong: int = 0
    marked_mm: list[float] = field(default_factory=list)
    marked_deg: list[float] = field(default_factory=list)
    marked_sigmas: list[float] = field(default_factory=list)
    upright: list[bool] = field(default_factory=list)
    unmarked: list[bool] = field(default_factory=list)
    unmarked_mm: list[float] = field(default_factory=list)
    unmarked_deg: list[float] = field(default_factory=list)
    unmarked_sigmas: list[float] = field(default_factory=list)
    fallen: list[bool] = field(default_factory=list)
    fallen_mm: list[float] = field(default_factory=list)
    named: list[bool] = field(default_factory=list)
    alarm: list[bool] = field(default_factory=list)
    false_alarm: list[bool] = field(default_factory=list)
    hand: list[bool] = field(default_factory=list)
    false_hand: list[bool] = field(default_factory=list)
    reported: int = 0
    false: int = 0
    exact: list[bool] = field(default_factory=list)
    new: list[bool] = field(default_factory=list)
    new_elsewhere: list[bool] = field(default_factory=list)
    by_people: int = 0
    complaints: list[str] = field(default_factory=list)

    def add(self, truth: Truth, look: Look) -> None:
        """Compare one look with the truth."""
        self.by_people += truth.by_people
        if not truth.by_people:
            (self.hand if truth.hand_in_view else self.false_hand).append(look.hand_in_view)
        rest = list(look.tiles)
        marked_first = sorted(truth.tiles, key=lambda tile: tile.value is None)
        pairs = [(tile, _take_nearest(tile, rest, truth.by_people)) for tile in marked_first]
        for tile, seen in pairs:
            if seen is not None and seen.value not in (None, tile.value):
                self.wrong += 1
                self.complaints.append(f"{truth.name}: {tile.value} read as {seen.value}")
        for extra in rest:
            if extra.value is not None:
                self.wrong += 1
                self.complaints.append(f"{truth.name}: {extra.value} seen where it is not")
        if truth.hand_in_view:
            return
        for tile, seen in pairs:
            self._add_tile(truth, tile, seen)
        for extra in rest:
            what = extra.orientation or "lying"
            place = f"{extra.pose.x_mm:.0f}, {extra.pose.y_mm:.0f}"
            self.complaints.append(f"{truth.name}: {what} tile at {place} is not there")
        down = any(tile.state is State.FALLEN for tile in truth.tiles)
        seen_down = any(tile.state is State.FALLEN for tile in look.tiles)
        (self.alarm if down else self.false_alarm).append(seen_down)
        self.reported += len(look.tiles)
        self.false += len(rest)
        self.exact.append(len(look.tiles) == len(truth.tiles))

    def add_new(self, truth: Truth, told: Tile | None) -> None:
        """Compare the one new tile that a tracker told with the true one.

        Where none is told the referee asks, or waits and says that it sees none; a tile told in
        the wrong place would be written down.
        """
        new = truth.new_tile
        if new is None:
            return
        right = told is not None and apart_mm(told, new) < SCORE.standing_mm
        self.new.append(right)
        self.new_elsewhere.append(told is not None and not right)
        if not right:
            where = "not told" if told is None else "told where it is not"
            self.complaints.append(f"{truth.name}: the new tile was {where}")

    def _add_tile(self, truth: Truth, tile: Tile, seen: Tile | None) -> None:
        if tile.state is State.FALLEN:
            self.fallen.append(seen is not None)
            if tile.value is not None:
                self.named.append(seen is not None and seen.value == tile.value)
            errors, kind = self.fallen_mm, "fallen"
        elif tile.value is None:
            self.unmarked.append(seen is not None)
            errors, kind = self.unmarked_mm, "unmarked"
        else:
            self.marked.append(seen is not None)
            self.read.append(seen is not None and seen.value == tile.value)
            errors, kind = self.marked_mm, "marked"
        if seen is None:
            place = f"{tile.pose.x_mm:.0f}, {tile.pose.y_mm:.0f}"
            self.complaints.append(f"{truth.name}: {kind} tile {tile.value} at {place} missed")
            return
        if truth.by_people:  # where it stands is what an eye measured: that proves no eye right
            if kind != "fallen":
                self.upright.append(seen.orientation is tile.orientation)
            return
        error_mm = apart_mm(tile, seen)
        turn = math.degrees(turned_rad(seen, tile))
        if kind == "unmarked":
            self.unmarked_deg.append(turn)
            self.unmarked_sigmas.append(error_mm / (seen.sigma_mm * math.sqrt(2)))
            self.upright.append(seen.orientation is tile.orientation)
        if kind == "marked":
            self.upright.append(seen.orientation is tile.orientation)
            if seen.value is None:
                return
            self.marked_deg.append(turn)
            self.marked_sigmas.append(error_mm / (seen.sigma_mm * math.sqrt(2)))
        errors.append(error_mm)

    def figures(self, small: bool = False) -> list[Figure]:
        """Return the figures, each with what it must be.

        Args:
            small: the frames are of 720 rows, so fewer marks need to be found.
        """
        unread = self.read.count(False)
        marked_share = SCORE.small_marked_share if small else SCORE.marked_share
        return [
            _share("marked standing tiles found", self.marked, marked_share),
            Figure("wrong value", (self.wrong,), len(self.marked), most=(0,)),
            _ratio("unread", unread, len(self.read), most=SCORE.unread_share),
            _share("orientation right", self.upright),
            _spread("position of marked, median / p95 mm", self.marked_mm, SCORE.marked_mm),
            _spread("heading of marked, median / p95 deg", self.marked_deg, SCORE.marked_deg),
            _spread("error over sigma of marked, median / p95", self.marked_sigmas),
            _share("unmarked standing tiles found", self.unmarked, SCORE.unmarked_share),
            _spread("position of unmarked, median / p95 mm", self.unmarked_mm, SCORE.unmarked_mm),
            _spread("heading of unmarked, median / p95 deg", self.unmarked_deg),
            _spread("error over sigma of unmarked, median / p95", self.unmarked_sigmas),
            _share("fallen tiles found", self.fallen, SCORE.fallen_share),
            _share("marked fallen tiles named", self.named),
            _spread("position of fallen, median / p95 mm", self.fallen_mm),
            _share("frame with fallen tiles: found", self.alarm, SCORE.alarm_share),
            _share(
                "frame with fallen tiles: false", self.false_alarm, most=SCORE.false_alarm_share
            ),
            _share("frame with a hand: found", self.hand),
            _share("frame with a hand: false", self.false_hand),
            _ratio(
                "precision without hand", self.reported - self.false, self.reported, SCORE.precision
            ),
            _share("exact count without hand", self.exact, SCORE.exact_share),
            _share("the one new tile right", self.new, SCORE.new_share),
            _share(
                "the new tile told where it is not",
                self.new_elsewhere,
                most=SCORE.new_elsewhere_share,
            ),
        ]


def _take_nearest(tile: Tile, rest: list[Tile], by_people: bool) -> Tile | None:
    """Take from `rest` what was reported for a true tile; people only say that one lies there."""
    reach = SCORE.fallen_mm if tile.state is State.FALLEN else SCORE.standing_mm
    if by_people and tile.state is State.FALLEN:
        reach = math.inf
    near = [t for t in rest if t.state is tile.state and apart_mm(t, tile) < reach]
    if not near:
        return None
    best = min(near, key=lambda t: (t.value != tile.value, apart_mm(t, tile)))
    rest.remove(best)
    return best


def _share(
    name: str, hits: Sequence[bool], least: float | None = None, most: float | None = None
) -> Figure:
    return _ratio(name, sum(hits), len(hits), least, most)


def _ratio(
    name: str, part: int, whole: int, least: float | None = None, most: float | None = None
) -> Figure:
    values = (part / whole,) if whole else ()
    return Figure(
        name,
        values,
        whole,
        part,
        None if least is None else (least,),
        None if most is None else (most,),
    )


def _spread(name: str, errors: Sequence[float], most: tuple[float, ...] | None = None) -> Figure:
    values = tuple(float(v) for v in np.percentile(errors, SCORE.percents)) if errors else ()
    return Figure(name, values, len(errors), most=most)


KINDS = (".jpg", ".jpeg", ".png")


def tables(folder: Path, only: str = "*") -> Iterator[list[Path]]:
    """Sort the frames of a folder into tables, each in time order.

    Frames whose names differ only in what follows the last `_` show one table.

    Args:
        folder: with images, and beside each its truth file of the same name in JSON.
        only: pattern that a name must have, or several with commas between them.

    Raises:
        NoFrame: there is no such frame in the folder.
    """
    names = [
        path
        for path in sorted(folder.glob("*"))
        if path.suffix.lower() in KINDS
        and any(fnmatch.fnmatch(path.stem, pattern) for pattern in only.split(","))
    ]
    if not names:
        raise NoFrame(f"{folder}: no image named {only!r} is in this folder")
    for _, group in itertools.groupby(names, key=lambda path: path.stem.rpartition("_")[0]):
        yield list(group)


def read_frame(path: Path, width: int | None = None, time_s: float = 0.0) -> Frame:
    """Read a frame, shrunk to a width in px if one is given."""
    frame = load_frame(path, time_s)
    if width is None:
        return frame
    return Frame(of_width(frame.image, width), time_s, frame.name)


def examine(
    folder: Path,
    only: str = "*",
    width: int | None = None,
    alone: bool = False,
    learn_empty: bool = False,
    tuning: Tuning = TUNING,
    mat: Mat | None = None,
    spec: TileSpec | None = None,
    marks: str = "",
) -> tuple[Score, int]:
    """Look at all frames of a folder and compare with their truth files.

    The lens of a table is the one in the truth file of its first frame, and so is the size of its
    tiles.

    Args:
        folder: see `tables`.
        only: pattern that a frame's name must have.
        width: shrink the frames to this width in px first.
        alone: look at every frame by itself, not after the ones before it.
        learn_empty: take the first frame for the empty table where its truth says so.
        tuning: see `Tuning`.
        mat: how its strips lie; None where the folder's own file says it, or they lie as printed.
        spec: size of the tiles; None where the truth files say it, or they are standard ones.
        marks: which marks they carry, see `marks_on`.

    Returns:
        The score, and how many rows of pixels the frames have.

    Raises:
        VisionError: a file cannot be used, or a frame does not show the mat.
    """
    total, rows = Score(), 0
    if mat is None:
        mat = load_mat(folder / MAT if (folder / MAT).exists() else None)
    for paths in tables(folder, only):
        eye, tracker, before = None, Tracker(looks=1, tuning=tuning), None
        for n, path in enumerate(paths):
            side = path.with_suffix(".json")
            truth = read_truth(side)
            if truth.kind == OVERRULED:
                total.complaints.append(f"{truth.name}: people overruled what was seen; not scored")
                continue
            frame = read_frame(path, width, float(n))
            if eye is None or alone:
                size = spec or truth.spec
                printed = marks_on(size, marks)
                eye = Eye(load_intrinsics(side), mat, TileSet(size), printed, tuning=tuning)
            try:
                told = learn_empty and n == 0 and truth.kind == EMPTY
                look = eye.learn_empty([frame]) if told else eye.look(frame)
            except VisionError as error:
                raise type(error)(f"{path}: {error}") from error
            total.add(truth, look)
            sight = tracker.see(look, float(n))
            if not alone and _follows(truth, before):
                total.add_new(truth, sight.new_tile)
            tracker.settle()
            rows, before = frame.image.shape[0], truth
    return total, rows


def _follows(truth: Truth, before: Truth | None) -> bool:
    """Whether the new tile is all that is new; of a real evening people may delete frames."""
    if not truth.by_people or truth.new_tile is None:
        return True
    rest = {tile.value for tile in truth.tiles} - {truth.new_tile.value}
    return before is not None and {tile.value for tile in before.tiles} == rest
