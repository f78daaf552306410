"""Where rows come from: photos, folders of photos, games, and what other commands write."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os.path import exists
from pathlib import Path
from typing import Final

from physics.errors import PhysicsError, ScenarioError

PHOTOS: Final = (".jpg", ".jpeg", ".png")
_JOURNAL: Final = b"SQLite format 3"
_GAME: Final = b'{"format":"domino-rig-game"'


def named(paths: Iterable[str]) -> Iterator[str]:
    """Give the files that are meant: in place of a folder its photos, by name.

    Raises:
        PhysicsError: a folder has none, or one of them is a row itself.
    """
    for path in paths:
        folder = Path(path)
        if "@" in path and not exists(path):  # which answers for a name that is too long, too
            raise PhysicsError(f"{path}: there is no such file; send a row itself to `predict -`")
        if not folder.is_dir():
            yield path
            continue
        photos = sorted(each for each in folder.iterdir() if each.suffix.lower() in PHOTOS)
        if not photos:
            kinds = ", ".join(PHOTOS)
            raise PhysicsError(
                f"{path}: cannot be read: it is a folder without photos ({kinds}); name one that "
                "has some, or a file"
            )
        yield from map(str, photos)


@contextmanager
def written_by(writer: str, *, reader: str) -> Iterator[None]:
    """Wrap the reading of a file that another command writes: an error then names that command.

    Raises:
        ScenarioError: as raised inside, with the writer named.
    """
    try:
        yield
    except ScenarioError as error:
        raise ScenarioError(f"{error} ({reader} reads what `domino-rig {writer}` writes)") from None


def row_lines(path: str) -> list[str] | None:
    """Give the rows of a photo or a game, a line each; None for any other file.

    Raises:
        VisionError: the photo shows no row.
        RigError: the game cannot be read.
        PhysicsError: nothing was pushed in it.
    """
    file = Path(path)
    if file.suffix.lower() in PHOTOS:
        from physics.rows import notation
        from rig.cli.see import photo_row

        return [notation.written(photo_row(path))]
    if not file.is_file():
        return None
    try:
        with file.open("rb") as opened:
            head = opened.read(max(len(_JOURNAL), len(_GAME)))
    except OSError:  # whoever reads it as rows says why it cannot be read
        return None
    if not head.startswith((_JOURNAL, _GAME)):
        return None
    from rig.cli.pushes import opened as opened_journal
    from rig.games.estimation.story.push_export import lines, remembered, remembered_in
    from rig.history.gamefile import BadGameFile, loaded

    if head.startswith(_JOURNAL):
        journal = opened_journal(file)  # which says if it is damaged: rows may be missing then
        try:
            pushes = remembered(journal.events())
        finally:
            journal.close()
    else:
        try:
            pushes = remembered_in(loaded(file.read_bytes()))
        except BadGameFile as error:
            raise BadGameFile(f"{path}: {error}") from None
    rows = [push for push in pushes if len(push.row) > 1]
    if not rows:
        raise PhysicsError(f"{path}: no row of two or more tiles was pushed in this game")
    return [json.dumps(line) for line in lines(rows, every=True)]
