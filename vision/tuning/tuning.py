"""All that can be set of how an eye looks, in one object: a field for each stage."""

from dataclasses import dataclass, field

from vision.tuning import calibration, capture, geometry, look, marks, pusher_tag, unmarked


@dataclass(frozen=True, slots=True)
class Tuning:
    """The numbers of every stage.

    Each stage has an object of its own; its fields carry their unit, and what chose them is
    said there. For another camera, give `Eye` one that differs:

    >>> from dataclasses import replace
    >>> noisy = replace(TUNING.background, least_step_levels=12.0)
    >>> tuning = replace(TUNING, background=noisy)
    """

    markers: geometry.MarkerTuning = field(default_factory=geometry.MarkerTuning)
    corners: geometry.CornerTuning = field(default_factory=geometry.CornerTuning)
    edge_profile: geometry.EdgeProfileTuning = field(default_factory=geometry.EdgeProfileTuning)
    diagnosis: geometry.DiagnosisTuning = field(default_factory=geometry.DiagnosisTuning)
    pose: geometry.PoseTuning = field(default_factory=geometry.PoseTuning)
    bundle: geometry.BundleTuning = field(default_factory=geometry.BundleTuning)
    candidates: marks.CandidateTuning = field(default_factory=marks.CandidateTuning)
    mark_fit: marks.MarkFitTuning = field(default_factory=marks.MarkFitTuning)
    side_mark: marks.SideMarkTuning = field(default_factory=marks.SideMarkTuning)
    base_edge: marks.BaseEdgeTuning = field(default_factory=marks.BaseEdgeTuning)
    fuse: marks.FuseTuning = field(default_factory=marks.FuseTuning)
    locate: marks.LocateTuning = field(default_factory=marks.LocateTuning)
    late_marks: marks.LateMarkTuning = field(default_factory=marks.LateMarkTuning)
    uneven_light: marks.UnevenLightTuning = field(default_factory=marks.UnevenLightTuning)
    fallen_values: marks.FallenValueTuning = field(default_factory=marks.FallenValueTuning)
    background: unmarked.BackgroundTuning = field(default_factory=unmarked.BackgroundTuning)
    first_background: unmarked.FirstBackgroundTuning = field(
        default_factory=unmarked.FirstBackgroundTuning
    )
    glare: unmarked.GlareTuning = field(default_factory=unmarked.GlareTuning)
    grain: unmarked.GrainTuning = field(default_factory=unmarked.GrainTuning)
    sunlight: unmarked.SunlightTuning = field(default_factory=unmarked.SunlightTuning)
    lamps: unmarked.LampTuning = field(default_factory=unmarked.LampTuning)
    residual: unmarked.ResidualTuning = field(default_factory=unmarked.ResidualTuning)
    edge_fit: unmarked.EdgeFitTuning = field(default_factory=unmarked.EdgeFitTuning)
    search: unmarked.SearchTuning = field(default_factory=unmarked.SearchTuning)
    belief: unmarked.BeliefTuning = field(default_factory=unmarked.BeliefTuning)
    collapsed_row: unmarked.CollapsedRowTuning = field(default_factory=unmarked.CollapsedRowTuning)
    top_faces: unmarked.TopFaceTuning = field(default_factory=unmarked.TopFaceTuning)
    refine: unmarked.RefineTuning = field(default_factory=unmarked.RefineTuning)
    carry_over: unmarked.CarryOverTuning = field(default_factory=unmarked.CarryOverTuning)
    changed_area: unmarked.ChangedAreaTuning = field(default_factory=unmarked.ChangedAreaTuning)
    tag: pusher_tag.TagTuning = field(default_factory=pusher_tag.TagTuning)
    pusher_body: pusher_tag.PusherBodyTuning = field(default_factory=pusher_tag.PusherBodyTuning)
    pose_follow: calibration.PoseFollowTuning = field(default_factory=calibration.PoseFollowTuning)
    pose_average: calibration.PoseAverageTuning = field(
        default_factory=calibration.PoseAverageTuning
    )
    strip_slip: calibration.StripSlipTuning = field(default_factory=calibration.StripSlipTuning)
    mat_survey: calibration.MatSurveyTuning = field(default_factory=calibration.MatSurveyTuning)
    lens_fit: calibration.LensFitTuning = field(default_factory=calibration.LensFitTuning)
    photo_lens: calibration.PhotoLensTuning = field(default_factory=calibration.PhotoLensTuning)
    photo: capture.PhotoTuning = field(default_factory=capture.PhotoTuning)
    aim_check: calibration.AimCheckTuning = field(default_factory=calibration.AimCheckTuning)
    view_check: calibration.ViewCheckTuning = field(default_factory=calibration.ViewCheckTuning)
    eye: look.EyeTuning = field(default_factory=look.EyeTuning)
    matching: look.MatchingTuning = field(default_factory=look.MatchingTuning)
    track: look.TrackTuning = field(default_factory=look.TrackTuning)
    film: look.FilmTuning = field(default_factory=look.FilmTuning)
    observe: look.ObserveTuning = field(default_factory=look.ObserveTuning)


TUNING = Tuning()
