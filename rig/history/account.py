"""A past game for the page: its moments and its proof, as JSON."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from rig.games.registry import play_of
from rig.history.gamefile import loaded
from rig.history.replay import moments
from rig.history.verify import verified
from rig.journal import Record
from rig.session.fingerprint import GameFile, linked
from rig.session.state import TableAtStart


@dataclass(frozen=True, slots=True)
class Taken:
    """A game read from a journal.

    Attributes:
        start: the table before it.
        records: its events.
        hashes: the SHA-256 of its pictures, by number.
        game: what was played, "" for Estimation Domino.
    """

    start: TableAtStart
    records: tuple[Record, ...]
    hashes: Mapping[int, str]
    game: str = ""


def of_game(game: Taken, base: str) -> bytes:
    """Tell a game of a journal, as JSON; its pictures lie under `base`."""
    return _of(file_of(game), base)


def file_of(game: Taken) -> GameFile:
    """What everybody may know of a game of a journal."""
    return linked(game.start, game.records, True, game.hashes, play_of(game.game))


def of_file(data: bytes) -> bytes:
    """Give an uploaded game as JSON.

    Raises:
        BadGameFile: it is not a game file; the text says why.
    """
    return _of(loaded(data), "")


def _of(file: GameFile, base: str) -> bytes:
    told, proof = moments(file), verified(file)
    for moment in told:
        for name in ("push", "verdict"):
            shown = moment["changes"].get(name)
            for when in ("picture", "before"):
                if shown and shown.get(when):
                    shown[when] = base + shown[when]
    account = {
        "moments": told,
        "names": file.names,
        "proof": {
            "good": proof.good,
            "over": proof.over,
            "events": len(file.events),
            "ballots": proof.ballots,
            "unsealed": proof.unsealed,
            "rounds": proof.rounds,
            "chips": proof.chips,
            "shuffles": proof.shuffles,
            "fingerprint": proof.fingerprint,
            "older": proof.older,
            "findings": [{"v": f.v, "kind": f.kind, "of": dict(f.of)} for f in proof.findings[:20]],
        },
    }
    return json.dumps(account, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
