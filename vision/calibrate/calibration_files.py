"""What calibration found, kept in files: one lens for each camera, mode and focus; one mat."""

import json
import re
import zlib
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from vision.calibrate.lens_fit import LensFit
from vision.calibrate.mat_survey import Survey
from vision.files import read_json, write_whole
from vision.geometry.lens import BadCamera, Intrinsics, load_intrinsics
from vision.geometry.mat import BadMat

PARAMETERS = ("fx", "fy", "cx", "cy", "k1", "k2", "p1", "p2", "k3")


@dataclass(frozen=True, slots=True)
class Mode:
    """What a lens belongs to: some cameras crop in one mode, and focusing changes the lens.

    Attributes:
        device: the camera's id, as `domino-rig camera list` names it.
        width: image width in px.
        height: image height in px.
        focus: the focus it is held at, in the camera's own units; None if it has no such setting.
    """

    device: str
    width: int
    height: int
    focus: float | None = None

    @property
    def file_name(self) -> str:
        """Name of its file.

        >>> Mode("HD cam #2", 1920, 1080, 30).file_name
        'HD_cam_2-4c642cec-1920x1080-focus30.json'
        """
        plain = re.sub(r"[^A-Za-z0-9]+", "_", self.device).strip("_")[:40] or "camera"
        mark = zlib.crc32(self.device.encode())
        focus = "" if self.focus is None else f"-focus{self.focus:g}"
        return f"{plain}-{mark:08x}-{self.width}x{self.height}{focus}.json"

    @property
    def words(self) -> str:
        """The mode as people call it."""
        focus = "" if self.focus is None else f" at focus {self.focus:g}"
        return f"camera {self.device} with {self.width} x {self.height} px{focus}"


def lens_data(mode: Mode, fit: LensFit, source: str, day: date) -> dict[str, Any]:
    """Give a lens the form of a camera file.

    Args:
        mode: what it belongs to.
        fit: the lens and how well it is known.
        source: what the pictures showed, "board" or "mat".
        day: when it was found.
    """
    return {
        "device": mode.device,
        "width": mode.width,
        "height": mode.height,
        "focus": mode.focus,
        "date": day.isoformat(),
        "source": source,
        "pictures": fit.pictures,
        "error_px": round(fit.error_px, 4),
        "held_out_px": round(fit.held_out_px, 4),
        "K": fit.intrinsics.matrix.tolist(),
        "dist": fit.intrinsics.dist.tolist(),
        "sigma": {
            name: float(f"{sigma:.3g}") for name, sigma in zip(PARAMETERS, fit.sigma, strict=True)
        },
    }


def save_lens(folder: Path, mode: Mode, fit: LensFit, source: str, day: date) -> Path:
    """Write a lens to its place in a folder; the file that was there is replaced as a whole.

    Raises:
        BadCamera: the lens is of another picture size, or the file cannot be written.
    """
    if (mode.width, mode.height) != (fit.intrinsics.width, fit.intrinsics.height):
        raise BadCamera(
            f"the lens is for {fit.intrinsics.width} x {fit.intrinsics.height} px and cannot be "
            f"kept for {mode.words}: calibrate it in that mode"
        )
    path = folder / mode.file_name
    _write(path, lens_data(mode, fit, source, day), BadCamera)
    return path


def load_lens(folder: Path, mode: Mode) -> Intrinsics:
    """Read the lens of a camera in one mode and focus.

    Raises:
        BadCamera: there is none, saying which there are, or its file is damaged.
    """
    path = folder / mode.file_name
    if not path.exists():
        others = [other.words for other in kept_modes(folder) if other.device == mode.device]
        have = f"; there is one of {' and of '.join(others)}" if others else ""
        raise BadCamera(
            f"no calibration of {mode.words}{have}: calibrate this mode (domino-rig calibrate "
            "lens), or set the camera as it was",
            "uncalibrated",
        )
    kept = _mode(read_json(path, BadCamera), path)
    if kept != mode:
        raise BadCamera(f"{path}: is of {kept.words}, not of {mode.words}; calibrate it again")
    return load_intrinsics(path)


def kept_modes(folder: Path) -> tuple[Mode, ...]:
    """Return the modes of all lenses in a folder; files that are none are left out."""
    modes = []
    for path in sorted(folder.glob("*.json")):
        try:
            modes.append(_mode(read_json(path, BadCamera), path))
        except BadCamera:
            continue
    return tuple(modes)


def mat_data(survey: Survey, day: date) -> dict[str, Any]:
    """Give a surveyed mat the form of a mat file."""
    mat = survey.mat
    return {
        "dictionary": mat.dictionary,
        "surveyed": day.isoformat(),
        "error_px": round(survey.error_px, 4),
        "pictures": len(survey.poses),
        "units": "mm",
        "markers": {
            str(marker): [[round(float(v), 4) for v in corner] for corner in corners]
            for marker, corners in sorted(mat.corners_mm.items())
        },
        "work_area": {"x": list(mat.area_x_mm), "y": list(mat.area_y_mm)},
        "sheets": [
            {
                "ids": list(strip.ids),
                "right_mm": round(strip.right_mm, 4),
                "away_mm": round(strip.away_mm, 4),
                "turn_rad": round(strip.turn_rad, 6),
                "sigma_mm": round(strip.sigma_mm, 4),
                "lift_mm": round(strip.lift_mm, 3),
            }
            for strip in survey.strips
        ],
    }


def save_mat(path: Path, survey: Survey, day: date) -> None:
    """Write a surveyed mat; the file that was there is replaced as a whole.

    Raises:
        BadMat: the file cannot be written.
    """
    _write(path, mat_data(survey, day), BadMat)


def _mode(data: dict[str, Any], path: Path) -> Mode:
    device, width, height = data.get("device"), data.get("width"), data.get("height")
    focus = data.get("focus")
    sides = isinstance(width, int) and isinstance(height, int) and min(width, height) > 0
    if not isinstance(device, str) or not sides or not isinstance(focus, int | float | None):
        raise BadCamera(
            f"{path}: fields device, width, height and focus must say which camera it is of; "
            "calibrate it again"
        )
    return Mode(device, int(str(width)), int(str(height)), focus)


def _write(path: Path, data: dict[str, Any], error: type[BadCamera] | type[BadMat]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise error(f"{path.parent}: cannot be made ({fault.strerror}); name another") from fault
    write_whole(path, (json.dumps(data, indent=1) + "\n").encode(), error)
