"""Figures of `domino-rig survey`: pace, overhead, kills, a cluster whose worker dies, memory.

    python -m tests.bench.bench_studies [PART...] [--rows N] [--rounds N] [--seed N]

Parts: pace, sharing, overhead, kills, cluster, memory; all unless named. Wall and CPU time are both
told, because other work on the machine makes the first one longer.
"""

import tests.bench.one_core  # noqa: F401  # isort: skip
import argparse
import importlib
import os
import random
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from physics.predict.learned_table import predict_row
from physics.survey.parameters import PARAMETERS
from physics.survey.study import answered

VARY = ("gap=36..50", "friction=.15..0.45", "speed=20..90")
"""Rows of eleven tiles that are unclear: seven of their twelve copies fall on average."""
ROW_S = 0.0135
"""Seconds of CPU that one of these rows takes."""
NOTES = "DOMINO_NOTES"
"""Where a worker notes which chunk it begins."""


def noted(study, chunk):
    """Answer a chunk, and note before that this was begun."""
    with open(os.environ[NOTES], "a", encoding="utf-8") as notes:
        notes.write(f"{chunk.number}\n")
    return answered(study, chunk)


def stub(study, chunk):
    """Answer a chunk with the same numbers for every row."""
    n = len(chunk.points)
    columns = {each.column: [each.usual] * n for each in PARAMETERS.values()}
    columns |= {name: [0.5] * n for name in ("p_fall", "low", "high", "error", "push")}
    columns |= {"row": list(range(chunk.first, chunk.first + n)), "runs": [12] * n}
    columns |= {"weakest_joint": [1] * n, "extrapolated": [""] * n, "refused": [None] * n}
    return chunk.number, columns


def waited(study, chunk):
    """Wait as long as a chunk takes, which needs no core."""
    time.sleep(ROW_S * len(chunk.points))
    return stub(study, chunk)


def survey(*words, answers="answered", **more):
    """Give the command that makes a survey, with something else to answer rows if wished."""
    script = (
        "import resource, sys, rig.cli.survey as edge\n"
        f"from tests.bench.bench_studies import {answers} as one\n"
        "edge.answered = one\n"
        "from rig.cli import main\n"
        "try:\n"
        "    code = main.main()\n"
        "finally:\n"
        "    now = [line for line in open('/proc/self/status') if line.startswith('VmRSS')]\n"
        "    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "    print('memory', int(now[0].split()[1]) // 1024, peak // 1024, flush=True)\n"
        "sys.exit(code)\n"
    )
    told = [word for text in VARY for word in ("--vary", text)]
    return [sys.executable, "-c", script, "survey", *told, *map(str, words)]


def timed(command):
    """Run a command; give its wall time, and the CPU time of it and of all it started."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    wall = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu, done.stdout


def sharing(args, folder):
    """Time of one process and of two where rows wait instead: what a free machine would show."""
    pace(args, folder, "waited")


def pace(args, folder, answers="answered"):
    """Time of one process and of two."""
    ratios = []
    for number in range(args.rounds):
        found = []
        for jobs in (1, 2):
            out = folder / f"{answers}-{number}-{jobs}.parquet"
            words = ["--rows", args.rows, "--seed", args.seed, "--jobs", jobs, "--out", out]
            found.append(timed(survey(*words, answers=answers)))
        (one, cpu, _), (two, more, _) = found
        ratios.append(one / two)
        print(
            f"{answers}: {args.rows} rows: {one:.1f} s with one process ({cpu:.1f} s CPU), "
            f"{two:.1f} s with two ({more:.1f} s CPU): {one / two:.2f} times as fast, "
            f"load {os.getloadavg()[0]:.1f}"
        )
    print(f"{answers}: median {statistics.median(ratios):.2f}")


def overhead(args, folder):
    """CPU time of a survey by one process, and how much of it is spent in `predict_row`."""
    spent = []

    def told(*row, **more):
        begun = time.process_time()
        try:
            return predict_row(*row, **more)
        finally:
            spent.append(time.process_time() - begun)

    words = [word for text in VARY for word in ("--vary", text)]
    words += ["--rows", str(args.rows), "--seed", str(args.seed), "--out"]
    started = time.process_time()
    main = importlib.import_module("rig.cli.main").main
    importlib.import_module("rig.cli.survey")
    batch = importlib.import_module("physics.predict.batch")
    print(f"overhead: {time.process_time() - started:.2f} s CPU for loading, once")
    batch.predict_row = told
    shares = []
    for number in range(args.rounds):
        spent.clear()
        begun = time.process_time()
        main(["survey", *words, str(folder / f"overhead-{number}.parquet")])
        whole, bare = time.process_time() - begun, sum(spent)
        shares.append(whole / bare - 1.0)
        print(f"overhead: {len(spent)} rows: {whole:.2f} s CPU, {bare:.2f} s of it in predictions")
    batch.predict_row = predict_row
    print(f"overhead: median {100 * statistics.median(shares):.1f} %")


def kills(args, folder):
    """Surveys that are killed at random moments and gone on with."""
    jobs, rows = 2, min(args.rows, 300)
    words = ["--rows", rows, "--seed", args.seed, "--jobs", jobs]
    whole = folder / "whole.parquet"
    wall, _, _ = timed(survey(*words, "--out", whole))
    chance, same, most, twice = random.Random(args.seed), 0, 0, 0
    for number in range(20):
        out, notes = folder / f"killed-{number}.parquet", folder / f"notes-{number}"
        notes.touch()
        there = {**os.environ, NOTES: str(notes)}
        at = chance.uniform(0.0, wall)
        run = subprocess.Popen(
            survey(*words, "--out", out, answers="noted"),
            env=there,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(at)
        run.send_signal(signal.SIGKILL)
        run.wait()
        kept = len(list(out.parent.glob(f"{out.name}.parts/*.parquet")))
        again = survey(*words, "--out", out, "--resume", answers="noted")
        subprocess.run(again, env=there, check=True, capture_output=True)
        again = sum(n - 1 for n in Counter(notes.read_text().split()).values())
        same += out.read_bytes() == whole.read_bytes()
        most, twice = max(most, again), twice + again
        print(
            f"kills: after {at:.1f} of {wall:.1f} s, {kept} chunks kept, {again} done again; "
            f"{same} of {number + 1} files the same",
            flush=True,
        )
    print(f"kills: at most {most} chunks done again (must: {jobs}), {twice} in all")


def cluster(args, folder):
    """A survey on four workers of one thread, of which one is killed twice."""
    from distributed import LocalCluster

    rows = min(args.rows, 600)
    words = ["--rows", rows, "--seed", args.seed]
    local, far = folder / "local.parquet", folder / "far.parquet"
    timed(survey(*words, "--out", local))
    killed = []
    with LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address=":0") as workers:
        command = survey(
            *words, "--out", far, "--progress", "--scheduler", workers.scheduler_address
        )
        run = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        for line in run.stderr:
            done = int(line.split()[0]) if line[:1].isdigit() else -1
            if done < 0:
                print(line, end="")
            pid = workers.workers[0].pid
            due = len(killed) < 2 and done >= (len(killed) + 1) * rows // 3
            if due and pid is not None and pid not in killed:
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
                print(f"cluster: killed worker {pid} after {done} of {rows} rows")
        code = run.wait()
    same = far.exists() and far.read_bytes() == local.read_bytes()
    print(f"cluster: exit code {code}, {len(killed)} kills, same file: {same}")


def memory(args, folder):
    """What the driving process holds at the end of many rows; a stub answers them."""
    for rows in (1000, 100_000):
        words = ["--rows", rows, "--jobs", 2, "--out", folder / f"memory-{rows}.parquet"]
        _, _, said = timed(survey(*words, answers="stub"))
        now, peak = said.split()[-2:]
        print(f"memory: {rows} rows: {now} MB at the end, {peak} MB at most")


PARTS = {part.__name__: part for part in (pace, sharing, overhead, kills, cluster, memory)}


def main():
    """Measure what is named."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="PART")
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=18)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in args.parts or PARTS:
            PARTS[name](args, Path(folder))


if __name__ == "__main__":
    main()
