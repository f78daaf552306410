"""Tables as people have them, for `draw_tables --hard`: cloth, things, hard lamps, a poor camera.

Everything is drawn flat and cheaply over what `vision.render` draws of tiles, mat and hand: a cloth
as a texture, things as prisms, each lamp's light less what bodies keep from it, and at last what a
cheap camera makes of it. Nothing here follows the frames in the shared folder one by one.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import cv2
import numpy as np

from tests.support.faulty_camera import Sensor
from vision.arrays import Floats, Image
from vision.geometry.camera_pose import CameraPose, project
from vision.geometry.lens import Intrinsics
from vision.geometry.mat import load_mat
from vision.marks.sticker import marks_on
from vision.render.hand import draw_hand
from vision.render.render import grainy, render
from vision.render.scene import Lamp, Scene
from vision.render.tabletop import table_map
from vision.render.tile_boxes import BGR, back_to_front, draw_solid

PX_MM = 3.0
CORNER_MM, SIZE_MM = (-350.0, -350.0), (1300.0, 1120.0)
PHOTO_MM = (120.0, 260.0)
"""How much of a table top a photo is taken to show, across: about what textures show."""
CLEAR_MM = 35.0
"""No tile stands so near to a thing."""
WORDS = (
    "market",
    "rain",
    "mayor",
    "goals",
    "harbour",
    "tram",
    "winter",
    "choir",
    "bridge",
    "night",
)
DARK = ((38, 34, 150), (150, 96, 40), (70, 110, 50), (45, 42, 40))
PALE = ((190, 205, 214), (60, 150, 205), (206, 200, 190))
COLOURS = (*DARK, *PALE)


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """Something that lies on the table: an outline in mm, shape (n, 2), as high everywhere."""

    kind: str
    outline: Floats
    height_mm: float
    bgr: tuple[float, float, float]

    @property
    def corners_mm(self) -> Floats:
        """The lower corners and the upper ones, shape (2 n, 3)."""
        flat = np.zeros((len(self.outline), 1))
        return np.vstack([np.hstack([self.outline, flat + z]) for z in (0.0, self.height_mm)])


@dataclass(frozen=True, slots=True)
class Light:
    """A lamp, or the sun far away: what share of the light it gives, and how large it shines."""

    place_mm: tuple[float, float, float]
    share: float
    radius_mm: float
    stripe: tuple[float, float, float] | None = None
    """The sun falls through a window: direction in rad, middle and half width in mm."""


@dataclass(frozen=True, slots=True, eq=False)
class Room:
    """What all frames of a table have in common."""

    pattern: str
    cloth: Image
    things: tuple[Thing, ...]
    lights: tuple[Light, ...]
    balance: tuple[float, float, float]
    gamma: float
    sharpening: float
    quality: int
    gloss: float


def room_of(rng: Random, pattern: int, color: str, photos: Sequence[Path] = ()) -> Room:
    """Draw a room: its cloth by number, everything else by chance.

    Half of the drawn cloths are about as light as tiles of the colour given, and of its tint.

    Args:
        rng: chance.
        pattern: which cloth, or which photo.
        color: of most tiles.
        photos: of table tops; if there are any, they are taken instead of drawn cloths.
    """
    kinds = list(CLOTHS)
    kind = kinds[pattern % len(kinds)]
    noise = np.random.default_rng(rng.randrange(1 << 30))
    if photos:
        photo = photos[pattern % len(photos)]
        kind, cloth = photo.stem, photographed(photo, rng)
    else:
        cloth = CLOTHS[kind](rng, noise)
        if rng.random() < 0.5:
            alike = np.array(BGR[color]) * rng.uniform(0.8, 1.05)
            toned = 0.55 * (cloth.astype(np.float32) - cloth.mean(axis=(0, 1))) + alike
            cloth = np.clip(toned, 0, 255).astype(np.uint8)
        cloth = _worn(cloth, noise)
    return Room(
        kind,
        cloth,
        tuple(thing(rng) for _ in range(rng.choice((0, 1, 1, 2, 3)))),
        _lights(rng),
        tuple(rng.uniform(0.92, 1.08) for _ in range(3)),
        rng.uniform(0.85, 1.15),
        rng.choice((0.0, 0.6, 1.0, 1.4)),
        rng.randint(45, 80),
        rng.choice((0.0, 0.0, 0.4, 0.8)),
    )


def _lights(rng: Random) -> tuple[Light, ...]:
    def lamp(share: float, radius_mm: float) -> Light:
        turn, far = rng.uniform(-math.pi, math.pi), rng.uniform(250, 700)
        place = (300 + far * math.cos(turn), 210 + far * math.sin(turn), rng.uniform(350, 900))
        return Light(place, share, radius_mm)

    match rng.randrange(4):
        case 0:
            return (lamp(rng.uniform(0.5, 0.75), rng.uniform(2, 15)),)
        case 1:
            return (lamp(0.35, rng.uniform(2, 30)), lamp(0.3, rng.uniform(2, 30)))
        case 2:
            far = (rng.choice((-1, 1)) * rng.uniform(3e3, 5e3), rng.uniform(-2e3, 4e3), 4e3)
            width = rng.uniform(30, 120)
            stripe = (rng.uniform(-0.8, 0.8), rng.uniform(150, 450), width)
            return (Light(far, 0.6, 20.0, stripe), lamp(0.2, 60.0))
        case _:
            return (lamp(rng.uniform(0.3, 0.5), rng.uniform(60, 150)),)


def thing(rng: Random) -> Thing:
    """Something near the edge of the work area, or in its way."""
    kind = rng.choice(("phone", "cup", "key", "card", "pencil", "book"))
    sides = {
        "phone": (74, 150, 8),
        "cup": (80, 80, 85),
        "key": (60, 22, 3),
        "card": (59, 91, 0.4),
        "pencil": (170, 7, 7),
        "book": (130, 190, 22),
    }
    across, along, height = sides[kind]
    if kind == "cup":
        turns = np.linspace(0, 2 * math.pi, 24, endpoint=False)
        shape = np.column_stack([np.cos(turns), np.sin(turns)]) * across / 2
    else:
        shape = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (across / 2, along / 2)
    turn = rng.uniform(-math.pi, math.pi)
    c, s = math.cos(turn), math.sin(turn)
    edge = rng.random() < 0.6
    at = (rng.choice((40, 560)) if edge else rng.uniform(60, 540), rng.choice((50, 370)))
    bgr = (32, 30, 30) if kind == "phone" else rng.choice(COLOURS)
    return Thing(kind, shape @ np.array([[c, s], [-s, c]]) + at, height, bgr)


def clear_of(room: Room, scene: Scene) -> Room:
    """The same room without things on which a tile stands."""
    feet = [solid.corners_mm()[:4, :2].mean(axis=0) for solid in scene.solids]

    def off_mm(each: Thing) -> float:
        outline = each.outline.astype(np.float32)
        inside = (cv2.pointPolygonTest(outline, (float(x), float(y)), True) for x, y in feet)
        return -max(inside, default=-math.inf)

    free = tuple(each for each in room.things if off_mm(each) > CLEAR_MM)
    return replace(room, things=free)


def draw_room(
    scene: Scene, room: Room, lens: Intrinsics, pose: CameraPose, sensor: Sensor
) -> Image:
    """Draw what the camera of such a room sees of a scene."""
    width, height = lens.width, lens.height
    plain = render(replace(scene, solids=(), hand=None, table="white"), lens, pose, Sensor(0, 0))
    where = table_map((0, 0, width, height), 1, pose, lens)
    across = ((where[..., 0] - CORNER_MM[0]) * PX_MM).astype(np.float32)
    along = ((where[..., 1] - CORNER_MM[1]) * PX_MM).astype(np.float32)
    image = cv2.remap(room.cloth, across, along, cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT)
    paper = _paper(lens, pose)
    image[paper] = plain[paper]
    bodies = [solid.corners_mm() for solid in scene.solids]
    bodies += [each.corners_mm for each in room.things]
    light = _light(room.lights, bodies, where, lens, pose)
    lit = image * (light ** (1 / 2.2))[..., None]
    if room.gloss:
        lit += (255 * room.gloss * _mirrored(room.lights[-1], where, pose))[..., None]
    image = np.clip(lit, 0, 255).astype(np.uint8)
    for each in sorted(room.things, key=lambda each: -_far(each, pose)):
        _draw_thing(image, each, lens, pose)
    image = cv2.GaussianBlur(image, (0, 0), sensor.blur_px)
    main = max(room.lights, key=lambda one: one.share)
    lamp = Lamp(*main.place_mm, power=1.0) if main.place_mm[2] < 2e3 else scene.lamp
    for solid in back_to_front(scene.solids, pose.centre_mm):
        printed = marks_on(solid.tile.spec)
        patch = draw_solid(solid, scene.solids, printed, lamp, pose, lens, sensor.blur_px)
        if patch is not None:
            x, y = solid.corners_mm()[4:, :2].mean(axis=0)
            shade = float(np.clip(_open(room.lights, (x, y)), 0.5, 1.5)) ** (1 / 2.2)
            patch.bgra[..., :3] = cv2.convertScaleAbs(patch.bgra[..., :3], alpha=shade)
            patch.lay_on(image)
    if scene.hand is not None:
        draw_hand(image, scene.hand, scene.seed, lamp, pose, lens)
    return taken(image, scene, room, sensor)


def taken(image: Image, scene: Scene, room: Room, sensor: Sensor) -> Image:
    """What the camera makes of it: shake, white balance, sharpening, noise."""
    if sensor.shake_px > 0:
        size = 2 * math.ceil(sensor.shake_px) + 1
        kernel = np.zeros((size, size), np.float32)
        way = np.array([math.cos(sensor.shake_rad), math.sin(sensor.shake_rad)])
        ends = [np.round(size // 2 + part * way * sensor.shake_px).astype(int) for part in (-1, 1)]
        cv2.line(kernel, *(tuple(map(int, end)) for end in ends), 1.0)
        image = cv2.filter2D(image, -1, kernel / kernel.sum())
    levels = np.arange(256, dtype=np.float64)
    coded = [(levels / 255) ** room.gamma * 255 * by * scene.light for by in room.balance]
    curve = np.clip(np.column_stack(coded), 0, 255).round().astype(np.uint8)[None]
    image = np.asarray(cv2.LUT(image, curve), np.uint8)
    if room.sharpening:
        soft = cv2.GaussianBlur(image, (0, 0), 1.2)
        image = cv2.addWeighted(image, 1 + room.sharpening, soft, -room.sharpening, 0)
    return grainy(np.asarray(image, np.uint8), sensor.noise, repr(scene))


def _far(each: Thing, pose: CameraPose) -> float:
    return float(np.linalg.norm(each.outline.mean(axis=0) - pose.centre_mm[:2]))


def _paper(lens: Intrinsics, pose: CameraPose) -> np.ndarray:
    """Where the strips of the mat are, shape (rows, columns)."""
    mat, covered = load_mat(), np.zeros((lens.height, lens.width), np.uint8)
    for strip in mat.strips:
        corners = np.concatenate([mat.corners_mm[i] for i in strip])
        low, high = corners.min(axis=0), corners.max(axis=0)
        lies = high[0] - low[0] > high[1] - low[1]
        margin = np.array((16.0, 2.5) if lies else (2.5, 16.0))
        (left, near), (right, far) = low - margin, high + margin
        ring = np.array([(left, near, 0), (right, near, 0), (right, far, 0), (left, far, 0.0)])
        cv2.fillConvexPoly(covered, np.round(project(ring, pose, lens)).astype(np.int32), 1)
    return covered > 0


def _open(lights: Sequence[Light], at_mm: tuple[float, float]) -> float:
    """The light at a place on which no shadow falls; 1 is usual."""
    where = np.array([[at_mm]], np.float32)
    share = 1.0 - sum(each.share for each in lights)
    return share + sum(float(_given(each, where)[0, 0]) for each in lights)


def _given(light: Light, where: np.ndarray) -> np.ndarray:
    """What a light gives to each place, without shadows."""
    x, y, z = light.place_mm
    flat = (where[..., 0] - x) ** 2 + (where[..., 1] - y) ** 2
    middle = math.hypot(x - 300, y - 210, z)
    given = light.share * (middle / np.sqrt(flat + z * z)) ** 3
    if light.stripe is not None:
        turn, middle_mm, half_mm = light.stripe
        off = where[..., 0] * math.cos(turn) + where[..., 1] * math.sin(turn) - middle_mm
        given = given * 1.6 * np.clip((half_mm - np.abs(off)) / 4.0, 0.0, 1.0)
    return np.asarray(given, np.float32)


def _light(
    lights: Sequence[Light],
    bodies: Sequence[Floats],
    where: np.ndarray,
    lens: Intrinsics,
    pose: CameraPose,
) -> np.ndarray:
    """The light on the table at every pixel, with the shadows that bodies throw; 1 is usual."""
    total = np.full(where.shape[:2], 1.0 - sum(each.share for each in lights), np.float32)
    for light in lights:
        spots = 1 if light.radius_mm < 5 else 9
        dark = np.zeros(where.shape[:2], np.float32)
        for n in range(spots):
            turn, far = n * 2.4, light.radius_mm * math.sqrt((n + 0.5) / spots)
            x, y, z = light.place_mm
            spot = np.array([x + far * math.cos(turn), y + far * math.sin(turn), z])
            mask = np.zeros(where.shape[:2], np.uint8)
            for body in bodies:
                reach = spot[2] / (spot[2] - np.minimum(body[:, 2], spot[2] - 1))
                thrown = spot + (body - spot) * reach[:, None]
                thrown[:, 2] = 0.0
                ring = cv2.convexHull(project(thrown, pose, lens).astype(np.float32))
                cv2.fillConvexPoly(mask, np.round(ring * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
            dark += mask / np.float32(255 * spots)
        total += _given(light, where) * (1 - dark)
    touch = np.zeros(where.shape[:2], np.uint8)
    for body in bodies:
        foot = body[body[:, 2] < 1.0] * (1, 1, 0)
        if len(foot) >= 3:
            ring = cv2.convexHull(project(foot, pose, lens).astype(np.float32))
            cv2.fillConvexPoly(touch, np.round(ring * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    total *= 1 - np.float32(0.5 / 255) * cv2.GaussianBlur(touch, (0, 0), 8.0)
    return np.clip(total, 0.05, 1.6)


def _mirrored(light: Light, where: np.ndarray, pose: CameraPose) -> np.ndarray:
    """How much of a lamp the table mirrors at each place, 0..1."""
    eye, lamp = pose.centre_mm, np.array(light.place_mm)
    spot = lamp[:2] + lamp[2] / (lamp[2] + eye[2]) * (eye[:2] - lamp[:2])
    far = (where[..., 0] - spot[0]) ** 2 + (where[..., 1] - spot[1]) ** 2
    return np.asarray(np.exp(-far / (20.0 + light.radius_mm) ** 2), np.float32)


def _draw_thing(image: Image, each: Thing, lens: Intrinsics, pose: CameraPose) -> None:
    corners = project(each.corners_mm, pose, lens)
    whole = cv2.convexHull(np.round(corners).astype(np.int32))
    cv2.fillConvexPoly(image, whole, tuple(0.55 * c for c in each.bgr), cv2.LINE_AA)
    top = np.round(corners[len(each.outline) :]).astype(np.int32)
    cv2.fillConvexPoly(image, top, each.bgr, cv2.LINE_AA)
    middle = top.mean(axis=0)
    if each.kind in ("phone", "card", "cup"):
        inner = np.round(middle + 0.86 * (top - middle)).astype(np.int32)
        bgr = {"phone": (60, 52, 48), "card": (225, 228, 230), "cup": (40, 60, 90)}[each.kind]
        cv2.fillConvexPoly(image, inner, bgr, cv2.LINE_AA)
    if each.kind == "phone":  # the window is mirrored in it
        cv2.line(image, tuple(map(int, inner[0])), tuple(map(int, inner[2])), (190, 190, 185), 9)


def _blank(bgr: Sequence[float]) -> Image:
    size = (round(SIZE_MM[1] * PX_MM), round(SIZE_MM[0] * PX_MM), 3)
    return np.full(size, bgr, np.uint8)


def _worn(cloth: Image, noise: np.random.Generator) -> Image:
    """Add threads and clouds: no cloth is of one colour."""
    rows, columns = cloth.shape[:2]
    fine = noise.normal(0, 5, (rows // 2, columns // 2)).astype(np.float32)
    rough = noise.normal(0, 4, (rows // 150, columns // 150)).astype(np.float32)
    both = sum(cv2.resize(part, (columns, rows)) for part in (fine, rough))
    return np.clip(cloth + both[..., None], 0, 255).astype(np.uint8)


def _turned(cloth: Image, turn_rad: float) -> Image:
    rows, columns = cloth.shape[:2]
    way = cv2.getRotationMatrix2D((columns / 2, rows / 2), math.degrees(turn_rad), 1.0)
    return cv2.warpAffine(cloth, way, (columns, rows), borderMode=cv2.BORDER_WRAP)


def stripes(rng: Random, noise: np.random.Generator) -> Image:
    """Stripes as wide as a tile is thick, or as it is long."""
    ground, other = rng.sample(COLOURS, 2)
    cloth, pitch = _blank(ground), rng.uniform(15, 90) * PX_MM
    for n in range(int(cloth.shape[1] / pitch) + 1):
        left = round(n * pitch)
        cloth[:, left : left + round(pitch * 0.45)] = other
    return _turned(cloth, rng.uniform(-math.pi, math.pi))


def dots(rng: Random, noise: np.random.Generator) -> Image:
    """Dots in rows, as on a child's dress."""
    cloth, pitch = _blank(rng.choice(DARK)), rng.uniform(18, 45) * PX_MM
    other, radius = rng.choice(PALE), round(pitch * rng.uniform(0.15, 0.35))
    for row in range(int(cloth.shape[0] / pitch) + 1):
        for column in range(int(cloth.shape[1] / pitch) + 1):
            at = (round((column + row % 2 / 2) * pitch), round(row * pitch))
            cv2.circle(cloth, at, radius, other, -1, cv2.LINE_AA)
    return _turned(cloth, rng.uniform(-0.6, 0.6))


def checks(rng: Random, noise: np.random.Generator) -> Image:
    """A tartan of three colours."""
    cloth, pitch = _blank(rng.choice(COLOURS)).astype(np.float32), rng.uniform(25, 70) * PX_MM
    for colour in rng.sample(COLOURS, 2):
        first, wide = rng.uniform(0, pitch), rng.uniform(0.15, 0.5) * pitch
        for axis in (0, 1):
            on = (np.arange(cloth.shape[axis]) - first) % pitch < wide
            part = cloth[on] if axis == 0 else cloth[:, on]
            part = 0.5 * part + 0.5 * np.array(colour, np.float32)
            if axis == 0:
                cloth[on] = part
            else:
                cloth[:, on] = part
    return _turned(cloth.astype(np.uint8), rng.uniform(-0.5, 0.5))


def newsprint(rng: Random, noise: np.random.Generator) -> Image:
    """Columns of text, headlines and pictures."""
    cloth, column = _blank((176, 198, 204)), round(52 * PX_MM)
    for left in range(0, cloth.shape[1], column):
        y = 0
        while y < cloth.shape[0]:
            if rng.random() < 0.04:
                y += round(16 * PX_MM)
                text, size, bold = " ".join(rng.sample(WORDS, 2)).upper(), 1.3, 5
            elif rng.random() < 0.015:
                tall = round(rng.uniform(20, 45) * PX_MM)
                grey = noise.integers(30, 200, (6, 8)).astype(np.uint8)
                wide = min(column - 12, cloth.shape[1] - left)
                part = cv2.resize(grey, (wide, tall), interpolation=cv2.INTER_CUBIC)
                room = cloth[y : y + tall, left : left + wide]
                room[:] = part[: room.shape[0], :, None]
                y += tall
                continue
            else:
                y += round(3.6 * PX_MM)
                text, size, bold = " ".join(rng.choices(WORDS, k=5)), 0.3, 1
            small = cv2.FONT_HERSHEY_SIMPLEX
            wide = cv2.getTextSize(text, small, size, bold)[0][0]
            text = text[: max(1, int(len(text) * min(1.0, (column - 12) / wide)))]
            cv2.putText(cloth, text, (left, y), small, size, (52, 54, 58), bold, cv2.LINE_AA)
    return _turned(cloth, rng.uniform(-0.7, 0.7))


def planks(rng: Random, noise: np.random.Generator) -> Image:
    """Boards with grain, and joints between them."""
    cloth, board = _blank((62, 104, 150)), round(rng.uniform(45, 130) * PX_MM)
    return _turned(_boards(cloth, board, board * 6, rng, noise), rng.uniform(-0.4, 0.4))


def parquet(rng: Random, noise: np.random.Generator) -> Image:
    """Slats of wood in blocks that change their direction."""
    cloth, block = _blank((58, 92, 130)), round(rng.uniform(60, 110) * PX_MM)
    one = _boards(_blank((58, 92, 130))[: 2 * block, : 2 * block], block // 5, block, rng, noise)
    for row in range(0, cloth.shape[0], block):
        for column in range(0, cloth.shape[1], block):
            first, second = rng.randrange(block), rng.randrange(block)
            slats = one[first : first + block, second : second + block]
            slats = slats if (row + column) // block % 2 else slats.transpose(1, 0, 2)
            room = cloth[row : row + block, column : column + block]
            room[:] = slats[: room.shape[0], : room.shape[1]]
    return _turned(cloth, rng.uniform(-0.8, 0.8))


def _boards(cloth: Image, board: int, long: int, rng: Random, noise: np.random.Generator) -> Image:
    rows, columns = cloth.shape[:2]
    grain = noise.normal(0, 11, (rows, max(2, columns // 220))).astype(np.float32)
    drawn = cloth + cv2.resize(grain, (columns, rows), interpolation=cv2.INTER_CUBIC)[..., None]
    for top in range(0, rows, board):
        left = -rng.randrange(long)
        while left < columns:
            part = drawn[top : top + board, max(left, 0) : left + long]
            part += rng.gauss(0, 11)
            part[:2] *= 0.45
            part[:, :2] *= 0.45
            left += long
    return np.clip(drawn, 0, 255).astype(np.uint8)


def bricks(rng: Random, noise: np.random.Generator) -> Image:
    """Slabs as large as tiles or larger, with joints of their own colour."""
    cloth, bgr = _blank((150, 158, 160)), rng.choice(((70, 88, 140), (128, 126, 124)))
    wide, tall = (round(rng.choice((50, 52, 100)) * PX_MM), round(rng.choice((26, 50)) * PX_MM))
    for n, top in enumerate(range(0, cloth.shape[0], tall)):
        for left in range(-(n % 2) * wide // 2, cloth.shape[1], wide):
            tint = np.clip(np.array(bgr) + rng.gauss(0, 12), 0, 255)
            cloth[top : top + tall - 6, max(left, 0) : max(left + wide - 6, 0)] = tint
    return _turned(cloth, rng.uniform(-0.7, 0.7))


def flowers(rng: Random, noise: np.random.Generator) -> Image:
    """Oilcloth with blossoms and leaves."""
    cloth = _blank(rng.choice(COLOURS))
    for _ in range(420):
        x, y = rng.randrange(cloth.shape[1]), rng.randrange(cloth.shape[0])
        size, bgr = rng.uniform(4, 11) * PX_MM, rng.choice(COLOURS)
        for n in range(5):
            turn = n * 2 * math.pi / 5 + rng.random()
            at = (round(x + size * math.cos(turn)), round(y + size * math.sin(turn)))
            axes = (round(size * 0.75), round(size * 0.45))
            cv2.ellipse(cloth, at, axes, math.degrees(turn), 0, 360, bgr, -1, cv2.LINE_AA)
        cv2.circle(cloth, (x, y), round(size * 0.4), (70, 190, 225), -1, cv2.LINE_AA)
    return cloth


def photographed(photo: Path, rng: Random) -> Image:
    """Cover a table with a photo of a table top, mirrored at its edges again and again.

    Raises:
        SystemExit: it is no picture.
    """
    image = cv2.imread(str(photo))
    if image is None:
        raise SystemExit(f"{photo} is not a picture that OpenCV can read.")
    rows, columns = image.shape[:2]
    scale = rng.uniform(*PHOTO_MM) * PX_MM / columns
    size = (round(columns * scale), round(rows * scale))
    part = cv2.resize(image, size, interpolation=cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA)
    across = np.hstack([part, part[:, ::-1]])
    both = np.vstack([across, across[::-1]])
    wanted = _blank((0, 0, 0)).shape
    often = [-(-side // have) for side, have in zip(wanted[:2], both.shape[:2], strict=True)]
    cloth = np.tile(both, (*often, 1))[: wanted[0], : wanted[1]]
    return _turned(np.ascontiguousarray(cloth), rng.uniform(-math.pi, math.pi))


CLOTHS = {
    each.__name__: each
    for each in (stripes, dots, checks, newsprint, planks, parquet, bricks, flowers)
}
