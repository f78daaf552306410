"""What stands on the pretend table: the scene that `render` draws."""

import math
from dataclasses import dataclass, field

import numpy as np

from physics.row.pose import Pose
from physics.row.tile import State, Tile
from vision.arrays import Floats
from vision.geometry.boxes import SIGNS, box_of

TABLES = ("wood", "dark", "white", "grey", "felt")
"""The table tops that `render` can draw."""

COLORS = ("ivory", "white", "black", "wood", "red", "yellow", "green", "blue")
"""The colours a tile can have."""


@dataclass(frozen=True, slots=True)
class Solid:
    """One tile as a body in space.

    Attributes:
        tile: its pose is where it stands; a tile in state FALLEN lies flat at its pose, the
            heading along its long edge. A tile without a value carries no marks.
        tilt_rad: how far a standing tile is tipped about its front lower edge, towards its
            heading; negative values tip it backwards about its rear lower edge.
        color: one of `COLORS`.
        lift_mm: height of its lowest edge above the table.
        sticker: how far its marks are off their places: along and across each in mm, and turned
            counter-clockwise in rad.
    """

    tile: Tile
    tilt_rad: float = 0.0
    color: str = "ivory"
    lift_mm: float = 0.0
    sticker: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def size_mm(self) -> tuple[float, float, float]:
        """Extent along the heading, across it, and upwards, before it is tipped."""
        flat = self.tile.state is State.FALLEN
        box = box_of(self.tile.spec, None if flat else self.tile.orientation)
        return (box.depth_mm, box.width_mm, box.height_mm)

    def to_table(self, points_mm: Floats) -> Floats:
        """Take points of the body to the table.

        Args:
            points_mm: along the heading, to the left of it, and up from the centre of the lower
                face of the untipped body, shape (n, 3).

        Returns:
            Table points (x, y, z) in mm, shape (n, 3).
        """
        along, across, up = points_mm.T
        tilt = 0.0 if self.tile.state is State.FALLEN else self.tilt_rad
        edge = math.copysign(self.size_mm[0] / 2, tilt)
        c, s = math.cos(tilt), math.sin(tilt)
        forward = edge + (along - edge) * c + up * s
        height = up * c - (along - edge) * s + self.lift_mm
        pose = self.tile.pose
        nx, ny = pose.normal
        return np.column_stack(
            (pose.x_mm + forward * nx - across * ny, pose.y_mm + forward * ny + across * nx, height)
        )

    def corners_mm(self) -> Floats:
        """The eight corners on the table, shape (8, 3): the lower four first."""
        half = np.array(self.size_mm) / 2
        return self.to_table(SIGNS * half + (0.0, 0.0, half[2]))


@dataclass(frozen=True, slots=True)
class Lamp:
    """The lamp over the table; the room lights the table as well, and stays as it is.

    Attributes:
        x_mm: where it hangs, in table coordinates.
        y_mm: the same.
        z_mm: the same, above the table.
        power: how bright it is, 1 is usual, 0 is off.
    """

    x_mm: float = 90.0
    y_mm: float = 640.0
    z_mm: float = 900.0
    power: float = 1.0

    @property
    def place_mm(self) -> Floats:
        """Where it hangs, shape (3,)."""
        return np.array([self.x_mm, self.y_mm, self.z_mm])


USUAL_LAMP = Lamp()


@dataclass(frozen=True, slots=True)
class Scene:
    """All that an overhead camera could see.

    Attributes:
        solids: the tiles.
        hand: where the fingertips of a hand are, in table mm; None if nobody reaches in.
        table: one of `TABLES`.
        light: brightness of everything, 1 is well lit.
        seed: chooses the grain of the table, the noise of the sensor and whose hand it is.
        gloss: how strongly the table top mirrors the lamp, 0 is matt, 1 blinds the camera there.
        pusher: where the pusher stands: the middle of its tag, heading along the push; None if it
            is not there.
        lamp: where the lamp hangs and how bright it is.
    """

    solids: tuple[Solid, ...] = ()
    hand: tuple[float, float] | None = None
    table: str = "wood"
    light: float = 1.0
    seed: int = 0
    gloss: float = 0.0
    pusher: Pose | None = field(default=None, repr=False)
    lamp: Lamp = field(default=USUAL_LAMP, repr=False)


@dataclass(frozen=True, slots=True)
class RenderStyle:
    """What the pictures of the pretend camera are made of; set by eye."""

    gamma: float = 2.2
    """How the camera codes light."""
    lamp_radius_mm: float = 55.0
    """Radius of the lamp, mm: how soft its shadows are."""
    ambient_share: float = 0.42
    """Share of the light that comes from everywhere; the rest comes from the usual lamp."""
    strip_px_per_mm: int = 8
    """How finely strips of the mat are drawn before they are laid down, px for each mm."""
    paper_bgr: tuple[int, int, int] = (214, 221, 223)
    ink_bgr: tuple[int, int, int] = (26, 25, 27)
    margin_mm: tuple[float, float] = (16.5, 3.0)
    """White paper round the markers of a strip, mm: at its ends, at its sides."""
    lid_bgr: tuple[int, int, int] = (96, 90, 84)
    lid_mm: tuple[float, float] = (60.0, 80.0)
    """The pusher's lid, mm: across the push and along it, its tag in the middle."""
    lid_px_per_mm: int = 8
    """How finely it is drawn, px for each mm."""
    oversampling: int = 4
    """How many times finer tiles are drawn than they are shown, each way."""
    tile_px_per_mm: int = 8
    """How finely the faces of tiles are drawn, px for each mm."""
    bevel_mm: float = 0.4
    """By how much the edges of tiles are rounded off, mm."""
    bevel_share: float = 0.86
    """How bright they are there, as a share of the face."""
    side_share: float = 0.84
    """What an upright side gets of the ambient light, as a share of a level one ..."""
    ambient_rise: tuple[float, float] = (0.62, 0.38)
    """... and any face: if it looks to the side, and how much more if it looks up, shares."""
    sticker_rim_mm: float = 0.35
    """What a sticker leaves free at both sides of an edge too narrow for it, at least, mm."""
    hiding_mm: float = 0.3
    """A tile may reach so far over the plane of another's face and still be before it, mm."""
    largest_tile_px: int = 4000
    """A tile that would be larger is not drawn, px: it is about to touch the lens."""
    tile_blur_sigmas: int = 3
    """How far the blur of the camera spreads a tile, in sigmas ..."""
    paper_blur_sigmas: int = 4
    """... and paper."""
    paper_room_px: int = 3
    """Room round a sheet of paper, px, besides its blur."""
    paper_rim_points: int = 9
    """At how many points of each side the outline of a sheet is projected, count."""
    shadow_reach_mm: float = 70.0
    """No tile throws its shadow on one farther away, mm."""
    shadow_room_px: int = 12
    """How far shadows are blurred beyond what they cover, px."""
    shadow_blur_px: float = 1.2
    """One sigma of their softness on the table besides that of the lamp, px at half size."""
    table_lamp_spots: int = 8
    """As so many shining spots the lamp throws shadows on the table, count ..."""
    tile_lamp_spots: int = 4
    """... and on tiles."""
    lamp_spot_turn_rad: float = 2.399963
    """The golden angle, rad: by it each of them is turned from the one before."""
    touch_share: float = 0.35
    """Light that is missing where a tile touches the table, as a share ..."""
    touch_blur_px: float = 4.5
    """... one sigma of how far that spreads, px at half size ..."""
    touch_spread: float = 1.15
    """... from its foot, enlarged by this factor."""
    fine_bits: int = 4
    """Fractional bits of the outlines of shadows, count."""
    map_step_px: int = 16
    """From pixel to pixel this far apart it is worked out where on the table they look, px."""
    rows_at_once: int = 64
    """Rows of a picture computed at once, few enough for the processor's cache, px."""
    glare_spread: float = 1.3
    """How much larger than the lamp its picture in a glossy table is."""
    vignette_share: float = 0.25
    """Light lost at one picture width from the middle of the picture, as a share."""
    grain_turn_rad: float = 0.35
    """By how much the grain of a table may be turned to either side, rad."""
    grain_wave_mm: float = 9.0
    """How far its lines swing to either side, mm ..."""
    grain_wave_per_rad_mm: tuple[float, float] = (150, 260)
    """... and what length of them makes one radian of that, least and most, mm."""
    top_px_per_mm: float = 1.6
    """How finely the top of the table is drawn before it is laid down, px for each mm."""
    noise_room_px: int = 64
    """How much larger than a picture the field of noise is from which it is cut, px."""
    lowest_lamp_mm: float = 300.0
    """A lamp hangs at least so high, above tiles and hands, mm."""
    camera_px: tuple[int, int] = (1920, 1080)
    """Width and height of the pictures, px."""
    optical_centre_px: tuple[float, float] = (957.3, 541.8)
    """Where the axis of the lens meets them, px."""
    aim_mm: tuple[float, float] = (300.0, 210.0)
    """What the camera looks at and where light is measured, mm: the middle of the work area."""
    tilt_rad: float = math.radians(9.0)
    """How far the usual camera leans from straight down, rad ..."""
    side_rad: float = math.radians(-80.0)
    """... and on which side of the table it hangs, counter-clockwise from table x, rad."""


RENDER = RenderStyle()
