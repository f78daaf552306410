"""domino-rig see: what camera frames show."""

import math
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from physics.row.chain import order
from physics.row.row_rules import Violation
from physics.row.tile import STANDARD, State, Tile, TileSet, TileSpec
from physics.rows import notation
from physics.rows.scenario import Scenario
from rig.cli.given import first_given
from rig.cli.output import print_json
from vision.background.obstructions import Thing
from vision.calibrate.photo_lens import lens_of_photo
from vision.calibrate.view_check import doubts
from vision.capture.camera import Frame, NoFrame, load_frame
from vision.capture.photo import load_photo
from vision.errors import VisionError
from vision.geometry.camera_pose import CameraPose
from vision.geometry.lens import Intrinsics, load_intrinsics
from vision.geometry.markers import as_gray
from vision.geometry.mat import Mat, load_mat
from vision.look.eye import Eye, Look, guess_lens
from vision.look.score import Figure, examine
from vision.look.track import Sight, Tracker
from vision.marks.sticker import MarkSet, marks_on

SMALL_ROWS = 720
"""Frames of no more rows than this need not show every mark."""


class BadFolder(VisionError):
    """The folder and frames to score are not named in a usable way."""


class EmptyTable(VisionError):
    """A frame shows no row."""


@dataclass(frozen=True, slots=True)
class FrameReport:
    """One frame and what it shows.

    Attributes:
        file: the frame's file, as it was named.
        camera: where the camera is.
        tiles: all tiles, by value and then from left to right.
        hand_in_view: whether a hand is over the table.
        new_tile: the one tile that the frame before did not have.
        row: values of the standing tiles in row order.
        violations: how the row breaks the rules.
        crowded: more differs from the empty table than tiles explain; see `Look`.
        doubts: what cannot be relied on, each in a sentence.
        things: what is larger than any tile and lies on the work area.
    """

    file: str
    camera: CameraPose
    tiles: tuple[Tile, ...]
    hand_in_view: bool
    new_tile: Tile | None
    row: tuple[int | None, ...]
    violations: tuple[Violation, ...]
    crowded: bool = False
    doubts: tuple[str, ...] = ()
    things: tuple[Thing, ...] = ()


def run(args: Namespace) -> int:
    """Look at every frame; nothing is printed unless all can be read."""
    if args.score is not None:
        return _score(args)
    if other := first_given(args, "--only", "--width", "--alone", "--learn-empty"):
        raise BadFolder(f"{other} is for `see --score FOLDER`; leave it out to see frames")
    if not args.frames:
        raise NoFrame("there is nothing to see: name image files, or a folder with --score")
    mat = load_mat(args.mat)
    if args.phone:
        return _photos(args, mat)
    frames = [load_frame(Path(file), float(n)) for n, file in enumerate(args.frames)]
    rows, columns = frames[0].image.shape[:2]
    if args.camera is not None:
        lens = load_intrinsics(args.camera, (columns, rows))
    else:
        lens = guess_lens(
            [frame for frame in frames if frame.image.shape[:2] == (rows, columns)], mat
        )
    how = "guessed" if args.camera is None else "given"
    eye = Eye(lens, mat, *_printed(args))
    if args.empty:
        _learn_empty(eye, args.empty)
    eyes = [eye] * len(frames)
    everything = list(look_at(args.frames, frames, eyes, believed=args.camera is None))
    _tell(args, everything, eyes, how)
    return 0


def _photos(args: Namespace, mat: Mat) -> int:
    """Look at photos that phones took by hand, each from elsewhere and with a lens of its own."""
    if other := first_given(args, "--camera", "--empty"):
        raise BadFolder(
            f"{other} is for a camera that hangs still; with --phone every photo is taken from "
            "a different place, and its lens is worked out from the photo"
        )
    frames, eyes = [], []
    for n, file in enumerate(args.frames):
        frame, eye = _by_hand(file, mat, *_printed(args))
        frames.append(replace(frame, time_s=float(n)))
        eyes.append(eye)
    _tell(args, list(look_at(args.frames, frames, eyes)), eyes, "photo")
    return 0


def _printed(args: Namespace) -> tuple[TileSet, MarkSet]:
    """Which tiles are looked for, and how they are marked."""
    spec = TileSpec(*args.tile) if args.tile else STANDARD
    return TileSet(spec), marks_on(spec, args.marks)


def photo_row(file: str) -> Scenario:
    """Read the row in a photo taken by hand on the mat as printed.

    Raises:
        VisionError: it cannot be read, or shows no mat or no row.
    """
    frame, eye = _by_hand(file, load_mat(None))
    (seen,) = look_at([file], [frame], [eye])
    return _row(seen)


def _by_hand(
    file: str, mat: Mat, tiles: TileSet | None = None, marks: MarkSet | None = None
) -> tuple[Frame, Eye]:
    """A photo, and what looks at it through the lens that it tells of."""
    frame, focal_px = _photo(file)
    try:
        lens = lens_of_photo(frame.image, mat, focal_px)
    except VisionError as error:
        raise type(error)(f"{file}: {error}") from error
    return frame, Eye(lens.intrinsics, mat, tiles, marks)


def _photo(file: str) -> tuple[Frame, float | None]:
    try:
        data = Path(file).read_bytes()
    except OSError as error:
        raise NoFrame(
            f"{file}: cannot be read ({error.strerror}); name a JPEG or PNG file"
        ) from error
    return load_photo(data, file)


def _row(seen: FrameReport) -> Scenario:
    """The tiles that stand in a frame as a row, from the left to the right.

    Raises:
        EmptyTable: none stands.
    """
    standing = list(filter(_stands, seen.tiles))
    if not standing:
        raise EmptyTable(f"{seen.file}: no tile stands there, so it shows no row")
    return Scenario(Path(seen.file).stem, order(standing))


def _stands(tile: Tile) -> bool:
    return tile.state is State.STANDING


def _tell(
    args: Namespace, everything: Sequence[FrameReport], eyes: Sequence[Eye], how: str
) -> None:
    if args.row:
        _tell_rows(everything)
        return
    for seen, eye in zip(everything, eyes, strict=True):
        if args.json:
            print_json("frame", as_json(seen, eye.intrinsics, how))
        else:
            print(as_text(seen, by_hand=how == "photo"))


def _tell_rows(everything: Sequence[FrameReport]) -> None:
    """Print the row of every frame; the first of several may show the empty table."""
    first, *others = everything
    shown = others if others and not any(map(_stands, first.tiles)) else everything
    for row in [_row(seen) for seen in shown]:
        print(notation.written(row))


def _learn_empty(eye: Eye, files: Sequence[str]) -> None:
    """Show the eye pictures of the empty table."""
    frames = [load_frame(Path(file), 0.0) for file in files]
    try:
        eye.learn_empty(frames)
    except VisionError as error:
        raise type(error)(f"{', '.join(files)}: {error}") from error


def _score(args: Namespace) -> int:
    """Print what `examine` finds."""
    if args.frames:
        raise BadFolder("--score takes all frames of its folder: name no others beside it")
    if other := first_given(args, "--camera", "--empty", "--phone", "--row"):
        raise BadFolder(f"{other} is for `see FRAME`; leave it out to score a folder")
    if not args.score.is_dir():
        raise BadFolder(
            f"{args.score} is no folder; give --score one that holds frames, each with a truth file"
        )
    mat = None if args.mat is None else load_mat(args.mat)
    tiles = TileSpec(*args.tile) if args.tile else None
    only = "*" if args.only is None else args.only
    how = only, args.width, args.alone, args.learn_empty
    score, rows = examine(args.score, *how, mat=mat, spec=tiles, marks=args.marks)
    figures = score.figures(small=rows <= SMALL_ROWS)
    if args.json:
        told = {
            "rows_px": rows,
            "figures": [_figure_json(figure) for figure in figures],
            "complaints": score.complaints,
            "by_people": score.by_people,
        }
        print_json("score", told)
        return 0
    for complaint in score.complaints:
        print(complaint)
    if score.by_people:
        print(
            f"The truth of {score.by_people} frames is what people confirmed in a game. Nobody has "
            "measured where their tiles stand, or looked for hands: that is not scored."
        )
    for figure in figures:
        verdict = {None: "", True: "met", False: "MISSED"}[figure.met]
        print(f"{figure.name:44} {figure.text:18} {figure.must:14} {verdict}".rstrip())
    return 0


def _figure_json(figure: Figure) -> dict[str, Any]:
    def finite(limits: Sequence[float] | None) -> list[float | None] | None:
        return None if limits is None else [x if math.isfinite(x) else None for x in limits]

    return {
        "name": figure.name,
        "values": list(figure.values),
        "cases": figure.cases,
        "part": figure.part,
        "least": finite(figure.least),
        "most": finite(figure.most),
        "met": figure.met,
    }


def look_at(
    files: Sequence[str], frames: Sequence[Frame], eyes: Sequence[Eye], believed: bool = True
) -> Iterator[FrameReport]:
    """Follow one table through its frames.

    Args:
        files: the name of each frame, for the output.
        frames: in time order.
        eyes: what looks at each; one and the same for all frames of a camera that hangs still.
        believed: the lenses are of these very frames, and are not doubted; otherwise the first
            frame tells whether its camera file can be right.
    """
    tracker = Tracker(looks=1)
    for n, (file, frame, eye) in enumerate(zip(files, frames, eyes, strict=True)):
        try:
            look = eye.look(frame)
        except VisionError as error:
            raise type(error)(f"{file}: {error}") from error
        sight = tracker.see(look, frame.time_s)
        if not look.hidden:
            tracker.settle()
        chain = sight.chain
        gray = as_gray(frame.image)
        lens = eye.intrinsics.at_size(gray.shape[1], gray.shape[0])
        unsure = doubts(gray, look.camera, lens, eye.mat, believed or n > 0)
        yield FrameReport(
            file,
            look.camera,
            tuple(sorted(_tiles(look, sight), key=_by_value)),
            look.hand_in_view,
            sight.new_tile if n > 0 and not look.hidden else None,
            chain.values if chain is not None else (),
            sight.violations,
            look.crowded,
            unsure,
            look.things,
        )


def _tiles(look: Look, sight: Sight) -> tuple[Tile, ...]:
    """The tiles that are there; if they cannot be told, those seen before unless contradicted."""
    if not look.hidden:
        return sight.tiles
    values = {tile.value for tile in look.tiles}
    held = [
        tile
        for tile in sight.tiles
        if (tile.value is None or tile.value not in values)
        and not any(tile.footprint.overlaps(other.footprint) for other in look.tiles)
    ]
    return (*look.tiles, *held)


def _by_value(tile: Tile) -> tuple[bool, int, float]:
    return tile.value is None, tile.value or 0, tile.pose.x_mm


def as_json(seen: FrameReport, lens: Intrinsics, how: str) -> dict[str, Any]:
    """Give what a frame shows in the form that other programs read.

    Args:
        seen: what it shows.
        lens: of the camera.
        how: whether the lens was "given", "guessed", or told by the "photo" itself.
    """
    return {
        "file": seen.file,
        "camera": {
            "R": seen.camera.rotation.tolist(),
            "t": seen.camera.translation_mm.tolist(),
            "error_px": round(seen.camera.error_px, 3),
            "markers": seen.camera.markers,
            "K": lens.matrix.tolist(),
            "dist": lens.dist.tolist(),
            "intrinsics": how,
        },
        "tiles": [_tile_json(tile, seen.camera) for tile in seen.tiles],
        "hand_in_view": seen.hand_in_view,
        "crowded": seen.crowded,
        "things": [_thing_json(thing) for thing in seen.things],
        "doubts": list(seen.doubts),
        "new_tile": _tile_json(seen.new_tile, seen.camera) if seen.new_tile else None,
        "row": {
            "order": list(seen.row),
            "violations": [
                {"kind": fault.kind.value, "values": list(fault.values), "unsure": fault.unsure}
                for fault in seen.violations
            ],
        },
    }


def as_text(seen: FrameReport, *, by_hand: bool = False) -> str:
    """Describe what a frame shows in one line; a photo taken by hand has no empty table."""
    row = " ".join("?" if value is None else str(value) for value in seen.row) or "no row"
    lying = sum(tile.state is State.FALLEN for tile in seen.tiles)
    parts = [f"{seen.file}: {len(seen.tiles)} tiles", row]
    if lying:
        parts.append(f"{lying} lying")
    if seen.new_tile is not None:
        parts.append(f"new: {seen.new_tile.value or 'unread'}")
    if seen.hand_in_view:
        parts.append("a hand in view")
    parts += [thing.words for thing in seen.things]
    if seen.crowded:
        clear = "clear the mat round the row" if by_hand else "show the empty table with --empty"
        parts.append(f"too much to see: {clear}")
    parts += seen.doubts
    parts += [f"{fault.kind.value} [{_values(fault)}]" for fault in seen.violations]
    return "; ".join(parts)


def _values(fault: Violation) -> str:
    return ", ".join("unread" if value is None else str(value) for value in fault.values)


def _thing_json(thing: Thing) -> dict[str, Any]:
    size = {"length_mm": round(thing.length_mm), "width_mm": round(thing.width_mm)}
    return {"x_mm": round(thing.x_mm), "y_mm": round(thing.y_mm), **size, "side": thing.side}


def _tile_json(tile: Tile, camera: CameraPose) -> dict[str, Any]:
    """A tile's fields; `sigma_mm` is for gaps between tiles, `place_sigma_mm` for where it is."""
    return {
        "value": tile.value,
        "x_mm": round(tile.pose.x_mm, 3),
        "y_mm": round(tile.pose.y_mm, 3),
        "heading_deg": round(math.degrees(tile.pose.heading_rad) % 180.0, 3) % 180.0,
        "orientation": tile.orientation.value if tile.orientation else None,
        "state": tile.state.value,
        "sigma_mm": round(tile.sigma_mm, 3),
        "place_sigma_mm": round(math.hypot(tile.sigma_mm, camera.sigma_mm), 3),
        "sigma_deg": round(math.degrees(tile.sigma_rad), 3),
    }
