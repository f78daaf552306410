"""From outlines in the image to tiles on the table: the one place where px become mm.

Only the mark on a tile's upper edge is looked for, at the two heights it can have: a tile that
stands vertical carries the short mark at its length, one that stands horizontal the long mark at
its width. The heading of a tile is the normal of its broad face, a quarter turn from its mark.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from physics.row.pose import Footprint, Pose, half_turn
from physics.row.tile import Orientation, State, Tile, TileSet
from vision.arrays import Floats, Gray, Image
from vision.geometry.camera_pose import View, to_plane
from vision.geometry.mat import Mat
from vision.marks.candidates import Detections, Region
from vision.marks.fuse import settle
from vision.marks.mark_fit import MarkFit, MarkPose, blurred_cells, blurs_mm, cells, fit_mark
from vision.marks.side_mark import tops_above, wall_likeness
from vision.marks.sticker import CellReading, MarkSet, Sticker
from vision.marks.uneven_light import end_shares, light_at, light_on
from vision.tuning.marks import LocateTuning, UnevenLightTuning
from vision.tuning.tuning import TUNING, Tuning


@dataclass(frozen=True, slots=True)
class ReadMark:
    """One mark that was read.

    Attributes:
        value: what it says.
        orientation: how its tile stands.
        fit: where it lies.
        reading: how clearly it was read.
    """

    value: int
    orientation: Orientation
    fit: MarkFit
    reading: CellReading

    def quality(self, tuning: LocateTuning = TUNING.locate) -> float:
        """Larger is better; compares sightings of one frame."""
        return self.fit.score + tuning.reading_weight * self.reading.score

    def tile(self, tile_set: TileSet, tuning: LocateTuning = TUNING.locate) -> Tile:
        """Return the tile that carries the mark."""
        place = self.fit.place
        return Tile(
            self.value,
            Pose(place.x_mm, place.y_mm, half_turn(place.axis_rad + math.pi / 2)),
            self.orientation,
            sigma_mm=math.hypot(tuning.print_mm, self.fit.sigma_mm),
            sigma_rad=math.hypot(tuning.print_rad, self.fit.sigma_rad),
            spec=tile_set.spec,
        )


def region(
    view: View, mat: Mat, marks: MarkSet, tile_set: TileSet, tuning: LocateTuning = TUNING.locate
) -> Region:
    """Say which part of the image shows the work area, up to the height of a tile."""
    top = tile_set.spec.length_mm
    corners = [(x, y, z) for x in mat.area_x_mm for y in mat.area_y_mm for z in (0.0, top)]
    points = view.project(np.array(corners))
    limits = (view.intrinsics.width, view.intrinsics.height)
    rim = tuning.rim_px
    low = np.clip(np.floor(points.min(axis=0)) - rim, 0, limits).astype(int)
    high = np.clip(np.ceil(points.max(axis=0)) + 1 + rim, 0, limits).astype(int)
    low_scale, high_scale = (view.scale_px_mm(z_mm) for z_mm in (0.0, top))
    zoom = tuning.detect_px_mm / low_scale
    zoom = 1.0 if tuning.least_zoom < zoom < 1 / tuning.least_zoom else zoom
    return Region(
        int(low[0]),
        int(low[1]),
        int(high[0]),
        int(high[1]),
        tuning.shortest_share * zoom * low_scale * marks.short.body_mm[0],
        tuning.longest_share * zoom * high_scale * marks.long.sticker_mm[0],
        tuning.widest_share * zoom * high_scale * marks.long.sticker_mm[1],
        zoom,
    )


def locate(
    detections: Detections,
    view: View,
    mat: Mat,
    marks: MarkSet,
    tile_set: TileSet,
    hints: Sequence[Tile] = (),
    image: Image | None = None,
    tuning: Tuning = TUNING,
) -> tuple[Tile, ...]:
    """Turn outlines in the image into standing tiles on the table.

    Args:
        detections: outlines that may be marks.
        view: where the camera is.
        mat: the work area; marks outside it are not tiles.
        marks: the words and geometry of the marks.
        tile_set: the tiles in play.
        hints: standing tiles that may be there, whose marks the outlines may lack.
        image: the one the outlines were seen in, BGR; None where it was grey.
        tuning: see `Tuning`.

    Returns:
        The tiles whose marks were read, each value once, sorted by value.
    """
    found = sightings(detections, view, mat, marks, tile_set, hints, tuning=tuning)
    tiles = [s.tile(tile_set, tuning=tuning.locate) for s in sorted(found, key=lambda s: s.value)]
    return settle(
        detections.gray, view, tiles, marks, tuning.locate.print_mm, hints, image, tuning=tuning
    )


def sightings(
    detections: Detections,
    view: View,
    mat: Mat,
    marks: MarkSet,
    tile_set: TileSet,
    hints: Sequence[Tile] = (),
    tuning: Tuning = TUNING,
) -> list[ReadMark]:
    """Read all marks on upper edges; each value once, no two tiles in the same place."""
    read: list[ReadMark] = []
    for orientation in Orientation:
        sticker = marks.sticker(orientation)
        z_mm = tile_set.spec.height_mm(orientation) + tuning.locate.paper_mm
        hinted = [
            place
            for tile in hints
            if tile.state is State.STANDING and tile.orientation is orientation
            for place in _about(tile, z_mm, detections.gray, view, sticker, marks, tuning)
        ]
        outlined = _starts(detections.outlines_px, view, z_mm, sticker, mat, tuning.locate)
        starts = [*hinted, *outlined]
        samples = cells(detections.gray, view, starts, sticker, tuning=tuning.mark_fit)
        lively = np.flatnonzero(samples.std(axis=1) > tuning.locate.least_contrast_levels)
        there = [starts[n] for n in lively.tolist()]
        readings = list(zip(marks.read(samples[lively]), there, strict=True))
        for reading, start in sorted(readings, key=lambda one: -one[0].score):
            if reading.score < tuning.locate.first_score:
                break
            alike = (s.fit.place for s in read if s.orientation is orientation)
            if any(_near(start, place, tuning.locate) for place in alike):
                continue
            told = (reading, orientation, marks)
            sighting = read_mark(detections, view, start, *told, tuning=tuning)
            if sighting and sighting.value in tile_set.values:
                read.append(sighting)
        broken = _free(detections.outlines_px, read, view, marks)
        starts += _from_parts(broken, view, z_mm, sticker, marks, mat, tuning.uneven_light)
        rest = _apart_from(starts, read, orientation, tuning.locate)
        shaded = _half_in_shadow(detections.gray, view, rest, orientation, marks, tuning)
        read += [sighting for sighting in shaded if sighting.value in tile_set.values]
    tops = [_on_top(one, detections, view, marks, tile_set, tuning) for one in read]
    return resolve([one for one in tops if one is not None], tile_set, tuning=tuning.locate)


def _on_top(
    one: ReadMark,
    detections: Detections,
    view: View,
    marks: MarkSet,
    tile_set: TileSet,
    tuning: Tuning,
) -> ReadMark | None:
    """Return the mark on top of the tile: the one given, unless that is on a wall.

    Returns:
        None if the mark is on a wall, and the one on top can be seen but not read.
    """
    gray, place, paper_mm = detections.gray, one.fit.place, tuning.locate.paper_mm
    sticker = marks.sticker(one.orientation)
    tops = tops_above(place, sticker, view, marks, tile_set.spec, paper_mm, tuning=tuning.side_mark)
    for orientation, starts in tops:
        samples = cells(gray, view, starts, marks.sticker(orientation), tuning=tuning.mark_fit)
        readings = zip(marks.read(samples), starts, strict=True)
        same = [(reading, start) for reading, start in readings if reading.value == one.value]
        if not same:
            continue
        reading, start = max(same, key=lambda pair: pair[0].score)
        if reading.score < tuning.locate.first_score:
            continue
        top = read_mark(detections, view, start, reading, orientation, marks, tuning=tuning)
        if top is not None:
            return top
        # A pattern on the table may look like a mark; but then the tile's own wall shows one.
        tile = one.tile(tile_set, tuning=tuning.locate)
        likeness = wall_likeness(gray, view, tile, marks, tuning=tuning.side_mark)
        if likeness < tuning.locate.first_score:
            return None
    return one


def _half_in_shadow(
    gray: Gray,
    view: View,
    starts: Sequence[MarkPose],
    orientation: Orientation,
    marks: MarkSet,
    tuning: Tuning,
) -> Iterator[ReadMark]:
    """Read the marks across which the edge of a shadow runs.

    Args:
        gray: the image.
        view: the camera.
        starts: first guesses where nothing was read, from outlines of marks and of parts of them.
        orientation: how the tiles would stand.
        marks: the words and geometry of the marks.
        tuning: see `Tuning`.
    """
    if not starts:
        return
    light_tuning = tuning.uneven_light
    sticker = marks.sticker(orientation)
    middles = np.array(sticker.cell_centres_mm)
    light = light_on(gray, view, starts, sticker, middles, tuning=light_tuning).mean(axis=1)
    light = np.maximum(light, light_tuning.least_levels)
    uneven = np.flatnonzero(light.min(axis=1) < light_tuning.most_even_share * light.max(axis=1))
    there = [starts[n] for n in uneven.tolist()]
    shares = cells(gray, view, there, sticker, tuning=tuning.mark_fit) / light[uneven]
    readings = list(zip(marks.read(shares), uneven.tolist(), strict=True))
    readings = [one for one in readings if one[0].score >= light_tuning.first_score]
    readings.sort(key=lambda one: -one[0].score)
    seen: list[MarkPose] = []
    for reading, n in readings[: light_tuning.most_tries]:
        if any(_near(starts[n], place, tuning.locate) for place in seen):
            continue
        sighting = _read_in(gray, view, starts[n], reading, orientation, marks, tuning)
        if sighting is not None:
            seen.append(sighting.fit.place)
            yield sighting


def _read_in(
    gray: Gray,
    view: View,
    start: MarkPose,
    reading: CellReading,
    orientation: Orientation,
    marks: MarkSet,
    tuning: Tuning,
) -> ReadMark | None:
    """Fit a mark in light that is not even, and read it again there with its ends."""
    word, sticker = marks.words[reading.value], marks.sticker(orientation)
    uneven = tuning.uneven_light

    def light(place: MarkPose, along_mm: Floats, across_mm: Floats) -> Floats:
        return light_at(gray, view, place, sticker, along_mm, across_mm, tuning=uneven)

    start, read = _turned(start, reading), dict[MarkPose, Floats]()
    fit = fit_mark(gray, view, start, word, sticker, light, read, tuning=tuning.mark_fit)
    if fit is None or not _as_printed(fit, uneven.stretch_shares):
        return None
    middles = np.array(sticker.cell_centres_mm)
    shares = cells(gray, view, [fit.place], sticker, tuning=tuning.mark_fit)
    shares /= light(fit.place, middles, np.zeros(len(middles)))
    (again,) = marks.read(shares)
    if again.value != reading.value or again.backwards:
        return None
    if again.score < tuning.locate.cell_score or again.margin < tuning.locate.cell_margin:
        return None
    ends = end_shares(gray, view, fit.place, sticker, tuning=uneven)
    whole = np.concatenate([ends[:2], shares[0], ends[2:]])
    printed = np.array([1, 0, *map(int, word), 0, 1])
    if fit.score + np.corrcoef(whole, printed)[0, 1] < uneven.both_score:
        return None
    # Blur, too, darkens the paper beside the ink, and then the mark lies elsewhere.
    for blurred in _softer(tuning=tuning):
        even = fit_mark(gray, view, start, word, sticker, read=read, tuning=blurred.mark_fit)
        if even is not None and even.score > fit.score:
            return None
    return ReadMark(again.value, orientation, fit, again)


def read_mark(
    detections: Detections,
    view: View,
    start: MarkPose,
    reading: CellReading,
    orientation: Orientation,
    marks: MarkSet,
    tuning: Tuning = TUNING,
) -> ReadMark | None:
    """Fit the mark that was read at a first guess of its place, and read it again there.

    Args:
        detections: with the image.
        view: the camera.
        start: the first guess.
        reading: what the cells say there.
        orientation: how its tile would stand.
        marks: the words and geometry of the marks.
        tuning: see `Tuning`.

    Returns:
        The mark, or None if there is none.
    """
    start, read = _turned(start, reading), dict[MarkPose, Floats]()
    word, sticker = marks.words[reading.value], marks.sticker(orientation)

    def fitted(tuning: Tuning) -> MarkFit | None:
        return fit_mark(
            detections.gray, view, start, word, sticker, read=read, tuning=tuning.mark_fit
        )

    def believed(fit: MarkFit, tuning: Tuning) -> ReadMark | None:
        return _believed(detections.gray, view, fit, reading.value, orientation, marks, tuning)

    fit = fitted(tuning)
    sharp = believed(fit, tuning) if fit else None
    if sharp is not None or reading.score < tuning.locate.soft_first_score:
        return sharp
    # The best of all, not of those that are believed: too sharp a drawing may seem right beside
    # the mark.
    soft = [(fit, blurred) for blurred in _softer(tuning=tuning) if (fit := fitted(blurred))]
    return believed(*max(soft, key=lambda one: one[0].score)) if soft else None


@lru_cache(maxsize=4)
def _softer(tuning: Tuning) -> tuple[Tuning, ...]:
    """The same tuning for drawings with each of the blurs that are tried."""
    clear = replace(
        tuning.locate,
        cell_score=tuning.locate.soft_cell_score,
        cell_margin=tuning.locate.soft_cell_margin,
        fit_score=tuning.locate.soft_fit_score,
        both_score=tuning.locate.soft_fit_score,
        stretch_shares=tuning.locate.soft_stretch_shares,
    )
    return tuple(
        replace(tuning, mark_fit=replace(tuning.mark_fit, blurs_px=blurs), locate=clear)
        for blurs in tuning.mark_fit.soft_blurs_px
    )


def _believed(
    gray: Gray,
    view: View,
    fit: MarkFit,
    value: int,
    orientation: Orientation,
    marks: MarkSet,
    tuning: Tuning,
) -> ReadMark | None:
    """Return a mark that was fitted, if it is as long, as wide and as clear as one must be."""
    sticker, locate = marks.sticker(orientation), tuning.locate
    if fit.score < locate.fit_score:
        return None
    if not _as_printed(fit, locate.stretch_shares):
        return None
    levels = cells(gray, view, [fit.place], sticker, tuning=tuning.mark_fit)
    blur_mm = blurs_mm(view, fit.place.z_mm, tuning=tuning.mark_fit)
    shown = blurred_cells(tuple(marks.words.values()), sticker, blur_mm, tuning=tuning.mark_fit)
    (again,) = marks.read(levels, shown)
    if again.value != value or again.backwards:
        return None
    if again.score < locate.cell_score or again.margin < locate.cell_margin:
        return None
    if fit.score + locate.margin_share * again.margin < locate.both_score:
        return None
    return ReadMark(again.value, orientation, fit, again)


def _turned(start: MarkPose, reading: CellReading) -> MarkPose:
    """Turn the place of a mark round if it was read from cell 8 to cell 0."""
    if not reading.backwards:
        return start
    return replace(start, axis_rad=start.axis_rad + math.pi)


def _as_printed(fit: MarkFit, limits: Sequence[tuple[float, float]]) -> bool:
    """Whether a mark is as long and as wide as it was printed, within these shares."""
    sides = zip(fit.stretch, limits, strict=True)
    return all(least <= stretch - 1 <= most for stretch, (least, most) in sides)


def resolve(
    read: Sequence[ReadMark], tile_set: TileSet, tuning: LocateTuning = TUNING.locate
) -> list[ReadMark]:
    """Drop what cannot be: a value seen twice, or two tiles in one place.

    Args:
        read: sightings of one image.
        tile_set: the size of the tiles.
        tuning: see `LocateTuning`.

    Returns:
        The best of those that contradict each other, and all others.
    """
    kept: list[ReadMark] = []
    for one in sorted(read, key=lambda s: s.quality(tuning=tuning), reverse=True):
        here = one.tile(tile_set, tuning=tuning).footprint
        if all(one.value != k.value and not _collide(here, k, tile_set, tuning) for k in kept):
            kept.append(one)
    return kept


def _collide(here: Footprint, other: ReadMark, tile_set: TileSet, tuning: LocateTuning) -> bool:
    there = other.tile(tile_set, tuning=tuning).footprint
    inner = Footprint(
        here.pose, here.depth_mm - tuning.overlap_mm, here.width_mm - tuning.overlap_mm
    )
    return inner.overlaps(there)


def _apart_from(
    starts: Sequence[MarkPose],
    read: Sequence[ReadMark],
    orientation: Orientation,
    tuning: LocateTuning,
) -> list[MarkPose]:
    """Return the first guesses that are not at marks that were read."""
    places = [one.fit.place for one in read if one.orientation is orientation]
    return [s for s in starts if not any(_near(s, place, tuning) for place in places)]


def _free(outlines_px: Floats, read: Sequence[ReadMark], view: View, marks: MarkSet) -> Floats:
    """Return the outlines whose middle lies on no mark that was read."""
    middles = outlines_px.mean(axis=1).astype(np.float32)
    free = np.ones(len(middles), dtype=bool)
    for one in read:
        length, width = (side / 2 for side in marks.sticker(one.orientation).sticker_mm)
        u, v = np.array([-1, 1, 1, -1]) * length, np.array([-1, -1, 1, 1]) * width
        a, b, _, d = view.project(one.fit.place.to_table(u, v))
        shares = np.linalg.solve(np.column_stack([b - a, d - a]), (middles - a).T)
        free &= ~((shares > 0) & (shares < 1)).all(axis=0)
    return outlines_px[free]


def _about(
    tile: Tile,
    z_mm: float,
    gray: Gray,
    view: View,
    sticker: Sticker,
    marks: MarkSet,
    tuning: Tuning,
) -> list[MarkPose]:
    """First guesses about where a tile seems to stand: some fixed ones, the likeliest of a grid."""
    there = tuning.locate
    rows = _moved(tile, [(ahead, 0.0, 0.0) for ahead in there.hint_ahead_mm], z_mm)
    grid = list(itertools.product(there.grid_ahead_mm, there.grid_aside_mm, there.grid_turns_rad))
    if grid:
        more = _moved(tile, grid, z_mm)
        samples = cells(gray, view, more, sticker, tuning=tuning.mark_fit)
        likeness = marks.likeness(samples).max(axis=1, initial=-1.0)
        rows = np.concatenate([rows, more[np.argsort(-likeness)[: there.most_of_grid]]])
    return [MarkPose(*row) for row in rows.tolist()]


def _moved(tile: Tile, ways: Sequence[tuple[float, float, float]], z_mm: float) -> Floats:
    """Where the mark of a tile would lie that stood elsewhere, shape (ways, 4); see `as_rows`.

    Args:
        tile: where it seems to stand.
        ways: how far ahead of that, to the left of it, and turned by how much.
        z_mm: the height of the mark.
    """
    ahead, aside, turn = np.reshape(ways, (-1, 3)).T
    pose, (c, s) = tile.pose, tile.pose.normal
    x_mm, y_mm = pose.x_mm + ahead * c - aside * s, pose.y_mm + ahead * s + aside * c
    axis_rad = pose.heading_rad + turn - math.pi / 2
    return np.stack([x_mm, y_mm, axis_rad, np.full(len(ways), z_mm)], axis=1)


def _starts(
    outlines_px: Floats, view: View, z_mm: float, sticker: Sticker, mat: Mat, tuning: LocateTuning
) -> list[MarkPose]:
    """First guesses: outlines that have the size of the body or of the paper at this height."""
    middle, way, long, short = _measured(outlines_px, view, z_mm)
    good = np.zeros(len(middle), dtype=bool)
    for length, width in (sticker.body_mm, sticker.sticker_mm):
        off = short - width
        least, most = tuning.outline_width_mm
        fits = np.abs(long / length - 1) < tuning.outline_length_share
        good |= fits & (off > least) & (off < most)
    return _on_table(middle[good], way[good], z_mm, mat)


def _from_parts(
    outlines_px: Floats,
    view: View,
    z_mm: float,
    sticker: Sticker,
    marks: MarkSet,
    mat: Mat,
    tuning: UnevenLightTuning,
) -> list[MarkPose]:
    """First guesses from outlines of parts of marks: of windows, and of ends cut off by shadows.

    The edge of a shadow breaks the outline of a mark, but hardly ever that of each of its windows.
    """
    if not len(outlines_px):
        return []
    middle, way, long, short = _measured(outlines_px, view, z_mm)
    cells_wide, offs = np.array(marks.windows).T[..., None]
    good = np.abs(long - cells_wide * sticker.cell_mm) < tuning.window_off_mm
    good &= np.abs(short - sticker.window_mm) < tuning.window_off_mm
    window, which = np.nonzero(good)
    unit = way[which] / long[which, None]
    middles, ways = [middle[which] - offs[window] * sticker.cell_mm * unit], [unit]
    length, width = sticker.sticker_mm
    least, most = (share * length for share in tuning.end_shares)
    thin, thick = (width + off for off in tuning.end_width_mm)
    good = (long > least) & (long < most) & (short > thin) & (short < thick)
    unit = way[good] / long[good, None]
    for sign in (-1, 1):
        reach = sign * (length - long[good, None]) / 2
        middles.append(middle[good] + reach * unit)
        ways.append(unit)
    return _on_table(np.concatenate(middles), np.concatenate(ways), z_mm, mat)


def _measured(
    outlines_px: Floats, view: View, z_mm: float
) -> tuple[Floats, Floats, Floats, Floats]:
    """Measure outlines at a height: middles, long sides, and how long and short the sides are."""
    corners = to_plane(outlines_px.reshape(-1, 2), z_mm, view.pose, view.intrinsics)
    a, b, c, d = corners.reshape(-1, 4, 2).transpose(1, 0, 2)
    one, two = (b + c - a - d) / 2, (c + d - a - b) / 2
    lengths = np.hypot(*one.T), np.hypot(*two.T)
    way = np.where((lengths[0] >= lengths[1])[:, None], one, two)
    return (a + b + c + d) / 4, way, np.maximum(*lengths), np.minimum(*lengths)


def _on_table(middles: Floats, ways: Floats, z_mm: float, mat: Mat) -> list[MarkPose]:
    """Return the marks there that lie over the work area."""
    inside = np.ones(len(middles), dtype=bool)
    for axis, area in enumerate((mat.area_x_mm, mat.area_y_mm)):
        inside &= (middles[:, axis] >= area[0]) & (middles[:, axis] <= area[1])
    return [
        MarkPose(x, y, math.atan2(up, right), z_mm)
        for (x, y), (right, up) in zip(middles[inside].tolist(), ways[inside].tolist(), strict=True)
    ]


def _near(start: MarkPose, place: MarkPose, tuning: LocateTuning) -> bool:
    return math.hypot(start.x_mm - place.x_mm, start.y_mm - place.y_mm) < tuning.same_mm
