"""`domino-rig pushes`: exports every push of some journals, for `learn`."""

import json
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

from rig import private
from rig.cli.speech import damaged, noted, speech
from rig.errors import RigError
from rig.games.estimation.story.push_export import lines, pictures, remembered
from rig.games.estimation.story.rounds import Remembered
from rig.journal import Journal, JournalUnusable
from web.content.words import SOURCE, Say


class NotExported(RigError):
    """The pushes could not be written; the journals are unchanged."""


def run(args: Namespace) -> int:
    """Gather, write, and say how many."""
    written: list[str] = []
    found = 0
    for path in args.journals:
        journal = opened(path)
        try:
            pushes = remembered(journal.events())
            found += len(pushes)
            chosen = [push for push in pushes if args.all or push.learnable]
            names = [_pictures(journal, push, args.pictures) for push in chosen]
        finally:
            journal.close()
        for line, files in zip(lines(chosen, every=True), names, strict=True):
            written.append(_text({**line, "pictures": files} if args.pictures else line))
    if not written:
        raise NotExported(
            f"no push can be learned from ({found} in these journals): a push needs a row of at "
            "least two tiles and an outcome; --all writes them anyway"
            if found
            else "no push is in these journals yet; play a round to its push first"
        )
    _write(args.out, "".join(written).encode())
    print(f"{args.out}: {len(written)} of {found} pushes")
    return 0


def opened(path: Path, say: Say | None = None) -> Journal:
    """Open an existing journal; looking for one that does not exist must not create it.

    Args:
        path: its file.
        say: says the texts of a language in which damage is told; None for English.

    Raises:
        JournalUnusable: there is none.
    """
    require(path)
    journal = Journal(path)
    if journal.damage is not None:
        say = say or speech(SOURCE)
        print(say("play.note", text=noted(damaged(journal.damage), say)), file=sys.stderr)
    return journal


def require(path: Path) -> None:
    """Look whether there is a journal to open.

    Raises:
        JournalUnusable: there is none.
    """
    if path.is_dir():
        words = f"{path} is a folder, so it is no journal; name a table's file"
        raise JournalUnusable(words, "journal.no_file", file=path)
    if not path.is_file():
        words = f"{path}: there is no such journal; name a table's file"
        raise JournalUnusable(words, "journal.missing", file=path)
    if path.stat().st_size == 0:  # opened as a journal, it would become one
        words = f"{path} is empty, so it is no journal; name a table's file"
        raise JournalUnusable(words, "journal.empty", file=path)


def _pictures(journal: Journal, push: Remembered, folder: Path | None) -> dict[str, str]:
    """Write a push's pictures into a folder; give their names, by `before` and `after`."""
    files: dict[str, str] = {}
    for when, number in pictures(push).items() if folder is not None else ():
        jpeg = journal.picture(number)
        if jpeg is not None and folder is not None:
            files[when] = f"{push.id}-{when}.jpg"
            _write(folder / files[when], jpeg)
    return files


def _text(line: dict[str, Any]) -> str:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"


def _write(path: Path, data: bytes) -> None:
    """Write the whole file or nothing: a truncated one would look like fewer pushes."""
    try:
        private.write(path, data)
    except OSError as error:
        raise NotExported(
            f"{path}: cannot be written ({error.strerror}); name another file"
        ) from None
