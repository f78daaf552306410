"""Draws tables by seed: frames with truth files, for `domino-rig see --score`.

    python -m tests.bench.draw_tables FOLDER [--seed 1] [--tables 20]
        [--hard [--photos TOPS] [--traced]]

Each table gives four frames: f0 is empty, f1 has a row, f2 one tile more. In f3 there is a hand,
or some or all tiles have fallen, or all have fallen onto each other, or the picture is shaken.
Stickers are as far off as when placed by hand, tiles stand in any way that a row allows, and fallen
ones lie at random. With `--hard` the tables are as people have them, see `hard_tables`: on one in
five f0 shows the row already, and in f3 things may have been put down, too, or the lamps changed.
With `--photos` they are covered with the photos of table tops in the folder TOPS instead of drawn
cloths. With `--traced` Blender draws them, see `traced_tables`.
"""

import argparse
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import cv2

from physics.row.pose import Footprint, Pose, full_turn
from physics.row.tile import STANDARD, Orientation, State, Tile
from tests.bench.hard_tables import CLOTHS, clear_of, draw_room, room_of, taken, thing
from tests.bench.traced_tables import Studio, finish_of, plain
from tests.support.faulty_camera import Sensor, render
from vision.geometry.camera_pose import CameraPose
from vision.geometry.lens import Intrinsics
from vision.render.render import view_from
from vision.render.scene import COLORS, TABLES, Scene, Solid

UP, LONG = Orientation.VERTICAL, Orientation.HORIZONTAL
ENDS = ("hand", "fallen_some", "fallen_all", "cascade", "blur", "fallen_all")
STICKER_MM, STICKER_RAD = 0.12, math.radians(0.3)
ROOM_MM = 45.0


def row_of(rng: Random, count: int, marked: float, color: str) -> list[Solid]:
    """A row that bends, of tiles that stand upright or on their long edge."""
    while True:
        x, y = rng.uniform(80, 520), rng.uniform(80, 340)
        heading = rng.uniform(-math.pi, math.pi)
        bend = rng.uniform(-0.25, 0.25)
        values = [*rng.sample(range(1, 12), min(count, 11)), *[0] * (count - 11)]
        all_up = rng.random() < 0.6
        solids: list[Solid] = []
        for value in values:
            how = UP if all_up or rng.random() < 0.6 else LONG
            tile = Tile(
                value if rng.random() < marked and value else None,
                Pose(x, y, full_turn(heading + rng.gauss(0, 0.03))),
                how,
            )
            tint = rng.choice(COLORS) if rng.random() < 0.2 else color
            off = (rng.gauss(0, STICKER_MM), rng.gauss(0, STICKER_MM), rng.gauss(0, STICKER_RAD))
            solids.append(Solid(tile, color=tint, sticker=off))
            heading += bend + rng.gauss(0, 0.05)
            pitch = rng.uniform(16, 34)
            x, y = x + pitch * math.cos(heading), y + pitch * math.sin(heading)
        prints = [s.tile.footprint for s in solids]
        apart = all(
            one.distance_mm(other) > 4 for n, one in enumerate(prints) for other in prints[:n]
        )
        if apart and all(inside(s.tile.pose) for s in solids):
            return solids


def inside(pose: Pose) -> bool:
    return ROOM_MM < pose.x_mm < 600 - ROOM_MM and ROOM_MM < pose.y_mm < 420 - ROOM_MM


def fallen(rng: Random, solids: list[Solid], share: float) -> list[Solid]:
    """Lay some tiles down near where they stood, none on another."""
    laid: list[Solid] = []
    standing = [s for s in solids if rng.random() >= share]
    if len(standing) == len(solids):
        standing.pop()
    taken = [s.tile.footprint for s in standing]
    for solid in solids:
        if solid in standing:
            laid.append(solid)
            continue
        for attempt in range(400):
            far = 15 + 0.25 * attempt
            pose = Pose(
                solid.tile.pose.x_mm + rng.gauss(0, far),
                solid.tile.pose.y_mm + rng.gauss(0, far),
                rng.uniform(-math.pi, math.pi),
            )
            flat = Footprint(pose, STANDARD.length_mm + 0.5, STANDARD.width_mm + 0.5)
            if inside(pose) and not any(flat.overlaps(other) for other in taken):
                taken.append(flat)
                tile = replace(solid.tile, pose=pose, state=State.FALLEN)
                laid.append(replace(solid, tile=tile))
                break
        else:
            laid.append(solid)
    return laid


def cascade(solids: list[Solid]) -> list[Solid]:
    """Let a row fall down its heading, each tile onto the next one; its ends slide.

    In a physics engine the foot of the first tile slips back by 9 to 13 mm, that of each next one
    by less, and the last one ends 1 to 11 mm ahead. Slightly smaller slides are drawn, too.
    """
    # A generator of its own, so that everything else that a seed draws stays the same.
    own = Random(solids[0].tile.pose.x_mm)
    back_mm, share, ahead_mm = own.uniform(6, 13), own.uniform(0.4, 0.7), own.uniform(0, 11)
    slides_mm = [-back_mm * share**n for n in range(len(solids))]
    slides_mm[-1] += ahead_mm
    solids = [slid(solid, along_mm) for solid, along_mm in zip(solids, slides_mm, strict=True)]
    resting: list[Solid] = []
    tilts: list[float] = []
    for n in range(len(solids) - 1, -1, -1):
        solid = solids[n]
        tilt = math.pi / 2
        if tilts:
            ahead = resting[-1]
            pitch = math.dist(
                (solid.tile.pose.x_mm, solid.tile.pose.y_mm),
                (ahead.tile.pose.x_mm, ahead.tile.pose.y_mm),
            )
            tilt = rest_tilt(solid, ahead, pitch, tilts[-1])
        tilts.append(tilt)
        resting.append(replace(solid, tilt_rad=tilt))
    return resting[::-1]


def slid(solid: Solid, along_mm: float) -> Solid:
    """Move a tile along its heading."""
    pose = solid.tile.pose
    x_mm, y_mm = pose.to_table(along_mm, 0.0)
    return replace(solid, tile=replace(solid.tile, pose=Pose(x_mm, y_mm, pose.heading_rad)))


def rest_tilt(solid: Solid, ahead: Solid, pitch_mm: float, tilt: float) -> float:
    """How far a tile tips until it meets the one ahead of it, both seen from the side."""
    lean = math.radians(1)
    while lean < math.pi / 2 and not side(solid, 0.0, lean).overlaps(side(ahead, pitch_mm, tilt)):
        lean += math.radians(0.25)
    return lean


def side(solid: Solid, at_mm: float, tilt: float) -> Footprint:
    depth, _, height = solid.size_mm
    c, s = math.cos(tilt), math.sin(tilt)
    x = at_mm + depth / 2 + (-depth / 2) * c + height / 2 * s
    z = height / 2 * c + depth / 2 * s
    return Footprint(Pose(x, z, -tilt), depth - 0.02, height - 0.02)


def truth_of(
    name: str, kind: str, scene: Scene, new: int | None, lens: Intrinsics, pose: CameraPose
) -> dict[str, object]:
    tiles = []
    for n, solid in enumerate(scene.solids):
        tile = solid.tile
        flat = tile.state is State.FALLEN
        down = flat or solid.tilt_rad > tile.spec.balance_rad(tile.orientation or UP)
        middle = solid.corners_mm().mean(axis=0) if down else (tile.pose.x_mm, tile.pose.y_mm)
        quarter = math.pi / 2
        if flat or (down and tile.orientation is UP):
            quarter = 0.0
        tiles.append(
            {
                "id": n,
                "x": float(middle[0]),
                "y": float(middle[1]),
                "heading_deg": math.degrees(tile.pose.heading_rad - quarter) % 360,
                "orientation": str(tile.orientation),
                "value": tile.value,
                "state": "fallen" if down else "standing",
                "color": solid.color,
                "lean_deg": 0.0 if flat or not down else 90 - math.degrees(solid.tilt_rad),
            }
        )
    return {
        "name": name,
        "kind": kind,
        "camera": {
            "K": lens.matrix.tolist(),
            "dist": lens.dist.tolist(),
            "R": pose.rotation.tolist(),
            "t": pose.translation_mm.tolist(),
            "width": lens.width,
            "height": lens.height,
        },
        "tiles": tiles,
        "new_tile": new,
        "hand_in_view": scene.hand is not None,
        "table": scene.table,
    }


def draw(
    folder: Path,
    seed: int,
    table: int,
    hard: bool = False,
    photos: Sequence[Path] = (),
    studio: Studio | None = None,
) -> None:
    rng = Random(f"{seed} {table}")
    lens, pose = view_from(
        math.radians(rng.uniform(0, 25 if hard else 20)),
        rng.uniform(-math.pi, math.pi),
        focal_px=rng.uniform(1330, 1640),
        scale_px_mm=rng.uniform(1.82, 1.98),
        roll_rad=rng.gauss(0, 0.03),
    )
    ends = (*ENDS, "things", "relit") if hard else ENDS
    end = ends[table % len(ends)]
    top = TABLES[table % len(TABLES)]
    color = rng.choice(COLORS)
    marked = 1.0 if end == "cascade" else rng.choice((1.0, 1.0, 0.6, 0.0))
    if hard and end != "cascade":
        marked = rng.choice((0.8, 0.65, 0.5))
    tiles = row_of(rng, rng.randint(8, 16) if hard else rng.randint(4, 9), marked, color)
    after = Scene(tuple(tiles), table=top, seed=rng.randrange(1000))
    last = {
        "hand": lambda: tiles,
        "blur": lambda: tiles,
        "fallen_some": lambda: fallen(rng, tiles, 0.5),
        "fallen_all": lambda: fallen(rng, tiles, 1.0),
        "cascade": lambda: cascade(tiles),
        "things": lambda: tiles,
        "relit": lambda: tiles,
    }[end]()
    room = last_room = None
    if hard:
        # Patterns shift by one after each round, or each would always meet the same kind of f3.
        room = clear_of(
            room_of(rng, table + table // len(CLOTHS), color, photos),
            replace(after, solids=(*tiles, *last)),
        )
        if studio is not None:
            room = plain(room, rng)
        other = room_of(rng, table, color)
        more = {"things": replace(room, things=(*room.things, thing(rng), thing(rng)))}
        more["relit"] = replace(room, lights=other.lights)
        last_room = clear_of(more.get(end, room), after)
    finishes = ()
    if studio is not None:
        finish = finish_of(rng)
        finishes = (finish, finish)
        if end == "relit":
            finishes = (finish, replace(finish, lamps=finish_of(rng).lamps))
    hand = (rng.uniform(150, 450), rng.uniform(120, 300)) if end == "hand" else None
    before = replace(after, solids=after.solids[:-1])
    frames = [
        # On a few tables a row stands before the camera is switched on.
        ("row", before) if hard and table % 5 == 4 else ("empty", replace(after, solids=())),
        ("before", before),
        ("after", after),
        (end, replace(after, solids=tuple(last), hand=hand)),
    ]
    soft, noise = rng.uniform(0.5, 0.75), rng.uniform(1.5, 3.0)
    for n, (kind, scene) in enumerate(frames):
        name = f"seed{seed}_{table:02d}_f{n}"
        shake = rng.uniform(3, 4.5) if kind == "blur" else 0.0
        shake = rng.uniform(1, 3) if n in (1, 2) and rng.random() < 0.15 else shake
        sensor = Sensor(soft, noise, shake, rng.uniform(0, math.pi))
        lit = replace(scene, light=1.0 if n == 0 else rng.uniform(0.85, 1.1))
        last_one = n == len(frames) - 1
        here = last_room if last_one else room
        if here is None:
            image = render(lit, lens, pose, sensor)
        elif studio is not None:
            drawn = studio.draw(lit, here, finishes[last_one], lens, pose)
            image = taken(drawn, lit, here, sensor)
        else:
            image = draw_room(lit, here, lens, pose, sensor)
        quality = 90 if here is None else here.quality
        cv2.imwrite(str(folder / f"{name}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        new = len(tiles) - 1 if n == 2 else None
        truth = truth_of(name, kind, lit, new, lens, pose)
        if here is not None:
            truth["table"], truth["things"] = here.pattern, [each.kind for each in here.things]
        (folder / f"{name}.json").write_text(json.dumps(truth))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--hard", action="store_true")
    parser.add_argument("--photos", type=Path, help="folder of photos of table tops")
    parser.add_argument("--traced", action="store_true", help="let Blender draw; see traced_tables")
    args = parser.parse_args()
    photos = sorted(args.photos.glob("*.[jp][pn]g")) if args.photos else []
    if args.photos and not (args.hard and photos):
        parser.error("--photos needs --hard, and a folder of .jpg or .png files")
    Random(args.seed).shuffle(photos)
    if args.traced and not args.hard:
        parser.error("--traced needs --hard")
    studio = Studio() if args.traced else None
    try:
        args.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        parser.error(f"{args.folder}: cannot be made ({error.strerror}); name another folder")
    for table in range(args.tables):
        draw(args.folder, args.seed, table, args.hard, photos, studio)
        print(f"table {table + 1} of {args.tables} drawn", flush=True)
    print(f"Frames and their truth are in {args.folder}.")


if __name__ == "__main__":
    main()
