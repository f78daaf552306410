"""Stores set-up's results: the devices in `rig.toml`, and in `setup.json` which steps are done.

Lines that a person wrote into `rig.toml` stay, comments included; only the chosen settings change.
Both files are written whole or not at all.
"""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import platformdirs
import tomlkit
from tomlkit.exceptions import TOMLKitError

from rig import private
from rig.config import Config, load_config
from rig.games.registry import ESTIMATION
from rig.setup.errors import NotSo
from rig.setup.plan.facts import STEPS, Chosen, Progress

RIG = "rig.toml"
PROGRESS = "setup.json"
MAT = "mat.json"


class NotKept(NotSo):
    """Something could not be stored; the files are unchanged."""


def data_folder() -> Path:
    """The folder for all data of domino-rig on this machine."""
    return Path(platformdirs.user_data_dir("domino-rig", appauthor=False))


def default_journal(game: str = "") -> Path:
    """The default journal, in which a table of a game is kept between evenings."""
    return data_folder() / f"{'table' if game in ('', ESTIMATION) else game}.sqlite3"


def kept_settings() -> Path | None:
    """The rig.toml that the first evening has kept on this machine, if it has."""
    path = data_folder() / RIG
    return path if path.exists() else None


class Shelf:
    """The folder with set-up's results.

    Args:
        folder: the data folder; made when something is stored.
        rig: the settings file, if the table was opened with another one than the folder's.
    """

    def __init__(self, folder: Path, rig: Path | None = None) -> None:
        self.folder = folder
        self.rig = rig or folder / RIG

    @property
    def mat(self) -> Path:
        """Where the surveyed mat is kept."""
        return self.folder / MAT

    @property
    def lenses(self) -> Path:
        """The folder of the lenses."""
        return self.folder / "lenses"

    def config(self) -> Config:
        """Give the settings as they are now.

        Raises:
            ConfigError: the file has something in it that is no setting.
        """
        return load_config(self.rig if self.rig.exists() else None)

    def choose(self, **sections: Mapping[str, Any]) -> Config:
        """Put settings into the file; everything else in it stays as it is.

        Args:
            sections: the settings by section.

        Returns:
            All settings, as the file then has them.

        Raises:
            ConfigError: they cannot be used; the file is as it was.
            NotKept: the file cannot be read or written.
        """
        try:
            text = self.rig.read_text(encoding="utf-8-sig") if self.rig.exists() else ""
            document = tomlkit.parse(text)
        except (OSError, UnicodeDecodeError, TOMLKitError) as error:
            words = f"{self.rig}: cannot be read ({error}); correct it, or move it away"
            raise NotKept("refused.unread", words, file=str(self.rig)) from error
        for section, values in sections.items():
            if section not in document:
                document.add(section, tomlkit.table())
            table: Any = document[section]
            for key, value in values.items():
                table[key] = value
        aside = self._aside(self.rig, tomlkit.dumps(document).encode())
        try:
            config = load_config(aside)
            aside.replace(self.rig)
        except OSError as error:
            raise self._trouble(self.rig, error) from error
        finally:
            aside.unlink(missing_ok=True)
        return config

    def kept(self) -> Progress:
        """Give how far the evening has come; a file that is none says: not at all."""
        try:
            data = json.loads((self.folder / PROGRESS).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return Progress()
        if not isinstance(data, dict):
            return Progress()
        blank = asdict(Progress())
        known = {f.name for f in fields(Progress)}
        fit = {k: v for k, v in data.items() if k in known and _alike(v, blank[k])}
        kept = replace(Progress(), **fit)
        return kept if kept.at in STEPS else replace(kept, at=STEPS[0])

    def keep(self, kept: Progress) -> None:
        """Write down how far the evening has come.

        Raises:
            NotKept: the file cannot be written.
        """
        path = self.folder / PROGRESS
        aside = self._aside(path, (json.dumps(asdict(kept), indent=1) + "\n").encode())
        try:
            aside.replace(path)
        except OSError as error:
            raise self._trouble(path, error) from error
        finally:
            aside.unlink(missing_ok=True)

    def _aside(self, path: Path, data: bytes) -> Path:
        """Write a file beside its place; the disk has all of it before it gets its name."""
        aside = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            private.make_folder(path.parent)
            with aside.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            with suppress(OSError):
                aside.unlink()
            raise self._trouble(path, error) from error
        return aside

    def _trouble(self, path: Path, error: OSError) -> NotKept:
        words = (
            f"{path}: cannot be written ({error.strerror}); make room, or let your user write there"
        )
        return NotKept("refused.kept", words, file=str(path))


def _alike(value: Any, blank: Any) -> bool:
    """Whether a value of the file is of the kind that the field has; None stands for a number."""
    if isinstance(blank, bool):
        return isinstance(value, bool)
    if blank is None:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        return value is None or number
    return isinstance(value, str)


def chosen_of(config: Config) -> Chosen:
    """What the settings say of the devices."""
    tile = config.tiles
    return Chosen(
        config.camera.kind,
        config.camera.id,
        config.camera.mat,
        config.pusher.kind,
        config.pusher.port,
        (tile.length_mm, tile.width_mm, tile.thickness_mm, tile.mass_g),
    )
