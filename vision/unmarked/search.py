"""Tiles that no mark gives away: unmarked ones and fallen ones, found by their shape.

Where the frame differs from the empty table and no marked tile explains it, boxes are tried in all
three ways a tile can stand or lie: first their upper faces, seen from above, then a fit of the
whole box to the edges in the image. The best are taken one after the other as long as each
explains something that is there.
"""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from physics.row.chain import order
from physics.row.pose import Footprint, Pose, half_turn
from physics.row.tile import State, Tile, TileSet, apart_mm
from vision.arrays import Floats, Gray, Image
from vision.background.background import SHRINK, Foreground
from vision.background.lamps import LightSource
from vision.errors import VisionError
from vision.geometry.boxes import Bodies, Lean, body_of, leaning, stances
from vision.geometry.camera_pose import View
from vision.geometry.mat import Mat
from vision.tuning.tuning import TUNING, Tuning
from vision.tuning.unmarked import RefineTuning, SearchTuning
from vision.unmarked.belief import chance, goes_on, signs_of
from vision.unmarked.collapsed_row import fallen_rows, gone, stands
from vision.unmarked.edge_fit import (
    BodyFit,
    Edges,
    Roi,
    Slopes,
    around,
    find_edges,
    fit_bodies,
)
from vision.unmarked.refine import polish
from vision.unmarked.residual import (
    Blob,
    Unexplained,
    crisp,
    draw_edges,
    places_in,
    shares_in,
    shares_of,
    unexplained,
)
from vision.unmarked.top_faces import Face, ground_under, unlike, upper_faces

Guess = tuple[int, Face]


Weighed = dict[BodyFit, "_Choice | None"]
"""What was made of bodies; None of those that cannot be tiles."""


class TooMuch(VisionError):
    """More differs from the empty table than tiles explain; the search was given up.

    Attributes:
        found: tiles that are sure enough to be reported all the same.
    """

    def __init__(self, found: Sequence[Tile] = ()) -> None:
        self.found = tuple(found)
        super().__init__(
            "more differs from the empty table than tiles explain; clear the table and have its "
            "picture taken anew"
        )


class Work:
    """Counts what a look tries, so that it ends in time whatever the picture shows.

    Attributes:
        left: how many tries are left.
    """

    def __init__(self, most: int) -> None:
        self.left = most

    def spend(self, tries: int) -> None:
        """Take so many tries from what is left.

        Raises:
            TooMuch: that is more than there is.
        """
        self.left -= tries
        if self.left < 0:
            raise TooMuch


def find_unmarked(
    image: Image,
    foreground: Foreground,
    view: View,
    mat: Mat,
    tile_set: TileSet,
    known: Sequence[Tile],
    where: Gray | None = None,
    stood: Sequence[Tile] = (),
    lamps: Sequence[LightSource] = (),
    work: Work | None = None,
    one_came: bool = False,
    tuning: Tuning = TUNING,
) -> tuple[Tile, ...]:
    """Find tiles that carry no mark the camera can read.

    Args:
        image: the frame, BGR.
        foreground: where it differs from the empty table.
        view: where the camera is.
        mat: the work area.
        tile_set: the size of the tiles.
        known: tiles already found by their marks, or before.
        where: 255 where to look, at the size of the foreground; None for everywhere.
        stood: tiles that stood there when last seen, in any order, those that still stand among
            them too; with them a row that fell onto itself is found much better.
        lamps: over the table, see `LampWatch`.
        work: tries left; None for `most_tries`.
        one_came: a tile was probably put there, and none is known yet: if no box is likely enough
            to be a tile, the likeliest of those that stand is told.
        tuning: see `Tuning`.

    Raises:
        TooMuch: more differs than the tiles or the tries of a look account for. A search with
            rows laid down has a full number of tries of its own.
    """
    bodies = [body_of(tile) for tile in known]
    rest = unexplained(foreground, lamps, tuning=tuning).without(bodies, view)
    slopes = Slopes(image, foreground, tuning=tuning.edge_fit)
    fallen = fallen_rows(slopes, rest, view, stood, known, tuning=tuning)
    work = work or Work(tuning.search.most_tries)
    finder = _Finder(
        slopes, foreground, view, mat, tile_set, where, stood, one_came, work, tuning=tuning
    )
    gave_up = None
    try:
        # A tile that is found without laying a row down is more exactly placed.
        tiles = finder.find_all(rest, known, (), last=not fallen)
    except TooMuch as error:
        tiles, gave_up = error.found, error
    # Unmarked tiles that still stand count too: not known yet, they were laid down as well.
    told = [
        tile.state is State.FALLEN or stands(tile, stood, tuning=tuning.collapsed_row)
        for tile in tiles
    ]
    if sum(told) < len(fallen):
        finder = replace(finder, work=Work(tuning.search.most_tries))
        try:
            more = finder.find_all(rest, known, fallen, last=True)
        except TooMuch:
            raise gave_up or TooMuch(tiles) from None
        # Hardly more tiles can lie there than fell. If more do, the row was laid down in the wrong
        # place, beside tiles that were found by themselves.
        lying = sum(tile.state is State.FALLEN for tile in more)
        if lying <= tuning.collapsed_row.most_lying_share * len(fallen):
            return more
    if gave_up is not None:
        raise gave_up
    return tiles


@dataclass(frozen=True, slots=True, eq=False)
class _Finder:
    """Looks for tiles in one frame."""

    slopes: Slopes
    foreground: Foreground
    view: View
    mat: Mat
    tile_set: TileSet
    where: Gray | None
    stood: Sequence[Tile]
    one_came: bool
    work: Work
    tuning: Tuning

    def find_all(
        self, rest: Unexplained, known: Sequence[Tile], fallen: Sequence[BodyFit], last: bool
    ) -> tuple[Tile, ...]:
        """Find all tiles when some have been found that fell: also what may be but a shadow.

        Args:
            rest: what the known tiles leave to explain.
            known: tiles that are there.
            fallen: what was found to have fallen.
            last: whether no other search of the look can follow; then it also tries hard where
                tiles that fell must lie.
        """
        tuning = self.tuning.search
        down = self._tiles(fallen)
        start = rest = rest.without([fit.corners for fit in fallen], self.view)
        others = (*known, *down)
        found: list[Tile] = []
        try:
            clear, rest, unlikely = self.find(
                rest, self.foreground.strict, others, tuning.least_face_score
            )
            found += self._tiles(clear)
            dark = crisp(self.foreground, rest, tuning=self.tuning.residual)
            more, rest, dim = self.find(rest, dark, (*others, *found), tuning.dark_face_score)
        except TooMuch as error:
            raise TooMuch((*down, *found, *error.found)) from None
        found += self._tiles(more)
        between, beside = self.find_in_row(rest, (*others, *found))
        found += self._tiles(between)
        obstacles = [body_of(tile) for tile in known]
        told = [*clear, *more, *between]
        if last:
            rest = rest.without([fit.corners for fit in between], self.view)
            told += self.find_fallen(rest, (*others, *found))
        if self.one_came and not told:
            told = self.find_likeliest(rest, others, [*unlikely, *dim, *beside])
        told = self.put_right(start, others, told)
        bodies = [*obstacles, *(fit.corners for fit in (*fallen, *told))]
        fits = [*fallen, *(fit for fit in told if _is_held(fit, bodies, tuning))]
        moved = polish(self.slopes.image, self.view, fits, obstacles, tuning=self.tuning)
        tiles: list[Tile] = []
        # Of two that crowd each other the likelier one is kept.
        for fit, sigma_mm, sigma_rad in sorted(moved, key=lambda one: -one[0].quality):
            tile = _tile(fit, self.tile_set, sigma_mm, sigma_rad, tuning=self.tuning.refine)
            if not crowds(tile, (*known, *tiles), tuning):
                tiles.append(tile)
        return tuple(tiles)

    def _tiles(self, fits: Sequence[BodyFit]) -> list[Tile]:
        return [_tile(fit, self.tile_set, tuning=self.tuning.refine) for fit in fits]

    def find(
        self, rest: Unexplained, seeds: Gray, known: Sequence[Tile], least_face: float
    ) -> tuple[list[BodyFit], Unexplained, list["_Choice"]]:
        """Find tiles where there are seeds: first the clear ones, then those they hide in part.

        Returns:
            The tiles, what they leave to explain, and if there are none, what was not likely enough
            to be one.
        """
        tuning = self.tuning.search
        if self.where is not None:
            seeds = np.asarray(cv2.min(seeds, self.where), dtype=np.uint8)
        places = places_in(seeds, rest, self.view, self.mat, tuning=self.tuning.residual)
        if not places:
            return [], rest, []
        if sum(place.tiles for place in places) > tuning.most_tiles:
            raise TooMuch
        margin = int(tuning.margin_mm * self.view.scale_px_mm())
        rows, columns = self.slopes.image.shape[:2]
        wide = [_grown(place.roi, margin, columns, rows) for place in places]
        edges = find_edges(self.slopes, rest.faces, wide, self.view, tuning=self.tuning.edge_fit)
        found: list[Tile] = []
        taken: list[BodyFit] = []
        weighed: Weighed = {}
        fits_of = Fits(edges, self.view, self.work, tuning=self.tuning)

        def take(quality: float, guesses: Bodies, tipped: Sequence[float] = ()) -> Bodies:
            nonlocal rest
            shares = fits_of.shares(guesses, rest)
            starts = guesses = guesses.pick(shares >= tuning.worthy_share)
            if tipped:
                likely = shares[shares >= tuning.worthy_share] >= tuning.leaning_worthy_share
                starts = guesses.joined(guesses.pick(likely).tipped(tipped))
            fits = fits_of.of(starts, rest.obstacles)
            best, tiles, rest = self._choose(fits, rest, (*known, *found), quality, weighed)
            if best:
                found.extend(tiles)
                taken.extend(best)
                fits_of.forget([fit.corners for fit in best])
                weighed.clear()
            return guesses

        first: list[Guess] = []
        broad: list[Guess] = []
        try:
            while places:
                before = len(found)
                # What fitted before stays a guess: the search may not find again what lies half
                # under a tile that is known by now.
                fitted = [guess for guess in first if fits_of.has(guess)]
                lying = [guess for guess in fitted if guess in broad]
                first, every, broad = self._search(places, edges, rest, least_face)
                first, every, broad = first + fitted, every + fitted, broad + lying
                take(tuning.sure_quality, self._guesses(first))
                if len(found) == before:
                    break
                # With the clearest tiles gone, others stand out that lie in other directions.
                places = places_in(seeds, rest, self.view, self.mat, tuning=self.tuning.residual)
                edges = edges.without(rest.faces)
            left = self._guesses(broad)
            for quality in tuning.leaning_quality if broad else ():
                left = take(quality, left, tuning.leans_rad)
            fresh = [tile for tile in found if tile.state is State.FALLEN] if broad else []
            while fresh:
                before = len(found)
                guesses = self._guesses(_beside(fresh, tuning))
                take(tuning.leaning_quality[-1], guesses, tuning.leans_rad)
                fresh = found[before:]
            take(tuning.least_quality, self._guesses(every))
        except TooMuch:
            raise TooMuch(found) from None
        return taken, rest, [] if taken else _possible(weighed.values())

    def find_in_row(
        self, rest: Unexplained, known: Sequence[Tile]
    ) -> tuple[list[BodyFit], list["_Choice"]]:
        """Find tiles that stand between those of a row, or at its ends.

        There shadows may explain all that differs, so that nothing says where to look but the row.
        When the usual guesses find no more tiles, others close together are tried; if these find a
        tile, the usual ones come again. If no usual guess is worth a try, there is no closer look.

        Returns:
            The tiles, and what was not likely enough to be one.
        """
        tuning = self.tuning.search
        seen = np.asarray(cv2.subtract(self.foreground.loose, rest.hidden), dtype=np.uint8)
        if self.where is not None:
            seen = np.asarray(cv2.min(seen, self.where), dtype=np.uint8)
        rest = replace(rest, worth=seen)
        known, taken = list(known), list[BodyFit]()
        beside: list[_Choice] = []
        closer = False
        tried: Sequence[Guess] = ()
        while True:
            if closer:
                guesses = _in_row(known, _closer(tuning), tried)
                starts = self._worth_a_try(self._guesses(guesses), rest, tuning.closer_share)
            else:
                tried = _in_row(known, tuning)
                starts = self._worth_a_try(self._guesses(tried), rest, tuning.in_row_share)
            if not len(starts):
                return taken, beside
            self.work.spend(len(starts))
            fits = self._fitted(starts, rest)
            weighed: Weighed = {}
            best, tiles, rest = self._choose(fits, rest, known, tuning.in_row_quality, weighed)
            beside = _possible(weighed.values())
            # Once tiles have been seen standing, at most one comes at a time: their gaps are known.
            if not best and not self.stood:
                best, tiles = self._in_gap(beside, known)
                rest = rest.without([fit.corners for fit in best], self.view)
            if not best and (closer or not tuning.closer_turns_rad):
                return taken, beside
            closer = not best
            taken += best
            known += tiles

    def put_right(
        self, rest: Unexplained, known: Sequence[Tile], told: Sequence[BodyFit]
    ) -> list[BodyFit]:
        """Move a doubtful standing box onto the tile beside it, if one is much likelier there.

        A box beside a tile, chosen while little else was known, keeps the right one away. A box
        that stays gets the likelihood that it has now that the others are known: 0 if it cannot
        stand beside them. A box is left alone if too little work is left.

        Args:
            rest: what the known and the fallen tiles leave to explain.
            known: these tiles.
            told: the boxes chosen besides.

        Returns:
            The boxes, in the same order.
        """
        tuning = self.tuning.search
        right = list(told)
        for n, fit in enumerate(told):
            if fit.stance.orientation is None or fit.quality >= tuning.doubtful_quality:
                continue
            others = [*right[:n], *right[n + 1 :]]
            left = rest.without([other.corners for other in others], self.view)
            guesses = self._guesses([(0, _face(fit)), (1, _face(fit))]).shifted(_asides(tuning))
            shares, _ = shares_of(left, guesses.corners(), self.view, tuning=self.tuning.residual)
            guesses = guesses.pick(shares >= tuning.worthy_share)
            if not 0 < len(guesses) <= self.work.left:
                continue
            self.work.spend(len(guesses))
            fits = [fit, *self._fitted(guesses, left)]
            choices = self._choices(fits, [*known, *self._tiles(others)])
            self._weigh(choices, self._edges_known(left), left)
            here = next((one.quality for one in choices if one.fit is fit), 0.0)
            best = _likeliest(choices)
            least = max(tuning.aside_quality, here + tuning.aside_gain)
            moved = best is not None and best.quality >= least
            stays = replace(fit, quality=here)
            right[n] = best.judged(choices) if best is not None and moved else stays
        return right

    def _fitted(self, guesses: Bodies, rest: Unexplained) -> list[BodyFit]:
        """Fit guesses to the edges round them."""
        margin_px = self.tuning.search.row_margin_mm * self.view.scale_px_mm()
        rois = around(guesses.corners(), self.view, self.slopes.image, margin_px)
        edge_fit = self.tuning.edge_fit
        edges = find_edges(self.slopes, rest.faces, rois, self.view, tuning=edge_fit)
        return fit_bodies(edges, guesses, self.view, rest.obstacles, tuning=edge_fit)

    def _in_gap(
        self, choices: Sequence["_Choice"], known: Sequence[Tile]
    ) -> tuple[list[BodyFit], list[Tile]]:
        """Find the likeliest tile in a gap that is far wider than others of its row."""
        tuning = self.tuning.search
        likely = [one for one in choices if one.quality >= tuning.in_gap_quality]
        if not likely:
            return [], []
        row = order([tile for tile in known if tile.state is State.STANDING]).tiles
        if len(row) < 2:
            return [], []
        pairs = list(itertools.pairwise(row))
        wide_mm = tuning.wide_gap_share * float(np.median([apart_mm(*pair) for pair in pairs]))
        gaps = [pair for pair in pairs if wide_mm <= apart_mm(*pair) < tuning.between_mm[1]]
        best = _likeliest(
            [one for one in likely if any(_between(one.tile, *gap, tuning) for gap in gaps)]
        )
        return ([best.judged()], [best.tile]) if best is not None else ([], [])

    def find_fallen(self, rest: Unexplained, known: Sequence[Tile]) -> list[BodyFit]:
        """Find more tiles near where those that fell had stood, if fewer lie there than fell."""
        fell = gone(self.stood, known, tuning=self.tuning.collapsed_row)
        if sum(tile.state is State.FALLEN for tile in known) >= len(fell):
            return []
        near = np.zeros_like(rest.worth)
        feet = np.array([(tile.pose.x_mm, tile.pose.y_mm, 0.0) for tile in fell])
        middles = np.round(self.view.project(feet) / SHRINK)
        reach_mm = self.tuning.matching.fall_reach_lengths * self.tile_set.spec.length_mm
        reach_px = round(reach_mm * self.view.scale_px_mm() / SHRINK)
        for middle in middles.astype(int).tolist():
            cv2.circle(near, middle, reach_px, (255,), cv2.FILLED)
        seeds = np.asarray(cv2.min(self.foreground.loose, near), dtype=np.uint8)
        return self._find_alike(rest, seeds, known, self.tuning.search.lying)[0]

    def find_likeliest(
        self, rest: Unexplained, known: Sequence[Tile], unlikely: Sequence["_Choice"]
    ) -> list[BodyFit]:
        """Find the one tile that was probably put there, but that no search has found."""
        found, more = self._find_alike(rest, self.foreground.loose, known, lying=False)
        if found:
            return found
        both = (*unlikely, *more)
        best = _likeliest([one for one in both if one.fit.stance.orientation is not None])
        if best is None or best.quality < self.tuning.search.one_came_quality:
            return []
        return [best.judged()]

    def _find_alike(
        self, rest: Unexplained, seeds: Gray, known: Sequence[Tile], lying: bool
    ) -> tuple[list[BodyFit], list["_Choice"]]:
        """Find tiles that look like the table, where there must be some.

        There a shadow would explain all that differs, and most of a tile may not differ at all.

        Args:
            rest: what the known tiles leave to explain.
            seeds: see `find`.
            known: tiles that are there.
            lying: whether they may lie.

        Returns:
            The tiles, and if there are none, what was not likely enough to be one.
        """
        finder = replace(self, tuning=_where_tiles_must_be(self.tuning, lying))
        try:
            found, _, unlikely = finder.find(
                rest, seeds, known, self.tuning.search.least_face_score
            )
        except TooMuch:
            return [], []
        return found, unlikely

    def _worth_a_try(self, guesses: Bodies, rest: Unexplained, least_share: float) -> Bodies:
        """Return guesses in a row of which enough differs, and enough is new."""
        tuning = self.tuning.search
        if self.where is not None:
            new = shares_in(self.where, rest, guesses.corners(), self.view)
            guesses = guesses.pick(new >= tuning.in_row_new_share)
        shares, _ = shares_of(rest, guesses.corners(), self.view, tuning=self.tuning.residual)
        # No more than there is work left for: running out would lose the tiles found so far.
        likely = np.argsort(-shares, kind="stable")[: self.work.left]
        return guesses.pick(np.sort(likely[shares[likely] >= least_share]))

    def _search(
        self, places: Sequence[Blob], edges: Edges, rest: Unexplained, least_face: float
    ) -> tuple[list[Guess], list[Guess], list[Guess]]:
        """Look for upper faces: the clearest ones, all, and those where a tile may lie or lean."""
        tuning = self.tuning.search
        ways = stances(self.tile_set.spec)
        boxes = [way.box for way in ways if tuning.lying or way.orientation is not None]
        length_mm = self.tile_set.spec.length_mm
        first, every, broad = [], [], []
        for place in places:
            ground = ground_under(
                place.roi, edges, rest.worth, self.view, length_mm, tuning=self.tuning.top_faces
            )
            most = tuning.guesses[0] + tuning.guesses[1] * place.tiles
            self.work.spend(most)
            faces = upper_faces(ground, boxes, most, least_face, tuning=self.tuning.top_faces)
            first += faces[: tuning.first_guesses[0] + tuning.first_guesses[1] * place.tiles]
            every += faces
            broad += faces if place.broad and tuning.lying else []
        return first, every, broad

    def _guesses(self, faces: Sequence[Guess]) -> Bodies:
        return Bodies(
            (*stances(self.tile_set.spec), *leaning(self.tile_set.spec)),
            np.array([n for n, _ in faces], dtype=np.intp),
            np.array([(f.x_mm, f.y_mm, f.heading_rad, 0.0) for _, f in faces]).reshape(-1, 4),
        )

    def _choose(
        self,
        fits: Sequence[BodyFit],
        rest: Unexplained,
        known: Sequence[Tile],
        least: float,
        weighed: Weighed,
    ) -> tuple[list[BodyFit], list[Tile], Unexplained]:
        """Take the best bodies one after the other while they explain something.

        Args:
            fits: the bodies.
            rest: what is to explain.
            known: tiles that are there.
            least: how likely each must be a tile.
            weighed: bodies that were judged for the same rest and the same tiles; these are added.

        Returns:
            The bodies, the same as tiles, and what they leave to explain.
        """
        tuning = self.tuning.search
        view = self.view
        taken: list[BodyFit] = []
        found: list[Tile] = []
        fresh = [fit for fit in fits if fit not in weighed]
        stale = self._choices(fresh, known)
        weighed.update(dict.fromkeys(fresh) | {one.fit: one for one in stale})
        left = _possible(map(weighed.get, fits))
        drawn = self._edges_known(rest)
        while True:
            self._weigh(stale, drawn, rest)
            best = _likeliest(left)
            if best is None or best.quality < least:
                return taken, found, rest
            if goes_on(best.fit, rest, view, tuning=self.tuning.belief):
                left = [one for one in left if one is not best]
                stale = []
                continue
            taken.append(best.judged(left))
            found.append(best.tile)
            rest = rest.without([best.fit.corners], view)
            draw_edges(drawn, [best.fit.corners], view, tuning=self.tuning.residual)
            left = [one for one in left if _clear(one.fit, one.tile, [best.tile], tuning)]
            left = [one for one in left if one is not best and one.share > tuning.least_share]
            stale = [one for one in left if one.meets(best)]

    def _edges_known(self, rest: Unexplained) -> Gray:
        """Return where the edges of known tiles show: 255 there, at the size of the foreground."""
        drawn = np.zeros_like(rest.worth)
        draw_edges(drawn, rest.obstacles, self.view, tuning=self.tuning.residual)
        return drawn

    def _choices(self, fits: Sequence[BodyFit], known: Sequence[Tile]) -> list["_Choice"]:
        """Return those bodies that may be tiles beside those that are known."""
        tuning = self.tuning
        likely = [
            (fit, _tile(fit, self.tile_set, tuning=tuning.refine))
            for fit in fits
            if _inside(fit.place, self.mat)
        ]
        free = [(fit, tile) for fit, tile in likely if _clear(fit, tile, known, tuning.search)]
        if not free:
            return []
        pixels = self.view.project(np.stack([fit.corners for fit, _ in free]))
        return [_Choice(*one, seen, tuning=tuning) for one, seen in zip(free, pixels, strict=True)]

    def _weigh(self, choices: Sequence["_Choice"], drawn: Gray, rest: Unexplained) -> None:
        """Say how likely bodies are tiles; not at all if they would explain hardly anything."""
        if not choices:
            return
        corners = np.stack([one.fit.corners for one in choices])
        shares, seen = shares_of(rest, corners, self.view, tuning=self.tuning.residual)
        likely = []
        for one, share, shown in zip(choices, shares.tolist(), seen.tolist(), strict=True):
            one.share, one.quality = share, 0.0
            if share > self.tuning.search.least_share:
                edge = one.fit.edge_outside(drawn, SHRINK, tuning=self.tuning.edge_fit)
                likely.append((one, edge, shown))
        signs = signs_of(
            [one.fit for one, _, _ in likely],
            [edge for _, edge, _ in likely],
            [shown for _, _, shown in likely],
            rest,
            self.view,
            tuning=self.tuning,
        )
        for (one, _, _), each in zip(likely, signs, strict=True):
            one.quality = chance(each, tuning=self.tuning.belief)


class Fits:
    """Fits guesses to edges, each once while nothing is found near by that may hide it."""

    def __init__(self, edges: Edges, view: View, work: Work, tuning: Tuning = TUNING) -> None:
        self._tuning = tuning
        self._work = work
        self._edges = edges
        self._view = view
        self._kept: dict[tuple[float, ...], BodyFit | None] = {}
        self._good: set[tuple[float, ...]] = set()
        self._shares: dict[tuple[float, ...], float] = {}
        self._rest: Unexplained | None = None

    def shares(self, starts: Bodies, rest: Unexplained) -> Floats:
        """Say how much of what is seen of each guess is worth explaining, see `shares_of`."""
        if rest is not self._rest:
            self._shares, self._rest = {}, rest
        keys = _keys(starts)
        fresh = np.array([n for n, key in enumerate(keys) if key not in self._shares], np.intp)
        told, _ = shares_of(
            rest, starts.pick(fresh).corners(), self._view, tuning=self._tuning.residual
        )
        self._shares.update((keys[n], share) for n, share in zip(fresh, told.tolist(), strict=True))
        return np.array([self._shares[key] for key in keys])

    def of(self, starts: Bodies, obstacles: Sequence[Floats]) -> list[BodyFit]:
        """Return the fits of guesses, see `fit_bodies`."""
        keys = _keys(starts)
        fresh = np.array([n for n, key in enumerate(keys) if key not in self._kept], dtype=np.intp)
        self._work.spend(len(fresh))
        self._kept.update((keys[n], None) for n in fresh)
        for fit in fit_bodies(
            self._edges, starts.pick(fresh), self._view, obstacles, tuning=self._tuning.edge_fit
        ):
            self._kept[keys[fresh[fit.start]]] = fit
            self._good.add(keys[fresh[fit.start]])
        return [kept for key in keys if (kept := self._kept[key]) is not None]

    def has(self, guess: Guess) -> bool:
        """Say whether a guess has ever been found to fit."""
        n, face = guess
        return (n, face.x_mm, face.y_mm, face.heading_rad, 0.0) in self._good

    def forget(self, bodies: Sequence[Floats]) -> None:
        """Forget what bodies that were found may hide."""
        middles = np.array([corners.mean(axis=0)[:2] for corners in bodies])
        self._kept = {
            key: fit
            for key, fit in self._kept.items()
            if np.hypot(*(middles - key[1:3]).T).min() > self._tuning.edge_fit.near_mm
        }


def _keys(starts: Bodies) -> list[tuple[float, ...]]:
    """Tell guesses apart by their way and place."""
    return [(int(n), *place) for n, place in zip(starts.which, starts.places.tolist(), strict=True)]


class _Choice:
    """A body that may be taken for a tile, and how good it is at the moment."""

    def __init__(self, fit: BodyFit, tile: Tile, pixels: Floats, tuning: Tuning) -> None:
        self._tuning = tuning
        self.fit = fit
        self.tile = tile
        self.share = 0.0
        self.quality = 0.0
        self._low, self._high = pixels.min(axis=0), pixels.max(axis=0)

    def judged(self, others: Sequence["_Choice"] = ()) -> BodyFit:
        """Return the body, and with it how likely it is a tile and how far off its rivals are."""
        tuning = self._tuning.search
        rivals = [
            apart_mm(self.tile, one.tile)
            for one in others
            if one.quality >= tuning.rival_share * self.quality
            and not _clear(one.fit, one.tile, [self.tile], tuning)
        ]
        return replace(self.fit, quality=self.quality, rival_mm=max(rivals, default=0.0))

    def meets(self, other: "_Choice") -> bool:
        """Say whether the two may touch in the image."""
        room = self._tuning.search.meet_px
        apart = (self._low > other._high + room) | (other._low > self._high + room)
        return not apart.any()


def _possible(choices: Iterable[_Choice | None]) -> list[_Choice]:
    """Leave out bodies that cannot be tiles."""
    return [one for one in choices if one is not None]


def _likeliest(choices: Sequence[_Choice]) -> _Choice | None:
    return max(choices, key=lambda one: one.quality, default=None)


def _where_tiles_must_be(tuning: Tuning, lying: bool) -> Tuning:
    """Return the numbers for places where tiles must be: there little of them need differ.

    Args:
        tuning: the numbers for other places.
        lying: whether tiles may lie there.
    """
    share = tuning.search.alike_share
    search = replace(
        tuning.search,
        worthy_share=share,
        leaning_worthy_share=share,
        least_share=share,
        lying=lying,
    )
    top_faces = replace(tuning.top_faces, least_worth_share=share)
    return replace(tuning, search=search, top_faces=top_faces)


def _grown(roi: Roi, margin: int, columns: int, rows: int) -> Roi:
    left, top = (max(0, side - margin) // SHRINK * SHRINK for side in roi[:2])
    right, bottom = min(columns, roi[2] + margin), min(rows, roi[3] + margin)
    return left, top, right // SHRINK * SHRINK, bottom // SHRINK * SHRINK


def _inside(place: Floats, mat: Mat) -> bool:
    across = mat.area_x_mm[0] <= place[0] <= mat.area_x_mm[1]
    return bool(across and mat.area_y_mm[0] <= place[1] <= mat.area_y_mm[1])


def _beside(fallen: Sequence[Tile], tuning: SearchTuning) -> list[Guess]:
    """Guess where the next tiles of a row lie of which some are found: under them or on them."""
    lying = len(stances(fallen[0].spec)) - 1
    guesses = []
    for tile in fallen:
        x, y, heading = tile.pose.x_mm, tile.pose.y_mm, tile.pose.heading_rad
        for step in (*tuning.pitches_mm, *(-pitch for pitch in tuning.pitches_mm)):
            for turn in tuning.bends_rad:
                c, s = math.cos(heading + turn / 2), math.sin(heading + turn / 2)
                guesses.append((lying, Face(x + step * c, y + step * s, heading + turn, 1.0)))
    return guesses


def _face(fit: BodyFit) -> Face:
    x_mm, y_mm, heading_rad, _ = fit.place.tolist()
    return Face(x_mm, y_mm, heading_rad, 1.0)


@lru_cache(maxsize=4)
def _asides(tuning: SearchTuning) -> Floats:
    """Where round a box another one is tried: see `Bodies.shifted`."""
    ways = itertools.product(tuning.aside_along_mm, tuning.aside_across_mm, tuning.aside_turns_rad)
    return np.array([(*way, 0.0) for way in ways if any(way[:2])])


def _in_row(
    known: Sequence[Tile], tuning: SearchTuning, tried: Sequence[Guess] = ()
) -> list[Guess]:
    """Guess where tiles stand beside those of a row that are known, but not where it was tried."""
    standing = [tile for tile in known if tile.state is State.STANDING]
    places = []
    for n, tile in enumerate(standing):
        x, y, heading = tile.pose.x_mm, tile.pose.y_mm, tile.pose.heading_rad
        # On a side where a neighbour stands there is no room; wider gaps have guesses below.
        c, s = math.cos(heading), math.sin(heading)
        away = [(t.pose.x_mm - x, t.pose.y_mm - y) for t in standing]
        taken = [dx * c + dy * s for dx, dy in away if math.hypot(dx, dy) < tuning.between_mm[0]]
        ways = [way for way in (1, -1) if not any(way * along > 0 for along in taken)]
        for step, bend, way in itertools.product(tuning.steps_mm, tuning.row_bends_rad, ways):
            towards, turned = heading + bend, heading + 2 * bend
            reach = way * step
            place = x + reach * math.cos(towards), y + reach * math.sin(towards)
            places += [(*place, turned + turn) for turn in tuning.row_turns_rad]
        for other in standing[n + 1 :]:
            along, across = other.pose.x_mm - x, other.pose.y_mm - y
            apart = math.hypot(along, across)
            if not tuning.between_mm[0] < apart < tuning.between_mm[1]:
                continue
            most = max(1, round(apart / tuning.usual_pitch_mm) - 1)
            towards = math.atan2(across, along)
            c, s = math.cos(towards), math.sin(towards)
            for count in {most, max(1, most - 1)}:
                for k, shift in itertools.product(range(1, count + 1), tuning.between_shifts_mm):
                    reach = k / (count + 1) * apart + shift
                    place = x + reach * c, y + reach * s
                    places += [(*place, towards + turn) for turn in tuning.row_turns_rad]
    guesses: list[Guess] = []
    there = np.array([(tile.pose.x_mm, tile.pose.y_mm) for tile in standing]).reshape(-1, 2)
    guessed = np.array(places).reshape(-1, 3)
    apart = np.hypot(*(guessed[:, None, :2] - there).transpose(2, 0, 1))
    roomy = guessed[(apart >= tuning.room_mm).all(axis=1)]
    before = np.array([(f.x_mm, f.y_mm, f.heading_rad) for _, f in tried]).reshape(-1, 3)
    both = np.concatenate([before, roomy])
    for x, y, heading in unlike(both, tuning.alike_mm, tuning.alike_rad, earlier=len(before)):
        guesses += [(n, Face(x, y, heading, 1.0)) for n in (0, 1)]
    return guesses


def _closer(tuning: SearchTuning) -> SearchTuning:
    """Return the numbers for guesses close together along a row."""
    return replace(
        tuning,
        row_turns_rad=tuning.closer_turns_rad,
        between_shifts_mm=tuning.closer_shifts_mm,
        alike_mm=tuning.closer_alike_mm,
        alike_rad=tuning.closer_alike_rad,
        room_mm=tuning.closer_room_mm,
    )


def _between(tile: Tile, one: Tile, other: Tile, tuning: SearchTuning) -> bool:
    """Say whether a tile is roughly on the line between two others, and clear of both."""
    x, y = one.pose.x_mm, one.pose.y_mm
    line = Pose(x, y, math.atan2(other.pose.y_mm - y, other.pose.x_mm - x))
    along, aside = line.to_local((tile.pose.x_mm, tile.pose.y_mm))
    clear = tuning.room_mm <= along <= apart_mm(one, other) - tuning.room_mm
    return clear and abs(aside) <= tuning.gap_aside_mm


def crowds(tile: Tile, others: Sequence[Tile], tuning: SearchTuning) -> bool:
    """Say whether fingers would have had no room to stand a tile between others that stand."""
    return tile.state is State.STANDING and any(
        other.state is State.STANDING and apart_mm(tile, other) < tuning.fingers_mm
        for other in others
    )


def _is_held(fit: BodyFit, bodies: Sequence[Floats], tuning: SearchTuning) -> bool:
    """Say whether a body stands, lies flat, or leans on one of `bodies` other than itself."""
    if abs(fit.place[3]) < tuning.held_rad:
        return True
    reach_mm = tuning.held_lengths * fit.stance.box.depth_mm
    middles = (body[:, :2].mean(axis=0) for body in bodies)
    return sum(math.dist(fit.place[:2], middle) < reach_mm for middle in middles) > 1


def _clear(fit: BodyFit, tile: Tile, others: Sequence[Tile], tuning: SearchTuning) -> bool:
    """Say whether a tile can be beside others; one that leans may lie over another."""
    reach = tuning.beside_share * tile.spec.length_mm
    beside = [
        other
        for other in others
        if abs(other.pose.x_mm - tile.pose.x_mm) < reach
        and abs(other.pose.y_mm - tile.pose.y_mm) < reach
    ]
    if not beside:
        return True
    if fit.stance.lean is Lean.NOT:
        core = _core(tile, tuning)
        return not any(core.overlaps(other.footprint) for other in beside)
    return all(apart_mm(tile, other) > tuning.leaning_apart_mm for other in beside)


def _core(tile: Tile, tuning: SearchTuning) -> Footprint:
    """The footprint that must not meet another tile's."""
    ground = tile.footprint
    rim = tuning.standing_rim_mm if tile.state is State.STANDING else tuning.fallen_rim_mm
    return Footprint(ground.pose, ground.depth_mm - rim, ground.width_mm - rim)


def _tile(
    fit: BodyFit,
    tile_set: TileSet,
    sigma_mm: float | None = None,
    sigma_rad: float | None = None,
    *,
    tuning: RefineTuning,
) -> Tile:
    x, y, heading, _ = (float(v) for v in fit.place)
    how = fit.stance.orientation
    return Tile(
        None,
        Pose(x, y, half_turn(heading)),
        how,
        State.FALLEN if how is None else State.STANDING,
        sigma_mm=tuning.floor_mm if sigma_mm is None else sigma_mm,
        sigma_rad=tuning.floor_rad if sigma_rad is None else sigma_rad,
        spec=tile_set.spec,
    )
