"""domino-rig camera: which cameras there are, what one sees, and which settings can be locked."""

import base64
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from rig.cli.output import print_json
from rig.cli.speech import explained, speech
from vision.capture.camera import CameraGone, NoFrame
from vision.capture.discovery import Found, UnwritablePicture, list_cameras, preview, write_picture
from vision.capture.live_camera import OpenCVCamera, open_camera
from vision.capture.settings import CameraSettings, Setting, camera_source
from web.content.words import Say

NONE_FOUND = (
    "no camera found: check its cable, try another USB socket, close other programs that show it, "
    "and under Linux let your user open it (`sudo usermod -aG video $USER`, then log in again)"
)


def list_all(args: Namespace) -> int:
    """Name all cameras."""
    say, cameras = speech(args.language), list_cameras()
    for camera in cameras:
        if args.previews is not None and camera.preview:
            write_picture(args.previews / f"{camera.id}.jpg", camera.preview)
        if args.json:
            print_json("camera", as_json(camera))
        else:
            print(as_text(camera, say), flush=True)
    if not cameras and not args.json:
        raise CameraGone(NONE_FOUND, "nobody")
    return 0


def preview_one(args: Namespace) -> int:
    """Write one picture."""
    say = speech(args.language)
    settings = CameraSettings(args.width, args.height)
    image = preview(camera_source(args.id), settings)
    write_picture(args.file, image)
    height, width = image.shape[:2]
    print(say("camera.picture", file=args.file, width=width, height=height, id=args.id))
    return 0


def check(args: Namespace) -> int:
    """Lock the settings; 1 if not all of them worked."""
    say = speech(args.language)
    held, lost = say("camera.held"), say("camera.not_held")
    width = max(len(held), len(lost))
    with _opened(args) as camera:
        for setting in camera.report:
            print(f"{held if setting.took else lost:<{width}}  {in_words(setting, say)}")
        return 0 if all(setting.took for setting in camera.report) else 1


def shoot(args: Namespace) -> int:
    """Take pictures with the settings locked."""
    say = speech(args.language)
    with _opened(args) as camera:
        for setting in camera.report:
            if not setting.took:
                print(say("play.note", text=in_words(setting, say)))
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
        command = f"domino-rig calibrate lens --device {args.id}{held} {args.folder}"
        print(say("camera.next", command=command))
    return 0


@contextmanager
def _opened(args: Namespace) -> Iterator[OpenCVCamera]:
    """Give a camera that has sent its first picture, its settings locked as in a game."""
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


def in_words(setting: Setting, say: Say) -> str:
    """Tell what became of a setting."""
    name = say(f"setting.name.{setting.name.replace(' ', '_')}")
    return say(f"setting.{setting.kind}", name=name, **setting.facts)


def as_text(camera: Found, say: Say) -> str:
    """Tell a camera in one line."""
    sizes = ", ".join(f"{width} x {height}" for width, height in camera.sizes)
    numbered = camera.name == f"camera {camera.id}"
    name = say("camera.name", id=camera.id) if numbered else camera.name
    trouble = camera.trouble and explained(NoFrame(camera.trouble, camera.kind), say)
    return f"{camera.id}{f' ({name})' if name else ''}: {trouble or sizes}"
