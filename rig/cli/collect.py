"""`domino-rig camera collect`: a folder of an evening's frames, to look through and to send.

Of each frame it says what the eye read and what people made of that: a tile confirmed or put right,
a row that was right as it stood, an accident that was none, a verdict that stood or was overruled.
"""

import json
from argparse import Namespace
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import radians
from pathlib import Path
from typing import Any

from physics.row.pose import Pose
from physics.row.tile import Orientation, State, Tile, TileSpec, apart_mm
from rig import private
from rig.cli.pushes import opened
from rig.errors import RigError
from rig.films.kept_frames import MAT, KeptFrame, frames_in, frames_of
from rig.games.estimation import events as ev
from rig.games.estimation.story.rounds import Remembered, Rounds
from rig.games.registry import play_of
from rig.history.fold import steps
from rig.journal import Record
from rig.row.push_events import OutcomeSeen, Standing
from rig.setup.store import default_journal
from vision.capture.camera import load_frame
from vision.geometry.mat import Mat, load_mat
from vision.look.collected import as_jpeg, blurred, view_of
from vision.look.score import EMPTY, OVERRULED, PEOPLE, as_truth, tile_of

SAME_MM = 10.0
"""What was read no farther than this from a confirmed tile was read of it."""
STYLE = (
    "body{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "img{width:100%}figure{margin:2rem 0}"
)


class NotCollected(RigError):
    """There is nothing to collect, or nowhere to put it; the journal is unchanged."""


@dataclass(slots=True)
class Collected:
    """A kept frame, and what people made of it.

    Attributes:
        frame: where it is kept.
        row: the tiles as people left them; None while nobody has said how they are.
        latest: the value of the tile that came last.
        push: the push before or after which it was taken.
    """

    frame: KeptFrame
    row: tuple[Standing, ...] | None
    latest: int | None = None
    push: Remembered | None = None

    @property
    def overruled(self) -> bool:
        """Whether people said that the push did the opposite of what was seen."""
        push = self.push
        if self.frame.kind != "after" or push is None or push.seen is None:
            return False
        return push.outcome is not None and push.outcome.value != push.seen.outcome

    @property
    def settled(self) -> bool:
        """Whether anybody knows what it shows, or at least that it was misread."""
        if self.frame.kind != "after":
            return self.row is not None
        push = self.push
        return push is not None and push.seen is not None and push.outcome is not None


def run(args: Namespace) -> int:
    """Write the folder, and say what to do with it."""
    path = args.journal or default_journal()
    kept = list(frames_in(frames_of(path)))
    if not kept:
        raise NotCollected(
            f"{frames_of(path)}: no frame is kept there; set collect = true under [camera] in the "
            "settings before an evening, and collect after it"
        )
    if args.folder.exists() and (not args.folder.is_dir() or any(args.folder.iterdir())):
        raise NotCollected(f"{args.folder}: is there already; name a new folder")
    journal = opened(path)
    try:
        shots = [shot for shot in shots_of(journal.events(), kept) if shot.settled]
    finally:
        journal.close()
    survey = kept[0].path.with_name(MAT)
    mat = load_mat(survey if survey.exists() else None)
    try:
        if survey.exists():
            private.write(args.folder / MAT, survey.read_bytes())
        told = [
            _write(args.folder / name, shot, mat, args.unblurred)
            for name, shot in zip(names(shots), shots, strict=True)
        ]
        private.write(args.folder / "index.html", page(told).encode())
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NotCollected(f"{args.folder}: cannot be made ({error}); name another one") from error
    wrong = sum(len(each["corrections"]) for each in told)
    print(
        f"{args.folder}: {len(told)} frames, {wrong} corrections. Open index.html in it, delete "
        f"the pictures that nobody else shall see, and try domino-rig see --score {args.folder}"
    )
    return 0


def shots_of(records: Iterable[Record], kept: Sequence[KeptFrame]) -> list[Collected]:
    """Find in a journal what became of each kept frame."""
    at: dict[int, list[KeptFrame]] = defaultdict(list)
    for frame in kept:
        at[frame.v].append(frame)
    rounds, shots, rest = Rounds(), list[Collected](), dict[str, tuple[Standing, ...]]()
    for step in steps(records, play_of()):
        event, table = step.event, step.after
        rounds.take(step.before, event, table)
        push = rounds.pushes[-1] if rounds.pushes else None
        last = shots[-1] if shots else None
        match event:
            case OutcomeSeen() if push is not None:
                rest[push.id] = table.row
            case ev.PlacementTakenBack() | ev.RowFixed() if last and last.frame.kind == "placed":
                shots.pop()  # what was confirmed was not so
            case ev.AccidentRejected() | ev.AccidentWithdrawn():
                for shot in shots:
                    if shot.frame.kind == "claimed" and shot.push is push:
                        shot.row = table.row
        for frame in at[step.record.v]:
            match frame.kind:
                case "empty":
                    shots.append(Collected(frame, ()))
                case "claimed":
                    shots.append(Collected(frame, None, push=push))
                case "before" if push is not None:
                    shots.append(Collected(frame, push.row, push=push))
                case "after" if push is not None:
                    shots.append(Collected(frame, rest.get(push.id), push=push))
                case _:
                    shots.append(Collected(frame, table.row, table.latest))
    return shots


def names(shots: Sequence[Collected]) -> list[str]:
    """Name frames so that those of one round follow each other as those of one table."""
    found, table, n = list[str](), 0, 0
    before: Collected | None = None
    for shot in shots:
        n += 1
        began = before is not None and before.frame.kind == EMPTY
        shorter = before is None or len(shot.row or ()) < len(before.row or ())
        after = before is not None and before.frame.kind == "after"
        if shot.frame.kind == EMPTY or (not began and (shorter or after)):
            table, n = table + 1, 1
        found.append(f"evening_r{table:03}_f{n:02}")
        before = shot
    return found


def _write(path: Path, shot: Collected, mat: Mat, unblurred: bool) -> dict[str, Any]:
    """Write a frame and its truth; give what the truth says."""
    was = shot.frame.fields()
    spec = TileSpec(*was["tile_mm"])
    row = [] if shot.row is None or shot.overruled else shot.row
    tiles = tuple(_tile(each, spec) for each in row)
    seen = tuple(tile_of(each, spec) for each in was["seen"])
    new = next((n for n, tile in enumerate(tiles) if tile.value == shot.latest), None)
    data: dict[str, Any] = {
        "name": path.name,
        "image": f"{path.name}.jpg",
        "kind": OVERRULED if shot.overruled else shot.frame.kind,
        "truth": PEOPLE,
        **was,
        "tiles": [as_truth(tile, n) for n, tile in enumerate(tiles)],
        "new_tile": new if shot.latest is not None else None,
        "corrections": corrections(shot, tiles, seen),
    }
    picture = shot.frame.path.read_bytes()
    if not unblurred:
        image = load_frame(shot.frame.path).image
        view = view_of(was, image.shape[1], image.shape[0])
        picture = as_jpeg(blurred(image, view, mat, seen, bool(was["hand_in_view"])))
    private.write(path.with_name(data["image"]), picture)
    private.write(path.with_name(f"{path.name}.json"), json.dumps(data, indent=1).encode())
    return data


def _tile(told: Standing, spec: TileSpec) -> Tile:
    pose = Pose(told.x_mm, told.y_mm, radians(told.heading_deg))
    return Tile(told.value, pose, Orientation(told.orientation), State(told.state), spec=spec)


def corrections(shot: Collected, tiles: Sequence[Tile], seen: Sequence[Tile]) -> list[str]:
    """Say where people knew better than the eye, each in one sentence."""
    if shot.overruled and shot.push is not None and shot.push.seen is not None:
        what = {"fell": "the row fell", "stood": "the row stood"}
        was, is_so = shot.push.seen.outcome, "stood" if shot.push.seen.outcome == "fell" else "fell"
        return [f"read as: {what[was]}; people said: {what[is_so]}"]
    found = list[str]()
    if shot.frame.kind == "after":  # people let it stand as a whole, and not tile by tile
        return found
    for tile in tiles:
        near = [one for one in seen if apart_mm(one, tile) <= SAME_MM]
        read = min(near, key=lambda one: apart_mm(one, tile), default=None)
        if read is None:
            found.append(f"tile {tile.value} was not seen")
        elif read.value != tile.value:
            found.append(f"tile {tile.value} was read as {read.value or 'a tile without a value'}")
        elif read.state is not tile.state:
            found.append(f"tile {tile.value} was taken for {read.state.value}")
    return found


def page(frames: Sequence[dict[str, Any]]) -> str:
    """A page to look through them."""
    shown = []
    for each in frames:
        values = " ".join(str(tile["value"]) for tile in each["tiles"]) or "no tiles"
        wrong = "".join(f"<br><strong>{escape(one)}</strong>" for one in each["corrections"])
        words = f"{each['image']}: {each['kind']}; {escape(values)}{wrong}"
        shown.append(
            f'<figure><img src="{each["image"]}" alt="{each["kind"]}" loading="lazy">'
            f"<figcaption>{words}</figcaption></figure>"
        )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Frames of an evening</title><style>{STYLE}</style></head><body>"
        "<h1>Frames of an evening</h1><p>Under each picture: its file, what it shows, and the "
        "tiles as people confirmed them. In bold: where the camera was wrong.</p>"
        "<p>Delete the file of every picture that nobody else shall see. What is left can be sent, "
        "packed as one file.</p>" + "".join(shown) + "</body></html>\n"
    )
