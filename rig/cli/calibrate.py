"""domino-rig calibrate: the lens, where the mat's strips lie, and where the pusher stands."""

import math
from argparse import Namespace
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from physics.row.chain import order
from physics.row.push import Push
from physics.row.tile import State, TileSet
from rig.cli.output import print_json, progress
from rig.config import load_config
from rig.machine.build import lens_folder, tag_of
from vision.calibrate.calibration_files import Mode, lens_data, mat_data, save_lens, save_mat
from vision.calibrate.lens_fit import LensFit, LensPicture, NoLens, find_lens, see_board, see_mat
from vision.calibrate.mat_survey import NoSurvey, Survey, survey
from vision.capture.camera import Frame, NoFrame, load_frame
from vision.errors import VisionError
from vision.geometry.charuco import BOARD
from vision.geometry.lens import Intrinsics, load_intrinsics
from vision.geometry.markers import as_gray
from vision.geometry.mat import MatView, find_markers, load_mat
from vision.look.eye import Eye
from vision.marks.sticker import marks_on
from vision.pusher_tag.guidance import guidance
from vision.pusher_tag.tag import find_tag

PICTURES = (".jpg", ".jpeg", ".png")


def lens(args: Namespace) -> int:
    """Find the lens from pictures of the board or the mat, and keep it."""
    frames = _frames(args.pictures)
    mat = load_mat(args.mat)
    seen: list[LensPicture] = []
    refused: list[str] = []
    tell = progress(args.progress)
    for done, frame in enumerate(frames, start=1):
        try:
            gray = as_gray(frame.image)
            seen.append(
                see_mat(gray, mat, frame.name)
                if args.of == "mat"
                else see_board(gray, BOARD, frame.name)
            )
        except NoLens as fault:
            refused.append(str(fault))
        tell(done, len(frames))
    try:
        fit = find_lens(seen, mat if args.of == "mat" else None)
    except NoLens as fault:
        raise NoLens("; ".join([str(fault), *refused])) from fault
    mode = Mode(args.device, fit.intrinsics.width, fit.intrinsics.height, args.focus)
    today = date.today()
    path = save_lens(args.folder or lens_folder(), mode, fit, args.of, today)
    if args.json:
        facts = {"file": str(path), "left_out": refused, "advice": fit.advice}
        print_json("lens", {**lens_data(mode, fit, args.of, today), **facts})
    else:
        print("\n".join([*_lens_words(fit), *(f"left out: {r}" for r in refused), str(path)]))
    return 0


def _lens_words(fit: LensFit) -> list[str]:
    (fx, _, cx), (_, fy, cy) = fit.intrinsics.matrix[:2]
    sigma = fit.sigma
    lines = [
        f"{fit.pictures} pictures, {fit.points} points; they miss by {fit.error_px:.3f} px, "
        f"those left out of the fit by {fit.held_out_px:.3f} px",
        f"focal length {fx:.1f} +- {sigma[0]:.1f} and {fy:.1f} +- {sigma[1]:.1f} px, "
        f"centre {cx:.1f} +- {sigma[2]:.1f}, {cy:.1f} +- {sigma[3]:.1f} px",
        "distortion "
        + ", ".join(
            f"{name} {value:.5f} +- {of:.5f}"
            for name, value, of in zip(
                ("k1", "k2", "p1", "p2"), fit.intrinsics.dist[:4], sigma[4:8], strict=True
            )
        ),
    ]
    return [*lines, f"advice: {fit.advice}"] if fit.advice else lines


def strips(args: Namespace) -> int:
    """Find where the strips of the mat lie."""
    frames = _frames(args.pictures)
    mat = load_mat(args.mat)
    views: list[MatView] = []
    lenses: list[Intrinsics] = []
    tell = progress(args.progress)
    for done, frame in enumerate(frames, start=1):
        rows, columns = frame.image.shape[:2]
        lenses.append(load_intrinsics(args.camera, (columns, rows)).at_size(columns, rows))
        views.append(find_markers(as_gray(frame.image), mat))
        tell(done, len(frames))
    try:
        found = survey(views, lenses, mat, args.ruler)
    except NoSurvey as fault:
        shown = ", ".join(f"{f.name} {len(v.ids)}" for f, v in zip(frames, views, strict=True))
        raise NoSurvey(f"{fault} (markers seen: {shown})") from fault
    today = date.today()
    if args.out is not None:
        save_mat(args.out, found, today)
    if args.json:
        print_json("mat", mat_data(found, today))
    else:
        print("\n".join(_survey_words(found)))
    if args.out is not None and not args.json:
        print(f"{args.out}: use it with --mat")
    return 0


def _survey_words(found: Survey) -> list[str]:
    lines = [
        f"{len(found.poses)} pictures, {found.corners} corners; they miss by "
        f"{found.error_px:.3f} px",
        "markers     right mm   away mm   turned degrees   sure to mm   lifts mm",
    ]
    for strip in found.strips:
        ids = f"{min(strip.ids)} to {max(strip.ids)}"
        lines.append(
            f"{ids:<10} {strip.right_mm:9.2f} {strip.away_mm:9.2f} "
            f"{math.degrees(strip.turn_rad):16.2f} {strip.sigma_mm:12.3f} "
            f"{strip.lift_mm:10.1f}{'' if strip.flat else '  press it flat'}"
        )
    return lines


def pusher(args: Namespace) -> int:
    """Say how to move the pusher behind the row."""
    frame = load_frame(args.frame)
    rows, columns = frame.image.shape[:2]
    lens = load_intrinsics(args.camera, (columns, rows)).at_size(columns, rows)
    config = load_config(args.config)
    marks = marks_on(config.tiles, config.camera.marks)
    look = Eye(lens, load_mat(args.mat), TileSet(config.tiles), marks).look(frame)
    tag = tag_of(config.pusher)
    seen = find_tag(as_gray(frame.image), look.camera, lens, tag)
    chain = order([tile for tile in look.tiles if tile.state is State.STANDING and tile.value])
    if not chain.tiles:
        raise VisionError(
            f"{args.frame}: no standing tile with a mark is seen: set up the row first"
        )
    if args.far_end:
        chain = chain.reversed()
    told = guidance(seen.pose, chain, Push(standoff_mm=args.standoff), tag)
    if args.json:
        print_json(
            "aim",
            {
                "tag": {
                    "x_mm": round(seen.pose.x_mm, 2),
                    "y_mm": round(seen.pose.y_mm, 2),
                    "heading_deg": round(math.degrees(seen.pose.heading_rad), 2),
                },
                "end_tile": chain.values[0],
                "forward_mm": round(told.forward_mm, 2),
                "left_mm": round(told.left_mm, 2),
                "turn_deg": round(math.degrees(told.turn_rad), 2),
                "in_place": told.in_place,
                "words": told.words,
            },
        )
    else:
        print(told.words)
    return 0


def _frames(paths: Sequence[Path]) -> list[Frame]:
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(p for p in path.iterdir() if p.suffix.lower() in PICTURES)
            if not inside:
                raise NoFrame(f"{path}: holds no pictures; expected {', '.join(PICTURES)} files")
            files += inside
        else:
            files.append(path)
    return [load_frame(path, float(n)) for n, path in enumerate(files)]
