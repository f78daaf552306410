"""`domino-rig camera collect`: a folder of an evening's frames, to look through and to send.

Of each frame it says what the eye read and what people made of that: a tile confirmed or put right,
a row that was right as it stood, an accident that was none, a verdict that stood or was overruled.
"""

import json
import os
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
from rig.cli.pushes import opened, require
from rig.cli.speech import machine_language, speech
from rig.errors import KeyedError
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
from web.content.words import SOURCE, Say

Correction = tuple[str, dict[str, Any]]
"""Where the eye was wrong: the key of its words after `collect.`, and their facts."""
Written = tuple[dict[str, Any], list[Correction]]
"""What the truth of a frame says, and where the eye was wrong in it."""
SAME_MM = 10.0
"""What was read no farther than this from a confirmed tile was read of it."""
STYLE = (
    "body{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "img{width:100%}figure{margin:2rem 0}"
)


class NotCollected(KeyedError):
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
    language = args.language or machine_language(os.environ)
    say, path = speech(language), args.journal or default_journal()
    if args.journal is not None:
        require(path)
    kept = list(frames_in(frames_of(path)))
    if not kept:
        raise NotCollected(
            f"{frames_of(path)}: no frame is kept there; set collect = true under [camera] in the "
            "settings before an evening with a camera over the table, and collect after it",
            "collect.nothing",
            folder=frames_of(path),
        )
    if args.folder.exists() and (not args.folder.is_dir() or any(args.folder.iterdir())):
        words = f"{args.folder} is there already; name a new folder"
        raise NotCollected(words, "collect.there", folder=args.folder)
    journal = opened(path, say)
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
        private.write(args.folder / "index.html", page(told, say, language).encode())
    except (OSError, ValueError, KeyError, TypeError) as error:
        words = f"{args.folder}: cannot be made ({error}); name another one"
        raise NotCollected(words, "collect.unmade", folder=args.folder) from error
    wrong = sum(len(found) for _, found in told)
    print(say("collect.done", folder=args.folder, frames=len(told), corrections=wrong))
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


def _write(path: Path, shot: Collected, mat: Mat, unblurred: bool) -> Written:
    """Write a frame and its truth, which is English; give what the truth says."""
    was = shot.frame.fields()
    spec = TileSpec(*was["tile_mm"])
    row = [] if shot.row is None or shot.overruled else shot.row
    tiles = tuple(_tile(each, spec) for each in row)
    seen = tuple(tile_of(each, spec) for each in was["seen"])
    found, english = corrections(shot, tiles, seen), speech(SOURCE)
    new = next((n for n, tile in enumerate(tiles) if tile.value == shot.latest), None)
    data: dict[str, Any] = {
        "name": path.name,
        "image": f"{path.name}.jpg",
        "kind": OVERRULED if shot.overruled else shot.frame.kind,
        "truth": PEOPLE,
        **was,
        "tiles": [as_truth(tile, n) for n, tile in enumerate(tiles)],
        "new_tile": new if shot.latest is not None else None,
        "corrections": [english(f"collect.{key}", **of) for key, of in found],
    }
    picture = shot.frame.path.read_bytes()
    if not unblurred:
        image = load_frame(shot.frame.path).image
        view = view_of(was, image.shape[1], image.shape[0])
        picture = as_jpeg(blurred(image, view, mat, seen, bool(was["hand_in_view"])))
    private.write(path.with_name(data["image"]), picture)
    private.write(path.with_name(f"{path.name}.json"), json.dumps(data, indent=1).encode())
    return data, found


def _tile(told: Standing, spec: TileSpec) -> Tile:
    pose = Pose(told.x_mm, told.y_mm, radians(told.heading_deg))
    return Tile(told.value, pose, Orientation(told.orientation), State(told.state), spec=spec)


def corrections(shot: Collected, tiles: Sequence[Tile], seen: Sequence[Tile]) -> list[Correction]:
    """Where people knew better than the eye."""
    if shot.overruled and shot.push is not None and shot.push.seen is not None:
        return [(f"wrong.{shot.push.seen.outcome}", {})]
    found = list[Correction]()
    if shot.frame.kind == "after":  # people let it stand as a whole, and not tile by tile
        return found
    for tile in tiles:
        near = [one for one in seen if apart_mm(one, tile) <= SAME_MM]
        read = min(near, key=lambda one: apart_mm(one, tile), default=None)
        if read is None:
            found.append(("unseen", {"tile": tile.value}))
        elif read.value != tile.value:
            key = "misread" if read.value else "unread"
            found.append((key, {"tile": tile.value, "read": read.value}))
        elif read.state is not tile.state:
            found.append((read.state.value, {"tile": tile.value}))
    return found


def page(frames: Sequence[Written], say: Say, language: str) -> str:
    """A page to look through them."""
    shown = []
    for each, found in frames:
        values = " ".join(str(tile["value"]) for tile in each["tiles"]) or say("collect.no_tiles")
        kind = escape(say(f"collect.kind.{each['kind']}"))
        wrong = (escape(say(f"collect.{key}", **of)) for key, of in found)
        told = f"{kind}; {escape(values)}" + "".join(f"<br><strong>{w}</strong>" for w in wrong)
        shown.append(
            f'<figure><img src="{each["image"]}" alt="{kind}" loading="lazy">'
            f"<figcaption>{each['image']}: {told}</figcaption></figure>"
        )
    title, what, delete = (escape(say(f"collect.{key}")) for key in ("title", "what", "delete"))
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head><body>"
        f"<h1>{title}</h1><p>{what}</p><p>{delete}</p>" + "".join(shown) + "</body></html>\n"
    )
