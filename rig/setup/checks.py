"""Checks that need nobody at the table: settings, devices, disk, the journal's place."""

import os
import shutil
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

from rig.clock import Clock
from rig.config import Config, ConfigError, load_config
from rig.errors import RigError
from rig.journal_tables import SCHEMA, Broken
from rig.salvage import examined
from rig.setup.plan.facts import Arm, Extra, House, Port
from rig.setup.store import Shelf
from rig.storage import network_drive
from vision.errors import VisionError
from vision.opencv import why_not

# What loads OpenCV is imported where it is used: the doctor is for computers that cannot load it.

EXTRAS = {
    "https": "cryptography",
    "mdns": "zeroconf",
    "film": "av",
    "survey": "pyarrow",
    "reference": "mujoco",
}
"""The optional parts, and the module by which each is known."""
LOOK_S = 15.0


def settings(
    path: Path | None, port: int | None = None, languages: Sequence[str] = ()
) -> tuple[Config, str]:
    """Read the settings.

    Args:
        path: their file; None for the defaults.
        port: where phones reach the referee; overrides the file.
        languages: the codes of those that films can have.

    Returns:
        The settings (the defaults if the file cannot be used), and why the file cannot be used.
    """
    changes = {} if port is None else {"network": {"port": port}}
    try:
        return load_config(path, languages, **changes), ""
    except ConfigError as error:
        return load_config(None, languages, **changes), str(error)


def house(
    config: Config,
    trouble: str,
    shelf: Shelf,
    journal: Path,
    look: bool = True,
    port: Port | None = None,
) -> House:
    """Check everything except the network and the pusher.

    Args:
        config: the settings.
        trouble: what is wrong with their file.
        shelf: where lenses and the mat are kept.
        journal: the table's file.
        look: take a picture of a real camera, which takes a moment.
        port: where phones reach the referee.
    """
    opencv = why_not()
    mat, surveyed = ("", False) if opencv else _mat(config)
    folder = nearest(journal.parent)
    return House(
        config=trouble,
        opencv=opencv,
        port=port or Port(),
        mat=mat,
        surveyed=surveyed,
        lens=not opencv and _lens(config, shelf),
        camera=(opencv or _camera(config)) if look else "",
        free_mb=shutil.disk_usage(folder).free / 1e6,
        folder=str(journal.parent),
        journal=_journal(journal),
        damage=_damage(journal),
        file=str(journal),
        writable=os.access(folder, os.W_OK)
        and (not journal.exists() or os.access(journal, os.W_OK)),
        remote=network_drive(folder),
        extras={
            name: Extra(find_spec(module) is not None, name in _wanted(config), install(name))
            for name, module in EXTRAS.items()
        },
    )


def install(extra: str) -> str:
    """Give the command that installs an optional part for this program."""
    root = Path(__file__).parents[2]
    if (root / "constraints.txt").is_file():
        what = f"-c {root / 'constraints.txt'} -e '{root}[{extra}]'"
    else:
        what = f"'domino-rig[{extra}]'"
    return f"{sys.executable} -m pip install {what}"


def _wanted(config: Config) -> set[str]:
    """The optional parts that the settings ask for."""
    asked = {
        "https": config.network.https,
        "mdns": config.network.mdns,
        "reference": config.virtual.world == "mujoco",
    }
    return {name for name, wanted in asked.items() if wanted}


def _journal(path: Path) -> str:
    """Say what is wrong with a journal, without touching it: one of the words of `House`."""
    if path.is_dir():
        return "folder"
    if not path.exists():
        return ""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", 0, uri=True)) as db:
            (version,) = db.execute("PRAGMA user_version").fetchone()
            db.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        return "held" if "locked" in str(error) else "broken"
    except sqlite3.Error:
        return "broken"
    return "newer" if version > SCHEMA else ""


def _damage(path: Path) -> Broken | str:
    """Say what is damaged in a journal that could be opened."""
    return (path.is_file() and not _journal(path) and examined(path)) or ""


def pusher(config: Config, clock: Clock) -> Arm | None:
    """Ask a real pusher who it is; nothing moves. None if there is no real one."""
    if config.pusher.kind != "serial":
        return None
    from rig.setup.bench.arms import RealArms, arm_of

    try:
        found, _ = RealArms(clock).open(config.pusher.port)
    except RigError as error:
        return Arm(trouble=error)
    try:
        return arm_of(found)
    finally:
        found.close()


def nearest(folder: Path) -> Path:
    """The folder, or the nearest parent that exists."""
    folder = folder.absolute()
    return next(each for each in (folder, *folder.parents) if each.is_dir()).resolve()


def _mat(config: Config) -> tuple[str, bool]:
    from vision.geometry.mat import load_mat

    try:
        mat = load_mat(Path(config.camera.mat) if config.camera.mat else None)
    except VisionError as error:
        return str(error), False
    return "", mat.surveyed


def _lens(config: Config, shelf: Shelf) -> bool:
    from rig.setup.bench.watching import lens_is_kept
    from vision.geometry.lens import load_intrinsics

    if not config.camera.lens:
        return lens_is_kept(config, shelf)
    try:
        load_intrinsics(Path(config.camera.lens))
    except VisionError:
        return False
    return True


def _camera(config: Config) -> VisionError | str:
    camera = config.camera
    if camera.kind != "opencv" or not camera.id:
        return ""
    from vision.capture.discovery import preview
    from vision.capture.settings import CameraSettings, camera_source

    settings = CameraSettings(camera.width, camera.height, power_line_hz=camera.power_line_hz)
    try:
        preview(camera_source(camera.id), settings, patience_s=LOOK_S)
    except VisionError as error:
        return error
    return ""
