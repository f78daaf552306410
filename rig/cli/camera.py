"""domino-rig camera: which cameras there are, what one sees, and what of it can be held still."""

import argparse
import base64
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from vision.camera import CameraGone
from vision.cameras import Found, UnwritablePicture, list_cameras, preview, write_picture
from vision.device import CameraSettings, camera_source
from vision.opencv_camera import OpenCVCamera, open_camera

NONE_FOUND = (
    "no camera found: check its cable, try another USB socket, close other programs that show it, "
    "and under Linux let your user open it (`sudo usermod -aG video $USER`, then log in again)"
)


def add(subparsers: Any) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "camera",
        help="list cameras, show what one sees, hold its settings",
        description="Find the camera that looks at the table. `list` names all that are attached, "
        "`preview` writes one picture, `check` holds exposure, white balance and focus as a game "
        "does and says which of them took, `shoot` takes pictures so.",
    )
    words = parser.add_subparsers(dest="what", metavar="WHAT", required=True)
    every = words.add_parser("list", help="name all cameras")
    every.add_argument("--json", action="store_true", help="print one JSON object a camera")
    every.add_argument("--previews", type=Path, metavar="FOLDER", help="write a picture of each")
    every.set_defaults(run=_list)
    one = words.add_parser("preview", help="write one picture")
    one.add_argument("id", metavar="ID", help="a camera of `camera list`")
    one.add_argument("file", type=Path, metavar="FILE", help="the picture, .jpg or .png")
    one.set_defaults(run=_preview)
    check = words.add_parser("check", help="hold the settings, and say which took")
    check.add_argument("id", metavar="ID", help="a camera of `camera list`")
    shoot = words.add_parser("shoot", help="take pictures for `calibrate`, settings held")
    shoot.add_argument("id", metavar="ID", help="a camera of `camera list`")
    shoot.add_argument("folder", type=Path, metavar="FOLDER", help="where they go, numbered")
    shoot.add_argument("--count", type=_count, default=16, metavar="N", help="how many (16)")
    shoot.add_argument("--every", type=_seconds, default=3.0, metavar="S", help="seconds apart (3)")
    shoot.set_defaults(run=_shoot)
    for command in (one, check, shoot):
        command.add_argument("--width", type=_pixels, default=CameraSettings().width)
        command.add_argument("--height", type=_pixels, default=CameraSettings().height)
    for command in (check, shoot):
        command.add_argument(
            "--power-line", type=float, choices=(0.0, 50.0, 60.0), default=50.0, metavar="0|50|60"
        )
    check.set_defaults(run=_check)


def _pixels(text: str) -> int:
    number = int(text)
    if not 1 <= number <= 10_000:
        raise argparse.ArgumentTypeError(f"expected pixels from 1 to 10000, got {text}")
    return number


def _count(text: str) -> int:
    number = int(text)
    if not 1 <= number <= 999:
        raise argparse.ArgumentTypeError(f"expected 1 to 999 pictures, got {text}")
    return number


def _seconds(text: str) -> float:
    number = float(text)
    if not 0.0 <= number <= 60.0:
        raise argparse.ArgumentTypeError(f"expected 0 to 60 seconds, got {text}")
    return number


def _list(args: argparse.Namespace) -> int:
    cameras = list_cameras()
    for camera in cameras:
        if args.previews is not None and camera.preview:
            write_picture(args.previews / f"{camera.id}.jpg", camera.preview)
        print(json.dumps(as_json(camera)) if args.json else as_text(camera), flush=True)
    if not cameras and not args.json:
        raise CameraGone(NONE_FOUND)
    return 0


def _preview(args: argparse.Namespace) -> int:
    settings = CameraSettings(args.width, args.height)
    image = preview(camera_source(args.id), settings)
    write_picture(args.file, image)
    height, width = image.shape[:2]
    print(f"{args.file}: {width} x {height} px from camera {args.id}")
    return 0


def _check(args: argparse.Namespace) -> int:
    with _opened(args) as camera:
        for setting in camera.report:
            print(f"{'ok ' if setting.took else 'NO '} {setting.words}")
        return 0 if all(setting.took for setting in camera.report) else 1


def _shoot(args: argparse.Namespace) -> int:
    with _opened(args) as camera:
        for setting in camera.report:
            if not setting.took:
                print(f"Note: {setting.words}")
        try:
            args.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UnwritablePicture(
                f"{args.folder}: cannot be made ({error.strerror}); name another folder"
            ) from None
        free = (args.folder / f"{n:03d}.png" for n in count(1))
        for _ in range(args.count):
            time.sleep(args.every)
            path = next(path for path in free if not path.exists())
            write_picture(path, camera.read().image)
            print(path, flush=True)
        focus = next((s.value for s in camera.report if s.name == "focus" and s.took), None)
        held = "" if focus is None else f" --focus {focus:g}"
        print(f"Next: domino-rig calibrate lens --device {args.id}{held} {args.folder}")
    return 0


@contextmanager
def _opened(args: argparse.Namespace) -> Iterator[OpenCVCamera]:
    """Give a camera that has sent its first picture, its settings held as in a game."""
    settings = CameraSettings(args.width, args.height, power_line_hz=args.power_line)
    camera = open_camera(args.id, settings, patience_s=20.0)
    try:
        camera.read()
        yield camera
    finally:
        camera.close()


def as_json(camera: Found) -> dict[str, Any]:
    """Give a camera the form that other programs read; the picture is a JPEG in base 64."""
    return {
        "id": camera.id,
        "name": camera.name,
        "sizes": [list(size) for size in camera.sizes],
        "trouble": camera.trouble,
        "preview": base64.b64encode(camera.preview).decode("ascii"),
    }


def as_text(camera: Found) -> str:
    """Tell a camera in one line."""
    sizes = ", ".join(f"{width} x {height}" for width, height in camera.sizes)
    name = f" ({camera.name})" if camera.name else ""
    return f"{camera.id}{name}: {camera.trouble or sizes}"
