"""One look at the table: a frame in, the camera, the tiles and a hand out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from physics.row.tile import State, Tile, TileSet, apart_mm
from vision.arrays import Floats, Gray, Image
from vision.background.background import SHRINK, Background, Foreground, shrink
from vision.background.changed_area import News, Recent, box_round, in_sight
from vision.background.first_background import (
    covered_markers,
    emptied,
    in_pattern,
    odd_places,
    row_ground,
    with_shadows,
)
from vision.background.grain import table_in_sun
from vision.background.lamps import LampWatch
from vision.background.obstructions import Obstructions, Thing, light_in, obstructions, on_arm
from vision.calibrate.lens_fit import guess_intrinsics
from vision.calibrate.pose_average import CALM, LOOSE, SteadyCamera, Stillness
from vision.calibrate.pose_follow import follow, with_askew
from vision.calibrate.strip_slip import Slip, StripWatch
from vision.capture.camera import Frame, of_width
from vision.geometry.boxes import body_of, outlines_px
from vision.geometry.camera_pose import CameraPose, NoMat, View, find_pose
from vision.geometry.edge_profile import sharpness
from vision.geometry.lens import Intrinsics
from vision.geometry.markers import as_gray
from vision.geometry.mat import Mat, find_markers
from vision.marks.candidates import Detections, detect
from vision.marks.fallen_values import name_fallen
from vision.marks.locate import locate, region
from vision.marks.sticker import MarkSet, marks_on
from vision.pusher_tag.body_mask import PusherBody
from vision.pusher_tag.tag import Tag
from vision.tuning.look import EyeTuning
from vision.tuning.tuning import TUNING, Tuning
from vision.unmarked.carry_over import stand_again
from vision.unmarked.collapsed_row import gone, remember
from vision.unmarked.edge_fit import in_blur
from vision.unmarked.search import TooMuch, Work, crowds, find_unmarked


@dataclass(frozen=True, slots=True)
class Look:
    """What one frame shows.

    Attributes:
        camera: where the camera is. Its sigma counts what the mat does to all tiles alike, and the
            tiles' own do not: that is for places on the table, theirs for gaps between neighbours.
        tiles: standing and fallen tiles, as far as they can be told.
        hand_in_view: whether a hand is over the table.
        stillness: what the camera does. While nobody knows where it is, the tiles are those of the
            look before.
        slips: strips of the mat that have slipped; the camera is told from where they lie now.
        crowded: more differs from the empty table than tiles explain, and the search was given up;
            known tiles are told, and those of `TooMuch.found`; others may be missing.
        things: what is larger than any tile and was put on the work area since it was empty; tiles
            under it cannot be told.
    """

    camera: CameraPose
    tiles: tuple[Tile, ...]
    hand_in_view: bool
    stillness: Stillness = Stillness.STILL
    slips: tuple[Slip, ...] = ()
    crowded: bool = False
    things: tuple[Thing, ...] = ()

    @property
    def hidden(self) -> bool:
        """Whether part of what is there cannot be told: behind a hand, or among too much else."""
        return self.hand_in_view or self.crowded

    @property
    def steady(self) -> bool:
        """Whether the camera's place is known, so that what the look says may be acted on."""
        return self.stillness not in LOOSE


Search = Callable[[Obstructions], tuple[Tile, ...] | None]
"""Finds unmarked tiles beside what is in the way; None if too much differs there."""


class _Picture:
    """A frame at one size.

    Attributes:
        image: BGR, or grey.
        view: where the camera is, with its lens at this size.
    """

    def __init__(self, image: Image, view: View, gray: Gray | None = None) -> None:
        self.image = image
        self.view = view
        self._gray = gray
        self._sharpness: float | None = None

    @property
    def gray(self) -> Gray:
        """The frame, grey."""
        if self._gray is None:  # most looks need the enlarged frame in colour alone
            self._gray = as_gray(self.image)
        return self._gray

    def sharpness(self, mat: Mat, tuning: Tuning) -> float:
        """Say how sharp the mat's markers are, see `vision.geometry.edge_profile.sharpness`."""
        if self._sharpness is None:  # a look asks it to compare it, and to keep it
            corners = np.stack(list(mat.corners_mm.values()))
            points = np.concatenate([corners, np.zeros((*corners.shape[:2], 1))], axis=2)
            corners_px = self.view.project(points)
            self._sharpness = sharpness(self.gray, corners_px, tuning=tuning.edge_profile)
        return self._sharpness

    def not_smaller(self, side_px: int) -> "_Picture":
        """Return the frame with a longer side of so many px at least."""
        rows, columns = self.image.shape[:2]
        if max(rows, columns) >= side_px:
            return self
        scale = side_px / max(rows, columns)
        size = (round(columns * scale), round(rows * scale))
        image = np.asarray(cv2.resize(self.image, size, interpolation=cv2.INTER_CUBIC), np.uint8)
        return _Picture(image, View(self.view.pose, self.view.intrinsics.at_size(*size)))


class Eye:
    """Looks at one table with one camera; keeps what the empty table looks like.

    Args:
        intrinsics: its lens.
        mat: where the markers lie.
        tile_set: which tiles there are.
        marks: how they are marked; None for the marks that are printed for their size.
        tag: on the pusher, which stands in the picture and is neither a hand nor a tile; None where
            there is no pusher.
        hanging: the camera hangs still and films; its pose is averaged, and watched. Otherwise
            every frame may be taken from elsewhere.
        tuning: see `Tuning`.
    """

    def __init__(
        self,
        intrinsics: Intrinsics,
        mat: Mat,
        tile_set: TileSet | None = None,
        marks: MarkSet | None = None,
        tag: Tag | None = None,
        hanging: bool = False,
        tuning: Tuning = TUNING,
    ) -> None:
        self.tuning = tuning
        self.intrinsics = intrinsics
        self.mat = mat
        self.tile_set = tile_set or TileSet()
        self.marks = marks or marks_on(self.tile_set.spec)
        self._pusher = PusherBody(tag, tuning=self.tuning) if tag is not None else None
        self._hanging = hanging
        self._steady: SteadyCamera | None = None
        self._watch = StripWatch(mat, tuning=self.tuning) if hanging or mat.surveyed else None
        self._stillness = Stillness.STILL
        self._spoiled = self._taught = False
        self._hidden: frozenset[int] = frozenset()
        self._empty: tuple[Background, View] | None = None
        self._view: View | None = None
        self._recent: Recent | None = None
        self._stood: tuple[Tile, ...] = ()
        self._lamps = LampWatch(mat, tuning=self.tuning.lamps)
        self._last: tuple[NDArray[np.uint8], Look, float] | None = None

    def look(self, frame: Frame) -> Look:
        """Find the camera, the tiles and a hand in a frame.

        A frame that shows nothing new is not looked at again: what the last one showed still
        holds. The exception is a frame with a hand: what has not moved for `lying_s` was no hand
        but an object, and belongs to the table from then on.

        Raises:
            NoMat: the mat cannot be seen well enough to say where anything is.
            BadCamera: the frame has another shape than the camera file says.
        """
        frame = _not_wider(frame, self.tuning.eye.most_columns_px)
        small = shrink(frame.image)
        thumb = _thumb(small, self.tuning.eye)
        lying = False
        if self._last is not None:
            before, last, since_s = self._last
            if last.stillness in CALM and _unchanged(thumb, before, self.tuning.eye):
                lying = last.hand_in_view and frame.time_s - since_s >= self.tuning.eye.lying_s
                if not lying:
                    return last
        look = self._look_closely(frame, small, lying)
        rows, columns = frame.image.shape[:2]
        camera = with_askew(
            look.camera, self.intrinsics.at_size(columns, rows), tuning=self.tuning.pose_follow
        )
        slips = self._watch.slips if self._watch is not None else ()
        look = replace(look, camera=camera, stillness=self._stillness, slips=slips)
        self._last = (thumb, look, frame.time_s)
        return look

    def forget(self) -> None:
        """Learn at the next look how the empty table looks: what was taken for it was not."""
        self._empty = self._recent = self._last = None

    @property
    def knows_table(self) -> bool:
        """Whether it has learned how the empty table looks."""
        return self._empty is not None

    def learn_empty(self, frames: Sequence[Frame]) -> Look:
        """Take frames for the empty table: all that they show belongs to it, but marked tiles.

        Args:
            frames: of a table without hands and unmarked tiles, at least one; of more there is
                less noise.

        Raises:
            NoMat: the mat cannot be seen well enough to say where anything is.
            BadCamera: a frame has another shape than the camera file says.
        """
        self.forget()
        pictures = []
        nothing_odd = np.zeros((1, 1), dtype=np.uint8)
        for each in frames:
            frame = _not_wider(each, self.tuning.eye.most_columns_px)
            gray = as_gray(frame.image)
            taken = _Picture(frame.image, self._find_view(gray), gray)
            large = taken.not_smaller(self.tuning.eye.least_side_px)
            marked = self._read(taken, None, ())
            pictures.append(
                emptied(
                    self._without_pusher(large),
                    nothing_odd,
                    large.view,
                    self.mat,
                    marked,
                    tuning=self.tuning.first_background,
                )
            )
        self._empty = Background.of(pictures, tuning=self.tuning.background), taken.view
        self._spoiled, self._taught = bool(marked), True
        self._hidden = frozenset()
        return self.look(frames[-1])

    def doubt(self) -> None:
        """Look everywhere at the next look, also where nothing has changed since the last."""
        self._recent = self._last = None

    def all_taken_off(self, frame: Frame) -> None:
        """Hear that the table is as empty as it will ever be: a round begins with one tile.

        What was learned of it while more stood there has their shadows in it; it is learned anew,
        from this frame at once: a hand may come in with the next.
        """
        if self._spoiled and self._taught:
            self.learn_empty([frame])
        elif self._spoiled:
            self.forget()
            self.look(frame)

    def _look_closely(self, frame: Frame, small: NDArray[np.uint8], lying: bool = False) -> Look:
        """Look at a frame that shows something new.

        Args:
            frame: the frame.
            small: the same at half size.
            lying: what seemed to be a hand has not moved for long.
        """
        gray = as_gray(frame.image)
        view = self._find_view(gray)
        if self._stillness in LOOSE:
            return Look(view.pose, self._before(), hand_in_view=False)
        taken = _Picture(frame.image, view, gray)
        large = taken.not_smaller(self.tuning.eye.least_side_px)
        if large is not taken:
            small = shrink(large.image)
        foreground = self._compare(small, view)
        if foreground is not None:
            bare, way, relit = self._in_the_way(foreground, large)
            if self._has_left(large, way.hand):
                if self._taught:
                    lying = True
                else:
                    foreground = None
        if foreground is not None:
            sun = None
            if way.hand and way.mask is not None:
                sun = table_in_sun(bare, way.mask, large.view, tuning=self.tuning)
            if sun is not None:
                foreground = self._taken_in(sun, small, foreground.gain, large.view)
                bare, way, relit = self._in_the_way(foreground, large)
            if lying and way.mask is not None:
                foreground = self._taken_in(way.mask, small, foreground.gain, large.view)
                self._hidden = self._covered(large)
                bare, way, relit = self._in_the_way(foreground, large)
        if foreground is None or (relit and not self._taught):
            marked = self._read(taken, None, self._before())
            painted = self._without_pusher(large)
            odd, hand = odd_places(painted, large.view, self.mat, tuning=self.tuning)
            if hand and not lying:
                return Look(view.pose, marked, hand_in_view=True)
            nothing_odd = np.zeros_like(odd)
            if hand:
                odd = nothing_odd
            followed = self._first_unmarked(painted, odd, large.view, marked, self._in_blur(taken))
            look = self._first_look(taken, large, small, painted, odd, marked, followed)
            if look.crowded and odd.any():  # a pattern stands out, too: it belongs to the table
                odd = nothing_odd
                look = self._first_look(taken, large, small, painted, odd, marked, followed)
            return look
        news = None
        if self._recent is not None and not self._is_clearer(taken, self._recent):
            news = self._recent.news(foreground, self.mat, tuning=self.tuning)
        if news is not None:
            hints = [tile for tile in self._before() if tile not in news.kept]
            changed = np.minimum(foreground.loose, news.broad)
            fresh = self._read(taken, changed, hints, news.where)
            fresh = tuple(tile for tile in fresh if not _again(tile, news.kept, self.tuning.eye))
            if not _contradict(fresh, news.kept):
                marked = tuple(tile for tile in news.kept if tile.value is not None)
                found = (*marked, *fresh)
                return self._finish(taken, large, foreground, bare, way, found, news)
        marked = self._read(taken, foreground.loose, self._before())
        return self._finish(taken, large, foreground, bare, way, marked, None)

    def _first_look(
        self,
        taken: _Picture,
        large: _Picture,
        small: Image,
        painted: Image,
        odd: Gray,
        marked: tuple[Tile, ...],
        followed: tuple[Tile, ...],
    ) -> Look:
        """Learn the empty table from a frame, leaving out what stands out, and look at the frame.

        Args:
            taken: the frame.
            large: the same, large enough for the search.
            small: that at half size.
            painted: `large` without the pusher.
            odd: where something stands out, see `odd_places`.
            marked: tiles known by their marks.
            followed: tiles found in the line of the row.
        """
        view = large.view
        self._empty = self._learned(painted, odd, view, (*marked, *followed)), taken.view
        self._spoiled, self._taught = bool(marked) or bool(np.any(odd)), False
        self._hidden = self._covered(large)
        self._recent = None
        foreground = self._empty[0].compare(small)
        bare, way, _ = self._in_the_way(foreground, large)
        return self._finish(taken, large, foreground, bare, way, marked, None, followed)

    def _covered(self, picture: _Picture) -> frozenset[int]:
        """Name the markers that something hides, be it the pusher or anything else."""
        tuning = self.tuning.first_background
        return frozenset(covered_markers(picture.image, picture.view, self.mat, tuning=tuning))

    def _has_left(self, picture: _Picture, hand: bool) -> bool:
        """Say whether what seems to be a hand is only a place that something has left.

        A hand in the first frame, or anything that lay still for long, may have been taken for a
        part of the table. Once it has left, markers that it hid are in sight again, and no others
        are hidden.
        """
        if not self._hidden:
            return False
        hidden = self._covered(picture)
        if hand:
            return hidden < self._hidden
        self._hidden &= hidden  # what hid the others has left no trace of a hand
        return False

    def _is_clearer(self, picture: _Picture, before: Recent) -> bool:
        """Say whether a picture is so much sharper than one before that all is looked at again."""
        sharper = self.tuning.eye.clearer * before.sharpness
        return picture.sharpness(self.mat, self.tuning) > sharper

    def _without_pusher(self, picture: _Picture) -> Image:
        if self._pusher is None:
            return picture.image
        return self._pusher.painted_over(picture.image, picture.gray, picture.view)

    def _learned(
        self,
        image: NDArray[np.uint8],
        odd: Gray,
        view: View,
        known: Sequence[Tile],
        unknown: Gray | None = None,
    ) -> Background:
        """Make a picture of the empty table of a frame, see `emptied`."""
        tuning = self.tuning
        first = tuning.first_background
        empty = emptied(image, odd, view, self.mat, known, unknown, tuning=first)
        guessed = None if unknown is None else with_shadows(unknown, view, tuning=first)
        return Background(empty, guessed, tuning=tuning.background)

    def _first_unmarked(
        self,
        image: NDArray[np.uint8],
        odd: Gray,
        view: View,
        marked: Sequence[Tile],
        tuning: Tuning,
    ) -> tuple[Tile, ...]:
        """Find tiles of a row on a table that nobody has seen empty: they stand in its line.

        Each tile that is found shows where the next may stand, as long as there is work left. In
        the end, those are left out that are only part of the table's pattern.
        """
        small = shrink(image)
        tuning = at_first_sight(tuning)
        tuning = replace(tuning, search=replace(tuning.search, lying=False))
        work = Work(tuning.first_background.most_tries)
        found: list[Tile] = []
        fresh: Sequence[Tile] = marked
        row: list[Tile] = []
        while fresh:
            row += fresh
            ground = row_ground(row, view, small.shape, tuning=tuning.first_background)
            known = (*marked, *found)
            foreground = self._learned(image, odd, view, known, ground).compare(small)
            try:
                fresh = find_unmarked(
                    image,
                    foreground,
                    view,
                    self.mat,
                    self.tile_set,
                    known,
                    ground,
                    work=work,
                    tuning=tuning,
                )
            except TooMuch:
                break
            found += fresh
        pattern = in_pattern(small, found, marked, view, self.mat, tuning=tuning.first_background)
        return tuple(tile for tile, repeated in zip(found, pattern, strict=True) if not repeated)

    def _in_the_way(
        self, foreground: Foreground, picture: _Picture
    ) -> tuple[Foreground, Obstructions, bool]:
        """Tell what is in the way from the pusher, and from a lamp mirrored elsewhere than before.

        Returns:
            What differs without the pusher and such light; what is in the way; and whether
            something would seem to be for the light alone, so that the empty table looks otherwise.
        """
        bare, view = foreground, picture.view
        if self._pusher is not None:
            bare = self._pusher.cut_out(foreground, picture.gray, view)
        way = obstructions(bare, view, self.mat, tuning=self.tuning)
        light = light_in(bare, view, tuning=self.tuning.glare) if way.found else None
        if light is None:
            return bare, way, False
        bare = bare.without(light)
        left = obstructions(bare, view, self.mat, tuning=self.tuning)
        # Where both hold, the light lies across a sleeve, or is the soft shading of a hand.
        if not (way.hand and (way.meets(left) or on_arm(light, bare, view, tuning=self.tuning))):
            way = left
        return bare, way, not way.found

    def _before(self) -> tuple[Tile, ...]:
        return self._last[1].tiles if self._last is not None else ()

    def _read(
        self,
        taken: _Picture,
        changed: Gray | None,
        hints: Sequence[Tile],
        where: Gray | None = None,
    ) -> tuple[Tile, ...]:
        """Read the marks where something has changed, or everywhere.

        Args:
            taken: the frame.
            changed: see `detect`.
            hints: tiles that may be there.
            where: 255 where marks may lie, at the size of the foreground; None for everywhere.
        """
        found = detect(
            taken.gray,
            region(taken.view, self.mat, self.marks, self.tile_set, tuning=self.tuning.locate),
            changed,
            tuning=self.tuning.candidates,
        )
        if where is not None:
            found = found.within(where)
        return self._locate(taken, found, hints)

    def _finish(
        self,
        taken: _Picture,
        large: _Picture,
        foreground: Foreground,
        bare: Foreground,
        way: Obstructions,
        marked: tuple[Tile, ...],
        news: News | None,
        followed: Sequence[Tile] | None = None,
    ) -> Look:
        """Look for what no mark explains, unless a hand is over the table.

        Args:
            taken: the frame; in it marks are read.
            large: the same, large enough for the search.
            foreground: where the frame differs from the empty table.
            bare: the same without the pusher.
            way: what is in the way.
            marked: tiles known by their marks.
            news: what has changed since the last clear look; None to look everywhere.
            followed: tiles found in the line of the row, in the first look at a table that nobody
                has seen empty; None in any other look.
        """
        image, view = large.image, large.view
        if way.hand:
            return Look(view.pose, _by_value(marked), hand_in_view=True)
        tuning = self._in_blur(taken)
        free = bare.without(way.mask)
        kept = () if news is None else tuple(t for t in news.kept if t.value is None)
        known = (*marked, *kept)
        self._lamps.see(free, _standing(marked), view)
        again = stand_again(image, free, view, known, self._touched(known), tuning=tuning)
        kept, known = (*kept, *again), (*known, *again)

        def beside(left: Obstructions) -> tuple[Tile, ...] | None:
            try:
                there = bare.without(left.mask)
                return self._find_unmarked(image, there, view, known, news, None, tuning)
            except TooMuch:
                return None

        try:
            others, way = (
                self._find_heap(beside, way, view, known)
                or self._find_dense_row(beside, way, view, known)
                or (self._find_unmarked(image, free, view, known, news, followed, tuning), way)
            )
        except TooMuch as given_up:
            tiles = (*_by_value(marked), *kept, *given_up.found)
            return Look(view.pose, tiles, hand_in_view=False, crowded=True, things=way.things)
        # A mark may be too blurred to have an outline, and yet be read once its tile is found.
        unread = Detections(taken.gray, np.zeros((0, 4, 2)))
        values = {tile.value for tile in marked}
        late = self._locate(taken, unread, others, late=True) if others else ()
        late = tuple(tile for tile in late if tile.value not in values)
        others = tuple(tile for tile in others if not _meets(tile, late))
        told = {tile.value for tile in (*marked, *late)}
        others = name_fallen(
            taken.gray,
            taken.view,
            others,
            self.marks,
            set(self.tile_set.values) - told,
            tuning=self.tuning.fallen_values,
        )
        if self._empty is not None:
            self._empty[0].update(foreground)
        tiles = (*_by_value((*marked, *late)), *kept, *others)
        self._recent = Recent(foreground, tiles, view, taken.sharpness(self.mat, self.tuning))
        self._stood = remember(self._stood, tiles, tuning=self.tuning.collapsed_row)
        return Look(view.pose, tiles, hand_in_view=False, things=way.things)

    def _in_blur(self, taken: _Picture) -> Tuning:
        """Return the tuning for a frame, with less steep edges asked for if it is blurred."""
        sharpness = taken.sharpness(self.mat, self.tuning)
        return replace(
            self.tuning, edge_fit=in_blur(sharpness, taken.view, tuning=self.tuning.edge_fit)
        )

    def _touched(self, known: Sequence[Tile]) -> list[Tile]:
        """Return the unmarked tiles that stood in the last clear look and are not known yet."""
        before = self._recent.tiles if self._recent is not None else ()
        return [
            tile
            for tile in before
            if tile.value is None and tile.state is State.STANDING and tile not in known
        ]

    def _find_heap(
        self, beside: Search, way: Obstructions, view: View, known: Sequence[Tile]
    ) -> tuple[tuple[Tile, ...], Obstructions] | None:
        """Look for a row that fell where something seems to lie: a heap of tiles may be as wide.

        Returns:
            The tiles, and what is in the way beside them; None if nothing lies where the row stood,
            or if it is no heap.
        """
        fell = gone(self._stood, known, tuning=self.tuning.collapsed_row)
        feet = np.array([(tile.pose.x_mm, tile.pose.y_mm, 0.0) for tile in fell]).reshape(-1, 3)
        left = way.beside(view.project(feet) / SHRINK)
        if left is way:
            return None
        others = beside(left)
        if others is None:
            return None
        lying = sum(tile.state is State.FALLEN for tile in (*known, *others))
        return (others, left) if lying >= self.tuning.eye.heap_share * len(fell) else None

    def _find_dense_row(
        self, beside: Search, way: Obstructions, view: View, known: Sequence[Tile]
    ) -> tuple[tuple[Tile, ...], Obstructions] | None:
        """Look for a row where something long and narrow seems to lie.

        Between tiles that stand close together on their long edges little of the table is seen.

        Returns:
            The tiles, and what is in the way beside them; None if nothing is as narrow as a row, or
            what is as narrow is no row.
        """
        numbers = self.tuning.eye
        left = way.only([thing.width_mm > numbers.row_wide_mm for thing in way.things])
        while left is not way:
            others = beside(left)
            if others is None:
                return None
            row = self._row_px(way.parts[0].shape, (*known, *others), view)
            things = way.only([not _covers(row, part, numbers.row_share) for part in way.parts])
            if len(things.parts) <= len(left.parts):
                return others, left
            left = things
        return None

    def _row_px(self, shape: tuple[int, ...], tiles: Sequence[Tile], view: View) -> Gray:
        """Draw a mask, 255 where tiles are and between those that stand close together.

        Args:
            shape: of an image at half size.
            tiles: where they are.
            view: the camera.
        """
        row = np.zeros(shape, dtype=np.uint8)
        outlines = [outline // SHRINK for outline in outlines_px(tiles, view)]
        for n, (tile, outline) in enumerate(zip(tiles, outlines, strict=True)):
            for other, its in zip(tiles[: n + 1], outlines, strict=False):
                if apart_mm(tile, other) < self.tuning.eye.dense_mm:
                    cv2.fillConvexPoly(row, cv2.convexHull(np.concatenate([outline, its])), (255,))
        return row

    def _find_unmarked(
        self,
        image: NDArray[np.uint8],
        foreground: Foreground,
        view: View,
        known: Sequence[Tile],
        news: News | None,
        followed: Sequence[Tile] | None,
        tuning: Tuning,
    ) -> tuple[Tile, ...]:
        """Look for what no mark explains, everywhere or in the part of the frame that is news."""
        others = self._search(image, foreground, view, known, news, followed, tuning)
        if self._nothing_fell(known, others):
            surer = where_nothing_fell(tuning)
            others = self._search(image, foreground, view, known, news, followed, surer)
        return others

    def _search(
        self,
        image: NDArray[np.uint8],
        foreground: Foreground,
        view: View,
        known: Sequence[Tile],
        news: News | None,
        followed: Sequence[Tile] | None,
        tuning: Tuning,
    ) -> tuple[Tile, ...]:
        """Search as `find_unmarked` does, with numbers for what is known of the table."""
        if news is None:
            tuning = tuning if followed is None else at_first_sight(tuning)
            tiles = find_unmarked(
                image,
                foreground,
                view,
                self.mat,
                self.tile_set,
                known,
                stood=self._stood,
                lamps=self._lamps.lamps,
                tuning=tuning,
            )
            # Each search sees some tiles that the other misses.
            there = (*known, *tiles)
            others = (
                tile
                for tile in followed or ()
                if not _meets(tile, there) and not crowds(tile, there, tuning.search)
            )
            return (*tiles, *others)
        seeds = np.minimum(np.maximum(foreground.strict, foreground.deep), news.where)
        box = box_round(seeds, round(self.tuning.eye.news_mm * view.scale_px_mm() / SHRINK))
        if box is None:
            return ()
        left, top, right, bottom = (SHRINK * side for side in box)
        part = view.part(left, top, right, bottom)
        new_mark = any(tile.value is not None and tile not in news.kept for tile in known)
        return find_unmarked(
            image[top:bottom, left:right],
            foreground.part(*box),
            part,
            self.mat,
            self.tile_set,
            in_sight(known, part),
            news.where[box[1] : box[3], box[0] : box[2]],
            stood=in_sight(self._stood, part),
            lamps=self._lamps.lamps,
            # Something changed, no mark is new, and all that stood still stands: a tile was
            # probably put there.
            one_came=not new_mark and self._all_stand(known),
            tuning=tuning,
        )

    def _nothing_fell(self, known: Sequence[Tile], others: Sequence[Tile]) -> bool:
        """Say whether some of the others seem to lie although the row seems to stand.

        All that stood still stands; or, where nobody knows what stood, enough tiles seem to stand
        for each that seems to lie.
        """
        lying = sum(tile.state is State.FALLEN for tile in others)
        if not lying:
            return False
        if self._stood:
            return self._all_stand((*known, *others))
        return len(known) + len(others) >= (1 + self.tuning.eye.standing_for_one) * lying

    def _all_stand(self, tiles: Sequence[Tile]) -> bool:
        """Say whether all that stood when last seen, one tile at least, still stands."""
        left = gone(self._stood, tiles, tuning=self.tuning.collapsed_row)
        return bool(self._stood) and not left

    def _find_view(self, gray: Gray) -> View:
        """Say where the camera is that took a picture."""
        rows, columns = gray.shape
        intrinsics = self.intrinsics.at_size(columns, rows)
        self._view = View(self._find_camera(gray, intrinsics), intrinsics)
        return self._held(self._view)

    def _find_camera(self, gray: NDArray[np.uint8], intrinsics: Intrinsics) -> CameraPose:
        """Find the camera, first where it was, and sharpen its pose."""
        before = self._view
        if before is not None and before.intrinsics.width == intrinsics.width:
            pose = follow(
                gray, before, self._lying_mat(gray, before), tuning=self.tuning.pose_follow
            )
            if pose is not None:
                return pose
        about = View(self._find_anew(gray, intrinsics), intrinsics)
        return (
            follow(gray, about, self._lying_mat(gray, about), tuning=self.tuning.pose_follow)
            or about.pose
        )

    def _lying_mat(self, gray: NDArray[np.uint8], view: View) -> Mat:
        """Return the mat with strips that have slipped where this frame shows them."""
        if self._watch is None:
            return self.mat
        self._watch.see(gray, view)
        return self._watch.mat

    def _find_anew(self, gray: NDArray[np.uint8], intrinsics: Intrinsics) -> CameraPose:
        """Find the camera with slipped strips where they seem to be, or else in their places.

        They may have been put back; or from elsewhere other markers' sides were taken for theirs.
        """
        if self._watch is None or not self._watch.slips:
            return find_pose(gray, intrinsics, self.mat, tuning=self.tuning)
        try:
            return find_pose(gray, intrinsics, self._watch.mat, tuning=self.tuning)
        except NoMat:
            pose = find_pose(gray, intrinsics, self.mat, tuning=self.tuning)
        self._watch.take(())
        return pose

    def _held(self, seen: View) -> View:
        """Give the camera as all frames together tell where it hangs."""
        if not self._hanging:
            return seen
        if self._steady is None or not self._steady.is_of(seen.intrinsics):
            self._steady = SteadyCamera(seen.intrinsics, self.mat, tuning=self.tuning.pose_average)
        held = self._steady.see(seen.pose)
        self._stillness = held.stillness
        if self._watch is not None and self._stillness is Stillness.MOVED:
            self._watch.forget()
        return View(held.pose, seen.intrinsics)

    def _locate(
        self, taken: _Picture, found: Detections, hints: Sequence[Tile], late: bool = False
    ) -> tuple[Tile, ...]:
        tuning = where_tiles_stand(self.tuning) if late else self.tuning
        there = (taken.view, self.mat, self.marks, self.tile_set)
        return locate(found, *there, hints, taken.image, tuning=tuning)

    def _taken_in(
        self, mask: Gray, small: NDArray[np.uint8], gain: NDArray[np.float64], view: View
    ) -> Foreground:
        """Take a part of a frame into the empty table, and compare the frame with that.

        Args:
            mask: 255 in that part; the tiles that stood when last seen are not taken in.
            small: the frame at half size.
            gain: see `Background.take_in`.
            view: where the camera is.
        """
        table = mask.copy()
        for outline in outlines_px((*self._before(), *self._stood), view):
            cv2.fillConvexPoly(table, outline // SHRINK, (0,))
        assert self._empty is not None
        self._empty[0].take_in(small, table, gain)
        self._recent = None
        return self._empty[0].compare(small)

    def _compare(self, small: NDArray[np.uint8], view: View) -> Foreground | None:
        """Compare with the empty table; None if nobody knows how that looks from here."""
        if self._empty is None:
            return None
        background, before = self._empty
        if before.intrinsics.width != view.intrinsics.width:
            return None
        corners = np.array([(x, y, 0.0) for x in self.mat.area_x_mm for y in self.mat.area_y_mm])
        now = view.project(corners)
        then = before.project(corners)
        if float(np.abs(now - then).max()) > self.tuning.eye.moved_px:
            return None
        return background.compare(small)


def _by_value(tiles: Sequence[Tile]) -> tuple[Tile, ...]:
    return tuple(sorted(tiles, key=lambda tile: tile.value or 0))


def _standing(marked: Sequence[Tile]) -> list[Floats]:
    """Return the corners of those that stand."""
    return [body_of(tile) for tile in marked if tile.state is State.STANDING]


def _covers(row: Gray, part: Gray, share: float) -> bool:
    """Say whether the mask of a row covers at least this share of that of a thing."""
    return cv2.countNonZero(cv2.min(row, part)) >= share * cv2.countNonZero(part)


def _again(tile: Tile, kept: Sequence[Tile], tuning: EyeTuning) -> bool:
    """Say whether a tile is one of those that were there before."""
    return any(tile.value == k.value and apart_mm(tile, k) < tuning.same_mm for k in kept)


def _contradict(fresh: Sequence[Tile], kept: Sequence[Tile]) -> bool:
    """Say whether a tile just read cannot be beside those that were there before."""
    return any(
        one.value == other.value or one.footprint.overlaps(other.footprint)
        for one in fresh
        for other in kept
    )


def _meets(tile: Tile, others: Sequence[Tile]) -> bool:
    """Say whether a tile is where another of them is."""
    return any(tile.footprint.overlaps(other.footprint) for other in others)


def at_first_sight(tuning: Tuning = TUNING) -> Tuning:
    """Return the numbers for a table that nobody has seen empty: there boxes must be likelier."""
    first, search = tuning.first_background, tuning.search
    least = first.quality
    surer = replace(
        search,
        sure_quality=max(least, search.sure_quality),
        least_quality=max(least, search.least_quality),
        leaning_quality=(
            max(least, search.leaning_quality[0]),
            max(least, search.leaning_quality[1]),
        ),
        in_row_quality=max(least, search.in_row_quality),
        closer_turns_rad=(),
        in_gap_quality=max(least, search.in_gap_quality),
    )
    belief = replace(
        tuning.belief,
        weights=tuning.belief.weights._replace(lies=tuning.belief.weights.lies - first.lying_doubt),
        standing=(first.standing_offset, first.standing_weights),
        most_faint_lying=first.most_faint_lying,
    )
    return replace(tuning, search=surer, belief=belief)


def where_nothing_fell(tuning: Tuning = TUNING) -> Tuning:
    """Return the numbers for a row that stands: what seems to lie there is most likely none."""
    weights = tuning.belief.weights
    doubtful = weights._replace(lies=weights.lies - tuning.belief.nothing_fell_doubt)
    return replace(tuning, belief=replace(tuning.belief, weights=doubtful))


def where_tiles_stand(tuning: Tuning = TUNING) -> Tuning:
    """Return the numbers for marks on tiles that were found without a mark."""
    late = tuning.late_marks
    # A clear margin need not make up for a poor fit: where a tile stands, a mark is likely.
    locate = replace(
        tuning.locate,
        fit_score=late.fit_score,
        both_score=late.fit_score,
        soft_fit_score=late.fit_score,
        cell_score=late.cell_score,
        cell_margin=late.cell_margin,
        least_contrast_levels=late.least_contrast_levels,
        stretch_shares=late.stretch_shares,
        grid_ahead_mm=late.grid_ahead_mm,
        grid_aside_mm=late.grid_aside_mm,
        grid_turns_rad=late.grid_turns_rad,
    )
    return replace(tuning, locate=locate)


def guess_lens(frames: Sequence[Frame], mat: Mat, tuning: Tuning = TUNING) -> Intrinsics:
    """Guess the lens from what frames of one size show of the mat; see `guess_intrinsics`.

    Raises:
        NoMat: no frame shows enough of the mat.
    """
    rows, columns = frames[0].image.shape[:2]
    views = [find_markers(as_gray(frame.image), mat, tuning=tuning) for frame in frames]
    return guess_intrinsics(views, mat, (columns, rows), tuning=tuning.lens_fit)


def _not_wider(frame: Frame, columns: int) -> Frame:
    """Return a frame that has so many columns at most."""
    if frame.image.shape[1] <= columns:
        return frame
    return replace(frame, image=of_width(frame.image, columns))


def _thumb(small: NDArray[np.uint8], tuning: EyeTuning) -> NDArray[np.uint8]:
    for _ in range(tuning.thumb_halved):
        small = shrink(small)
    return small


def _unchanged(one: NDArray[np.uint8], two: NDArray[np.uint8], tuning: EyeTuning) -> bool:
    if one.shape != two.shape:
        return False
    return float(cv2.norm(one, two, cv2.NORM_INF)) <= tuning.thumb_levels
