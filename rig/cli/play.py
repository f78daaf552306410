"""`domino-rig play`: a table for people with phones, with the devices that the settings name."""

import logging
import os
import secrets
import shlex
import shutil
import subprocess
import sys
import webbrowser
from argparse import Namespace
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from rig.cli.choosing import chosen
from rig.cli.opening import Opened, about_keys, journal_of, open_table
from rig.cli.output import can_show
from rig.cli.speech import damaged, explained, noted, speech
from rig.clock import SystemClock
from rig.config import ConfigError, load_config
from rig.errors import KeyedError
from rig.films.film_folder import films_of
from rig.films.kept_frames import frames_of
from rig.games.estimation.story.bot import seated
from rig.games.phrase import Phrase
from rig.games.registry import ESTIMATION, GAMES, play_of
from rig.journal import ELSEWHERE, Journal, JournalHeld, JournalUnusable
from rig.learned.table_file import LEARNED
from rig.machine.preflight import notes
from rig.players.any_bot import AnyBot
from rig.players.bot_runner import BotSeats
from rig.session.session import Session
from rig.setup.reasons import why
from rig.setup.store import Shelf, data_folder, default_journal, kept_settings
from rig.snapshots import recover
from vision.geometry.lens import BadCamera
from vision.geometry.mat import BadMat
from vision.marks.sticker import BadMarks
from web.content import qr
from web.content.words import Say, languages
from web.server.server import settle


def run(args: Namespace) -> int:
    """Play until Ctrl+C or until a service manager ends it."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    say = speech(args.language)
    try:
        return _played(args, say)
    except KeyedError as error:
        if error.key in ELSEWHERE:
            error.add_note(say("play.elsewhere"))
        raise


def _played(args: Namespace, say: Say) -> int:
    changes: dict[str, dict[str, object]] = {}
    for section, key, value in (
        ("network", "port", args.port),
        ("network", "https", args.https),
        ("network", "mdns", args.mdns),
        ("table", "tables", args.tables),
        ("table", "bots", args.bots),
        ("table", "strength", args.strength),
        ("camera", "table", args.table),
    ):
        if value is not None:
            changes.setdefault(section, {})[key] = value
    settings = args.config or kept_settings()
    config = load_config(settings, [*languages()], **changes)
    game, options = chosen(args)  # what is wrong there is said before anything is opened
    journal = args.journal or default_journal(game)
    play_of().rules.new(config.rules)
    for n in range(1, config.table.tables + 1):
        if args.new and journal_of(journal, n).exists():
            set_aside(journal_of(journal, n))
        elif args.recover and journal_of(journal, n).exists():
            options = config.rules if game in ("", ESTIMATION) else {}
            _recover(journal_of(journal, n), options, say)
    entropy = config.table.seed if config.table.seed >= 0 else secrets.randbits(128)
    seeds = np.random.SeedSequence(entropy)
    chance = np.random.default_rng(seeds.spawn(1)[0])

    def bots(session: Session[Any, Any, Any]) -> BotSeats:
        one = partial(AnyBot, session, config.table.strength)
        makes = seated if session.play.name == ESTIMATION else one
        return BotSeats(session, makes, chance.spawn(1)[0], config.timing.bot)

    opened = open_table(
        config,
        journal,
        SystemClock(),
        seeds,
        development=args.dev,
        more=config.table.tables - 1,
        https=default_journal().parent / "https" if config.network.https else None,
        mdns=config.network.mdns,
        shelf=Shelf(data_folder(), settings),
        game=game,
        options=options,
        games=tuple(GAMES),
        bots=bots,
        learns=True,
        films=True,
        tell=lambda note: print(say("play.note", text=noted(note, say)), flush=True),
    )
    try:
        with opened:
            settle()
            _tell(opened, journal, settings, say)
            if not args.no_browser:
                webbrowser.open(opened.server.host_table_url)
            opened.server.wait()
    except KeyboardInterrupt:
        raise KeyboardInterrupt(say("play.kept", command=_again(args))) from None
    return 0


def _again(args: Namespace) -> str:
    """The command that goes on with this table, at the address that its phones know."""
    wanted = {
        "--journal": args.journal,
        "--game": None if args.journal else args.game,
        "--config": args.config,
        "--port": args.port,
    }
    given = [word for option, value in wanted.items() if value for word in (option, str(value))]
    join = subprocess.list2cmdline if os.name == "nt" else shlex.join
    return join([_started(), "play", *given])


def _started() -> str:
    """What starts this program for whoever started it: its name, or the way to it if need be."""
    name, way = "domino-rig", Path(sys.argv[0])
    found = shutil.which(name)
    named = found and Path(found).with_suffix("").resolve() == way.with_suffix("").resolve()
    return name if named or way.stem != name else str(way)


def set_aside(journal: Path) -> None:
    """Rename the old table's file, if nobody has it open.

    Raises:
        JournalUnusable: it is open elsewhere, is not a file, or cannot be renamed.
    """
    if not journal.is_file():
        words = f"{journal} is not a file; name another one"
        raise JournalUnusable(words, "journal.folder", file=journal)
    try:
        Journal(journal).close()
    except JournalHeld:
        raise
    except JournalUnusable as error:
        logging.getLogger(__name__).info("set aside although it cannot be read: %s", error)
    n = 1
    while any(map(Path.exists, _parts(aside := _numbered(journal, n)))):
        n += 1
    try:
        for each, to in zip(_parts(journal), _parts(aside), strict=True):
            if each.exists():
                each.rename(to)
    except OSError as error:
        raise JournalUnusable(
            f"{journal}: cannot be set aside ({error.strerror}); name another file",
            "journal.unmoved",
            file=journal,
        ) from None


def _numbered(journal: Path, n: int) -> Path:
    return journal.with_name(f"{journal.stem}-{n}{journal.suffix}")


def _parts(journal: Path) -> tuple[Path, ...]:
    """Name all files and folders that a table may have, its journal last.

    Its logs are SQLite's: if the program was killed, they have what was written last. They are
    still there where the journal cannot be opened.
    """
    logs = (journal.with_name(journal.name + end) for end in ("-wal", "-journal"))
    return films_of(journal), frames_of(journal), journal.with_suffix(LEARNED), *logs, journal


def _recover(journal: Path, options: Mapping[str, object], say: Say) -> None:
    damage = recover(journal, options)
    if damage is None:
        print(say("play.whole", file=journal))
    else:
        why = explained(damage.found, say).rstrip(".")
        print(say("play.recovered", file=journal, event=damage.good, why=why, copy=damage.copy))


def _tell(opened: Opened, journal: Path, settings: Path | None, say: Say) -> None:
    server, out = opened.server, sys.stdout
    if out.isatty():
        print(qr.terminal(server.join_url, can_show(qr.BLOCKS)))
    code = say("play.code", code=opened.session.table.code)
    phones = f"{server.join_url}   ({code})"
    lines: list[tuple[str | None, object]] = [(say("play.phones"), phones)]
    lines += [(None, url) for url in server.other_urls]
    if server.local_url:
        lines.append((None, f"{server.local_url}   ({say('play.local')})"))
    lines += [(say("play.table"), server.table_url), (say("play.host"), server.host_url)]
    if opened.machine is not None:
        lines.append((say("play.setup"), server.setup_url))
    lines.append((say("play.journal"), journal))
    if opened.machine is not None:
        lines.append((say("play.settings"), settings or say("play.defaults")))
    if opened.others:
        lines.append((say("play.tables"), f"{server.tables_url}   ({say('play.this_machine')})"))
    if server.trust_url:
        lines.append(("HTTPS", f"{server.trust_url}   ({say('play.trust')})"))
        lines.append(("", f"SHA-256 {server.fingerprint}"))
    width = max(len(name or "") for name, _ in lines) + 2
    either = say("play.or").rjust(width - 4)
    for name, what in lines:
        print(f"{either if name is None else name and f'{name}:':<{width}}{what}")
    tables = (opened.session, *opened.others)
    told = [damaged(table.damage) for table in tables if table.damage is not None]
    told += about_keys(tables)
    if opened.trouble is not None:
        told.append(Phrase("note.no_camera", {"why": _general(opened.trouble)}))
    if opened.machine is not None and not opened.session.damage:
        told += notes(opened.machine)
    told += [Phrase("note.public", {"address": each}) for each in server.public_addresses]
    for note in told:
        print(say("play.note", text=noted(note, say)))
    print(say("play.stop"), flush=True)


def _general(error: Exception) -> Exception:
    """What keeps a camera from being used, with general words where it has none of its own."""
    if isinstance(error, ConfigError):
        return error  # what is wrong with a setting is said in English
    kinds = ((BadCamera, "lens.file"), (BadMat, "matfile.trouble"), (BadMarks, "marks.file"))
    general = next((key for kind, key in kinds if isinstance(error, kind)), "camera.trouble")
    said = why(error, general)
    return KeyedError(str(error), said.key, **said.of)
