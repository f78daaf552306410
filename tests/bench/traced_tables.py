"""Tables drawn by Blender, for `draw_tables --traced`.

Its path tracer gives what `vision.render` and `hard_tables` only approximate: light that comes from
walls and from neighbouring tiles, soft shadows of windows and lampshades, gloss, rounded edges,
pips, the weave of a cloth. What lies where, the colours of the tiles, their marks and the faults of
the sensor are the project's own, as in all tables that `draw_tables` draws.

Blender is no dependency of the project. Before: `pip install --no-deps bpy`, in the release for
this Python, such as 5.0 for 3.11; with its dependencies an older NumPy would come. A frame takes
about half a minute of two cores.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np

from physics.row.tile import State
from tests.bench.hard_tables import CORNER_MM, PX_MM, Room, Thing
from vision.arrays import Floats, Image
from vision.geometry.camera_pose import CameraPose
from vision.geometry.lens import Intrinsics
from vision.geometry.mat import Mat, load_mat
from vision.marks.sticker import marks_on
from vision.render.scene import RENDER, Scene, Solid
from vision.render.tile_boxes import BGR, FACES, stick_on, unit_quad

UNIT_MM = 100.0
"""A Blender unit, mm."""
OVERSCAN = 1.06
"""How much wider than the picture Blender's undistorted camera draws; the lens's distortion is
applied afterwards."""
FACE_PX_MM = 12
STRIP_PX_MM = 10
PAPER_LIFT_MM = 0.15
SAMPLES = 12
"""Light paths for each pixel. The noise that is left is smoothed away, as phones do."""
PLAIN = (
    (225, 228, 230),
    (38, 38, 42),
    (150, 150, 150),
    (60, 105, 150),
    (120, 150, 182),
    (60, 90, 50),
)
"""White, black, grey, oak, birch, green: BGR."""
MIDDLE_LEVEL = (95, 135)
"""The exposure is set so that the median of the empty table lies between these, grey levels."""


@dataclass(frozen=True, slots=True)
class Finish:
    """What the tiles, the table and the light are like, the same in all frames of a table."""

    bevel_mm: float
    roughness: float
    pips: bool
    cloth_roughness: float
    cloth_bump: float
    walls: float
    """Light that comes from everywhere, as a share of that of the lamps."""
    lamps: tuple["Shade", ...]
    seed: int


@dataclass(frozen=True, slots=True)
class Shade:
    """A lamp or a window: a disc that shines down on the middle of the table."""

    place_mm: tuple[float, float, float]
    width_mm: float
    power: float
    warmth: tuple[float, float, float]


def finish_of(rng: Random) -> Finish:
    """Draw how tiles and table reflect the light, and where it comes from."""
    kinds = rng.choice(
        (("ceiling",), ("window",), ("desk",), ("ceiling", "desk"), ("window", "ceiling"))
    )
    return Finish(
        bevel_mm=rng.uniform(0.3, 1.8),
        roughness=rng.uniform(0.12, 0.55),
        pips=rng.random() < 0.7,
        cloth_roughness=rng.uniform(0.3, 0.95),
        cloth_bump=rng.choice((0.0, 0.0, 0.1, 0.3)),
        walls=rng.uniform(0.05, 0.6),
        lamps=tuple(_shade(rng, kind) for kind in kinds),
        seed=rng.randrange(1 << 16),
    )


def plain(room: Room, rng: Random) -> Room:
    """Return the room as it is, three times in five, or else with a cloth of one colour."""
    if rng.random() < 0.6:
        return room
    bgr = rng.choice(PLAIN)
    speckles = np.random.default_rng(rng.randrange(1 << 30)).normal(0, 2, room.cloth.shape)
    cloth = np.clip(bgr + speckles, 0, 255).astype(np.uint8)
    return replace(room, cloth=cloth, pattern="plain")


def _shade(rng: Random, kind: str) -> Shade:
    turn = rng.uniform(-math.pi, math.pi)
    far, high, width = {
        "ceiling": (rng.uniform(0, 900), rng.uniform(1300, 2000), rng.uniform(120, 450)),
        "window": (rng.uniform(1500, 2800), rng.uniform(700, 1400), rng.uniform(800, 1500)),
        "desk": (rng.uniform(300, 700), rng.uniform(350, 800), rng.uniform(25, 120)),
    }[kind]
    place = (300 + far * math.cos(turn), 210 + far * math.sin(turn), high)
    cold = (0.86, 0.94, 1.0)
    warm = rng.choice(((1.0, 0.82, 0.62), (1.0, 0.93, 0.82)))
    # What reaches the table, not what the lamp gives, is chosen.
    power = rng.uniform(0.5, 1.0) * math.dist(place, (300, 210, 0)) ** 2
    return Shade(place, width, power, cold if kind == "window" else warm)


class Studio:
    """Draws one table after another in Blender.

    Raises:
        SystemExit: Blender is not there as a Python module.
    """

    def __init__(self) -> None:
        try:
            import bpy
        except ImportError as error:
            raise SystemExit(
                "Blender is not there as a Python module: pip install --no-deps bpy, in the "
                f"release for this Python ({error})."
            ) from None
        import bmesh  # these come with bpy, and are found once it is loaded
        import mathutils

        self._bpy, self._bmesh, self._mathutils = bpy, bmesh, mathutils
        self._exposure: dict[int, float] = {}
        self._folder = TemporaryDirectory()

    def draw(
        self, scene: Scene, room: Room, finish: Finish, lens: Intrinsics, pose: CameraPose
    ) -> Image:
        """Draw what the camera sees, BGR, without the faults of its sensor."""
        if finish.seed not in self._exposure:
            self._set_up(Scene(), room, finish, lens, pose)
            wanted = Random(finish.seed).uniform(*MIDDLE_LEVEL)
            self._exposure[finish.seed] = self._exposed(lens, wanted)
        self._set_up(scene, room, finish, lens, pose)
        self._bpy.context.scene.view_settings.exposure = self._exposure[finish.seed]
        return distorted(self._rendered(lens, 1.0, SAMPLES), lens)

    def _exposed(self, lens: Intrinsics, level: float) -> float:
        """Find the exposure that gives the picture this median level."""
        view = self._bpy.context.scene.view_settings
        view.exposure = 0.0
        for _ in range(4):
            now = max(float(np.median(self._rendered(lens, 0.15, 8))), 2.0)
            view.exposure += max(-2.0, min(2.0, RENDER.gamma * math.log2(level / now)))
        return float(view.exposure)

    def _rendered(self, lens: Intrinsics, scale: float, samples: int) -> Image:
        out = self._bpy.context.scene
        out.render.resolution_percentage = round(100 * scale)
        out.cycles.samples = samples
        out.render.filepath = str(Path(self._folder.name) / "frame.png")
        self._bpy.ops.render.render(write_still=True)
        image = cv2.imread(out.render.filepath)
        assert image is not None
        return np.asarray(image, np.uint8)

    def _set_up(
        self, scene: Scene, room: Room, finish: Finish, lens: Intrinsics, pose: CameraPose
    ) -> None:
        bpy = self._bpy
        bpy.ops.wm.read_factory_settings(use_empty=True)
        out = bpy.context.scene
        out.render.engine = "CYCLES"
        out.cycles.device, out.cycles.use_denoising = "CPU", True
        out.cycles.denoising_prefilter = "FAST"
        out.cycles.max_bounces, out.cycles.seed = 3, finish.seed
        out.view_settings.view_transform = "Standard"
        out.render.resolution_x = round(lens.width * OVERSCAN)
        out.render.resolution_y = round(lens.height * OVERSCAN)
        world = bpy.data.worlds.new("walls")
        out.world = world
        world.use_nodes = True
        background = world.node_tree.nodes["Background"]
        background.inputs["Color"].default_value = (1.0, 0.97, 0.93, 1.0)
        background.inputs["Strength"].default_value = finish.walls
        for shade in finish.lamps:
            self._hang(shade)
        self._aim(lens, pose)
        self._lay_cloth(room, finish)
        self._lay_mat(load_mat())
        chance = Random(finish.seed)
        for solid in scene.solids:
            self._stand(solid, finish, chance)
        for thing in room.things:
            self._put_down(thing)
        if scene.hand is not None:
            self._reach_in(scene.hand, Random(scene.seed))

    def _hang(self, shade: Shade) -> None:
        bpy = self._bpy
        light = bpy.data.lights.new("lamp", "AREA")
        light.shape, light.size = "DISK", shade.width_mm / UNIT_MM
        light.energy, light.color = 4.0 * shade.power / UNIT_MM**2, shade.warmth
        hung = bpy.data.objects.new("lamp", light)
        hung.location = [v / UNIT_MM for v in shade.place_mm]
        down = np.array((300.0, 210.0, 0.0)) - shade.place_mm
        hung.rotation_euler = self._vector(down).to_track_quat("-Z", "Y").to_euler()
        bpy.context.collection.objects.link(hung)

    def _vector(self, values: Floats) -> Any:
        return self._mathutils.Vector([float(v) for v in values])

    def _aim(self, lens: Intrinsics, pose: CameraPose) -> None:
        bpy = self._bpy
        camera = bpy.data.cameras.new("camera")
        wide = lens.width * OVERSCAN
        camera.sensor_fit, camera.sensor_width = "HORIZONTAL", 36.0
        camera.lens = 36.0 * lens.matrix[0, 0] / wide
        # OpenCV counts from the middle of the first pixel, Blender from the middle of the picture.
        camera.shift_x = (lens.width / 2 - lens.matrix[0, 2] - 0.5) / wide
        camera.shift_y = (lens.matrix[1, 2] + 0.5 - lens.height / 2) / wide
        camera.clip_start, camera.clip_end = 0.1, 1000.0
        held = bpy.data.objects.new("camera", camera)
        placed = np.eye(4)
        # OpenCV looks along +z with y down, Blender along -z with y up.
        placed[:3, :3] = pose.rotation.T @ np.diag([1.0, -1.0, -1.0])
        placed[:3, 3] = pose.centre_mm / UNIT_MM
        held.matrix_world = self._mathutils.Matrix(placed.tolist())
        bpy.context.collection.objects.link(held)
        bpy.context.scene.camera = held

    def _picture(self, image: Image, name: str) -> Any:
        path = Path(self._folder.name) / f"{name}.png"
        cv2.imwrite(str(path), image)
        return self._bpy.data.images.load(str(path))

    def _material(
        self, bgr: Sequence[float] | None, picture: Any, roughness: float, bump: float = 0.0
    ) -> Any:
        """Make a material of a colour, coded as in pictures, or of a picture."""
        made = self._bpy.data.materials.new("material")
        made.use_nodes = True
        nodes, links = made.node_tree.nodes, made.node_tree.links
        surface = nodes["Principled BSDF"]
        surface.inputs["Roughness"].default_value = roughness
        if picture is None:
            assert bgr is not None
            linear = [(v / 255) ** RENDER.gamma for v in reversed(bgr)]
            surface.inputs["Base Color"].default_value = (*linear, 1.0)
            return made
        texture = nodes.new("ShaderNodeTexImage")
        texture.image = picture
        texture.extension = "EXTEND"
        links.new(texture.outputs["Color"], surface.inputs["Base Color"])
        if bump:
            bumps = nodes.new("ShaderNodeBump")
            bumps.inputs["Strength"].default_value = bump
            bumps.inputs["Distance"].default_value = 0.3 / UNIT_MM
            links.new(texture.outputs["Color"], bumps.inputs["Height"])
            links.new(bumps.outputs["Normal"], surface.inputs["Normal"])
        return made

    def _sheet(self, corners_mm: Floats, material: Any) -> None:
        """Lay a flat rectangle; its corners go clockwise from the top left of its picture."""
        self._body(corners_mm, [(0, 3, 2, 1)], [[(0, 1), (0, 0), (1, 0), (1, 1)]], [material], [0])

    def _body(
        self,
        corners_mm: Floats,
        faces: Sequence[Sequence[int]],
        spots: Sequence[Sequence[tuple[float, float]]],
        materials: Sequence[Any],
        which: Sequence[int],
    ) -> Any:
        """Make a body of faces; `spots` are where their corners lie in their pictures, 0..1."""
        bpy = self._bpy
        mesh = bpy.data.meshes.new("body")
        mesh.from_pydata((corners_mm / UNIT_MM).tolist(), [], [list(face) for face in faces])
        layer = mesh.uv_layers.new()
        for polygon, on_picture, material in zip(mesh.polygons, spots, which, strict=True):
            polygon.material_index = material
            for loop, spot in zip(polygon.loop_indices, on_picture, strict=True):
                layer.data[loop].uv = spot
        for material in materials:
            mesh.materials.append(material)
        body = bpy.data.objects.new("body", mesh)
        bpy.context.collection.objects.link(body)
        return body

    def _lay_cloth(self, room: Room, finish: Finish) -> None:
        rows, columns = room.cloth.shape[:2]
        left, near = CORNER_MM
        right, far = left + columns / PX_MM, near + rows / PX_MM
        # The first row of the picture lies nearest.
        corners = np.array([(left, near, 0), (right, near, 0), (right, far, 0), (left, far, 0.0)])
        picture = self._picture(room.cloth[::-1], "cloth")
        material = self._material(None, picture, finish.cloth_roughness, finish.cloth_bump)
        self._sheet(corners[[3, 2, 1, 0]], material)

    def _lay_mat(self, mat: Mat) -> None:
        for n, strip in enumerate(mat.strips):
            printed, corners = strip_print(mat, strip)
            picture = self._picture(printed, f"strip{n}")
            flat = np.column_stack([corners, np.full(4, PAPER_LIFT_MM)])
            self._sheet(flat, self._material(None, picture, 0.8))

    def _stand(self, solid: Solid, finish: Finish, chance: Random) -> None:
        """Make a tile with rounded edges; its marks and pips are printed on it."""
        half = np.array(solid.size_mm) / 2
        flat = solid.tile.state is State.FALLEN or solid.tile.orientation is None
        corners, faces, spots, materials = [], [], [], []
        for face in FACES:
            quad = unit_quad(face, flat)[0] * half
            quad[:, 2] += half[2]
            faces.append([len(corners) + n for n in range(4)])
            corners += quad.tolist()
            spots.append([(0, 1), (1, 1), (1, 0), (0, 0)])
            long_mm, wide_mm = (float(np.linalg.norm(quad[n + 1] - quad[n])) for n in (0, 1))
            picture = _face_print(solid, face, flat, (long_mm, wide_mm), finish, chance)
            name = f"face{len(self._bpy.data.images)}"
            materials.append(self._material(None, self._picture(picture, name), finish.roughness))
        outward = [face[::-1] for face in faces]
        mirrored = [spot[::-1] for spot in spots]
        body = self._body(np.array(corners), outward, mirrored, materials, range(6))
        bmesh = self._bmesh
        mesh = bmesh.new()
        mesh.from_mesh(body.data)
        bmesh.ops.remove_doubles(mesh, verts=mesh.verts, dist=1e-4)
        bmesh.ops.recalc_face_normals(mesh, faces=mesh.faces)
        round_by = finish.bevel_mm / UNIT_MM
        bmesh.ops.bevel(
            mesh, geom=mesh.edges, offset=round_by, segments=3, profile=0.5, affect="EDGES"
        )
        for vertex in mesh.verts:
            placed = solid.to_table(np.array([vertex.co]) * UNIT_MM)[0]
            vertex.co = self._vector(placed / UNIT_MM)
        mesh.to_mesh(body.data)
        mesh.free()

    def _put_down(self, thing: Thing) -> None:
        """Make a prism with a slightly rounded rim."""
        count = len(thing.outline)
        sides = [(n, (n + 1) % count, (n + 1) % count + count, n + count) for n in range(count)]
        faces = [tuple(range(count))[::-1], tuple(range(count, 2 * count)), *sides]
        roughness = {"phone": 0.05, "cup": 0.15, "key": 0.2}.get(thing.kind, 0.6)
        material = self._material(thing.bgr, None, roughness)
        spots = [[(0.0, 0.0)] * len(face) for face in faces]
        body = self._body(thing.corners_mm, faces, spots, [material], [0] * len(faces))
        if thing.height_mm > 2:
            rim = body.modifiers.new("rim", "BEVEL")
            rim.width, rim.segments, rim.limit_method = 1.0 / UNIT_MM, 2, "ANGLE"

    def _reach_in(self, tip_mm: tuple[float, float], chance: Random) -> None:
        """Make a hand with its arm, of balls that flow together."""
        bpy = self._bpy
        balls = bpy.data.metaballs.new("hand")
        balls.resolution = balls.render_resolution = 0.04
        turn = chance.uniform(-2.4, -0.7)  # from the near side
        back = np.array([math.cos(turn), math.sin(turn), 0.0])
        aside = np.array([-back[1], back[0], 0.0])
        tip = np.array([*tip_mm, 62.0])

        def chain(start: Floats, end: Floats, first_mm: float, last_mm: float, count: int) -> None:
            for share in np.linspace(0, 1, count):
                ball = balls.elements.new()
                ball.co = self._vector((start + share * (end - start)) / UNIT_MM)
                ball.radius = 1.5 * (first_mm + share * (last_mm - first_mm)) / UNIT_MM

        palm = tip + 85 * back + (0, 0, 45)
        for n in range(4):
            knuckle = palm - 20 * back + (n - 1.5) * 19 * aside
            end = tip + (n - 1.5) * 11 * aside + abs(n - 1) * 6 * back
            chain(end, knuckle, 7.5, 9.5, 12)
            chain(knuckle, palm + 35 * back + (n - 1.5) * 13 * aside, 10.5, 13.0, 8)
        chain(tip - 16 * aside + 6 * back, palm - 42 * aside + 25 * back, 8.5, 11.0, 10)
        chain(palm - 42 * aside + 25 * back, palm + 45 * back, 12.0, 16.0, 8)
        chain(palm + 40 * back, palm + 420 * back + (0, 0, 70), 22.0, 36.0, 40)
        hand = bpy.data.objects.new("hand", balls)
        skin = self._material(
            chance.choice(((140, 168, 215), (98, 130, 185), (58, 78, 118))), None, 0.55
        )
        balls.materials.append(skin)
        bpy.context.collection.objects.link(hand)


def strip_print(mat: Mat, strip: Sequence[int]) -> tuple[Image, Floats]:
    """Print a strip of the mat; give its picture and its corners in mm, clockwise from far left."""
    corners = np.concatenate([mat.corners_mm[marker] for marker in strip])
    low, high = corners.min(axis=0), corners.max(axis=0)
    lies = high[0] - low[0] > high[1] - low[1]
    margin = np.array(RENDER.margin_mm if lies else RENDER.margin_mm[::-1])
    low, high = low - margin, high + margin
    columns, rows = np.round((high - low) * STRIP_PX_MM).astype(int).tolist()
    printed = np.full((rows, columns, 3), RENDER.paper_bgr, np.uint8)
    words = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, mat.dictionary))
    for marker in strip:
        side = 200
        bits = cv2.aruco.generateImageMarker(words, marker, side)
        inked = np.where(bits[..., None] > 0, RENDER.paper_bgr, RENDER.ink_bgr).astype(np.uint8)
        spots = (mat.corners_mm[marker] - (low[0], high[1])) * (STRIP_PX_MM, -STRIP_PX_MM) - 0.5
        whole = np.array([(0, 0), (side, 0), (side, side), (0, side)]) - 0.5
        way = cv2.getPerspectiveTransform(whole.astype(np.float32), spots.astype(np.float32))
        cv2.warpPerspective(
            inked, way, (columns, rows), printed, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT
        )
    return printed, np.array([(low[0], high[1]), high, (high[0], low[1]), low])


def _face_print(
    solid: Solid,
    face: str,
    flat: bool,
    size_mm: tuple[float, float],
    finish: Finish,
    chance: Random,
) -> Image:
    """Print what a face of a tile shows: its colour, a mark on a narrow edge, pips on one side."""
    columns, rows = (round(side * FACE_PX_MM) for side in size_mm)
    painted = np.full((rows, columns, 3), BGR[solid.color], np.uint8)
    broad = face in (("top", "bottom") if flat else ("front", "back"))
    if broad:
        if finish.pips and face in ("top", "front"):
            _print_pips(painted, sum(BGR[solid.color]) > 330, chance)
        return painted
    marks = marks_on(solid.tile.spec)
    word = marks.words.get(solid.tile.value or 0)
    if word is not None:
        is_long = abs(size_mm[0] - solid.tile.spec.length_mm) < 0.01
        stick_on(painted, size_mm, word, marks.long if is_long else marks.short, solid.sticker)
    return painted


def _print_pips(painted: Image, dark: bool, chance: Random) -> None:
    """Print the pips of a domino on its broad side, and the line between its halves."""
    rows, columns = painted.shape[:2]
    ink = (38, 36, 36) if dark else (220, 224, 226)
    long_ways = columns > rows
    long_px, wide_px = max(rows, columns), min(rows, columns)
    places = {
        0: (),
        1: (4,),
        2: (0, 8),
        3: (0, 4, 8),
        4: (0, 2, 6, 8),
        5: (0, 2, 4, 6, 8),
        6: (0, 2, 3, 5, 6, 8),
    }
    for half in (0, 1):
        for place in places[chance.randrange(7)]:
            along = (half + 0.5 + (place // 3 - 1) * 0.28) * long_px / 2
            across = (0.5 + (place % 3 - 1) * 0.27) * wide_px
            at = (along, across) if long_ways else (across, along)
            cv2.circle(
                painted, tuple(round(v) for v in at), round(0.075 * wide_px), ink, -1, cv2.LINE_AA
            )
    ends = np.array([(long_px / 2, 0.12 * wide_px), (long_px / 2, 0.88 * wide_px)])
    ends = ends if long_ways else ends[:, ::-1]
    first, last = (tuple(map(round, end)) for end in ends.tolist())
    cv2.line(painted, first, last, ink, round(0.04 * wide_px), cv2.LINE_AA)


def distorted(image: Image, lens: Intrinsics) -> Image:
    """Turn a picture of the wider, undistorted camera into what the lens gives, at its size."""
    columns, rows = np.meshgrid(np.arange(lens.width), np.arange(lens.height))
    seen = np.stack([columns, rows], axis=-1).reshape(-1, 1, 2).astype(np.float64)
    straight = cv2.undistortPoints(seen, lens.matrix, lens.dist, P=lens.matrix)
    room = np.array([lens.width, lens.height]) * (OVERSCAN - 1) / 2
    where = (straight.reshape(lens.height, lens.width, 2) + room).astype(np.float32)
    return np.asarray(cv2.remap(image, where, None, cv2.INTER_CUBIC), np.uint8)
