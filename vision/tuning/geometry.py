"""How the mat, its markers and edges are measured."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LensTuning:
    """Which numbers in a camera file can be those of a lens; OpenCV fails with others.

    Far beyond every lens; not studied.
    """

    focal_share: tuple[float, float] = (0.1, 100.0)
    """The shortest and the longest focal length, as shares of the image's longer side."""
    off_centre_share: float = 2.0
    """The farthest principal point from the image's first pixel, as a share of its longer side."""
    most_dist: float = 1e3
    """The largest coefficient of distortion."""
    most_px: int = 1 << 20
    """The longest side of an image, px: OpenCV reads none with more."""


LENS = LensTuning()


@dataclass(frozen=True, slots=True)
class MarkerTuning:
    """How OpenCV's detector is set to find square markers.

    Set by eye on the sample frames; not studied by itself.
    """

    least_perimeter_share: float = 0.04
    """Perimeter of the smallest marker that is looked for, as a share of the picture's longer
    side."""
    windows_px: tuple[int, int, int] = (13, 33, 20)
    """Side of the windows of the adaptive threshold: least, most, and the step between them, px."""


@dataclass(frozen=True, slots=True)
class CornerTuning:
    """How the corners of black squares are found where fitted sides meet.

    Set by hand; not studied one by one. `tests/vision/geometry/test_markers.py` holds what they
    reach.
    """

    places: int = 16
    """On how many places along a side its edge is looked for, count."""
    clear_of_corners_share: float = 0.15
    """Share of a side left out at each end, where blur mixes it with the next one."""
    steps: int = 16
    """In how many steps of brightness an edge is looked for across a side, count."""
    reach_share: float = 0.1
    """How far to both sides the edge is looked for, as a share of the side."""
    reach_px: tuple[float, float] = (1.5, 4.0)
    """The same at least and at most, px."""
    least_contrast_levels: float = 20.0
    """By how many grey levels paper must be lighter than ink."""
    rounds: int = 2
    """How often the edge is centred and its line fitted anew, count ..."""
    line_rounds: int = 3
    """... and how often that line is fitted without what misses it, count."""
    least_seen_share: float = 0.3
    """Share of an edge that its window holds, taken to be at least this."""
    skew_px: float = 1.5
    """How far an edge may be from the median of its side for a first line, px."""
    farthest_px: float = 3.0
    """A corner that would move farther, px, stays as it was found."""
    outlier_factor: float = 3.0
    """A place is left out that misses its line by more than so many times the median."""
    outlier_floor_px: float = 0.06
    """This much more is allowed in any case, px."""


@dataclass(frozen=True, slots=True)
class EdgeProfileTuning:
    """How a step of brightness is found in a profile across an edge."""

    halves_px: tuple[float, float, float] = (3.0, 2.5, 2.0)
    """How far to both sides of an edge brightness may be read, the widest first, px."""
    step_px: float = 0.5
    """In what steps brightness is read, px."""
    blurs_px: tuple[float, float, float, float, float, float] = (0.75, 0.9, 1.05, 1.25, 1.5, 1.8)
    """Blurs of the camera that are tried, one sigma, px."""
    reach_px: float = 2.0
    """How far an edge may be from where it is expected, px."""
    edge_step_px: float = 0.1
    """In what steps it is tried in between, px."""
    round_px: int = 4
    """The picture up to this far round a thing also counts for how sharp the thing is, px."""
    most_rest_share: float = 0.08
    """What is left of a profile that is seen well, as a share of its contrast; others do not
    tell the blur of the camera."""
    noise_levels: float = 1.0
    """Noise of a profile at least, grey levels."""
    noise_factor: float = 1.5
    """An edge is so many times less certain than it says, for neighbouring pixels share their
    noise."""


@dataclass(frozen=True, slots=True)
class DiagnosisTuning:
    """When a picture without a mat is called dark, bright, blurred or mirrored.

    Set by hand; not studied on cameras. `tests/vision/geometry/test_diagnosis.py` holds that
    each fault is recognised in rendered pictures.
    """

    dark_level: int = 55
    """White paper that is no lighter than this grey level is under-exposed."""
    lightest_percent: float = 98.0
    """The paper of the mat is lighter than this percentage of a picture."""
    bright_level: int = 250
    """A pixel is blinded from this grey level on."""
    bright_share: float = 0.25
    """A picture is over-exposed if more than this share of it is blinded."""
    glare_share: float = 0.03
    """A lamp is mirrored in it if more than this share is blinded."""
    flat_levels: int = 25
    """A picture that spans fewer grey levels shows nothing."""
    blur_px: float = 2.5
    """Blur at which small markers can no longer be read, one sigma, px of a picture ..."""
    blur_at_px: int = 1920
    """... as wide as this, px."""
    test_blurs_px: tuple[float, float] = (1.0, 3.0)
    """How much pictures are blurred on purpose to see how blurred they were, one sigma, px."""
    most_blur_px: float = 20.0
    """More blur than this is not told apart, px."""
    steepest_percent: float = 99.97
    """Percentage of the pixels that are less steep than the edges of a few markers."""
    telling_markers: int = 3
    """How many markers of another kind show that they are not there by mistake, count."""


@dataclass(frozen=True, slots=True)
class PoseTuning:
    """When the mat is believed to tell where the camera is.

    Set by hand; not studied one by one. What laid and surveyed mats make of a pose is measured
    by `tests/bench/bench_survey.py`.
    """

    worst_error_px: float = 3.0
    """By how much markers may miss on a mat laid by hand, root mean square, px ..."""
    worst_surveyed_px: float = 1.5
    """... and on a surveyed mat ..."""
    error_at_px: int = 1920
    """... of a picture no wider than this, px; more in proportion in wider ones."""
    worst_sigma_mm: float = 2.0
    """How uncertain the top of a tile may be for the camera's pose alone, one sigma, mm."""
    corner_px: float = 0.3
    """What the place of a marker's corner is worth at best, one sigma, px."""
    outlier_factor: float = 2.5
    """A corner is left out that misses by more than so many times the median."""
    outlier_floor_px: float = 2.0
    """One that misses by less than this stays in any case, px."""
    least_kept_share: float = 0.5
    """Share of the corners seen that must be left."""


@dataclass(frozen=True, slots=True)
class LeastSquaresTuning:
    """How steps towards the least squares are damped, and when they end.

    Usual values for the method (Marquardt 1963); not studied.
    """

    steps: int = 60
    """How many steps a fit may take, count."""
    damping: float = 1e-3
    """How much of each unknown's own curvature is added to it at first ..."""
    harder: float = 8.0
    """... so many times more after a step that made it worse ..."""
    easier: float = 10.0
    """... so many times less after one that made it better ..."""
    least_damping: float = 1e-12
    """... but no less than this ..."""
    most_damping: float = 1e12
    """... and where it comes to this, steps no longer get anywhere."""
    least_gain: float = 1e-8
    """A step that gains a smaller share is the last."""
    ridge: float = 1e-12
    """Keeps unknowns that nothing depends on from spoiling the others."""


@dataclass(frozen=True, slots=True)
class BundleTuning:
    """What is known of lens and sheets before any picture, and which points are left out.

    Priors are wide on purpose, from what webcams and printed paper can be. What a fit reaches
    with them is measured by `tests/bench/bench_survey.py`.
    """

    corner_px: float = 0.2
    """What the place of a corner in the image is worth, one sigma, px; only weighs against the
    priors."""
    sheet_prior_mm_rad: tuple[float, float, float] = (10.0, 10.0, 0.1)
    """How far from its nominal place a sheet may lie, one sigma: x and y in mm and its turn in
    rad; so wide that it only says which of all equal solutions is meant."""
    height_prior_mm: float = 1.0
    """How far paper may stand off the plane, one sigma, mm."""
    lens_prior: tuple[float, float, float, float, float, float, float, float, float] = (
        0.5,
        0.002,
        0.05,
        0.05,
        0.3,
        0.3,
        0.003,
        0.003,
        0.0,
    )
    """One sigma of what is known of any webcam: focal length and its aspect (shares of it),
    principal point x and y (shares of the width of the image), k1, k2, p1, p2, k3; 0 keeps
    the value at the start."""
    outlier_px: float = 1.5
    """Points that miss by more are left out, px ..."""
    outlier_factor: float = 4.0
    """... if they also miss by more than so many times the median."""


LEAST_SQUARES = LeastSquaresTuning()
