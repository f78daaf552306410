"""The proof of a game file: what was sealed is what was shown, and every chip is right.

Each event is looked at from several sides: its link to the one before, and its time; the seals,
when ballots are locked and shown; its actor; and whether the rules, asked once more, give that very
event with those very chips. Each error is reported in a sentence with the number of the event, and
the checks go on.
"""

import hashlib

from rig.errors import RigError
from rig.games.interface import Data
from rig.games.registry import play_of
from rig.history.proof import Proof
from rig.history.restore import games_in, opening, revived
from rig.history.story import story_of
from rig.session.fingerprint import OLDER, GameFile, first_link, next_link, short


def verified(file: GameFile, expected: str = "") -> Proof:
    """Check everything in a file; errors are reported, never raised.

    Args:
        file: the file.
        expected: what its fingerprint must begin with, as `gamefile.digits()` gives it.
    """
    proof = Proof(older=file.version == OLDER)
    if not file.events:
        proof.find(0, "empty", "there is no event in the file")
        return proof
    _links(file, proof)
    _end(file, proof)
    for n, jpeg in file.pictures.items():
        if hashlib.sha256(jpeg).hexdigest() != file.hashes.get(n):
            proof.find(0, "picture", f"picture {n} is not the one that was taken", n=n)
    events = _events(file, proof)
    if events is not None:
        story_of(play_of(file.game)).prove(proof, file, opening(file), events)
    proof.expected = expected
    proof.matches = expected != "" and _has(file, proof.fingerprint, expected)
    if expected and not proof.matches:
        shown, asked = short(proof.fingerprint), short(expected)
        what = f"its fingerprint is {shown}, not {asked}"
        proof.find(0, "fingerprint", what, shown=shown, asked=asked)
    proof.findings.sort(key=lambda finding: finding.v)
    return proof


def _has(file: GameFile, fingerprint: str, expected: str) -> bool:
    """Whether the file has this fingerprint or, for a whole table's file, one of its games has."""
    if fingerprint.startswith(expected):
        return True
    try:
        return any(game.fingerprint.startswith(expected) for game in games_in(file))
    except Exception:  # what cannot be is found elsewhere
        return False


def _links(file: GameFile, proof: Proof) -> None:
    """Check that every event is linked to the one before it, and none is missing."""
    before, v = first_link(file), file.events[0].record.v
    proof.fingerprint = before
    for event in file.events:
        if event.record.v != v:
            what = f"event {v} should stand here: something was taken out"
            proof.find(event.record.v, "gap", what, n=v)
            v = event.record.v
        if event.link != next_link(before, event.record):
            proof.find(v, "changed", "it was changed after the game, or what stands before it")
        proof.fingerprint = next_link(proof.fingerprint, event.record)
        before, v = event.link, v + 1


def _end(file: GameFile, proof: Proof) -> None:
    """Check that the file ends where its head says; version 1 does not say it."""
    if file.version == OLDER:
        return
    has, due = len(file.events), file.count
    if has < due:
        what = f"the end was cut off: {has} events are there, and there were {due}"
        proof.find(0, "end", what, has=has, due=due)
    elif has > due or file.events[-1].link != file.last:
        what = f"its end is not as it was: there were {due} events, and there are {has}"
        proof.find(0, "end", what, has=has, due=due)


def _events(file: GameFile, proof: Proof) -> list[Data | None] | None:
    """The events, or None if one of them is none: then nothing after it means anything."""
    events: list[Data | None] = []
    for linked in file.events:
        try:
            events.append(revived(linked.record, play_of(file.game)))
        except RigError as error:
            proof.findings = [f for f in proof.findings if f.v < linked.record.v]
            proof.find(linked.record.v, "event", f"it is no event of a game: {error}")
            return None
    return events
