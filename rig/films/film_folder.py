"""The folder of a table's films, beside its journal: whole films alone, each with its still.

Beside each lies a list of those who are called by name in it, as JSON. That list also says that a
film was made here: without one nothing is taken from a folder whose table is not open.
"""

import json
import re
import shutil
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from pathlib import Path

from rig import private

_ENDING = "-films"
_NAME = re.compile(r"[0-9a-f]+-\d+-[0-9a-f]{6}")
_KINDS = ("mp4", "jpg", "json")
"""As they are taken away: until the last has gone, it says what the others are."""
_FILE = re.compile(rf"({_NAME.pattern})\.({'|'.join(_KINDS)})(\.part)?")
"""What is put into the folder; other files in one of its name are somebody else's."""
CLIPS = "push-"
"""A folder named by this and the number of a push holds what the camera saw of that push."""
LEAD_S = 0.5
"""How long before the first tile stirs a clip begins."""
_CLIP = re.compile(rf"{CLIPS}\d+")
_CLIPS_KEPT = 3
"""How many of the camera's clips are kept: a reversed verdict has its film made again."""
_FRAME = re.compile(r"\d{4}_(\d+)ms\.jpg")


def films_of(journal: Path) -> Path:
    """Where the films of a journal are."""
    return journal.with_name(f"{journal.stem}{_ENDING}")


class FilmFolder:
    """Keeps films; safe from any thread.

    Args:
        path: the folder, made when the first film is put there.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def names(self) -> frozenset[str]:
        """The names of the films that are there."""
        if not self._path.is_dir():
            return frozenset()
        return frozenset(p.stem for p in self._path.glob("*.mp4") if _NAME.fullmatch(p.stem))

    def put(self, name: str, film: bytes, still: bytes, people: Collection[str]) -> None:
        """Keep a film with its still, and who is called by name in it.

        Raises:
            OSError: it cannot be written; nothing is kept of it.
        """
        try:
            private.write(self._path / f"{name}.json", json.dumps([*people]).encode())
            private.write(self._path / f"{name}.jpg", still)
            private.write(self._path / f"{name}.mp4", film)  # last: a film that is there is whole
        except OSError:
            self.remove(name)
            raise

    def file(self, name: str, kind: str) -> Path | None:
        """The file of a film, `mp4`, or of its still, `jpg`; None if it is not there."""
        path = self._path / f"{name}.{kind}"
        return path if _NAME.fullmatch(name) and path.is_file() else None

    def remove(self, name: str) -> None:
        """Take a film away; the film itself goes first."""
        for path in self._files(name):
            with suppress(OSError):
                path.unlink()

    def erase(self, is_meant: Callable[[str], bool]) -> None:
        """Take the films away in which somebody is called by a name that is meant.

        Raises:
            OSError: one cannot be taken away.
        """
        for name, people in self._made_here().items():
            if any(map(is_meant, people)):
                for path in self._files(name):
                    path.unlink(missing_ok=True)

    def remove_orphans(self) -> None:
        """Take the films away whose journal is gone from beside this table's.

        Only what was put there goes, and its folder if nothing else is left in it.
        """
        with suppress(OSError):
            files = [path for path in self._path.parent.iterdir() if path.is_file()]
            tables = {name for path in files for name in (path.stem, path.name)}
            for other in folders_in(self._path.parent):
                table = other._path.name.removesuffix(_ENDING)
                if table not in tables and other._path != self._path:
                    other._clear()

    def _clear(self) -> None:
        made = self._made_here()
        if not made:
            return
        for name in made:
            self.remove(name)
        self.keep_clips(0)
        with suppress(OSError):
            self._path.rmdir()

    def _made_here(self) -> dict[str, list[str]]:
        """Who is called by name in each film, as it was put there."""
        made = {}
        for path in self._path.glob("*.json"):
            with suppress(OSError, ValueError, RecursionError):
                people = json.loads(path.read_bytes())
                if _NAME.fullmatch(path.stem) and isinstance(people, list):
                    made[path.stem] = [each for each in people if isinstance(each, str)]
        return made

    def _files(self, name: str) -> list[Path]:
        return [self._path / f"{name}.{kind}{part}" for kind in _KINDS for part in ("", ".part")]

    def tidy(self, kept: Collection[str]) -> None:
        """Take all other films away, and what is left of a half written one."""
        if not self._path.is_dir():
            return
        for path in self._path.iterdir():
            ours = _FILE.fullmatch(path.name)
            if ours and (ours[1] not in kept or ours[3]):
                with suppress(OSError):
                    path.unlink()

    def clip(self, number: int) -> Path:
        """Where the camera's frames of a push are kept until its film is made."""
        return self._path / f"{CLIPS}{number}"

    def new_clip(self, number: int) -> Path:
        """Where those of a new push go; the oldest make way."""
        self.keep_clips(_CLIPS_KEPT - 1)
        return self.clip(number)

    def keep_clips(self, most: int) -> None:
        """Take all but the newest clips away."""
        clips = [path for path in self._path.glob(f"{CLIPS}*") if _CLIP.fullmatch(path.name)]
        newest = sorted(clips, key=lambda path: path.stat().st_mtime, reverse=True)
        for old in newest[most:]:
            shutil.rmtree(old, ignore_errors=True)


def folders_in(beside: Path) -> Iterator[FilmFolder]:
    """The folders of films beside the journals of a folder."""
    return (FilmFolder(path) for path in beside.glob(f"*{_ENDING}") if path.is_dir())


def frames_in(clip: Path) -> list[tuple[float, bytes]]:
    """The frames of the newest clip in a folder, if any, with seconds since a tile stirred."""
    newest = max(clip.glob(f"{CLIPS}*"), default=clip)
    found = sorted(newest.glob("*.jpg"))
    matched = ((path, _FRAME.fullmatch(path.name)) for path in found)
    return [(int(m[1]) / 1000 - LEAD_S, path.read_bytes()) for path, m in matched if m]
