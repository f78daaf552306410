"""What the evenings played so far cost when a table opens: `python -m tests.bench.bench_journal`.

Journals of 1 and of 100 games are opened by fresh processes, in turns, up to where phones are let
in; told is the CPU time of the whole process, and of reading the journal alone.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

GAMES = (1, 100)
ROUNDS = 7
PICTURE_BYTES = 60_000
"""About what a picture of the row takes as JPEG."""


def journal(path, games):
    """Write a journal of so many games as a session does: snapshots, answers, pictures."""
    import numpy as np

    from rig.clock import ManualClock
    from rig.games.estimation.game import Game, Options
    from rig.games.estimation.table.estimation_play import apply, from_record
    from rig.games.estimation.table.estimation_table import EstimationTable
    from rig.games.estimation.terms import Phase
    from rig.journal import Journal
    from rig.snapshots import maker, taken
    from rig.virtual.table import VirtualTable
    from rig.virtual.world import PymunkWorld
    from tests.support.evenings import Evening

    evening = Evening(8).play()
    for _ in range(games - 1):
        evening.again()
        while evening.table.phase is not Phase.GAME_OVER:
            evening.step()
    options = Options()
    chance = np.random.default_rng(1)
    world = VirtualTable(PymunkWorld(chance), ManualClock(), chance).state()
    log, table = Journal(path), EstimationTable(game=Game(options=options))
    pictures = 0
    for record in evening.records:
        if record.type == "WorldChanged":  # the evening has no more than a sign of it
            record = replace(record, secret={"world": world})
        table = apply(table, from_record(record))
        begins = record.type == "GameStarted"
        pushed = record.type in ("PushRequested", "OutcomeSeen")
        pictures += pushed
        log.append(
            [record],
            done=("phone", f"c{record.v}", {"ok": True}),
            pictures={pictures: os.urandom(PICTURE_BYTES)} if pushed else None,
            snapshot=taken(table, maker(options)) if begins else None,
        )
    log.close()
    return len(evening.records)


def opened(path, alone):
    """Open the table as `play` does, or print what reading its journal alone takes, in seconds."""
    import numpy as np

    from rig.cli.opening import open_table
    from rig.clock import SystemClock
    from rig.config import load_config
    from rig.games.estimation.table.estimation_play import PLAY
    from rig.journal import Journal
    from rig.snapshots import maker, replayed

    if alone:
        began_s = time.process_time()
        journal = Journal(path)
        replayed(journal, PLAY, {}, maker(PLAY, {}))
        journal.close()
        print(time.process_time() - began_s)
        return
    config = load_config(network={"port": 0})
    with open_table(config, path, SystemClock(), np.random.SeedSequence(1), bind="127.0.0.1"):
        pass


def start(path):
    """CPU seconds of a process that opens the table, and of reading the journal in another."""
    command = [sys.executable, "-m", "tests.bench.bench_journal", str(path)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    told = subprocess.run([*command, "alone"], stdout=subprocess.PIPE, text=True, check=True)
    return spent_s, float(told.stdout)


def main():
    with tempfile.TemporaryDirectory() as folder:
        paths, kept = {}, {n: [] for n in GAMES}
        for games in GAMES:
            paths[games] = Path(folder) / f"{games}.sqlite3"
            events = journal(paths[games], games)
            mb = paths[games].stat().st_size / 1e6
            print(f"{games:>4} games: {events} events, {mb:.1f} MB")
        for _ in range(ROUNDS):
            for games in GAMES:
                kept[games].append(start(paths[games]))
        figures = {}
        for games in GAMES:
            figures[games] = whole, alone = [
                statistics.median(each) for each in zip(*kept[games], strict=True)
            ]
            print(f"{games:>4} games: start {whole:.2f} s of CPU, of it the journal {alone:.3f} s")
        ratio = figures[GAMES[1]][0] / figures[GAMES[0]][0]
        print(f"start with {GAMES[1]} games against {GAMES[0]}: {ratio:.3f} x")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        opened(Path(sys.argv[1]), len(sys.argv) > 2)
    else:
        main()
