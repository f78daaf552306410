"""All that can be set of how an eye looks, in one object: a field for each stage."""

from dataclasses import dataclass, field

from vision.tuning.calibration import (
    AimCheckTuning,
    LensFitTuning,
    MatSurveyTuning,
    PhotoLensTuning,
    PoseAverageTuning,
    PoseFollowTuning,
    StripSlipTuning,
    ViewCheckTuning,
)
from vision.tuning.capture import PhotoTuning
from vision.tuning.geometry import (
    BundleTuning,
    CornerTuning,
    DiagnosisTuning,
    EdgeProfileTuning,
    MarkerTuning,
    PoseTuning,
)
from vision.tuning.look import EyeTuning, FilmTuning, MatchingTuning, ObserveTuning, TrackTuning
from vision.tuning.marks import (
    BaseEdgeTuning,
    CandidateTuning,
    FallenValueTuning,
    FuseTuning,
    LateMarkTuning,
    LocateTuning,
    MarkFitTuning,
    SideMarkTuning,
    UnevenLightTuning,
)
from vision.tuning.pusher_tag import PusherBodyTuning, TagTuning
from vision.tuning.unmarked import (
    BackgroundTuning,
    BeliefTuning,
    CarryOverTuning,
    ChangedAreaTuning,
    CollapsedRowTuning,
    EdgeFitTuning,
    FirstBackgroundTuning,
    GlareTuning,
    GrainTuning,
    LampTuning,
    RefineTuning,
    ResidualTuning,
    SearchTuning,
    SunlightTuning,
    TopFaceTuning,
)


@dataclass(frozen=True, slots=True)
class Tuning:
    """The numbers of every stage.

    Each stage has an object of its own; its fields carry their unit, and what chose them is
    said there. For another camera, give `Eye` one that differs:

    >>> from dataclasses import replace
    >>> noisy = replace(TUNING.background, least_step_levels=12.0)
    >>> tuning = replace(TUNING, background=noisy)
    """

    markers: MarkerTuning = field(default_factory=MarkerTuning)
    corners: CornerTuning = field(default_factory=CornerTuning)
    edge_profile: EdgeProfileTuning = field(default_factory=EdgeProfileTuning)
    diagnosis: DiagnosisTuning = field(default_factory=DiagnosisTuning)
    pose: PoseTuning = field(default_factory=PoseTuning)
    bundle: BundleTuning = field(default_factory=BundleTuning)
    candidates: CandidateTuning = field(default_factory=CandidateTuning)
    mark_fit: MarkFitTuning = field(default_factory=MarkFitTuning)
    side_mark: SideMarkTuning = field(default_factory=SideMarkTuning)
    base_edge: BaseEdgeTuning = field(default_factory=BaseEdgeTuning)
    fuse: FuseTuning = field(default_factory=FuseTuning)
    locate: LocateTuning = field(default_factory=LocateTuning)
    late_marks: LateMarkTuning = field(default_factory=LateMarkTuning)
    uneven_light: UnevenLightTuning = field(default_factory=UnevenLightTuning)
    fallen_values: FallenValueTuning = field(default_factory=FallenValueTuning)
    background: BackgroundTuning = field(default_factory=BackgroundTuning)
    first_background: FirstBackgroundTuning = field(default_factory=FirstBackgroundTuning)
    glare: GlareTuning = field(default_factory=GlareTuning)
    grain: GrainTuning = field(default_factory=GrainTuning)
    sunlight: SunlightTuning = field(default_factory=SunlightTuning)
    lamps: LampTuning = field(default_factory=LampTuning)
    residual: ResidualTuning = field(default_factory=ResidualTuning)
    edge_fit: EdgeFitTuning = field(default_factory=EdgeFitTuning)
    search: SearchTuning = field(default_factory=SearchTuning)
    belief: BeliefTuning = field(default_factory=BeliefTuning)
    collapsed_row: CollapsedRowTuning = field(default_factory=CollapsedRowTuning)
    top_faces: TopFaceTuning = field(default_factory=TopFaceTuning)
    refine: RefineTuning = field(default_factory=RefineTuning)
    carry_over: CarryOverTuning = field(default_factory=CarryOverTuning)
    changed_area: ChangedAreaTuning = field(default_factory=ChangedAreaTuning)
    tag: TagTuning = field(default_factory=TagTuning)
    pusher_body: PusherBodyTuning = field(default_factory=PusherBodyTuning)
    pose_follow: PoseFollowTuning = field(default_factory=PoseFollowTuning)
    pose_average: PoseAverageTuning = field(default_factory=PoseAverageTuning)
    strip_slip: StripSlipTuning = field(default_factory=StripSlipTuning)
    mat_survey: MatSurveyTuning = field(default_factory=MatSurveyTuning)
    lens_fit: LensFitTuning = field(default_factory=LensFitTuning)
    photo_lens: PhotoLensTuning = field(default_factory=PhotoLensTuning)
    photo: PhotoTuning = field(default_factory=PhotoTuning)
    aim_check: AimCheckTuning = field(default_factory=AimCheckTuning)
    view_check: ViewCheckTuning = field(default_factory=ViewCheckTuning)
    eye: EyeTuning = field(default_factory=EyeTuning)
    matching: MatchingTuning = field(default_factory=MatchingTuning)
    track: TrackTuning = field(default_factory=TrackTuning)
    film: FilmTuning = field(default_factory=FilmTuning)
    observe: ObserveTuning = field(default_factory=ObserveTuning)


TUNING = Tuning()
