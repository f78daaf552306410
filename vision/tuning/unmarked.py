"""How tiles are found that no mark gives away, and what is a shadow or a hand."""

import math
from dataclasses import dataclass, field
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class BackgroundTuning:
    """When a pixel differs from the empty table, what is a shadow and what is a hand.

    The radii of hands were chosen between palms and rows that fell onto themselves.
    """

    blur_px: float = 1.2
    """How much pictures are smoothed before they are compared, one sigma, px at half size."""
    blur_side_px: int = 7
    """Side of the window of that smoothing, px, an odd number."""
    sparse: int = 12
    """How bright a frame is tells one pixel of so many in a row, and one row of so many."""
    least_step_levels: float = 7.0
    """A pixel differs if it does so by this many grey levels ..."""
    noise_steps: float = 4.0
    """... and by this many deviations of the noise."""
    light_floor_levels: float = 4.0
    """Added to the levels of both images before the light on one is told as a share of that on the
    other, grey levels: noise counts less where it is dark."""
    light_degree: int = 3
    """Degree of the surface that stands for smooth light."""
    busy_px: int = 9
    """The background does not follow what lies nearer than half of this to a difference, px at
    half size."""
    uneven_levels: int = 4
    """Light falls from elsewhere when half of a picture differs by so many grey levels: a lamp
    that was moved is more than a change of brightness."""
    fit_rounds: int = 3
    """How often smooth light is fitted without what stands out from it, count."""
    outlier_deviations: float = 2.5
    """What differs from it by so many deviations is a thing and not light."""
    shadow_depth_share: float = 0.45
    """A shadow keeps more than this share of the light."""
    deep_shadow_share: float = 0.65
    """What keeps less may well be a black tile."""
    strict_px: int = 2
    """What is narrower than this and may be a shadow is one, px at half size ..."""
    deep_px: int = 5
    """... and this is it where a shadow may not be so dark."""
    shadow_tint_share: float = 0.10
    """A shadow is alike in all colours to this share of the light."""
    tint_px: int = 5
    """Tints are averaged over a square of this side, px at half size."""
    tint_steps: float = 2.5
    """A tint stands out from noise by this many times its usual size."""
    shade_floor_levels: int = 3
    """Added to both images before they are divided, grey levels, so that black divides too."""
    white_levels: int = 250
    """From this level on, a colour of the empty table was too bright for the camera to measure,
    grey levels; set by hand ..."""
    white_headroom: float = 1.6
    """... and may really have been up to this many times brighter, as a white cloth in the sun
    is."""
    round_px: int = 81
    """A part of the table that is only guessed is compared with its surroundings, up to half of
    this away, px at half size ..."""
    round_percent: float = 30.0
    """... and taken to be at least as steep as this percentile of them: on pebbles or granite a
    smooth guess made tiles of the pattern. On six sets of 30 tables (9101, 9501, 9993, 10001, 7310,
    7312) 49 tiles are invented instead of 94, and nine of 2,191 unmarked ones are lost."""
    coarse: int = 2
    """Where every row and column of so many shows nothing as wide as a hand, there is none."""
    closed_mm: float = 5.0
    """Gaps narrower than this are closed in what may be a hand, mm; between fallen tiles are
    wider ones."""
    least_closed_px: int = 3
    """Side of the window that closes them, at least, px at half size, an odd number."""
    mat_rim_mm: float = 5
    """How far beyond its markers the mat reaches, mm: what is farther out reaches in."""
    hand_radius_mm: float = 40.0
    """A disc of this radius fits into a hand with its shadow wherever it comes from, mm: those in
    the frames took 49 and more, a long row with its shadows in a stripe of sun up to 38."""
    card_radius_mm: float = 27.0
    """A disc of this radius, mm, fits into a playing card (the largest that does has 31) and into
    no tile; in a row that fell onto itself the largest has 24 ..."""
    card_share: float = 0.85
    """... and a card fills more than this share of the rectangle round it."""
    book_mm: float = 120.0
    """What reaches in over the edge of the picture is a book, a tray or a laptop, not a hand, if it
    is wider than an arm, mm ..."""
    book_share: float = 0.85
    """... if it fills so much of the rectangle round it, as far as that is in the picture: hands
    fill .80 at most, the book of 7328 .90 ..."""
    book_corner_mm: float = 10.0
    """... and if at two corners of that rectangle a square with this side, mm ..."""
    book_corner_share: float = 0.3
    """... is filled to more than this share: at the book's two corners to .43 and .49, at the
    second-fullest corner of a hand to .14 at most. Measured on all hands of `s00` to `s26`, 9501,
    10035, 7328 and of the clean frames."""
    book_broad_mm: float = 40.0
    """At first sight whatever is narrower than twice this is no part of a book, mm: strips of the
    mat stick out from under it ..."""
    coarse_corner_mm: float = 20.0
    """... and the squares at its corners have this side, mm, as the picture is looked at in larger
    cells. Of 15 false hands at first sight on `s00` to `s26`, 9101, 9501, 10035, 10037, 7328, 7329
    and Blender 4 ten are three books, 148 to 192 mm wide; true hands are at most 104 mm wide."""
    arm_mm: float = 25.0
    """A hand comes in over the edge of the picture with an arm that covers so much of it, mm: in
    the frames 58 and more, a book that lies across the edge 10."""
    sure_arm_mm: float = 8.0
    """An arm is so wide all the way, mm, even without the shadows in which the grain of the table
    can be seen. Chosen on 180 arms drawn over photos of table tops, two thirds of them in sleeves
    of about the table's colour, and on the shadows of three mugs there: from 6 to 10 no arm is lost
    that was seen before, and no shadow is taken for one; at 25 four arms are lost."""
    corner_share: float = 1.5
    """The corners of a thing are nearer than this to where a disc of the next radius fits into it,
    as a share of that radius."""
    reaching_radius_mm: float = 20.0
    """The same for something that reaches in across the mat, where tiles never are, mm: thinner
    than a child's arm; a row and its shadows came to 19.6."""
    hidden_share: float = 0.3
    """What is as dark as a shadow is a hand if it hides the grain of the table in this share of its
    middle. On 9101, 9501, 9993, 10005, 7312, 10018, 10020 and `s00` to `s26` two dark hands hide
    .46 and .55, and light and shadows .10 at most."""
    solid_radius_mm: float = 25.0
    """What is as dark as a shadow and leads to the edge of the picture is also a hand if a disc of
    this radius, mm, fits into the part of it that cannot be a shadow: the largest in a hand that
    Blender drew on a plain floor has 28. With 20, with 25 and without this rule the same is told of
    `s00` to `s26`, of the clean frames and of six further sets: it helps with that one hand."""
    update_share: float = 0.1
    """Share of a new frame that goes into the background."""
    update_every_looks: int = 3
    """At every so many looks, count."""


class Signs(NamedTuple):
    """What speaks for a box being a tile, or against it."""

    edge: float
    """How well those of its edges show that are not another tile's too, 0..1."""
    faint: float
    """Share of its edges that hardly show."""
    off_mm: float
    """Root mean square distance between its edges and those of the image, mm."""
    in_sight: float
    """Share of it that no known tile hides."""
    lies: float
    """1 if it lies."""
    leans: float
    """1 if it leans."""
    differs: float
    """Share of what is seen of it that differs from the empty table ..."""
    no_shadow: float
    """... and that cannot be a shadow, and is in no known tile's shadow."""
    round_it: float
    """Share of what is close round it that cannot be a shadow, and is in no known tile's shadow."""
    shadows: float
    """Share of its shadows that is there."""
    shadows_unknown: float
    """1 if nobody can tell."""
    alike: float
    """How alike its upper face is to the pattern of the table under it, -1..1; 0 on a plain one."""
    bright: float
    """Logarithm of its brightness as a share of the table's."""
    stands_out: float
    """Logarithm of how far its colour is from what is round it, grey levels."""
    uneven: float
    """Logarithm of how uneven its upper face is, apart from shadows of known tiles on it ..."""
    table_uneven: float
    """... and the table under it, grey levels."""
    misfit: float
    """How badly it suits the row that is known, sigmas."""
    far: float
    """Distance from the nearest known tile as a share of `BeliefTuning.far_mm`, at most 1."""


@dataclass(frozen=True, slots=True)
class FirstBackgroundTuning:
    """What stands out on a table that nobody has seen empty.

    Set by hand; not studied one by one. `domino-rig see --score FOLDER --alone` scores frames
    without an empty one before them.
    """

    cell_mm: float = 6.0
    """About the side of the squares over which the image is averaged, mm."""
    odd_sigmas: float = 4.5
    """A square is odd that is farther from the smooth table than so many sigmas."""
    rounds: int = 6
    """How often the smooth table is fitted, count."""
    light_floor_levels: float = 8
    """Added to levels before their logarithm is fitted, grey levels: noise counts less where it is
    dark."""
    least_sigma: float = 0.01
    """By so much a table is uneven at least, one sigma, of the same logarithm."""
    colour_step: float = 0.1
    """Colours that differ by less than about this, of the same logarithm, are alike ..."""
    colour_share: float = 0.04
    """... and a place round the work area is table if its colour is like that of more than this
    share of the table inside. On first looks at 9101, 9501, 10003, 10017, 10023, 10029 and all
    shared frames, .02 loses one of 16 hands; .03 and .05 leave three of eight false hands, both
    the same three."""
    least_radius_mm: float = 6.5
    """Odd places into which no disc of this radius fits are the grain of the table, mm."""
    shadow_mm: float = 12.0
    """How far round a thing the table is not taken for empty, mm."""
    row_wide_mm: float = 40.0
    """In a strip this wide along a row that always stood there are more of its tiles, mm ..."""
    row_gap_mm: float = 100.0
    """... between tiles nearer to each other than this, mm ..."""
    row_end_mm: float = 40.0
    """... and so far beyond each, mm."""
    pattern_likeness: float = 0.8
    """What seems to be a tile is part of the table's pattern if its picture and the table are as
    alike as this, by the correlation of their colours, -1..1 ..."""
    pattern_places: int = 3
    """... in so many places, count. Of 616 tiles without a mark, found at first sight on `s00` to
    `s26` and 9501, one, in a blurred picture, is so much like a third place; the next reaches .76.
    Of 15 invented tiles on a dark tartan of 10035, 12 are."""
    pattern_line_mm: float = 200.0
    """Places in the line of the row, and up to so far beyond its ends, mm, do not count: more tiles
    may stand there."""
    pattern_rim_mm: float = 3.0
    """So much of the table round it belongs to the picture of a tile, mm."""
    most_tries: int = 4000
    """So many guesses and fits are tried while a row is followed, count: of 227 first looks for
    tuning one reached it and the next needed 2,981; noise asked for more than 8,000."""
    quality: float = 0.65
    """How likely a box must be a tile to be taken for one, 0..1: more than on a table that was seen
    empty. On rows of 9101, 9993, 10005, 10017, 10019 and 7312 that always stood, .55 finds five
    more of 567 unmarked tiles, but 24 more that are not there, and ten fewer of 138 counts are
    right; .75 finds 17 fewer, and no more counts are right."""
    standing_offset: float = -3.74
    """Log odds of a box that stands and for which all signs are 0. Such boxes have weights of their
    own here: the table under a pattern is only guessed, so a pattern stands out from it as much as
    a tile does, and the row says more ..."""
    standing_weights: Signs = field(
        default_factory=lambda: Signs(
            edge=5.51,
            faint=-12.76,
            off_mm=-10.41,
            in_sight=2.94,
            lies=0.0,
            leans=0.0,
            differs=2.09,
            no_shadow=-2.13,
            round_it=-3.04,
            shadows=3.71,
            shadows_unknown=-0.16,
            alike=-0.33,
            bright=1.21,
            stands_out=1.12,
            uneven=-1.64,
            table_uneven=0.76,
            misfit=-1.83,
            far=4.42,
        )
    )
    """... and by how much the log odds grow with each sign, as
    `python -m tests.bench.fit_belief --alone` fits and prints them; "Living rooms" in
    `tests/bench/RESULTS.md` says on which tables."""
    lying_doubt: float = 1.0
    """By how much the log odds of lying boxes are lowered ..."""
    most_faint_lying: float = 0.08
    """... and no larger share of their edges may be faint: nine tiles in ten have less than .04
    faint, nine patterns in ten more than .10."""
    fill_shrink: int = 4
    """How many times smaller the picture is in which holes are filled in ..."""
    fill_px: float = 3
    """... and from how far round each of its pixels, px of it."""
    border_share: float = 0.86
    """Where a marker is surely black, as a share of its half side ..."""
    paper_share: float = 1.1
    """... and where its paper is surely white."""
    side_shares: tuple[float, float] = (0.1, 0.9)
    """From where to where along each side of a marker that is looked at, shares ..."""
    side_points: int = 5
    """... and at how many points, count."""
    usual_steps: float = 3
    """A marker is seen at a point where paper is lighter than border by one part in so many of what
    is usual."""
    least_seen_share: float = 0.7
    """Share of a marker's border that must be seen."""


@dataclass(frozen=True, slots=True)
class GlareTuning:
    """What tells a lamp mirrored in a glossy table from a hand: how softly it fades out.

    Set by hand on rendered lamps and hands; not studied one by one.
    `tests/vision/unmarked/test_glare.py` and `tests/vision/render/test_render_lamp.py` hold
    what they reach.
    """

    cell_mm: float = 3.0
    """About the side of the squares over which an image is averaged before it is judged, mm."""
    steep_share: float = 0.45
    """A place is steep where it takes up this share of the whole contrast within two cells ..."""
    least_steep_levels: int = 6
    """... and twice this many grey levels."""
    most_steep_share: float = 0.6
    """Light is bounded by steep places along less of its outline than this share, where a hand
    lies over it or tiles stand at its rim; a hand along more than two thirds."""
    least_contrast_levels: int = 4
    """What differs by less than twice as many grey levels is not judged."""
    contrast_percent: float = 80.0
    """The whole contrast is the difference that this percentage of a part stays below."""
    wide_mm: float = 12.0
    """A disc of this radius fits into a part that is judged, all steep places left out, mm."""


@dataclass(frozen=True, slots=True)
class GrainTuning:
    """Where the grain of the table can still be seen: light leaves it there, and a hand hides it.

    Chosen on the living-room tables for tuning, seeds 9001, 9101 and 9102, with `SunlightTuning`.
    """

    grain_mm: float = 14.0
    """Light that changes over more than this is no grain, mm."""
    window_mm: float = 20.0
    """Side of the window in which the grain is compared, mm."""
    least_grain: float = 0.03
    """A table with less grain is plain and tells nothing, one sigma, as a share of its
    brightness."""
    least_alike: float = 0.75
    """How alike grain must be to be the table's, correlation."""
    floor_levels: float = 8.0
    """Added to levels before their logarithm is taken, grey levels: noise counts less where it is
    dark."""
    hidden_alike: float = 0.4
    """Grain that is no more alike is hidden, correlation: up to 0.4 no place as wide as an arm
    looks so where nothing differs, in 700 frames without a hand; at 0.5 in four of them one
    does."""


@dataclass(frozen=True, slots=True)
class SunlightTuning:
    """What tells a stripe of sun from a hand: the grain of the table can still be seen in it.

    Chosen on the living-room tables for tuning, seeds 9001, 9101 and 9102: where
    light was mistaken for a hand, at least .35 of the area still showed the table's grain; of real
    hands at most .10 did.
    """

    kept_share: float = 0.25
    """Light leaves the grain in more than this share of a part."""
    bare_mm: float = 15.0
    """So far round places with the table's grain the table is taken to be bare, mm ..."""
    light_mm: float = 5.0
    """... and so it is where the light, averaged over a square of this side, mm, ..."""
    same_light: float = 0.2
    """... has changed as much as in those places, in each colour, give or take this much in its
    logarithm: on seeds 9101 and 9003 the rest of a stripe of sun then holds no disc of more than
    15 mm radius ..."""
    hand_radius_mm: float = 30.0
    """... and no disc of this radius fits into the rest, mm, as it does into a hand."""


@dataclass(frozen=True, slots=True)
class LampTuning:
    """Which lamps explain what is dark about tiles, and what their shadows explain.

    Chosen on living-room tables drawn by a program that is not part of this project, beside the
    tables that thresholds were set on; see "Living rooms" in `tests/bench/RESULTS.md`.
    """

    least_bodies: int = 2
    """So many tiles must be known, count."""
    most_lamps: int = 3
    """So many lamps are told, count."""
    cell_mm: float = 2.0
    """Side of the squares in which the table is seen from above, mm."""
    same_px: float = 0.5
    """A camera that has moved the corners of the work area by less shows the squares where they
    were, px at half size."""
    reach_mm: float = 150.0
    """How far from a tile its shadow is looked for, mm."""
    floor_levels: float = 4.0
    """Added to both pictures before they are divided, grey levels."""
    dark_share: float = 0.85
    """A square is dark with less than this share of its light."""
    least_dark_share: float = 0.01
    """What share of the squares about tiles must be dark, or nothing casts a shadow."""
    azimuths: int = 24
    """From so many sides light is tried, count."""
    slopes: tuple[float, ...] = (0.15, 0.3, 0.5, 0.75, 1.0, 1.4, 1.9, 2.6, 3.5)
    """How long shadows may be, as a share of the height of what casts them."""
    slope_step: float = 0.15
    """By what share of itself the length of a shadow is changed to find a better one."""
    likely: int = 4
    """From so many of them, the best, near lamps are tried too, count."""
    nearness_per_mm: tuple[float, ...] = (0.0, 0.0007, 0.0014, 0.0021, 0.003, 0.0045)
    """One over the heights at which a lamp is tried, 1/mm; 0 is the sun."""
    far_per_mm: float = 1e-6
    """The same for the sun, as far as shadows on a table can tell, 1/mm."""
    rounds: int = 10
    """How often the best lamp is moved, count."""
    least_worth: float = 0.45
    """How well shadows and what is dark must agree, a correlation."""
    least_dark: float = 0.6
    """What share of a shadow must be dark."""
    least_casting: int = 2
    """So many tiles must be seen to cast a shadow where no other tile casts one, count: of 61 lamps
    on `s00` to `s26`, 9501 and 10031 all but two have three or more such tiles. A lamp that
    is only supposed because dark tiles continue a row of marked ones has one at most ..."""
    least_own_squares: int = 20
    """... and each counts only if that part of its shadow has at least so many squares ..."""
    most_own_off: float = 0.25
    """... which keep as much of the light as all shadows of the lamp, give or take less than this
    in its logarithm."""
    rim_px: int = 5
    """How wide the rim of a shadow is, px at half size."""
    most_amount: float = 1.25
    """A shadow takes this many times what the lamp gives, at most: where two meet, it is more."""
    full_amounts: tuple[float, float] = (0.8, 1.15)
    """In the middle of one shadow it takes this many times of that, at least and at most: with
    `most_amount` 8 of 227 unmarked tiles on living-room tables were taken for shadow."""
    off_levels: float = 9.0
    """By so much a pixel may differ from a shadow, grey levels ..."""
    off_share: float = 0.1
    """... or by this share of the brightness of the table."""
    least_cast_px: int = 30
    """Smaller shadows are not judged, px at half size."""


@dataclass(frozen=True, slots=True)
class ResidualTuning:
    """What is left to explain when some tiles are known, and where tiles are looked for."""

    shadow_worth_share: float = 0.4
    """How much a place is worth explaining that may be a shadow; 1 for one that cannot be."""
    shade_worth_share: float = 0.3
    """How much a place is worth explaining that the shadow of a known tile explains."""
    crisp_share: float = 0.3
    """How steep the outline of a dark place must be, as a share of its brightness ..."""
    least_level: float = 25.0
    """... taken to be at least this, grey level ..."""
    least_crisp_share: float = 0.25
    """... and along which share of it."""
    least_outline_px: int = 12
    """Length of such an outline at least, px at half size."""
    away_px: int = 7
    """What lies nearer than half of this to a known tile is no such outline, px at half size."""
    grown_px: int = 9
    """Places to look in that lie nearer to each other are one, px at half size."""
    least_blob_mm2: float = 60.0
    """How large a blob is at least, mm2."""
    least_depth_mm: float = 1.5
    """How far its middle is from its rim at least, mm; what is left beside a tile that was found
    is narrower."""
    broad_mm: float = 10.0
    """The middle of a broad face is farther from its rim than this, mm; that of a narrow one is
    not."""
    tile_mm2: float = 500.0
    """About what one tile covers in the image, mm2; tells how many to look for."""
    least_shown_share: float = 0.4
    """Share of a body that must be in sight at least ..."""
    least_alone_share: float = 0.05
    """... and share of its outline that no known tile's outline covers: in a close row seen aslant,
    neighbours cover nearly all of it, though its upper face is in plain sight. With .15 six of 105
    unmarked tiles on `s13` to `s19` were lost, and one of 318 on 9501; with .05 none was invented
    instead."""
    shadowy_share: float = 0.3
    """What would hide a known tile behind it is in sight if worth explaining; not if so much of
    it is not."""
    drawn_px: int = 3
    """How wide the edges of a tile are taken for its own, px at half size."""


@dataclass(frozen=True, slots=True)
class EdgeFitTuning:
    """How steep an edge must be, and how boxes are moved onto edges."""

    block_px: int = 64
    """Side of the blocks in which slopes are worked out, even, px; with 96 and with 128 a look
    takes longer."""
    rim_px: int = 4
    """How much of what lies round a block counts in it, even, px: blur and slope reach so far."""
    usual_px_mm: float = 1.9
    """The scale of the table for which numbers in pixels are told, px for each mm: a picture of
    1920 columns."""
    full_edge_levels_px: tuple[float, float] = (7.0, 3.0)
    """Slope that counts as a full edge, grey levels per px: most and least."""
    full_power: float = 0.35
    """Where a pixel spans more of the table shadows are steeper in proportion, and what the lens
    blurs is not: more is asked by this power of the scale."""
    steepest: float = 1.5
    """An edge is full from 1 on, yet a steeper one beside it draws a body more, up to this."""
    full_level: float = 100.0
    """From this brightness of the table on the most is asked, less in the dark in proportion,
    grey level."""
    sharp_px_mm: float = 0.665
    """In a picture whose markers have less sharpness than this, times its px for each mm, the
    slope of a full edge is less in proportion ..."""
    least_sharp_share: float = 0.3
    """... down to this share. Set on `s00` to `s26` at both widths and on tables drawn by Blender:
    in pictures of 720 rows four more of 227 unmarked tiles are found on `s13` to `s26`."""
    table_share: float = 1.5
    """How much the table's own slope counts against that of the image."""
    points: tuple[int, int, int, int] = (5, 5, 8, 10)
    """Points on each edge of a body, round by round, count."""
    round_points: int = 12
    """How many points of an edge weigh as much as what holds a body, count."""
    reaches_px: tuple[float, float, float, float] = (5.0, 3.0, 2.0, 2.0)
    """How far to look for an edge from where it is expected, round by round, px."""
    steps_px: tuple[float, float] = (0.5, 1.0)
    """In what steps, px: the fine ones where it is looked less far than ..."""
    coarse_reach_px: float = 3
    """... this, px."""
    reach_power: float = 0.5
    """Less far in pixels where they are larger, by this power of the scale."""
    hopeless_share: float = 0.4
    """Bodies of whose edges less than this shows are given up."""
    near_mm: float = 100.0
    """Bodies farther from each other than this have nothing to do with each other, mm."""
    run_away_mm: float = 8.0
    """A body that comes farther from its first guess has run away, mm."""
    least_free_share: float = 0.4
    """Share of its edges that known tiles must leave in sight."""
    same_mm: float = 1.0
    """Two fits that have come so near to each other, mm ..."""
    same_rad: float = math.radians(5)
    """... and turned so alike, rad, will end in the same place."""
    round_px: float = 1.0
    """By so much lenses may round the outlines of bodies, px."""
    least_own_share: float = 0.2
    """Share of its edges in sight that must be its own alone."""
    doubt_points: int = 15
    """So many poor points are added to those seen, count."""
    poor_edge_share: float = 0.3
    """How much of an edge each of these shows."""
    stiff: tuple[float, float, float, float] = (1e-3, 1e-3, 1e-1, 3e-1)
    """What holds x, y (per mm2), heading and lean (per rad2) where no edge says anything."""
    hold: float = 5.0
    """How strongly bodies that move together are held where they are likely."""
    hold_sigmas_mm_rad: tuple[float, float, float, float] = (4.0, 4.0, 0.12, 0.14)
    """How far they may be from there: x and y in mm, heading and lean in rad."""
    other_px: float = 1.5
    """A point of a standing box is left out if it would be drawn at least this far, and to less
    than this from another edge of that box, px. Of 336 counts on `s00` to `s26`, 9101 and 9501
    this made 11 more right, and at 720 rows 2 more; 1.0 made 11 more and 1 fewer, 2.0 made 7 more
    and 2 fewer. Boxes that lie or lean are found less well if their points are left out, too."""
    likely_loss_share: float = 0.25
    """How much less an edge counts that is as far off as is looked."""
    most_lean_rad: float = math.radians(75)
    """A body that leans more is none, rad."""


@dataclass(frozen=True, slots=True)
class SearchTuning:
    """How many boxes are tried, and how good one must be to be taken for a tile."""

    most_tiles: int = 100
    """So many tiles could cover what differs from the empty table, count; with more the look is
    given up. Fifteen tiles that fell on a pattern nobody had seen empty (9101) count as 68, and are
    all found."""
    most_tries: int = 2000
    """So many guesses and fits a look may try, count; about a second of a core."""
    guesses: tuple[int, int] = (4, 4)
    """Guesses for each way to stand: so many, and so many more a tile."""
    first_guesses: tuple[int, int] = (2, 2)
    """Those of them that are tried first."""
    margin_mm: float = 30.0
    """How far round what is to explain edges are looked for, mm."""
    row_margin_mm: float = 12.0
    """The same round a guess that only the row gives, mm: a fit that comes farther is given up."""
    sure_quality: float = 0.5
    """Boxes as likely to be a tile as this are taken before others are tried, 0..1."""
    least_face_score: float = 0.22
    """How well the sides of an upper face must show for a closer look, 0..1 ..."""
    dark_face_score: float = 0.36
    """... and where there may be but a shadow."""
    least_quality: float = 0.25
    """How likely a box must be a tile to be taken for one, 0..1 ..."""
    one_came_quality: float = 0.2
    """... and how likely the likeliest standing box must be, if a tile was probably put there and
    none was found. On 9003, 9101, 9993 and `s00` to `s12`, at 1080 rows and at 720, things that
    were put down, and what a hand left behind, stay below this."""
    worthy_share: float = 0.3
    """What share of a guess must be worth explaining ..."""
    leaning_worthy_share: float = 0.6
    """... and of one that is to be tipped."""
    least_share: float = 0.15
    """What share of a body must be worth explaining while others are taken before it."""
    alike_share: float = 0.05
    """It is enough that this share of a tile differs from the table: near where tiles stood, if
    fewer were found than fell, and where one tile was probably put."""
    pitches_mm: tuple[float, float, float] = (18.0, 27.0, 36.0)
    """How far apart tiles lie that fell onto each other, mm."""
    bends_rad: tuple[float, float, float] = (-0.2, 0.0, 0.2)
    """How much a row bends between them, rad."""
    lying: bool = True
    """Whether tiles are looked for that lie or lean; not where only the line of a row is
    followed."""
    leans_rad: tuple[float, float] = (-0.35, 0.35)
    """From where leans are tried, rad."""
    leaning_quality: tuple[float, float] = (0.4, 0.3)
    """How likely a body that leans must be a tile, 0..1: at first, and then."""
    held_rad: float = 0.2
    """What leans by more than this must lean on something, rad ..."""
    held_lengths: float = 1.25
    """... whose middle is no farther away than this, in lengths of a tile: a key has the outline of
    a tile that leans on nothing."""
    leaning_apart_mm: float = 10.0
    """How far it is at least from any other tile, mm."""
    meet_px: float = 8.0
    """Tiles farther apart than this in the image do not change the outlines of each other, px."""
    standing_rim_mm: float = -2.0
    """By how much the footprint of a fit that stands is smaller, mm, where it must not meet another
    tile; it is larger: between tiles that stand is room for fingers, 2.9 mm and more in the frames.
    A crisp shadow joins the tile that casts it."""
    fallen_rim_mm: float = 4.0
    """The same for one that lies: two fits together may err by as much."""
    steps_mm: tuple[float, float, float, float] = (15.0, 20.0, 25.0, 31.0)
    """How far from a tile of a row the next one is looked for at its ends, mm ..."""
    row_bends_rad: tuple[float, float, float] = (0.0, -0.22, 0.22)
    """... and by how much the way there differs from the tile's heading; a row bends by twice
    that, rad."""
    between_mm: tuple[float, float] = (26.0, 90.0)
    """Between tiles that are so far apart others may stand, mm ..."""
    usual_pitch_mm: float = 20.0
    """... each about so far from the next, mm ..."""
    between_shifts_mm: tuple[float, ...] = (0.0,)
    """... moved along the row by each of these, mm."""
    row_turns_rad: tuple[float, ...] = (0.0,)
    """Each guess in a row is also turned by these, rad."""
    room_mm: float = 7.5
    """In a row nothing is tried nearer to a known tile than this, middle to middle, mm."""
    fingers_mm: float = 12.5
    """At the end an unmarked tile that stands nearer to another than this, middle to middle, mm, is
    given up: most likely it is the dark strip between two tiles. A real tile so near is lost, too;
    on all tables, ours and not, neighbours are at least 14 mm apart."""
    alike_mm: float = 3.0
    """Guesses nearer to each other than this, mm ..."""
    alike_rad: float = 0.2
    """... and turned more alike, rad, are one."""
    closer_turns_rad: tuple[float, ...] = (-0.15, 0.0, 0.15)
    """When the guesses along a row find no more tiles, closer ones are tried, with this in place of
    `row_turns_rad` (empty: no closer look): a guess must be good to some 5 degrees ..."""
    closer_shifts_mm: tuple[float, ...] = (-4.0, 0.0, 4.0)
    """... this of `between_shifts_mm` ..."""
    closer_alike_mm: float = 2.0
    """... this of `alike_mm` ..."""
    closer_alike_rad: float = 0.1
    """... this of `alike_rad` ..."""
    closer_room_mm: float = 15.0
    """... and this of `room_mm`: nearer to a known tile they find the dark strip between two. On
    9101, 9501, 9993, 10001, 10003, 10005, 7312 and `s00` to `s12` (861 frames) this finds 24 of
    the 144 unmarked tiles that were missed and all 13 marked ones, and three more are invented."""
    closer_share: float = 0.4
    """How much of a closer guess must differ from the empty table, as a share. With .1, .3 and .45
    the same tiles are found on `s00` to `s26`, 7312, 9101, 9501, 9993, 10001 and 10005, with .6
    three fewer."""
    in_row_share: float = 0.1
    """How much of any other guess must differ from the empty table, as a share: little of a tile
    that is as grey as the table does ..."""
    in_row_new_share: float = 0.5
    """... what share of it must be new, or close to what is, where only what is new is looked for:
    with .7 two of some 90 tiles that only their row gives are lost, with .5 none ..."""
    in_row_quality: float = 0.45
    """... and how likely a tile must be there, 0..1."""
    doubtful_quality: float = 0.7
    """A standing box that was less likely than this when it was chosen is doubtful: once all the
    rest is known, others are tried round it. On 7312, 9101, 9501, 9993, 10001, 10005 and `s00` to
    `s12` 7 of the 10 boxes that stood beside a tile were doubtful, and 70 of the 729 that were
    right. With .9 no more tiles are found, in more than twice the time ..."""
    aside_along_mm: tuple[float, ...] = (-14.0, -10.0, -6.0, 0.0, 6.0, 10.0, 14.0)
    """... so far along its heading, mm: boxes beside a tile are 8 to 13 mm off ..."""
    aside_across_mm: tuple[float, ...] = (-6.0, 0.0, 6.0)
    """... so far across it, mm ..."""
    aside_turns_rad: tuple[float, ...] = (-0.15, 0.0, 0.15)
    """... and turned by this, rad; its own place is not tried turned."""
    aside_quality: float = 0.9
    """One of them takes its place if it is as likely as this, 0..1 ..."""
    aside_gain: float = 0.15
    """... and this much likelier than the box is now: .1 loses two marked tiles on the tables of
    `doubtful_quality`, .2 finds two tiles fewer."""
    wide_gap_share: float = 1.7
    """A gap this many times as wide as the median gap of its row may hold a tile that is hard to
    see ..."""
    gap_aside_mm: float = 10.0
    """... no farther than this from the line between its neighbours, mm ..."""
    in_gap_quality: float = 0.06
    """... which is told if it is as likely as this, 0..1. On 9003, 9101, 9993, 9994 and `s00` to
    `s12` boxes in such gaps have at most .05 where no tile stands, and mostly more where one
    does."""
    rival_share: float = 0.75
    """A body in the same place is a rival with so much of the quality of the one that is taken;
    chosen with `RefineTuning.rival_weight` on living-room tables."""
    beside_share: float = 1.2
    """Tiles farther away than this share of their length are not beside each other."""


@dataclass(frozen=True, slots=True)
class BeliefTuning:
    """What speaks for a tile in a place, and how much.

    The weights are those of a logistic regression on boxes of which the truth is known:
    `python -m tests.bench.fit_belief` fits and prints them. "Living rooms" in
    `tests/bench/RESULTS.md` says on which tables.
    """

    offset: float = -4.88
    """Log odds of a box for which all signs are 0."""
    weights: Signs = field(
        default_factory=lambda: Signs(
            edge=8.22,
            faint=-4.28,
            off_mm=-7.88,
            in_sight=1.70,
            lies=1.49,
            leans=0.98,
            differs=1.18,
            no_shadow=2.14,
            round_it=-4.93,
            shadows=2.99,
            shadows_unknown=-0.43,
            alike=-1.94,
            bright=1.68,
            stands_out=0.34,
            uneven=-1.48,
            table_uneven=0.62,
            misfit=-0.66,
            far=0.60,
        )
    )
    """By how much the log odds grow with each sign."""
    standing: tuple[float, Signs] | None = None
    """Offset and weights of boxes that stand, where these differ; see `FirstBackgroundTuning`."""
    nothing_fell_doubt: float = 4.0
    """By how much the log odds of lying boxes are lowered where nothing else says that any tile
    fell. On 9003, 9101, 9993, 7306 and `s00` to `s12` no such box was a tile. Of tiles that fell
    there three in four would stay likely enough even so: one that slips from somebody's fingers
    is mostly seen."""
    only_shadow_share: float = 0.02
    """A standing box may be nothing but shadows if at most this share of it cannot be one ..."""
    only_shadow_doubt: float = 1.0
    """... and its log odds are lowered by so much. Of such boxes that the weights alone call a tile
    with chances of .45 and more, a third are tiles on 9001, 9002, 9003 and `s00` to `s12`; a
    fit to them gives 1.7, and with 1.4 tiles are lost on `s13` to `s26` for nothing."""
    faint_share: float = 0.35
    """An edge of a box is faint where it shows less than this share of a full one."""
    usual_cast_share: float = 0.8
    """What counts as the share of its shadows where nobody can tell."""
    rim_px: int = 1
    """What is round a box begins so far from it, px at half size ..."""
    ring_px: int = 3
    """... and ends here."""
    shadow_edge_px: int = 1
    """So close to the outline of a shadow on its upper face, colours are left out, px at half
    size."""
    least_px: int = 12
    """With fewer pixels of its upper face in sight nothing is told of its colours, px at half
    size ..."""
    usual_colours: tuple[float, float, float, float, float] = (0.0, 0.0, 3.0, 2.0, 2.0)
    """... and these count, from `Signs.alike` on."""
    floor_levels: float = 4.0
    """Added to levels before one is divided by the other, grey levels."""
    pitch_mm: float = 21.0
    """How far from each other neighbours of a row usually stand, mm ..."""
    pitch_sigma_mm: float = 7.0
    """... and one sigma of that, mm."""
    aside_sigma_mm: float = 5.0
    """How far sideways a tile stands from the line of its neighbour, one sigma, mm."""
    turned_sigma_rad: float = 0.3
    """How neighbours are turned against each other, one sigma, rad."""
    most_misfit: float = 5.0
    """A box that suits a row no better than this stands outside it, sigmas."""
    far_mm: float = 100.0
    """A box so far from all known tiles has nothing to do with them, mm."""
    itself_mm: float = 6.0
    """A known tile nearer than this is no neighbour, mm."""
    most_faint_lying: float = 1.0
    """A box that lies is no tile if a larger share of its edges is faint; 1 switches this off, as
    on every table that was seen empty."""
    amid_share: float = 0.5
    """A box is part of something larger, such as a playing card, where more than this share of its
    surroundings also differs from the empty table ..."""
    amid_far: float = 0.5
    """... no known tile is nearer than this share of `far_mm` ..."""
    amid_faint: float = 0.13
    """... and more than this share of its edges is faint: a box inside a card has no edges of its
    own."""
    beyond_mm: tuple[float, float, float] = (3.0, 4.5, 6.0)
    """At these distances beyond a side of a box something longer would go on, mm ..."""
    beyond_points: int = 7
    """... at this many points along the side, count ..."""
    beyond_share: float = 0.7
    """... which keep off its ends: this share of the side lies between the outermost."""
    least_beyond_points: int = 5
    """With fewer of these points in sight nothing goes on there, count."""
    least_beyond_share: float = 0.9
    """A lying box is part of something longer if at least this share of them differs ..."""
    least_side_edge: float = 0.5
    """... the side shows less than this share of a full edge ..."""
    over_mm: tuple[float, float, float] = (18.0, 21.0, 24.0)
    """... and at these distances beyond it, mm ..."""
    least_over_share: float = 0.2
    """... less than this share differs. Set on 9101, 7301, 7302, `s00` to `s12` and `practice*`:
    five of six invented lying boxes are given up so, and none of 268 tiles."""
    side_px: float = 1.6
    """Points of the outline no farther from an edge than this belong to it, px ..."""
    side_end_share: float = 0.08
    """... except near its ends, as a share of its length ..."""
    side_points: int = 3
    """... and fewer points than this say nothing about it, count."""
    least_bright: float = -1.2
    """`Signs.bright` is never less than this: no shadow is as dark, so it says nothing how much
    darker a box is. Of 24 black tiles that stand alone on a white table all are found
    (19 before), and on `s00` to `s26`, 9101 and 9501 the same tiles are told."""
    full_grain_levels: float = 12.0
    """A table as uneven as this has a pattern that can be recognised, grey levels."""


@dataclass(frozen=True, slots=True)
class CollapsedRowTuning:
    """How a row that fell onto itself is laid down in mind, and when it is believed.

    Chosen on tables of the project's own renderer, seeds 501 to 503, and on rows disturbed by
    some millimetres and degrees; checked on seed 504, drawn after that: see "Eye" in
    `tests/bench/RESULTS.md`.
    """

    surface_points: int = 9
    """At how many points each way on the surface of a body a falling tile may meet it, count."""
    still_mm: float = 10.0
    """A tile that stands no farther than this from where one stood is that one, mm."""
    most_rest_rad: float = math.radians(75)
    """A tile that leans more steeply than this is not tried as one that fell, rad."""
    margin_px: int = 16
    """How far round the bodies edges are looked for, px."""
    rough_rounds: tuple[tuple[float, int], tuple[float, int], tuple[float, int]] = (
        (8.0, 6),
        (6.0, 6),
        (4.0, 6),
    )
    """How far to look for edges in px, and at how many points of each, round by round: in either
    way the row may have fallen ..."""
    fine_rounds: tuple[tuple[float, int], tuple[float, int], tuple[float, int]] = (
        (3.0, 8),
        (2.0, 8),
        (2.0, 10),
    )
    """... and in the better one. Ends that slid are fitted in the rough rounds first, then in
    these."""
    both_ways_loss: float = 0.5
    """A row is taken to have fallen both ways from some tile only if it looks so much better than
    laid one way, added up over its tiles; with 0 a tile at an end is often turned round. With 1.0
    the same tiles are found on `s00` to `s12` (at 1080 rows and at 720), 9993 and 10001."""
    least_gain: float = 0.05
    """A tile must look at least so much better laid the way its row fell than the other way, on
    average; otherwise the tiles were thrown about. On 7312, 9101, 9501, 9993, 10001 and `s00` to
    `s26` rows that fell along themselves have .07 to .45; the one heap that looked like such a row
    has .01."""
    fell_gain: float = 0.03
    """A row must look so much better laid down than standing, 0..1: on `s00` to `s12` and 10015
    rows that fell gain .06 to .38, and rows that stand in shaken pictures gain nothing."""
    slide_back_mm: float = 11.0
    """How far the foot of the tile that was pushed first slips back, mm ..."""
    slide_back_share: float = 0.6
    """... and that of each next one, as a share of the one before ..."""
    slide_ahead_mm: float = 10.5
    """... and how far the last tile is thrown ahead, mm, besides what it slips back. Measured on
    the five rows of `s00` to `s12` that a physics engine let fall: the first four tiles slipped
    back by 9 to 13, 3 to 8, 1 to 7 and 2 to 6 mm, the last one ended 1 to 11 mm ahead."""
    slide_tiles: int = 4
    """So many tiles from the pushed one on say whether that end slid, count."""
    slide_likely: float = 0.02
    """Ends are taken to have slid unless they, or the whole row, look at least this much better
    without sliding, 0..1."""
    enough_share: float = 0.4
    """What share of a tile must be worth explaining; less is for one that is like the table."""
    least_there_share: float = 0.1
    """What share of a row must be worth explaining for a closer look."""
    likely_row: float = 0.55
    """How good a row must be to be fitted finely, 0..1 ..."""
    least_row: float = 0.67
    """... and to be taken for want of better."""
    doubt_tiles: int = 2
    """So many poor tiles are added to those of a row, count: few count for less than many."""
    poor: float = 0.5
    """How good each of these is, 0..1."""
    most_lying_share: float = 1.25
    """A row is not believed if with it more than this many times as many tiles
    would lie there as were laid down; a few more may lie there that were never seen standing."""
    poor_tile: float = 0.55
    """A tile less good than this is looked for near by, 0..1 ..."""
    gain: float = 0.15
    """... and must be better by so much there."""
    least_points: int = 20
    """A body with fewer points in sight than this is believed in proportion, count."""
    slips_along_mm: tuple[float, float, float, float] = (-8.0, -4.0, 0.0, 4.0)
    """Where near by: along its heading, mm ..."""
    slips_across_mm: tuple[float, float, float] = (-5.0, 0.0, 5.0)
    """... across it, mm ..."""
    slips_turn_rad: tuple[float, float, float] = (-0.2, 0.0, 0.2)
    """... and turned, rad."""
    bare_share: float = 0.6
    """How good a tile is of which nothing is worth explaining, beside one that is all worth it."""
    rival_mm: float = 3.0
    """Each tile in a heap is given a rival place this far away, mm, as the edges of other tiles are
    near; its sigma grows by that. On `s00` to `s12` .97 of the fallen tiles are then within 3 sigma
    of where they lie (.77 with 0), on `s13` to `s26` .96 (.85; with 2.0 .90)."""


@dataclass(frozen=True, slots=True)
class TopFaceTuning:
    """How upper faces are looked for from above."""

    cell_mm: float = 1.5
    """Side of a cell of the view from above, mm."""
    peak_cells: int = 5
    """The best face within a square of so many cells a side is tried, count."""
    turn_step_deg: float = 7.5
    """By how much the view is turned each time, degrees."""
    least_side_share: float = 0.2
    """How much of the two broad sides of a face must show at least."""
    least_worth_share: float = 0.15
    """What share of a face must be worth explaining."""
    margin_mm: float = 6.0
    """How much farther than what is to explain a view reaches, mm."""
    apart_mm: float = 4.0
    """Two faces nearer than this, mm ..."""
    apart_rad: float = math.radians(20)
    """... and turned more alike, rad, are one."""
    steep_share: float = 0.15
    """Slopes less steep than this share of a full edge say nothing of the turn."""
    neighbour_share: float = 0.7
    """How much slopes of the turns beside it count for a turn."""
    worth_share: float = 0.6
    """How much of the score of a face hangs on what is worth explaining there."""
    least_turn_share: float = 0.35
    """Turns in which slopes point less often than this share of the most frequent are left out."""


@dataclass(frozen=True, slots=True)
class RefineTuning:
    """How boxes that are found are moved to where brightness steps, and how certain they are."""

    pieces: int = 6
    """In how many pieces an edge is looked for, count ..."""
    points: int = 5
    """... and at how many points each."""
    room_px: float = 0.75
    """How far a profile stays away from the next edge of its body, px."""
    beyond_share: float = 0.05
    """An edge is taken to be so much longer at both ends, as a share."""
    far_px: float = 99.0
    """How far the next edge is where there is none, px."""
    every: int = 2
    """Every so many of the places where an edge may be are tried; the best three tell it in
    between."""
    least_step_levels: float = 24.0
    """Grey levels between the two sides of an edge, at least, all three colours together."""
    least_pieces: int = 6
    """How many pieces must be found for a body to be moved, count."""
    piece_mm: float = 0.2
    """How well one piece tells where the edge is at best, one sigma, mm."""
    limit_sigmas: float = 2.0
    """Pieces that are off by more of their sigmas count ever less."""
    sharpest: int = 40
    """How many pieces of the most contrast tell the blur of the camera, count."""
    looks: int = 2
    """How often the image is read, count ..."""
    rounds: int = 8
    """... and how often what was read is weighed anew."""
    settled: float = 1e-4
    """Bodies that move by less, in mm and rad, are where they belong."""
    known_mm_rad: tuple[float, float, float, float] = (1.0, 1.0, math.radians(3), math.radians(3))
    """How well x, y (mm), heading and lean (rad) are known before, one sigma."""
    spreads: float = 2.5
    """How many times more uncertain bodies are than pieces by themselves say, for edges may be
    those of shadows or of neighbours."""
    well_shown_share: float = 0.85
    """Bodies of whose edges less than this shows are more uncertain ..."""
    doubt_mm: float = 10.0
    """... by so much if none did, one sigma, mm ..."""
    rival_weight: float = 0.7
    """... and by this share of how far away a rival would stand."""
    floor_mm: float = 0.2
    """How uncertain the place of a body is at least, one sigma, mm ..."""
    floor_rad: float = math.radians(0.5)
    """... and its heading, rad."""


@dataclass(frozen=True, slots=True)
class CarryOverTuning:
    """When an unmarked tile still stands where it stood.

    Of tiles that fell, 0.73 of the edges show at most where they stood; of those that stand,
    0.85 at least: measured on the tables that thresholds were set on, see "Eye" in
    `tests/bench/RESULTS.md`.
    """

    rounds: tuple[tuple[float, int], tuple[float, int]] = ((2.0, 8), (2.0, 10))
    """How far in px to look for edges, and at how many points of each, round by round."""
    least_edge_share: float = 0.8
    """How much of its edges must show, those that others hide left out ..."""
    least_points: int = 20
    """... and at how many points at least, count."""
    least_share: float = 0.4
    """What share of what is seen of it must be worth explaining ..."""
    least_seen_share: float = 0.5
    """... and what share of it must be seen."""
    moved_mm: float = 1.0
    """A tile that seems to have moved by more, mm ..."""
    turned_rad: float = math.radians(3)
    """... or turned by more, rad, is searched for."""
    margin_px: int = 12
    """How far round it edges are looked for, px."""


@dataclass(frozen=True, slots=True)
class ChangedAreaTuning:
    """What counts as news since the last look."""

    most_news_share: float = 0.3
    """When more of the table than this share has changed, everything is looked at again."""
    touched_share: float = 0.03
    """A tile over which more than this share of the picture has changed is looked for again."""
    broad_mm: float = 4.5
    """A new mark changes more than this across, mm; its body is a little broader."""
    round_px: int = 13
    """Side of the window in which things round a change are looked at again, px at half size."""
