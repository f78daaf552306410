"""A short game on a disk that may be spoiled, and what has to be true of it whatever happens."""

import os
from functools import reduce
from random import Random

from rig.games.estimation.game import Game, Options
from rig.games.estimation.table.estimation_play import apply, from_record
from rig.games.estimation.table.estimation_table import EstimationTable
from rig.journal import DiskTrouble, JournalUnusable
from rig.serialise import to_plain
from tests.support.faulty_disk import after_a_cut, faulty_disk
from tests.support.quiet_table import QuietMachine, Seats
from tests.support.sessions import session_on

OFTEN = 6
"""Pages of the log after which SQLite brings them home: often, so that this is spoiled too."""


def table_on(path):
    session = session_on(path)
    QuietMachine(session)
    session.journal._db.execute(f"PRAGMA wal_autocheckpoint={OFTEN}")
    return session


class PatientGame(Seats):
    """Plays on, asks again where the disk did not take it, and remembers what was promised."""

    def __init__(self, session, disk):
        super().__init__(session)
        self.disk, self.told, self.troubles = disk, [], 0

    def do(self, device, kind, **fields):
        before = (self.session.table, self.session.journal.version)
        command = {"id": f"c{len(self.told)}", **fields}
        command.setdefault("phase_id", self.session.table.phase_id)
        reply = super().send(device, kind, **command)
        if not reply["ok"] and self.troubled(reply["reason"] == "disk"):
            assert "make room on the disk" in reply["message"], reply
            assert (self.session.table, self.session.journal.version) == before
            reply = super().send(device, kind, **command)
        assert reply["ok"], reply
        assert "dup" not in reply
        self.told.append((device, kind, command, reply["v"]))
        self.promised()
        return reply

    def promised(self):
        table = to_plain(self.session.table)
        self.disk.mark((self.session.journal.version, table, len(self.told)))

    def troubled(self, disk):
        """Count a trouble; it has to be the disk's, and it is spoiled but once."""
        self.troubles += 1
        assert disk and self.troubles == 1 and self.disk.spoiled
        return True

    def patiently(self, act):
        try:
            act()
        except DiskTrouble:
            self.troubled(True)
            act()
        self.promised()

    def later(self, seconds):
        self.session.clock.advance(seconds)
        self.patiently(self.tick)

    def tick(self):
        while self.session.tick() == 0.0:
            pass

    def play(self):
        self.sit("ana", "bo", "cy")
        self.do("ana", "start", first="s1")
        self.patiently(self.see_row)
        for value, caller in ((3, "cy"), (9, None)):
            seat = self.session.game.active
            device = self.session.table.player(seat).device
            self.propose(value, 0)
            self.do(device, "confirm")
            if caller:
                self.do(caller, "call")
                for device in ("bo", "cy"):
                    self.do(device, "vote", side="failure" if device == "cy" else "success")
                self.later(2.5)
                self.later(8.1)
                self.do("ana", "void", reason="again")
                self.patiently(self.see_row)
        self.patiently(
            lambda: self.session.commit([], "referee", pictures={1: b"\xff\xd8" + bytes(9000)})
        )


def opened(path, disk):
    """Open a table, again if the disk was in the way of it; that is said in words."""
    try:
        return table_on(path)
    except (JournalUnusable, DiskTrouble) as error:
        assert disk.spoiled, error
        return table_on(path)


def wrong(path, game, table):
    """Say what is wrong with the journal of a game that was closed, "" if nothing is."""
    session = table_on(path)
    try:
        empty = EstimationTable(game=Game(options=Options.parse(session.config.rules)))
        if session.damage is not None:
            return str(session.damage)
        if session.table != table:
            return "the table is another one"
        if reduce(apply, map(from_record, session.journal.events()), empty) != table:
            return "its events make another table"
        if session.picture(1) is None:
            return "the picture is lost"
        for device, kind, command, v in game.told:
            reply = session.submit(device, {"type": kind, **command})
            if not (reply["ok"] and reply.get("dup") and reply["v"] == v):
                return f"{kind} was answered and is not known any more: {reply}"
        return ""
    finally:
        session.close()


def steps(folder):
    """How many things the disk has to do for the whole game."""
    with faulty_disk() as disk:
        played(folder, disk)
    return disk.steps


def played(folder, disk):
    """Play the game on this disk; give it, and the table at its end."""
    session = opened(folder / "table.sqlite3", disk)
    game = PatientGame(session, disk)
    try:
        game.play()
    finally:
        session.close()
    return game, session.table


def spoiled(folder, n, how):
    """Have the nth step of the disk go wrong; say what is not as it has to be, "" if nothing is."""
    with faulty_disk() as disk:
        disk.fault = (n, how)
        game, table = played(folder, disk)
    if disk.spoiled is None:
        return "nothing was spoiled"
    return wrong(folder / "table.sqlite3", game, table)


def cut_short(folder, done, chance):
    """Cut the power after some step of a game; say what is not as it has to be, "" if nothing is.

    Args:
        folder: an empty one.
        done: all that the disk did, and what was promised when.
        chance: when, and what had reached the disk by then.
    """
    now = done[: chance.randrange(len(done)) + 1]
    promises = [step.data for step in now if step.what == "mark"]
    for path, content in after_a_cut(now, chance).items():
        (folder / os.path.basename(path)).write_bytes(content)
    session = table_on(folder / "table.sqlite3")
    try:
        if session.damage is not None:
            return f"after step {len(now)}: {session.damage}"
        events = list(map(from_record, session.journal.events()))
        empty = EstimationTable(game=Game(options=Options.parse(session.config.rules)))
        if reduce(apply, events, empty) != session.table:
            return f"after step {len(now)}: its events make another table"
        if promises:
            v, table, _ = promises[-1]
            if session.journal.version < v:
                return f"after step {len(now)}: version {v} was promised and is lost"
            if to_plain(reduce(apply, events[:v], empty)) != table:
                return f"after step {len(now)}: the table was another one"
            session.commit([], "referee")
        return ""
    finally:
        session.close()


def recorded(folder):
    """Everything that the disk does in a game without a fault."""
    with faulty_disk() as disk:
        played(folder, disk)
    return disk.done


def chance(*seed):
    return Random(" ".join(map(str, seed)))
