"""How looks are compared, over time and during a fall."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EyeTuning:
    """When one look need not look again at what the last one showed.

    Set by hand; not studied one by one. What a look takes in a game is measured by
    `tests/bench/bench_turn.py`.
    """

    thumb_halved: int = 2
    """A frame is compared with the last at half size halved so often, count."""
    thumb_levels: int = 6
    """It is the same if no pixel differs by more grey levels."""
    lying_s: float = 20.0
    """What has come in over the edge of the picture and has not moved for so long is no hand, s:
    nobody holds a hand so still."""
    moved_px: float = 2.0
    """A camera that shifts the picture by more than this needs a new background, px."""
    news_mm: float = 60.0
    """How far round the news a tile reaches at most that is looked for there, mm."""
    clearer: float = 1.1
    """Everything is read again, also what has not changed, once the markers are more than this many
    times as sharp as when it was read. On 9501 and `s13` to `s26`, frames that are shaken by 1 to
    3 px have .45 to .95 of the sharpness of steady ones, which differ by .02 at most."""
    most_columns_px: int = 2560
    """Wider pictures are shrunk to this, px: what they show more is grain, which numbers in pixels
    do not expect."""
    least_side_px: int = 1920
    """A picture whose longer side is shorter than this is enlarged to it before tiles without marks
    are looked for, px: most other numbers in pixels were set on pictures 1920 px wide.
    At 720 rows .966 of such tiles are found on 9101 instead of .922, and .905 instead of .869 on
    9993. Marks are read in the picture as taken: enlarged, three on 9101 were misread."""
    same_mm: float = 1.5
    """A mark read again no farther away than this is that of the same tile, unmoved, mm."""
    heap_share: float = 0.5
    """If at least this share of the tiles that fell is found lying, what seems to be a thing where
    they stood is a heap of them. Of 417 hard tables two showed a heap that wide (7311 and 10005,
    both table 29): all of their 25 fallen tiles are found, 7 were without this rule."""
    row_wide_mm: float = 64.0
    """What seems to lie there and is no wider than this may be a row of tiles that stand close
    together, mm as seen on the table: tiles on their long edges look up to 60 wide ..."""
    row_share: float = 0.75
    """... and is one if the tiles that are found there, with what is between them, cover at least
    this share of it ..."""
    dense_mm: float = 25.0
    """... where what is between two tiles counts if their middles are less than this apart, mm."""
    standing_for_one: int = 3
    """Where nobody knows what stood, nothing is taken to have fallen if so many tiles stand for
    each that seems to lie, count: at 720 rows two faces of a tile that stands look like one that
    lies."""


@dataclass(frozen=True, slots=True)
class MatchingTuning:
    """Which tile of one look is which of the next.

    Set by hand, then held to random looks that shake, miss and misread tiles several times as
    often as is measured (`tests/vision/look/test_track_sequences.py`): see "Over time" in
    `tests/bench/RESULTS.md`.
    """

    rough_mm: float = 10.0
    """Tiles of which only the outline is seen are the same if no farther apart than this, mm."""
    spot_mm: float = 1.5
    """No hand puts a tile so exactly where another one stood, mm ..."""
    spot_rad: float = math.radians(3.0)
    """... and so straight, rad: it is the same tile, misread."""
    sigmas: float = 4.0
    """So many sigmas of a place are added to both, and to what counts as moved."""
    fall_reach_lengths: float = 1.6
    """How far a tile can come to lie from where it stood, in tile lengths."""
    fall_across_mm: float = 12.0
    """How far sideways it may come to lie, mm; more than a clean fall does."""
    fall_turn_rad: float = math.radians(20.0)
    """How much turned, rad."""


@dataclass(frozen=True, slots=True)
class TrackTuning:
    """How long looks must agree before anything is said of the row.

    Set by hand, then held to the same random looks as `MatchingTuning`: nothing false is said
    of a row that nobody touches, and what changes is told after 2 looks in the median.
    """

    moved_mm: float = 1.2
    """A tile of the row was moved if it is farther from its place than this, mm ..."""
    moved_rad: float = math.radians(2.5)
    """... or more turned, rad, `MatchingTuning.sigmas` added."""
    back_share: float = 0.7
    """A tile that was said to have moved is back once it is nearer than this share of the bound."""
    hold_looks: int = 2
    """So many looks in a row may fail to show a tile before it is missed, count."""
    believe_looks: int = 8
    """So many looks in a row must read a tile anew before it is another one, count."""
    gone_looks: int = 3
    """A tile of the row that is nowhere to be seen for so many agreed looks may have been
    knocked, count."""


@dataclass(frozen=True, slots=True)
class FilmTuning:
    """What counts as movement, rest and a hand in the film of a fall.

    Set by hand on rendered films, sharp and smeared; what they reach at 15 to 60 frames a
    second is measured by `tests/bench/bench_fall.py`: see "A fall" in `tests/bench/RESULTS.md`.
    """

    stir_levels: int = 12
    """Something moves if points of the half-size picture differ by so many grey levels ..."""
    stir_points: int = 10
    """... and so many of them do, count."""
    rest_looks: int = 8
    """A row is at rest after so many quiet frames in a row, count ..."""
    rest_s: float = 0.3
    """... over so much time, s."""
    most_frames: int = 120
    """More frames of one fall than this are thinned out, every second one, count."""
    change_levels: float = 22.0
    """A point of the picture has changed if a colour of it differs by so many grey levels."""
    begun_share: float = 0.3
    """A tile has begun to move when this share of its upper edge has changed."""
    stirred_share: float = 0.6
    """It was touched if ever so much of it had: more than a shadow or an arm beside it covers."""
    hand_levels: float = 40.0
    """A hand differs from the table beside the row by so many grey levels ..."""
    hand_mm2: float = 2500.0
    """... on so much of it, mm2."""
    hand_frames: int = 16
    """It is looked for in at most so many frames, count."""
    pusher_mm: float = 150.0
    """How far behind the first tile the pusher may move, mm."""
    pusher_room_mm: float = 20.0
    """How much more room it is given, mm."""
    reach_lengths: float = 2.0
    """How far from its place a tile of the row may be while it falls, in tile lengths."""
    rim_mm: float = 1.6
    """By how much the points of an upper edge keep off its rim, both sides together, mm ..."""
    top_rows: int = 5
    """... in how many rows along it they lie, count ..."""
    body_layers: int = 5
    """... and in how many layers from foot to top those of a whole body, count."""
    disc_points: int = 24
    """At how many points round a disc on the table is drawn, count."""
    scale_mm: float = 50.0
    """Radius of the disc that tells how large the table is in the picture at the row, mm."""


@dataclass(frozen=True, slots=True)
class ObserveTuning:
    """When a tile is down, and how sure that is.

    Set by hand on the same films as `FilmTuning`. How sure each judgement is was set by hand
    too: what people should look at comes out below 0.8. It is no measured frequency.
    """

    same_mm: float = 3.0
    """A mark no farther than this from where it was, mm ..."""
    same_rad: float = math.radians(4.0)
    """... and no more turned, rad, belongs to a tile that never left its place."""
    near_mm: float = 60.0
    """A mark farther away than this from its tile's place is a misreading, mm."""
    doubted_sure: float = 0.4
    """How sure a verdict can be at most of a fall of which something was not seen as it should
    be, 0..1."""
    hidden_sure: float = 0.4
    """The same of one tile, where at the end the table was not seen."""
    in_place_sure: float = 0.99
    """How sure a tile stands whose mark is where it was, 0..1."""
    tipped_sure: float = 0.85
    """How sure one is down whose mark moved as in a fall."""
    unclear_sure: float = 0.5
    """How sure anything else is."""
    like: float = 0.8
    """A tile stands whose upper edge looks as before, correlation from here on."""
    unlike: float = 0.6
    """It is surely down if it looks less like it than this."""
    picture_stands_sure: float = 0.95
    """How sure a tile stands whose upper edge looks as before, 0..1."""
    picture_gone_sure: float = 0.97
    """How sure one is down whose upper edge is gone."""
    picture_changed_sure: float = 0.7
    """How sure one is down whose upper edge has changed."""
    end_held_share: float = 0.93
    """A tile stands if this share of one end of its upper edge is unchanged."""
    end_stands_sure: float = 0.6
    """How sure that is, 0..1."""
    end_parts: int = 3
    """An end is one part of so many along the edge, count."""
    body_held_share: float = 0.85
    """A tile without a mark stands if this share of its body looks as before."""
    body_gone_share: float = 0.6
    """It is surely down if less than this does."""
    top_held_share: float = 0.7
    """It surely stands if this share of its upper edge does."""
    body_sure: float = 0.85
    """How sure either is, 0..1."""
    body_unsure: float = 0.6
    """How sure it is in between."""
    lean_share: float = 0.7
    """A tile that moved by this share of what it takes to lose its balance is down."""
    sigmas: int = 3
    """So many sigmas of a place count as the same place."""
    most_gain: float = 2.0
    """By what factor the light may have changed between the first frame and the last."""


@dataclass(frozen=True, slots=True)
class ScoreTuning:
    """When a tile counts as found, and what `domino-rig see --score` asks for.

    What is reached on which tables is told in `tests/bench/RESULTS.md`, see "Eye".
    """

    standing_mm: float = 10.0
    """A standing tile counts as found if something is reported within this distance, mm ..."""
    fallen_mm: float = 15.0
    """... and a fallen one within this, mm."""
    percents: tuple[float, float] = (50, 95)
    """Which percentiles of errors are told: the median and one of the worst."""
    marked_share: float = 0.995
    """How many of the marked standing tiles must be found ..."""
    small_marked_share: float = 0.97
    """... and in pictures of 720 rows."""
    unread_share: float = 0.01
    """How many of them may go unread."""
    marked_mm: tuple[float, float] = (0.20, 0.32)
    """How far off they may be, mm: median, and 95 of 100 ..."""
    marked_deg: tuple[float, float] = (math.inf, 0.70)
    """... and how far turned, degrees."""
    unmarked_share: float = 0.95
    """How many of the unmarked standing tiles must be found ..."""
    unmarked_mm: tuple[float, float] = (math.inf, 2.5)
    """... and how far off they may be, mm: median, and 95 of 100."""
    fallen_share: float = 0.95
    """How many of the fallen tiles must be found."""
    alarm_share: float = 1.0
    """In how many of the frames with fallen tiles some must be found ..."""
    false_alarm_share: float = 0.03
    """... and in how many of those without some may be."""
    precision: float = 0.98
    """How much of what is reported must be there, where no hand is."""
    exact_share: float = 0.93
    """In how many frames without a hand as many tiles must be reported as there are."""
    new_share: float = 0.97
    """How often the one new tile must be right."""
    new_elsewhere_share: float = 0.01
    """How often it may be told where it is not, and so be written down."""


@dataclass(frozen=True, slots=True)
class CollectedTuning:
    """How frames that people hand on are kept and blurred.

    Set by hand; not studied. That an eye sees the same in a blurred frame is tested.
    """

    jpeg_quality: int = 95
    """Of a kept frame, percent: artefacts of less would be the project's and not the camera's."""
    margin_mm: float = 12.0
    """So far around the mat and the tiles the picture stays sharp, mm: their edges are measured."""
    hand_margin_mm: float = 2.0
    """... and where a hand is over the table no farther than this, mm."""
    squares: int = 40
    """Of so many squares a blurred picture is wide, count: a face is a handful of them."""


SCORE = ScoreTuning()
COLLECTED = CollectedTuning()
