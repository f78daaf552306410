"""`domino-rig replay`: retells a game from its file, event by event, or proves it."""

import sys
import time
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from rig import private
from rig.cli.given import first_given
from rig.cli.output import print_json
from rig.cli.speech import damaged, noted, speech
from rig.cli.teller import Teller, teller
from rig.games.registry import play_of
from rig.history.gamefile import BadGameFile, digits, dumped, loaded, made
from rig.history.proof import Proof
from rig.history.restore import opening, revived
from rig.history.story import story_of
from rig.history.verify import verified
from rig.journal import Journal, JournalHeld, Record
from rig.session.events import GameChosen
from rig.session.fingerprint import AnyPlay, GameFile, games, short
from rig.snapshots import first_game_of
from web.content.words import SOURCE, Say


def run(args: Namespace) -> int:
    """Retell, prove or export a game."""
    if args.hints and (other := first_given(args, "--verify", "--fingerprint", "--export")):
        raise BadGameFile(f"--hints is for a game that is retold; leave out --hints or {other}")
    if args.export and (other := first_given(args, "--verify", "--fingerprint", "--json")):
        raise BadGameFile(f"--export only writes the game's file; leave out --export or {other}")
    expected = digits(args.fingerprint) if args.fingerprint is not None else ""
    try:
        file = _read(args, args.verify or bool(expected))
    except BadGameFile as error:
        of = {**error.of, "file": args.file}
        raise BadGameFile(f"{args.file}: {error}", error.key, **of) from None
    if args.export is not None:
        return _export(file, args.export, teller(args.language))
    out = teller(SOURCE if args.json else args.language, file.game)
    if args.verify or expected:
        return _prove(file, args.json, expected, out)
    _tell(file, args.json, args.hints, out)
    return 0


def _read(args: Namespace, prove: bool) -> GameFile:
    path: Path = args.file
    try:
        with path.open("rb") as file:
            head = file.read(16)
        if not head.startswith(b"SQLite format 3"):
            game = loaded(path.read_bytes())
            if args.game not in (None, 1):
                raise _no_such_game(args.game, 1)
            if args.no_names and game.names:
                raise BadGameFile(
                    "the names in a game's file cannot be taken out; give --no-names with the "
                    "table's journal, or leave it out"
                )
            return game
    except OSError as error:
        key = "gamefile.missing" if isinstance(error, FileNotFoundError) else "gamefile.unread"
        raise BadGameFile(f"cannot be read ({error.strerror}); name another file", key) from None
    try:
        journal = Journal(path)
    except JournalHeld:
        raise BadGameFile(
            "its table is in use; stop the domino-rig that has it open, or export the game on the "
            "host's phone and name that file",
            "gamefile.held",
        ) from None
    try:
        records = list(journal.events())
        if journal.damage is not None and prove:
            raise BadGameFile(
                f"not all of it is left to prove. {journal.damage}", "gamefile.unproved"
            )
        for note in _notes(journal, args.language):
            print(speech(args.language)("play.note", text=note), file=sys.stderr)
        play = play_of(first_game_of(journal))
        if not games(records, play):
            raise BadGameFile("no game was played there yet; play one first", "gamefile.empty")
        span = _span(records, args.game, play)
        names = not args.no_names
        return made(records, span, play=play, names=names, picture=journal.picture)
    finally:
        journal.close()


def _notes(journal: Journal, language: str | None) -> Iterator[str]:
    """What has to be said of a journal that is not told whole."""
    if journal.damage is not None:
        yield noted(damaged(journal.damage), speech(language))
    if journal.locked:
        yield teller(language).say("replay.locked", file=journal.path)


def _span(records: Sequence[Record], game: int | None, play: AnyPlay) -> tuple[int, int] | None:
    if game is None:
        if any(each.type == GameChosen.__name__ and each.v > 1 for each in records):
            raise BadGameFile(
                "has games of more than one kind; name one of them with --game", "gamefile.kinds"
            )
        return None
    played = games(records, play)
    if not 1 <= game <= len(played):
        raise _no_such_game(game, len(played))
    return played[game - 1]


def _no_such_game(game: int, last: int) -> BadGameFile:
    words = f"has {last} game{'' if last == 1 else 's'}; name one of them with --game"
    return BadGameFile(words, "gamefile.number", game=game, last=last)


def _export(file: GameFile, path: Path, out: Teller) -> int:
    try:
        private.write(path, dumped(file))
    except OSError as error:
        raise BadGameFile(
            f"cannot be written to {path} ({error.strerror}); name another file with --export",
            "gamefile.unwritten",
            file=path,
        ) from None
    fingerprint, count = short(file.fingerprint), len(file.events)
    print(out.say("replay.exported", file=path, count=count, fingerprint=fingerprint))
    return 0


def _tell(file: GameFile, as_json: bool, hinting: bool, out: Teller) -> None:
    seen = {}
    if hinting:
        from rig.cli.hints import hints  # this loads the whole search

        seen = hints(file, out)
    play, table = play_of(file.game), opening(file)
    sentence = story_of(play).sentence
    for linked in file.events:
        record = linked.record
        event = revived(record, play)
        if event is None:
            continue
        try:
            words, table = out.tell(sentence(table, event)), play.apply(table, event)
        except Exception:  # a game's functions are not made for what cannot be
            raise BadGameFile(
                f"event {record.v} cannot follow what stands before it: the file was changed; "
                "--verify says more",
                "gamefile.changed",
            ) from None
        if as_json:
            line = {"v": record.v, "at": record.at, "type": record.type, "words": words}
            print_json("telling", {**line, **({"hint": seen.get(record.v)} if hinting else {})})
        elif words:
            print(f"{_clock(record.at)}  {words}")
            if record.v in seen:
                print(f"          {seen[record.v]['words']}")


def _clock(at_s: float) -> str:
    try:
        return time.strftime("%H:%M:%S", time.localtime(at_s))
    except (OverflowError, OSError, ValueError):
        return "--:--:--"


def _prove(file: GameFile, as_json: bool, expected: str, out: Teller) -> int:
    proof, say = verified(file, expected), out.say
    if as_json:
        print_json("proof", _plain(file, proof, out))
        return 0 if proof.good else 1
    for finding in proof.findings:
        what = out.tell(finding.told)
        if finding.v:
            print(say("replay.found", v=finding.v, what=what))
        else:
            print(f"{what[:1].upper()}{what[1:]}.")
    if proof.good:
        end = "replay.good.older" if proof.older else "replay.good"
    elif all(finding.kind == "fingerprint" for finding in proof.findings):
        end = "replay.other"
    else:
        end = "replay.bad"
    print(say(end, summary=_summary(file, proof, say)))
    for key in _besides(file, proof):
        print(say(key, count=proof.unsealed))
    return 0 if proof.good else 1


def _besides(file: GameFile, proof: Proof) -> Iterator[str]:
    """What people should know besides the findings of a proof."""
    if proof.older:
        yield "replay.older.whole" if proof.matches else "replay.older"
    if proof.unsealed:
        yield "replay.unsealed"
    if proof.matches:
        yield "replay.matches"
    elif proof.expected and not file.names:
        yield "replay.nameless"
    elif proof.expected and not proof.over:
        yield "replay.part"
    elif not proof.expected and proof.good and not proof.older:
        yield "replay.compare"


def _summary(file: GameFile, proof: Proof, say: Say) -> str:
    parts = [say("replay.events", count=len(file.events))]
    if proof.ballots:
        parts.append(say("replay.ballots", count=proof.ballots))
    if proof.rounds:
        pushes = say("replay.pushes", count=proof.rounds)
        chips = say("replay.chips", count=proof.chips)
        parts.append(say("replay.counted", pushes=pushes, chips=chips))
    if proof.shuffles:
        parts.append(say("replay.shuffles", count=proof.shuffles))
    if not proof.over:
        parts.append(say("replay.unfinished"))
    fingerprint = short(proof.fingerprint)
    return say("replay.summary", parts=", ".join(parts), fingerprint=fingerprint)


def _plain(file: GameFile, proof: Proof, out: Teller) -> dict[str, object]:
    return {
        "good": proof.good,
        "findings": [{"v": f.v, "what": out.tell(f.told), "kind": f.kind} for f in proof.findings],
        "events": len(file.events),
        "ballots": proof.ballots,
        "unsealed": proof.unsealed,
        "rounds": proof.rounds,
        "chips": proof.chips,
        "shuffles": proof.shuffles,
        "over": proof.over,
        "fingerprint": proof.fingerprint,
        "file_version": file.version,
        "expected": proof.expected or None,
        "matches": proof.matches if proof.expected else None,
    }
