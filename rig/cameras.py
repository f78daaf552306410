"""The camera that the settings name, its lens and its mat."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from rig.config import CameraConfig, ConfigError
from vision.calibrate.store import Mode, kept_modes, load_lens
from vision.capture.camera import Camera, FolderCamera
from vision.capture.live_camera import open_camera
from vision.capture.settings import CameraSettings
from vision.geometry.lens import Intrinsics, load_intrinsics
from vision.geometry.mat import Mat, load_mat

FOLDER_S = 0.2
"""Recorded pictures are shown so long each."""
PICTURES = (".jpg", ".jpeg", ".png")


@dataclass(frozen=True, slots=True)
class Sights:
    """A camera over a real table, or over one that was filmed.

    Attributes:
        camera: gives its frames.
        lens: what its lens does.
        mat: where the markers lie.
    """

    camera: Camera
    lens: Intrinsics
    mat: Mat


def lens_folder() -> Path:
    """Where lenses are kept if nobody says otherwise."""
    return Path(platformdirs.user_data_dir("domino-rig", appauthor=False)) / "lenses"


def open_sights(
    config: CameraConfig, now_s: Callable[[], float], lenses: Path | None = None
) -> Sights:
    """Open the camera of the settings; it need not be plugged in yet.

    Args:
        config: which camera.
        now_s: the clock by which recorded pictures are shown.
        lenses: the folder where lenses are kept; None for the usual one.

    Raises:
        ConfigError: a setting is missing, or leaves open which lens is meant.
        VisionError: there is no lens for it, or a file cannot be used.
    """
    mat = load_mat(Path(config.mat) if config.mat else None)
    if config.kind == "folder":
        return Sights(_recorded(config, now_s), _lens_file(config), mat)
    if not config.id:
        raise ConfigError(
            '[camera] id is empty: name the camera as `domino-rig camera list` does, for kind = "'
            f'{config.kind}"'
        )
    if config.lens:
        lens, focus = _lens_file(config), None
    else:
        lens, focus = _kept(config, lenses or lens_folder())
    held = {} if focus is None else {"focus": focus}
    settings = CameraSettings(
        config.width, config.height, power_line_hz=config.power_line_hz, held=held
    )
    return Sights(open_camera(config.id, settings), lens, mat)


def _recorded(config: CameraConfig, now_s: Callable[[], float]) -> FolderCamera:
    folder = Path(config.folder)
    if not config.folder or not folder.is_dir():
        raise ConfigError(
            f"[camera] folder = {config.folder!r}: expected a folder of recorded pictures, for "
            'kind = "folder"'
        )
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES)
    if not paths:
        raise ConfigError(f"{folder}: no picture in it ends in {', '.join(PICTURES)}")
    return FolderCamera(paths, FOLDER_S, now_s=now_s)


def _lens_file(config: CameraConfig) -> Intrinsics:
    if not config.lens:
        raise ConfigError(
            "[camera] lens is empty: name the camera file of the recorded pictures, as "
            "`domino-rig calibrate lens` writes it"
        )
    return load_intrinsics(Path(config.lens), (config.width, config.height))


def _kept(config: CameraConfig, folder: Path) -> tuple[Intrinsics, float | None]:
    """The lens that was calibrated for this camera in this mode, and the focus it belongs to."""
    size = (config.width, config.height)
    kept = [
        mode
        for mode in kept_modes(folder)
        if mode.device == config.id and (mode.width, mode.height) == size
    ]
    if len(kept) > 1:
        names = " and ".join(str(folder / mode.file_name) for mode in kept)
        raise ConfigError(f"[camera] lens is empty and there is more than one: name {names}")
    mode = kept[0] if kept else Mode(config.id, *size)
    return load_lens(folder, mode), mode.focus
