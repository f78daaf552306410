"""The proof of a game file: what was sealed is what was shown, and every chip is right.

Each event is looked at from several sides: its link to the one before, and its time; the seals,
when ballots are locked and shown; the hashes and the order of every shuffle that lies open; its
actor; and whether the rules, asked once more, give that very event with those very chips. Each
error is reported with the number of the event, and the checks go on.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from rig.errors import RigError
from rig.games import dealing
from rig.games.interface import REFEREE, Data
from rig.games.phrase import Fact
from rig.games.registry import play_of
from rig.games.shuffle import faults
from rig.history.proof import Proof
from rig.history.restore import games_in, opening, revived
from rig.history.story import story_of
from rig.session.events import CommandTaken
from rig.session.fingerprint import OLDER, GameFile, first_link, next_link, short


def verified(file: GameFile, expected: str = "") -> Proof:
    """Check everything in a file; errors are reported, never raised.

    Args:
        file: the file.
        expected: what its fingerprint must begin with, as `gamefile.digits()` gives it.
    """
    proof = Proof(older=file.version == OLDER)
    if not file.events:
        proof.find(0, "empty")
        return proof
    _links(file, proof)
    _end(file, proof)
    for n, jpeg in file.pictures.items():
        if hashlib.sha256(jpeg).hexdigest() != file.hashes.get(n):
            proof.find(0, "picture", n=n)
    events = _events(file, proof)
    if events is not None:
        story_of(play_of(file.game)).prove(proof, file, opening(file), events)
        _shuffles(file, proof, events)
    proof.expected = expected
    proof.matches = expected != "" and _has(file, proof.fingerprint, expected)
    if expected and not proof.matches:
        shown, asked = short(proof.fingerprint), short(expected)
        proof.find(0, "fingerprint", shown=shown, asked=asked)
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
            proof.find(event.record.v, "gap", n=v)
            v = event.record.v
        if event.link != next_link(before, event.record):
            proof.find(v, "changed")
        proof.fingerprint = next_link(proof.fingerprint, event.record)
        before, v = event.link, v + 1


def _end(file: GameFile, proof: Proof) -> None:
    """Check that the file ends where its head says; version 1 does not say it."""
    if file.version == OLDER:
        return
    has, due = len(file.events), file.count
    if has < due:
        proof.find(0, "end", "cut", has=has, due=due)
    elif has > due or file.events[-1].link != file.last:
        proof.find(0, "end", has=has, due=due)


def _events(file: GameFile, proof: Proof) -> list[Data | None] | None:
    """The events, or None if one of them is none: then nothing after it means anything."""
    events: list[Data | None] = []
    for linked in file.events:
        try:
            events.append(revived(linked.record, play_of(file.game)))
        except RigError as error:
            proof.findings = [f for f in proof.findings if f.v < linked.record.v]
            proof.find(linked.record.v, "event", why=str(error))
            return None
    return events


@dataclass(slots=True)
class _Shuffled:
    """A shuffle as the events of a file tell of it.

    Attributes:
        found: it, as far as it has come.
        sent: the hashes as they came from phones.
        late: the seats whose hash or share came at the wrong time.
        at: the numbers of the events that say what may be wrong: its beginning, its hashes, each
            share by its seat, its order.
    """

    found: dealing.Dealing
    at: dict[str, int]
    sent: dict[str, str] = field(default_factory=dict)
    late: set[str] = field(default_factory=set)

    def take(self, v: int, event: dealing.ShuffleEvent) -> None:
        """Follow an event of it."""
        begun, shown = self.found.begun, self.found.stage is not dealing.ShuffleStage.HASHES
        match event:
            case dealing.ShareHashed(seat, hash):
                self.sent[seat] = hash
                self.late |= {seat} if shown else set()
                if shown:
                    return
            case dealing.HashesShown(hashes):
                own = {seat: hash for seat, hash in hashes.items() if seat not in begun.drawn}
                self.late |= {seat for seat, hash in own.items() if self.sent.get(seat) != hash}
                self.at["late"] = v
            case dealing.ShareSent(seat):
                self.late |= set() if shown else {seat}
                self.at[seat] = v
            case dealing.ShuffleMade():
                self.at["deck"] = self.at["withheld"] = v
            case _:
                pass
        self.found = dealing.evolve(self.found, event) or self.found


def _shuffles(file: GameFile, proof: Proof, events: Sequence[Data | None]) -> None:
    """Recompute the hashes and the order of every shuffle that lies open."""
    names = {player.seat: player.name for player in file.players}
    now: _Shuffled | None = None
    round_: list[_Shuffled] = []
    due: tuple[int, ...] | None = None
    for linked, event in zip(file.events, events, strict=True):
        v = linked.record.v
        match event:
            case dealing.ShuffleBegun():
                if begun := dealing.evolve(now.found if now else None, event):
                    now = _Shuffled(begun, {"secret": v, "late": v, "deck": v, "withheld": v})
                    round_.append(now)
            case dealing.ShuffleVoid(missing) if now is None or missing != now.found.missing:
                proof.find(v, "void")
            case dealing.ShuffleOpened():
                for each in round_:
                    _opened(each, each is now, proof, names)
                proof.shuffles += now is not None
                now, round_ = None, []
            case _ if now is not None and isinstance(event, dealing.ShuffleEvent):
                now.take(v, event)
                due = event.order if isinstance(event, dealing.ShuffleMade) else due
            case CommandTaken(actor, _, data) if actor == REFEREE and "order" in data:
                if due is None or list(due) != list(data["order"]):
                    proof.find(v, "deck")
                due = None
            case _:
                pass
    if proof.over and now is not None and now.found.order:
        proof.find(now.at["secret"], "secret", "unopened")


def _opened(shuffled: _Shuffled, dealt: bool, proof: Proof, names: Mapping[str, str]) -> None:
    """Check a shuffle that lies open; of one that was void there is no order."""
    told = dealing.as_opened(shuffled.found)
    shares = {seat: share for seat, share in told.shares.items() if share}
    told = replace(told, shares=shares, late=frozenset(shuffled.late))
    if not dealt:
        told = replace(told, count=0, hashes={s: told.hashes.get(s, "") for s in shares})
    for wrong in faults(told):
        v = shuffled.at.get(wrong.fault, shuffled.at.get(wrong.seat, shuffled.at["secret"]))
        name = names.get(wrong.seat, wrong.seat)
        how = "order" if wrong.fault == "deck" else ""
        of: dict[str, Fact] = {"seat": wrong.seat, "name": name, "length": wrong.length}
        proof.find(v, wrong.fault, how, round=told.round, **of)
