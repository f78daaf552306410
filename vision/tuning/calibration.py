"""How camera and mat are calibrated and followed."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PoseFollowTuning:
    """How the camera is followed from look to look by the sides of the markers.

    Chosen on the tables that thresholds were set on, with `domino-rig see --score`; the two of
    a mat that lies askew with `tests/bench/bench_survey.py`: see "Eye" in
    `tests/bench/RESULTS.md`.
    """

    reaches_px: tuple[float, float, float] = (3.0, 2.0, 1.5)
    """How far the edge may be from where it is expected, round by round, px."""
    still_px: float = 0.3
    """If no side has moved by more than this, one round is enough, px."""
    step_px: float = 0.5
    """In what steps brightness is read across an edge, px."""
    rim_px: int = 5
    """A marker that comes nearer to the edge of the picture is left out, px."""
    side_shares: tuple[float, float] = (0.12, 0.88)
    """From where to where along each side of a marker its edge is looked for, shares ..."""
    side_points: int = 8
    """... and at how many points, count."""
    inner_points: int = 8
    """At how many points between the cells of a marker, each way, an edge is looked for, count;
    half of those on its sides are left out then."""
    inner_share: float = 0.5
    """How much of the side of a cell is used for that, in its middle; near its corners blur mixes
    it with the cells above and below."""
    least_steep_share: float = 0.35
    """An edge counts if it is as steep as this share of the median ..."""
    least_slope_levels_px: float = 2.0
    """... and as this many grey levels per px."""
    outlier_factor: float = 4.5
    """Edges farther off than so many times the median are left out ..."""
    outlier_floor_px: float = 0.15
    """... unless they are this near, px."""
    least_points_share: float = 0.6
    """Share of a marker's edge that must be found for it to count."""
    least_kept_share: float = 0.5
    """Share of the markers in view that must count."""
    most_px: float = 0.6
    """A pose that the edges fit worse than this, root mean square, is not believed, px."""
    askew_left_out: float = 1.2
    """A mat that lies otherwise than in its file misplaces the table by so many times what its
    markers miss, on average over the work area, where sides were left out that miss by far:
    then only a part of it shows ..."""
    askew: float = 0.55
    """... and by so many times where none were."""


@dataclass(frozen=True, slots=True)
class PoseAverageTuning:
    """When a camera hangs still, was moved, or sinks.

    Set by hand; not studied on real stands. `tests/vision/calibrate/test_pose_average.py` holds
    that a nudge and a slow sinking are told.
    """

    window_frames: int = 10
    """How many frames are averaged, count."""
    jump_px: float = 1.5
    """A frame whose pose shifts the work area by more is not averaged, px."""
    jump_sigmas: float = 3.0
    """So many of the frame's own sigmas are added to that."""
    partly_px: float = 6.0
    """So much would be added if nearly all markers were hidden, px: strips that lie a little
    askew pull the pose to and fro, depending on which of them are seen."""
    least_share: float = 0.75
    """A frame that shows a smaller share of the usual markers than this is not averaged."""
    usual_frames: int = 40
    """How many markers are usual is told by so many of the last frames, count ..."""
    usual_percent: float = 75.0
    """... of which this percentage showed no more."""
    settle_frames: int = 3
    """How many frames in a row must agree on a new pose, count."""
    creep_px: float = 1.0
    """The average has crept if it is farther from where it was, px ..."""
    creep_end_px: float = 0.5
    """... and is back if it is nearer, px."""
    creep_frames: int = 5
    """So many frames in a row must show it, count."""
    rest_frames: int = 40
    """A camera that has crept and then stays where it is for so many frames hangs still again,
    count."""
    least_sigma_mm: float = 0.02
    """No frame is believed to be better known than this, one sigma, mm."""


@dataclass(frozen=True, slots=True)
class StripSlipTuning:
    """When a strip of the mat is said to have slipped.

    Set by hand, so that no strip is named that lies still. What is found is measured by
    `tests/bench/bench_slip.py`: see "The mat as it lies" in `tests/bench/RESULTS.md`.
    """

    reach_mm: float = 3.4
    """How far off a side of a marker is looked for, mm: less than its wall is wide."""
    least_steep_share: float = 0.35
    """A side counts if it is as steep as this share of the median ..."""
    least_slope_levels_px: float = 2.0
    """... and as this many grey levels per px."""
    least_share: float = 0.5
    """Share of a strip that must be seen for it to be judged."""
    outlier_factor: float = 4.0
    """Points farther off than so many usual misses are left out ..."""
    outlier_floor_px: float = 0.5
    """... unless they are this near, px."""
    rounds: int = 3
    """How often a strip is laid on its points without those, count."""
    agree_mm: float = 0.25
    """Strips that lie off by no more, mm ..."""
    agree_rad: float = 0.002
    """... and are turned by no more, rad, when the camera is where they all say, have not
    slipped."""
    most_slipped: int = 2
    """So many strips at most may have slipped, count ..."""
    least_left: int = 3
    """... and so many others must say where the camera is."""
    stay_mm: float = 0.1
    """A strip that has slipped stays where it was seen while it seems no farther from there, mm
    ..."""
    stay_rad: float = 0.001
    """... and no more turned, rad."""
    each_share: float = 0.4
    """Another strip is taken to have slipped if all others then agree better by this share of
    what is allowed."""
    learn_looks: int = 3
    """How many looks in a row must show the same strips before their places are known, count."""
    thin: int = 2
    """One of so many of the points on which the camera rests is enough to tell a slip by."""


@dataclass(frozen=True, slots=True)
class MatSurveyTuning:
    """When pictures of the mat are believed to say where its strips lie.

    Set by hand; what a survey reaches is measured by `tests/bench/bench_survey.py`: see "The
    mat as it lies" in `tests/bench/RESULTS.md`.
    """

    least_views: int = 4
    """How many pictures are needed, count."""
    least_seen: int = 2
    """How many pictures must show a strip, count."""
    least_apart_rad: float = math.radians(5.0)
    """By how much the directions must differ from which the pictures are taken, rad."""
    worst_error_px: float = 1.0
    """By how much corners may miss in the end, root mean square, px."""
    farthest_mm: float = 15.0
    """A strip that lies farther off than this, mm ..."""
    farthest_rad: float = math.radians(4.0)
    """... or is turned by more, rad, is not where it belongs."""
    worst_sigma_mm: float = 0.1
    """How uncertain its worst corner may be, one sigma, mm."""
    ruler_mm: float = 100.0
    """Length of the ruler on every printed sheet, mm."""
    bent_share: float = 0.95
    """Heights are believed if with them the corners miss by less than this share. Heights that
    nothing needs would only make the strips less certain; noise alone gains less than 0.02."""


@dataclass(frozen=True, slots=True)
class LensFitTuning:
    """When pictures are believed to say what the lens is.

    Set by hand; what a lens reaches is measured by `tests/bench/bench_survey.py`, which draws
    lenses, tables, blur and noise.
    """

    common_focal_share: float = 0.78
    """Focal length of a common webcam, over the longer side of the image."""
    focal_range_share: tuple[float, float] = (0.55, 1.3)
    """What focal lengths are believed of a guess, least and most, over the same."""
    least_views: int = 4
    """How many pictures are needed, count."""
    least_board_corners: int = 16
    """How many corners of the board a picture must show, count."""
    least_mat_markers: int = 10
    """How many markers of the mat a picture must show, count."""
    least_apart_rad: float = math.radians(15.0)
    """By how much the directions must differ from which the pictures look at the flat thing,
    rad."""
    straight_rad: float = math.radians(8.0)
    """A picture that leans by less looks straight down, rad."""
    worst_error_px: float = 1.0
    """By how much points may miss in the end, root mean square, px."""
    worst_focal_sigma_share: float = 0.004
    """Share of the focal length that it may be uncertain by, one sigma."""
    least_cover_share: float = 0.2
    """Share of the picture that the points of all views must span ..."""
    good_cover_share: float = 0.5
    """... and should."""
    good_apart_rad: float = math.radians(30.0)
    """By how much those directions should differ, rad."""
    folds: int = 5
    """In how many groups pictures are left out in turn to check the lens, count."""


@dataclass(frozen=True, slots=True)
class PhotoLensTuning:
    """What is known of a phone's camera, and when one photo is believed to tell its lens.

    Chosen on photos drawn by `tests/bench/phone_photos.py` with seed 101.
    """

    most_px: int = 2560
    """Photos are measured no larger than this, px of their longer side."""
    common_focal_share: float = 0.78
    """Focal length of a common phone, over the longer side of its photos."""
    lens_prior: tuple[float, float, float, float, float, float, float, float, float] = (
        0.25,
        0.001,
        0.01,
        0.01,
        0.05,
        0.05,
        0.001,
        0.001,
        0.0,
    )
    """One sigma of what is known of any phone: see `BundleTuning.lens_prior`. A phone straightens
    its photos, though not wholly."""
    given_focal: float = 0.05
    """The same of a focal length that the photo's file gives, as a share of it."""
    held: float = 1e-9
    """What counts as one sigma of a value that is held where it is."""
    worst_error_px: float = 2.7
    """By how much corners may miss in the end, root mean square, px of a photo of `most_px`."""
    corner_px: float = 0.2
    """What the place of a marker's corner is worth at best, one sigma, px of the same."""
    worst_top_mm: float = 2.5
    """How uncertain the top of a tile may be, one sigma, mm."""


@dataclass(frozen=True, slots=True)
class AimCheckTuning:
    """How the picture for setting the camera up is judged and shown.

    Set by eye on rendered pictures; not studied.
    """

    shown_px: int = 960
    """Width of the picture that people get to see, px."""
    jpeg_quality: int = 72
    """Its JPEG quality, percent."""
    mirrored_level: int = 252
    """From this grey level on a pixel of the work area shows a mirrored lamp: there is no white
    paper in it."""
    paper_percent: float = 90.0
    """Paper is lighter than this percentage of what lies at a marker."""
    round_share: float = 0.2
    """How far round a marker its paper is looked for, as a share of its size."""
    side_points: int = 24
    """Points on each side of the outline, count: a lens bends it."""
    corner_points: int = 6
    """So many at each of its ends are the corner's and not the side's, count."""
    scale_mm: float = 10.0
    """Length on the table by which the size of a pixel is measured, mm."""
    dash_px: tuple[int, int] = (5, 2)
    """Width of the dashes of the outline, px of the picture shown: dark, and light on them."""


@dataclass(frozen=True, slots=True)
class ViewCheckTuning:
    """When a picture contradicts its camera file, and when it shows too little of the table.

    Chosen on views reckoned with seed 3, tilted by 2 to 22 degrees, with strips laid exactly, and
    0.3, 0.5 and 1 mm off: a focal length 15 % wrong is told in 90, 76, 67 and 57 of 100, a right
    one doubted in 0, 0, 3 and 7.
    """

    tries: int = 13
    """So many focal lengths are tried, count ..."""
    widest_share: float = 0.35
    """... up to this much longer or shorter than the one given, as a share of it."""
    least_share: float = 0.06
    """Less than this is not told, as a share: it moves the top of a tile by less than a mm."""
    least_ratio: float = 1.25
    """The markers have to miss by so many times as much with the focal length given as with the
    best one."""
    area_points: int = 15
    """The work area is looked at in so many places along each side, count."""
    cut_off_share: float = 0.03
    """So much of it may be outside the picture, as a share."""
