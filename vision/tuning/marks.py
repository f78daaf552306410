"""How marks are found, read and believed."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CandidateTuning:
    """Which outlines in the image may be marks.

    Wide on purpose: what is no mark is dropped when its cells are read.
    """

    window_px: int = 7
    """Side of the window in which edges are looked for, px, an odd number."""
    least_contrast_levels: float = 30.0
    """The least contrast in it that counts as an edge, grey levels."""
    closed_px: int = 11
    """Side of the window that closes the body of a mark and nothing wider, px, an odd number."""
    ink_shares: tuple[float, ...] = (0.55, 0.7, 0.85)
    """Ink has less than one of these shares of the brightness of the paper on both sides: in plain
    light a small one, where it glares or the picture is too bright a large one. Chosen, as the
    side, on the tables for tuning with stripes of sun and shadow drawn over them: of 1244 marks 139
    were not read without, 116 with one share, 69 with three."""
    dark_levels: float = 8.0
    """So many grey levels are added to both first, lest grain in the dark looks like ink."""
    noise_factor: float = 2.0
    """An edge has so many times the usual contrast of the table, at least."""
    least_area_share: float = 0.35
    """Area of what may hold a mark, in squares of the shortest length of one."""
    near_px: int = 9
    """What has changed within half of this is looked at together, px at half size."""
    bands: int = 16
    """On how many bands of the image noise is measured, count."""
    band_px: int = 12
    """Height of each band, px."""
    most_noisy_factor: float = 2.5
    """On a noisy table at most so many times the least contrast is asked for."""
    least_extent_share: float = 0.7
    """Longer side of the upright bounds of an outline over the shortest length of a mark, at
    least."""
    narrowest_px: int = 3
    """Least width of an outline, px."""
    busy_share: float = 0.1
    """Specks are left out first if more than this share of pixels differ from the one to the left:
    only with many specks does that save time. What is found is the same either way."""
    neighbours: tuple[int, int] = (8, 4)
    """How many neighbours of a pixel are joined to it, in a spot and in a hole, as for outlines."""


@dataclass(frozen=True, slots=True)
class MarkFitTuning:
    """How the drawing of a mark is laid on the image."""

    step_mm: float = 0.5
    """A mark is compared with the image at places so far from each other, mm."""
    clear_mm: float = 0.2
    """How far these stay away from the paper's edge, mm."""
    blurs_px: tuple[float, float] = (0.8, 0.8)
    """Blur of the camera along and across a mark that the drawing is given, one sigma, px ..."""
    soft_blurs_px: tuple[tuple[float, float], ...] = (
        (1.4, 1.4),
        (2.0, 2.0),
        (1.8, 1.0),
        (2.3, 1.0),
        (2.9, 1.0),
        (1.0, 1.8),
        (1.0, 2.9),
    )
    """... and those tried where a mark's cells are clear but the drawing does not fit: of a camera
    out of focus, and of one that moved."""
    cell_shares: tuple[float, float, float] = (-0.25, 0.0, 0.25)
    """Where along a cell it is read, as shares of it from its middle ..."""
    window_mm: tuple[float, float, float] = (-0.5, 0.0, 0.5)
    """... and where across it, mm."""
    gamma: float = 2.2
    """How the camera codes light: it mixes before, so what blur makes half as light is no middle
    grey."""
    ink_share: float = 0.03
    """Share of the light that ink sends back, of what paper does."""
    hopeless_scores: tuple[float, float, float, float] = (0.6, 0.7, 0.7, 0.7)
    """A drawing that explains the image less well is given up, 0..1, round by round. Marks that
    were read in the end had 0.7 from the first round on, and nearly all were at rest after
    three; half of all other places are below it, and the others never come to rest."""
    together_factor: float = 2.0
    """What a drawing does not explain is off in neighbouring pixels together: places are so many
    times more uncertain than if each were off by itself."""
    least_bleed_mm: float = 0.3
    """How far light bleeds in from beyond a wall at least, one sigma, mm."""
    most_step_mm: float = 3.0
    """A drawing that moves farther in one round has run away, mm."""
    most_step_rad: float = 0.3
    """The same for how far it turns, rad."""
    farthest_mm: float = 4.0
    """How far it may come from its first guess, mm."""
    settled_mm: float = 0.02
    """It is at rest when it moves by less, mm ..."""
    settled_rad: float = 0.001
    """... and turns by less, rad."""


@dataclass(frozen=True, slots=True)
class SideMarkTuning:
    """When the mark on a narrow wall is believed, and how much.

    What walls are worth beside stickers is told by `tests/bench/sticker_floor.py`.
    """

    paper_mm: float = 0.04
    """How far the mark lies outside the wall, mm: less than on top, where glue and bevel lift
    it."""
    least_slant_share: float = 0.12
    """How high a wall must look, as a share of how wide it does."""
    least_px_mm: float = 0.15
    """How high it must look at least, px for each mm of its height."""
    first_score: float = 0.3
    """How much like the word the cells must look before anything is fitted, correlation."""
    least_score: float = 0.82
    """How well the drawing must explain the wall in the end, 0..1."""
    rounds: int = 4
    """How often the drawing is moved, count."""
    settled_mm: float = 0.03
    """It is at rest when it moves by less, mm."""
    farthest_mm: float = 3.0
    """A mark that seems to lie farther from its place on the wall is not believed, mm."""
    rim_px: float = 1.0
    """Marks as near as this to the rim of the picture are left out, px."""
    wall_mm: float = 0.08
    """How well walls tell where tiles are at best, one sigma, mm: corners are round and edges
    bleed."""
    plumb_mm: float = 7.0
    """What was taken for a mark on top may be one on a wall if its ends, at their heights on a
    wall, are plumb over each other within this, mm. What passed for a short mark was within 3
    on the tables of 9101, 9993 and 10005 to 10021, for a long one (seen at 40 degrees) 6."""
    wall_turns_rad: tuple[float, ...] = tuple(math.radians(4 * n) for n in range(-10, 11))
    """How such a wall may be turned from facing the camera, rad: the mark on one that is turned
    farther does not pass for one on top, and steps this fine find the mark above it."""


@dataclass(frozen=True, slots=True)
class BaseEdgeTuning:
    """How the lower edge of a broad wall is found, and what it is worth."""

    bevel_mm: float = 0.4
    """By how much the edges of a tile are rounded off, mm: so high above the table its wall
    ends."""
    bevel_sigma_mm: float = 0.2
    """How uncertain that is, one sigma, mm."""
    pieces: int = 8
    """In how many pieces an edge is looked for, count."""
    points: int = 6
    """At how many points each, count."""
    end_mm: float = 1.2
    """Left out at either end of the edge, mm."""
    room_px: float = 1.5
    """Brightness is read as far from the edge as so much more of the wall shows, px."""
    least_step_levels: float = 24.0
    """Grey levels between wall and table, at least, all three colours together."""
    least_pieces: int = 3
    """In how many pieces the edge must be found, count."""
    piece_mm: float = 0.15
    """How well one piece tells where the edge is at best, one sigma, mm."""
    limit_sigmas: float = 2.0
    """Pieces that are off by more of their sigmas count ever less."""
    rounds: int = 8
    """How often the pieces are weighed anew, count."""
    foot_mm: float = 0.06
    """How well such an edge is known at best, one sigma, mm: shadows lie beneath all of it."""


@dataclass(frozen=True, slots=True)
class FuseTuning:
    """How the mark on top, the wall and the foot are put together."""

    most_sigmas: float = 3.0
    """What lies farther from what is known already is not believed, sigmas of both."""


@dataclass(frozen=True, slots=True)
class LocateTuning:
    """When an outline is read as a mark, and what a mark says of its tile.

    The sigmas of stickers are what the hands that placed them are taken for; what they alone make
    of a tile is told by `tests/bench/sticker_floor.py`.
    """

    rim_px: int = 4
    """How far beyond the work area outlines are looked for, px."""
    detect_px_mm: float = 2.1
    """Outlines are looked for at about this scale, px for each mm of the table."""
    least_zoom: float = 0.8
    """Images as near to it as this factor are left as they are."""
    print_mm: float = 0.15
    """How well a sticker is placed by hand, one sigma, mm."""
    print_rad: float = math.radians(0.3)
    """How straight it is placed, one sigma, rad."""
    paper_mm: float = 0.12
    """How far a mark lies above its tile, mm: the thickness of a label with its glue."""
    first_score: float = 0.8
    """How much like a word the cells must look before anything is fitted, correlation."""
    least_contrast_levels: float = 3.0
    """Grey levels by which the cells of a mark differ at least, standard deviation."""
    cell_score: float = 0.92
    """How much like a word the cells must look where the drawing fits, correlation."""
    cell_margin: float = 0.35
    """How much less they must look like any other word."""
    fit_score: float = 0.8
    """How well a drawing must fit at least, 0..1."""
    soft_first_score: float = 0.85
    """How much like a word the cells must look before blurred drawings are tried, correlation."""
    soft_cell_score: float = 0.985
    """How much like a word as blurred the cells must look where a blurred drawing fits."""
    soft_cell_margin: float = 0.3
    """How much less they must look like any other word as blurred."""
    soft_fit_score: float = 0.86
    """How well a blurred drawing must fit, 0..1. The numbers of blurred drawings were chosen on the
    tables of seeds 9101 and 9971 and the hard tables for tuning: of what is not a mark, or no mark
    on top, nothing came up to these two scores."""
    soft_stretch_shares: tuple[tuple[float, float], tuple[float, float]] = (
        (-0.08, 0.08),
        (-0.12, 0.30),
    )
    """By what share of its length, and of its width, a mark may look longer or wider than printed
    in a blurred picture, least and most: one that is blurred more than its drawing looks wider."""
    both_score: float = 0.98
    """How well it must fit with a share of the margin added by which its cells are told: a mark
    may be smeared, or like another one, but hardly both."""
    margin_share: float = 0.25
    """That share."""
    stretch_shares: tuple[tuple[float, float], tuple[float, float]] = (
        (-0.10, 0.10),
        (-0.16, 0.16),
    )
    """By what share of its length, and of its width, a mark may look longer or wider than
    printed, least and most; the rest are marks seen from the side."""
    shortest_share: float = 0.65
    """Outlines are no shorter than this share of the body of the short mark, at the height of
    the table."""
    longest_share: float = 1.5
    """They are no longer than this share of the paper of the long mark, at the height of a tile."""
    widest_share: float = 1.6
    """They are no wider than this share of its width there."""
    outline_length_share: float = 0.10
    """By what share an outline may be longer or shorter than a mark at a height."""
    outline_width_mm: tuple[float, float] = (-1.8, 1.3)
    """By how much it may be narrower and wider, mm."""
    hint_ahead_mm: tuple[float, ...] = (0.0, -0.9, 0.9)
    """How far ahead of where a tile seems to be its mark is looked for, mm: without a mark its
    outline may be so far off, and in uneven light a mark is read only where it is."""
    grid_ahead_mm: tuple[float, ...] = ()
    """A mark may be looked for at places of a grid, too: how far ahead of the tile they are, mm,
    ..."""
    grid_aside_mm: tuple[float, ...] = ()
    """... how far to the side, mm, ..."""
    grid_turns_rad: tuple[float, ...] = ()
    """... and turned by how much, rad."""
    most_of_grid: int = 4
    """So many of these places are tried, those that look most like a mark, count."""
    overlap_mm: float = 2.0
    """By how much two footprints may overlap and still be two tiles, mm."""
    same_mm: float = 2.0
    """A first guess as near as this to a mark that was read is that mark, mm."""
    reading_weight: float = 0.5
    """How much the reading of the cells counts beside the fit when two marks contradict each
    other."""


@dataclass(frozen=True, slots=True)
class LateMarkTuning:
    """When a mark is read on a tile that was found without it: the tile says where it must be.

    Chosen on the tables for tuning, seeds 9001, 9101 and 9102, at both widths. On tiles found there
    without a mark, 65 marks and 13 other places looked like a word. With one blur, `LocateTuning`
    let 34 of these marks through, this 58; no other place passed either.
    """

    fit_score: float = 0.7
    """How well its drawing must fit, sharp or blurred, 0..1."""
    cell_score: float = 0.94
    """How much like a word the cells must look where it fits, correlation."""
    cell_margin: float = 0.38
    """How much less they must look like any other word."""
    least_contrast_levels: float = 28.0
    """Grey levels by which the cells differ at least, standard deviation: lamps and shadows on the
    edge of a tile without a mark reached less."""
    grid_ahead_mm: tuple[float, ...] = (-1.8, -0.9, 0.0, 0.9, 1.8)
    """How far ahead of where a tile seems to be its mark is looked for, mm, ..."""
    grid_aside_mm: tuple[float, ...] = (-1.6, -0.8, 0.0, 0.8, 1.6)
    """... how far to the side, mm, ..."""
    grid_turns_rad: tuple[float, ...] = tuple(math.radians(t) for t in (-8.0, -4.0, 0.0, 4.0, 8.0))
    """... and turned by how much, rad: what is found without a mark may be so far off. Of tiles off
    by up to 2 mm and 8 degrees, drawn by chance, these places give 98 % of the marks."""
    stretch_shares: tuple[tuple[float, float], tuple[float, float]] = (
        (-0.06, 0.06),
        (-0.17, 0.17),
    )
    """By what share of its length, and of its width, it may look longer or wider than printed."""


@dataclass(frozen=True, slots=True)
class UnevenLightTuning:
    """When a mark is taken to lie half in a shadow, and how the light on it is told.

    Chosen on living-room tables drawn by a program that is not part of this project; see "Living
    rooms" in `tests/bench/RESULTS.md`.
    """

    rim_offsets_mm: tuple[float, float, float] = (-0.3, 0.0, 0.3)
    """About the middle of the paper beside the ink, the brightest of these places is read, mm."""
    step_mm: float = 0.5
    """How far apart along a mark the light is read, mm."""
    least_levels: float = 12.0
    """Paper is brighter than this however dark the shadow, grey levels."""
    most_even_share: float = 0.8
    """The darkest paper of a mark that lies half in a shadow has less than this share of the light
    of the brightest."""
    first_score: float = 0.9
    """How much like a word its cells must look in even light before anything is fitted,
    correlation: nearly all that do not look so are parts of the table."""
    most_tries: int = 16
    """So many places are tried, the likeliest first, for either way to stand."""
    stretch_shares: tuple[tuple[float, float], tuple[float, float]] = ((-0.1, 0.1), (-0.1, 0.1))
    """By what share of its length, and of its width, a mark may look longer or wider than printed,
    least and most."""
    end_offsets_mm: tuple[float, float, float] = (-0.2, 0.0, 0.2)
    """The paper and the wall at the ends of a mark are read at these places about their middles,
    mm."""
    both_score: float = 1.78
    """How well the drawing fits in the light that the paper tells, 0..1, and how much like a word
    the cells look together with the paper and the walls at their ends, correlation, must come to
    so much. Parts of marks, marks on the sides of tiles and patterns of a table came to 1.77 on 176
    tables (hard ones for tuning and choosing, seeds 9101, 9971, 7301, 7302 and 7304); there 49
    marks across which a shadow's edge runs come to more, and eight do not."""
    window_off_mm: float = 1.5
    """By how much the outline of windows may be longer or wider than they are, mm."""
    end_shares: tuple[float, float] = (0.25, 0.9)
    """The outline of an end of a mark has from this to that share of the length of its paper."""
    end_width_mm: tuple[float, float] = (-2.0, 2.2)
    """By how much it may be narrower and wider than the paper, mm."""


@dataclass(frozen=True, slots=True)
class FallenValueTuning:
    """When the marks on the sides of a fallen tile are believed.

    Strict on purpose: a fallen tile without a name is better than a wrong one.
    """

    least_slant_rad: float = math.radians(13.0)
    """A side that is seen at a smaller angle than this is not read, rad."""
    shifts_mm: tuple[float, float] = (1.5, 1.2)
    """How far along a side, and up, its mark is looked for, mm."""
    steps_mm: tuple[float, float] = (0.5, 0.4)
    """In what steps, mm."""
    read_mm: tuple[float, float, float] = (-0.4, 0.0, 0.4)
    """Where across a cell it is read, mm from its middle."""
    paper_read_mm: float = 0.3
    """On what length of the paper beyond a mark it is read, mm ..."""
    wall_read_mm: float = 0.6
    """... and of its end walls, mm; cells are read on half of theirs."""
    least_score: float = 0.95
    """How much like a word the cells must be, with paper and walls, correlation. 203 tiles were
    named on tables for tuning and choosing, none wrongly; five scored less. On seed 9962 one of
    25 was named wrongly, with .943."""
    least_margin: float = 0.35
    """How much less like any other word."""
    nearly_score: float = 0.07
    """Every reading that is worse than the best one by no more than this must say the same."""
    least_contrast_levels: float = 12.0
    """Grey levels by which the cells differ at least, standard deviation."""
