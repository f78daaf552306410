"""`domino-rig replay`: retells a game from its file, event by event, or proves it."""

import sys
import time
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from rig import private
from rig.cli.hints import hints
from rig.cli.output import print_json
from rig.games.registry import play_of
from rig.history.gamefile import BadGameFile, digits, dumped, loaded, made
from rig.history.proof import Proof
from rig.history.restore import opening, revived
from rig.history.story import story_of
from rig.history.verify import verified
from rig.journal import Journal, Record
from rig.session.events import GameChosen
from rig.session.fingerprint import AnyPlay, GameFile, games, short
from rig.snapshots import first_game_of


def run(args: Namespace) -> int:
    """Retell, prove or export a game."""
    expected = digits(args.fingerprint) if args.fingerprint is not None else ""
    try:
        file = _read(args.file, args.game, not args.no_names, args.verify or bool(expected))
    except BadGameFile as error:
        raise BadGameFile(f"{args.file}: {error}") from None
    if args.export is not None:
        return _export(file, args.export)
    if args.verify or expected:
        return _prove(file, args.json, expected)
    _tell(file, args.json, args.hints)
    return 0


def _read(path: Path, game: int | None, names: bool, prove: bool) -> GameFile:
    try:
        with path.open("rb") as file:
            head = file.read(16)
        if not head.startswith(b"SQLite format 3"):
            return loaded(path.read_bytes())
    except OSError as error:
        raise BadGameFile(f"cannot be read ({error.strerror}); name another file") from None
    journal = Journal(path)
    try:
        records = list(journal.events())
        if journal.damage is not None and prove:
            raise BadGameFile(f"not all of it is left to prove. {journal.damage}")
        if journal.damage is not None:
            print(f"Note: {journal.damage}", file=sys.stderr)
        if journal.locked:
            print(
                f"Note: {path} ends in the middle of a round whose hands are under a key that "
                "only phones have; what came before that round is shown.",
                file=sys.stderr,
            )
        play = play_of(first_game_of(journal))
        span = _span(records, game, play)
        return made(records, span, play=play, names=names, picture=journal.picture)
    finally:
        journal.close()


def _span(records: Sequence[Record], game: int | None, play: AnyPlay) -> tuple[int, int] | None:
    if game is None:
        if any(each.type == GameChosen.__name__ and each.v > 1 for each in records):
            raise BadGameFile("has games of more than one kind; name one of them with --game")
        return None
    played = games(records, play)
    if not 1 <= game <= len(played):
        raise BadGameFile(f"has {len(played)} games; name one of them with --game")
    return played[game - 1]


def _export(file: GameFile, out: Path) -> int:
    try:
        private.write(out, dumped(file))
    except OSError as error:
        raise BadGameFile(f"cannot be written to {out} ({error.strerror})") from None
    print(f"{out}: {len(file.events)} events, fingerprint {short(file.fingerprint)}")
    return 0


def _tell(file: GameFile, as_json: bool, hinting: bool) -> None:
    seen = hints(file) if hinting else {}
    play, table = play_of(file.game), opening(file)
    sentence = story_of(play).sentence
    for linked in file.events:
        record = linked.record
        event = revived(record, play)
        if event is None:
            continue
        try:
            words, table = sentence(table, event), play.apply(table, event)
        except Exception:  # a game's functions are not made for what cannot be
            raise BadGameFile(
                f"event {record.v} cannot follow what stands before it: the file was changed; "
                "--verify says more"
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


def _prove(file: GameFile, as_json: bool, expected: str) -> int:
    proof = verified(file, expected)
    if as_json:
        print_json("proof", _plain(file, proof))
        return 0 if proof.good else 1
    for finding in proof.findings:
        where = f"Event {finding.v}: " if finding.v else ""
        what = finding.what if where else f"{finding.what[:1].upper()}{finding.what[1:]}"
        print(f"{where}{what}.")
    if proof.good:
        good = "Nothing wrong was found" if proof.older else "Everything is right"
        print(f"{good}: {_summary(file, proof)}")
    elif all(finding.kind == "fingerprint" for finding in proof.findings):
        print(f"It is another game, or the whole file was rewritten ({_summary(file, proof)}).")
    else:
        print(f"This is not the game as it was played ({_summary(file, proof)}).")
    for line in _besides(file, proof):
        print(line)
    return 0 if proof.good else 1


def _besides(file: GameFile, proof: Proof) -> Iterator[str]:
    """What people should know besides the findings of a proof."""
    if proof.older:
        yield (
            "This is an older kind of file. It does not say where it ends, so nobody can tell "
            "whether events are missing there; nor does it say who was the host."
        )
    if proof.unsealed:
        yield (
            f"{proof.unsealed} ballots are from before there were seals: nobody can tell "
            "whether they were changed."
        )
    if proof.matches:
        yield "This is the fingerprint that was given: nothing was changed since it was shown."
    elif proof.expected and not file.names:
        yield "Names were left out of this file, so its fingerprint is not the one on the screen."
    elif proof.expected and not proof.over:
        yield "The game in this file is not over; the final screen has that of the whole game."
    elif not proof.expected and proof.good and not proof.older:
        yield (
            "Whoever makes the whole file anew changes the fingerprint: compare it with the one on "
            "the final screen (--fingerprint)."
        )


def _summary(file: GameFile, proof: Proof) -> str:
    parts = [f"{len(file.events)} events in their order"]
    if proof.ballots:
        parts.append(f"{proof.ballots} ballots as they were sealed")
    if proof.rounds:
        parts.append(f"{proof.rounds} pushes and {proof.chips} chips counted anew")
    if proof.shuffles:
        parts.append(f"{proof.shuffles} shuffles computed anew")
    if not proof.over:
        parts.append("the game is not over")
    return f"{', '.join(parts)}. Fingerprint {short(proof.fingerprint)}"


def _plain(file: GameFile, proof: Proof) -> dict[str, object]:
    return {
        "good": proof.good,
        "findings": [{"v": f.v, "what": f.what, "kind": f.kind} for f in proof.findings],
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
