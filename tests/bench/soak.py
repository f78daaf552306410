"""Whole games on the virtual rig with a fault in every turn and every push; says what was lost.

    nice .venv/bin/python -m tests.bench.soak --games 200 --seed 7 [--jobs 2] [--keep FOLDER]

Every game is played by people who act as phones do, on a clock that waits for nobody, until it is
over; what goes wrong is drawn under the seed. A `kill -9` is one: such a game goes on in a new
process, with what the journal kept. The pusher of every game is the firmware's own core behind the
serial link. Afterwards each journal is read anew and compared with what people were answered, with
the strokes that the board made and with chips counted a second time. Exit code 1: something is not
right.
"""

import tests.bench.one_core  # noqa: F401  # isort: skip
import argparse
import multiprocessing
import sys
import tempfile
import time
import traceback
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2

from tests.soak.audit import audit
from tests.soak.faults import LOST, PUSH_FAULTS, TURN_FAULTS
from tests.soak.game import Game, Log

PROCESSES = multiprocessing.get_context("forkserver")
"""Processes that begin with everything imported: many are killed young."""
RARE = {"camera lost": 0, "pusher lost": 1}
"""A camera that never comes back leaves nothing for the others to spoil: one game in five."""
MOST_LIVES = 40
"""A game whose process dies more often than faults can explain is stopped."""
LONGEST_S = 600.0
"""So long one process may take, in wall time."""


def life(folder, seed, number):
    """Play one game in this process, until it is over or the process is killed."""
    cv2.setNumThreads(1)
    with (folder / "said.txt").open("a", buffering=1) as sys.stderr:
        try:
            play(folder, seed, number)
        except BaseException:
            traceback.print_exc()
            raise


def play(folder, seed, number):
    """Play one game, or play on."""
    log = Log(folder / "log.jsonl")
    players = 2 + number % 4
    turn, push = (
        [kind for kind in kinds if kind not in LOST or number % 5 == RARE[kind]]
        for kinds in (TURN_FAULTS, PUSH_FAULTS)
    )
    game = Game(folder / "table.sqlite3", [seed, number], log, players, turn, push)
    begun_s = time.process_time()
    over = game.play()
    waits = game.rig.session.live
    if not over:
        log(ended=f"{waits.reading.state} {waits.fault}", phase=game.rig.session.table.phase.value)
    log(cpu_s=time.process_time() - begun_s, game_s=game.rig.clock.monotonic_s())
    game.close()


def whole(folder, seed, number):
    """Have a game played by as many processes as it takes; say what was wrong and what happened."""
    folder.mkdir()
    counts = Counter()
    for _ in range(MOST_LIVES):
        process = PROCESSES.Process(target=life, args=(folder, seed, number))
        process.start()
        process.join(LONGEST_S)
        if process.is_alive():
            process.kill()
            return [f"game {number}: a process hangs"], counts
        if process.exitcode != -9:
            break
        counts["kills"] += 1
    log = Log(folder / "log.jsonl")
    log.close()
    if process.exitcode:
        said = (folder / "said.txt").read_text()
        return [f"game {number}: exit {process.exitcode}: {said[-2000:]}"], counts
    wrong, found = audit(folder / "table.sqlite3", log)
    counts += found
    for line in log.all("struck"):
        counts[f"! {line['struck']}" + (" in a push" if line["during"] != "turn" else "")] += 1
    for line in log.all("ended"):
        wrong.append(f"it stopped in {line['phase']}: {line['ended']}")
    for line in log.all("stuck"):
        counts["rounds begun anew"] += len(line["stuck"])
        for stuck in line["stuck"]:
            print(f"game {number}: begun anew at {stuck}", file=sys.stderr)
    counts["game s"] = round(sum(line["game_s"] for line in log.all("game_s")))
    counts["cpu s"] = round(sum(line["cpu_s"] for line in log.all("cpu_s")))
    return [f"game {number}: {what}" for what in wrong], counts


def main():
    """Play, look, tell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    parser.add_argument("--jobs", type=int, default=1, help="games at a time")
    parser.add_argument("--keep", type=Path, help="where journals and logs are kept")
    args = parser.parse_args()
    PROCESSES.set_forkserver_preload(["tests.soak.game"])
    wrong, counts, begun_s = [], Counter(), time.monotonic()
    with tempfile.TemporaryDirectory() as made, ThreadPoolExecutor(args.jobs) as pool:
        home = args.keep or Path(made)
        home.mkdir(exist_ok=True)
        numbers = range(args.first, args.first + args.games)
        for result in pool.map(lambda n: whole(home / f"game-{n}", args.seed, n), numbers):
            wrong += result[0]
            counts += result[1]
            print(".", end="", flush=True)
            for what in result[0]:
                print(f"\n{what}", flush=True)
    print(f"\n\n| {args.games} games, seed {args.seed} | |\n|---|---|")
    for name in sorted(counts, key=lambda name: (name.startswith("!"), name)):
        print(f"| {name.removeprefix('! ')} | {counts[name]} |")
    print(f"| wall s | {time.monotonic() - begun_s:.0f} |\n")
    for what in wrong:
        print(what)
    print("Nothing was lost." if not wrong else f"{len(wrong)} things are not right.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
