"""Damage journals in every way, and see that it is said in words and that what is good is shown.

    nice .venv/bin/python -m tests.soak.damaged_journals [--flips 300] [--rows 50] [--cuts 60]

Bits are flipped anywhere, in the first page, and in the log of a killed process; rows are deleted
or doubled; the file is cut. A table is opened on each. Exit code 1 and a line for every one that
ended in an exception, showed another state, lost something in silence, or did not keep the file.
"""

import argparse
import logging
import shutil
import sqlite3
import sys
import tempfile
from collections import Counter
from functools import reduce
from pathlib import Path
from random import Random

from rig.games.estimation.game import Game, Options
from rig.games.estimation.table.estimation_play import PLAY, apply, from_record
from rig.games.estimation.table.estimation_table import EstimationTable
from rig.games.estimation.terms import Phase
from rig.journal import Journal, JournalUnusable
from rig.serialise import to_plain
from rig.snapshots import maker, taken
from tests.support.evenings import Evening
from tests.support.sessions import session_on


def made(folder, seed):
    """Write a journal of three games; give the table at every version, and the log of it if cut."""
    evening = Evening(seed).play()
    for _ in range(2):
        evening.again()
        while evening.table.phase is not Phase.GAME_OVER:
            evening.step()
    chance, table = Random(seed), EstimationTable(game=Game(options=Options()))
    journal, tables = Journal(folder / "t.sqlite3"), [to_plain(table)]
    for record in evening.records:
        table = apply(table, from_record(record))
        tables.append(to_plain(table))
        seen = record.type in ("OutcomeSeen", "PushRequested")
        begins = record.type == "GameStarted"
        journal.append(
            [record],
            done=("phone", f"c{record.v}", {"ok": True}),
            pictures={record.v: chance.randbytes(20_000)} if seen else None,
            snapshot=taken(table, maker(PLAY, {})) if begins else None,
        )
    for name in ("t.sqlite3", "t.sqlite3-wal"):
        shutil.copyfile(folder / name, folder / f"killed-{name}")
    journal.close()
    return tables


def looked_at(path, tables, counts):
    """Open a table on a journal; say what is not as it has to be, "" if nothing is."""
    bad = {each.name: each.read_bytes() for each in path.parent.iterdir()}
    try:
        session = session_on(path)
    except JournalUnusable as error:
        counts["refused in words"] += 1
        kept = {each.name: each.read_bytes() for each in path.parent.iterdir()}
        return "" if kept == bad else f"refused ({error}) and not left as it was"
    try:
        v = session.journal.version
        events = list(map(from_record, session.journal.events()))
        again = reduce(apply, events, EstimationTable(game=Game(options=Options())))
        for view in (session.view(None, "table"), session.view("device-hash-0")):
            if session.damage is not None and (any(view["may"].values()) or not view["damaged"]):
                return "a phone may do something, or is not told"
        if not to_plain(session.table) == to_plain(again) == tables[v]:
            return f"shows another state at version {v}"
        if session.damage is None:
            counts["nothing of the events touched"] += 1
            return "" if v == len(tables) - 1 else f"lost {len(tables) - 1 - v} events in silence"
        counts["damaged in words"] += 1
        counts["good events shown"] += v
        if v == 0:
            counts["nothing left to show"] += 1
        copy = session.damage.copy
        for name, content in bad.items():
            kept = copy.with_name(copy.name + name.removeprefix(path.name))
            if content and kept.read_bytes() != content:
                return f"{name} was not kept"
        return ""
    finally:
        session.close()


def flipped(folder, path, chance, low=0, high=None, name="t.sqlite3"):
    shutil.copyfile(folder / "t.sqlite3", path)
    data = bytearray((folder / name).read_bytes())
    at = chance.randrange(low, high or len(data))
    data[at] ^= 1 << chance.randrange(8)
    path.write_bytes(data)
    return f"bit at {at}"


def flipped_in_the_log(folder, path, chance):
    shutil.copyfile(folder / "killed-t.sqlite3", path)
    log = bytearray((folder / "killed-t.sqlite3-wal").read_bytes())
    at = chance.randrange(len(log))
    log[at] ^= 1 << chance.randrange(8)
    path.with_name("t.sqlite3-wal").write_bytes(log)
    return f"bit at {at} of {len(log)}"


def row_gone_or_doubled(folder, path, chance, last):
    shutil.copyfile(folder / "t.sqlite3", path)
    v, db = chance.randint(1, last), sqlite3.connect(path)
    columns = "at, actor, cmd_id, type, public_json, secret_json, link"
    how = chance.choice(["deleted", "doubled behind it", "doubled at the end"])
    if how == "deleted":
        db.execute("DELETE FROM event WHERE v = ?", (v,))
    elif how == "doubled at the end":
        db.execute(f"INSERT INTO event SELECT {last + 1}, {columns} FROM event WHERE v = ?", (v,))
    else:
        db.execute("UPDATE event SET v = v + 100000 WHERE v > ?", (v,))
        db.execute(f"INSERT INTO event SELECT {v + 1}, {columns} FROM event WHERE v = ?", (v,))
        db.execute("UPDATE event SET v = v - 99999 WHERE v > 100000")
    db.commit()
    db.close()
    return f"event {v} {how}"


def cut(folder, path, chance):
    data = (folder / "t.sqlite3").read_bytes()
    size = chance.randrange(1, len(data))
    path.write_bytes(data[:size])
    return f"cut to {size}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--flips", type=int, default=300)
    parser.add_argument("--rows", type=int, default=50)
    parser.add_argument("--cuts", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    logging.disable(logging.CRITICAL)
    bad = 0
    with tempfile.TemporaryDirectory() as name:
        folder, chance = Path(name), Random(args.seed)
        tables = made(folder, args.seed)
        last = len(tables) - 1
        print(f"{last} events, {(folder / 't.sqlite3').stat().st_size // 1000} kB")
        kinds = {
            "flipped bits": (args.flips, lambda p: flipped(folder, p, chance)),
            "flipped bits of the first page": (
                args.flips,
                lambda p: flipped(folder, p, chance, 0, 4096),
            ),
            "flipped bits of a log": (args.flips, lambda p: flipped_in_the_log(folder, p, chance)),
            "rows deleted or doubled": (
                args.rows,
                lambda p: row_gone_or_doubled(folder, p, chance, last),
            ),
            "truncations": (args.cuts, lambda p: cut(folder, p, chance)),
        }
        for kind, (times, damage) in kinds.items():
            counts, wrong = Counter(), 0
            for _ in range(times):
                with tempfile.TemporaryDirectory() as place:
                    path = Path(place) / "t.sqlite3"
                    what = damage(path)
                    try:
                        said = looked_at(path, tables, counts)
                    except Exception as error:
                        said = f"{type(error).__name__}: {error}"
                if said:
                    wrong += 1
                    print(f"{kind}: {what}: {said}")
            if shown := counts.pop("good events shown", 0):
                shown /= counts["damaged in words"] * last
                counts["% of the events shown where damaged"] = round(100 * shown)
            told = ", ".join(f"{n} {word}" for word, n in counts.items())
            print(f"{kind}: {times} tried, {wrong} wrong; {told}", flush=True)
            bad += wrong
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
