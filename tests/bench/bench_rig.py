"""The figures of the rig at the table: how soon it speaks, how often it is right, what it costs.

    nice .venv/bin/python -m tests.bench.bench_rig [PART...] [--quick] [--seed N]

`pace`: a table as `domino-rig play` serves it, with its clock at the pace of the day, a virtual
1080p camera and phones that follow it over HTTP; how long after a tile or a row has come to rest
something stands on the phone, in wall time, and what CPU time the whole process, drawing and
phones included, took for it. `right`: quiet games on every table top, stepped as fast as they go;
verdicts and placements against the truth of the virtual world. `idle`: the CPU that a table takes
while people think, its camera sending thirty frames a second, no two alike. `memory`: what one
process has grown by, game after game at one table.
"""

import tests.bench.one_core  # noqa: F401  # isort: skip
import argparse
import itertools
import os
import statistics
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

import rig.machine.forecaster
from rig.cli.opening import open_table
from rig.clock import SystemClock
from rig.config import load_config
from rig.games.estimation.table.estimation_play import from_record
from rig.games.estimation.terms import Phase
from rig.players.http_phone import HttpPhone
from rig.row.push_events import OutcomeSeen
from rig.session.state import MARKS
from tests.soak.family import Person
from tests.soak.game import TABLES, Game, Log
from vision.capture.camera import Frame
from web.base.rate_limits import Limits, Rate

NAMES = ("Ana", "Bo", "Cy")
FPS = 30.0
NOISE = 2.2
"""One sigma of a pixel, in grey levels."""
PAGE_MB = os.sysconf("SC_PAGE_SIZE") / 1e6


def row(name, value, must=""):
    print(f"| {name} | {value} | {must} |", flush=True)


def p95(values):
    return float(np.percentile(values, 95))


def told(name, seconds, cpu_s, must):
    """Print what a wait came to."""
    if seconds:
        middle, cpu = statistics.median(seconds), statistics.median(cpu_s) if cpu_s else 0.0
        value = f"{p95(seconds):.2f} s (p50 {middle:.2f}, CPU p50 {cpu:.2f}, n {len(seconds)})"
        row(name + ", p95", value, must)


class Evening:
    """A table that is served, and the people round it.

    Args:
        folder: where its journal is.
        seed: of the world and the people.
    """

    def __init__(self, folder, seed):
        config = load_config(
            network={"port": 0},
            timing={"countdown_step": 0.05, "reveal": 0.2, "round_end": 0.5, "hold": 0.5},
            virtual={"world": "pymunk"},
            camera={"table": TABLES[seed % len(TABLES)]},
        )
        generous = Rate(1e4, 1e4)
        limits = replace(Limits(), device=generous, address=generous, unknown=generous)
        seeds = np.random.SeedSequence(seed)
        of_rig, *of_people = seeds.spawn(1 + len(NAMES))
        self.opened = open_table(
            config,
            Path(folder) / "table.sqlite3",
            SystemClock(),
            of_rig,
            bind="127.0.0.1",
            limits=replace(limits, shout=generous),
        )
        session = self.session = self.opened.session
        self.rig = session.machine.rig
        self.phones = [HttpPhone(self.opened.server.join_url) for _ in NAMES]
        self.people = [
            Person(f"s{i + 1}", np.random.default_rng(s), self.down, time.monotonic, self.finger)
            for i, s in enumerate(of_people)
        ]
        for phone, name, mark in zip(self.phones, NAMES, MARKS, strict=False):
            phone.command("sit", name=name, mark=mark)

    def down(self):
        return [one["value"] for one in self.rig.virtual.state()["lying"]]

    def finger(self, value):
        raise AssertionError("the pusher of this table does not get lost")

    def act(self):
        """Let everybody do what they want to, whoever is to place last."""
        active = self.session.game.active
        pairs = sorted(
            zip(self.phones, self.people, strict=True), key=lambda p: p[1].seat == active
        )
        for phone, person in pairs:
            command = person.wish(phone.state())
            if command is not None:
                sent = {"phase_id": self.session.table.phase_id, **command}
                words = {k: v for k, v in sent.items() if k != "type"}
                person.hear(sent, phone.command(sent["type"], **words))

    def __enter__(self):
        self.opened.__enter__()
        return self

    def __exit__(self, *why):
        for phone in self.phones:
            phone.close()
        self.opened.__exit__(*why)


def pace(seed, part):
    """How soon after something has come to rest people and bots know of it."""
    pushes = max(2, round(40 * part))
    still, moments = [0.0, 0.0], {}
    waits = {name: ([], []) for name in ("proposal", "prediction", "verdict", "arm")}

    def note(name, since):
        waits[name][0].append(time.monotonic() - since[0])
        waits[name][1].append(time.process_time() - since[1])

    with tempfile.TemporaryDirectory() as folder, Evening(folder, seed) as evening:
        camera, scene = evening.rig.camera.camera, evening.rig.camera.camera.scene
        pusher, push = evening.rig.pusher, evening.rig.pusher.push
        think = rig.machine.forecaster.forecast
        clock = evening.session.clock

        def seen():
            """The hand leaves right after the last look that shows it: as late as can be."""
            now = scene()
            if now.hand is not None:
                still[:] = time.monotonic(), time.process_time()
                moments["proposal"] = True
            return now

        def thought(*about):
            try:
                return think(*about)
            finally:
                if still[0]:
                    note("prediction", still)

        def pushed(*how):
            try:
                return push(*how)
            finally:
                moments["arm"] = [time.monotonic(), time.process_time()]

        def watch():
            """Note what comes to one phone, however busy the people are with theirs."""
            before = ""
            while not over.is_set():
                view = evening.phones[0].next_view(0.05)
                if (view["reading"] or {}).get("state") == "proposal" and moments.pop(
                    "proposal", 0
                ):
                    note("proposal", still)
                if view["phase"] == "JUDGE" != before and moments.get("arm"):
                    rest_s = max(b.begins_s for b in evening.rig.virtual._bodies.values()) + 0.3
                    wait_s = clock.monotonic_s() - rest_s
                    waits["verdict"][0].append(wait_s)
                    since = moments.pop("arm")
                    waits["arm"][0].append(min(wait_s, time.monotonic() - since[0]))
                before = view["phase"]

        camera.scene, pusher.push, rig.machine.forecaster.forecast = seen, pushed, thought
        over = threading.Event()
        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            while len(waits["verdict"][0]) < pushes:
                if evening.session.table.phase is Phase.GAME_OVER:
                    evening.phones[0].command("rematch")
                evening.act()
                time.sleep(0.02)
        finally:
            rig.machine.forecaster.forecast = think
            over.set()
            watcher.join()
    told("tile still to proposal on the phone", *waits["proposal"], "0.8, aim 0.4")
    told("tile still to prediction", *waits["prediction"], "1.0, aim 0.5")
    told("row at rest to verdict on the phone", *waits["verdict"], "1.5, aim 0.8")
    told("row and arm at rest to verdict", *waits["arm"], "")


def right(seed, part):
    """How often the camera is right, on every table top."""
    pushes, turns = round(300 * part), round(1000 * part)
    found, kinds, begun_s = Counter(), Counter(), time.process_time()
    for number in itertools.count():
        if found["pushes"] >= pushes and found["turns"] >= turns:
            break
        with tempfile.TemporaryDirectory() as folder:
            log = Log()
            game = Game(Path(folder) / "t.sqlite3", [seed, number], log, 3, (), ())
            game.play()
            events = [from_record(record) for record in game.rig.session.journal.events()]
            game.close()
            verdicts(log, events, found, kinds)
            placements(log, found)
    sure = found["sure"]
    row("verdicts", f"{found['pushes']} pushes, {found['fell']} rows fell", "300")
    row("sure ones right", f"{found['right']} of {sure}", "all")
    unsure = found["pushes"] - sure
    row("unsure", f"{100 * unsure / found['pushes']:.1f} % ({dict(kinds)})", "5 %, aim 2 %")
    share = 100 * found["as read"] / found["turns"]
    row("placements right at once", f"{share:.1f} % of {found['turns']}", "97 %, aim 99 %")
    row("CPU a game", f"{(time.process_time() - begun_s) / number:.1f} s")


def verdicts(log, events, found, kinds):
    """Compare what the camera said of every push with what fell."""
    truths = [line["truth"] for line in log.all("truth")]
    seen = [event.seen for event in events if isinstance(event, OutcomeSeen)]
    assert len(truths) == len(seen), (truths, seen)
    for truth, said in zip(truths, seen, strict=True):
        found["pushes"] += 1
        found["fell"] += truth == "fell"
        found["sure"] += said.sure
        found["right"] += said.sure and said.outcome == truth
        if not said.sure:
            kinds.update(said.doubts)


def placements(log, found):
    """Count the tiles that were stood and read as they stand."""
    stood = None
    for line in log.lines:
        sent = line.get("send")
        if sent is None:
            continue
        kind = sent["type"]
        if kind == "stand":
            found["turns"] += stood is not None  # nothing came of the one before
            stood = sent["value"]
        elif stood is not None and kind in ("confirm", "correct", "take_back"):
            found["turns"] += 1
            found["as read"] += kind == "confirm"
            stood = None
        elif kind.startswith("accident"):
            stood = None  # it was no placement: it touched another tile


class Grainy:
    """A camera that sends thirty frames a second, no two with the same noise."""

    def __init__(self, camera, clock):
        self._camera, self._clock = camera, clock
        self._of, self._frames = None, []
        self._rng = np.random.default_rng(3)

    def read(self):
        frame = self._camera.read()
        if frame is not self._of:
            noisy = [frame.image + self._rng.normal(0, NOISE, frame.image.shape) for _ in range(8)]
            self._frames = [np.clip(np.rint(n), 0, 255).astype(np.uint8) for n in noisy]
            self._of = frame
        now_s = self._clock.monotonic_s()
        number = int(now_s * FPS)
        return Frame(self._frames[number % len(self._frames)], number / FPS, f"noisy {number}")

    def is_opening(self):
        return False

    def close(self):
        self._camera.close()


def idle(seed, part):
    """The CPU of a table at which people think."""
    seconds = 60 * part
    with tempfile.TemporaryDirectory() as folder, Evening(folder, seed) as evening:
        for kind in ("frames that differ by their noise", "the virtual camera as it is"):
            if kind.startswith("frames"):
                virtual = evening.rig.camera
                evening.rig.camera = Grainy(virtual, evening.session.clock)
            while not (
                evening.session.table.phase is Phase.TURN and len(evening.session.game.row) > 2
            ):
                evening.phones[0].next_view(0.05)
                evening.act()
            time.sleep(2.0)
            shares = []
            for _ in range(5):
                cpu_s, wall_s = time.process_time(), time.monotonic()
                time.sleep(seconds / 5)
                shares.append((time.process_time() - cpu_s) / (time.monotonic() - wall_s))
            share = (
                f"{100 * statistics.median(shares):.0f} % of a core (most {100 * max(shares):.0f})"
            )
            row(f"CPU while people think, {kind}", share, "60 %, aim 30 %")
            evening.rig.camera = virtual


def memory(seed, part):
    """What a table grows by from game to game."""
    games = max(12, round(200 * part))
    with tempfile.TemporaryDirectory() as folder:
        log = Log()
        log.lines = _Forgetful()
        game = Game(Path(folder) / "t.sqlite3", [seed, 0], log, 3, (), (), calls=(0.0, 0.3, 1.0))
        weights = []
        for _ in range(games):
            game.play()
            weights.append(resident_mb())
            game.family.send(game.family.devices[0], {"type": "rematch"})
        game.close()
    ten, last = statistics.median(weights[8:12]), statistics.median(weights[-4:])
    growth = f"{last:.0f} MB after {games}, {ten:.0f} MB after ten: {100 * (last / ten - 1):+.1f} %"
    row("memory, games at one table", growth, "+5 %")


class _Forgetful(list):
    """Lines that nobody keeps."""

    def append(self, line):
        self[:] = [line]


def resident_mb():
    """What this process holds of the memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_MB


PARTS = {"pace": pace, "right": right, "idle": idle, "memory": memory}


def main():
    """Print a table of the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="a tenth of everything")
    args = parser.parse_args()
    unknown = [part for part in args.parts if part not in PARTS]
    if unknown:
        parser.error(f"no such part: {', '.join(unknown)}; there are {', '.join(PARTS)}")
    cv2.setNumThreads(1)
    print("| figure | measured | must |\n|---|---|---|")
    for name in args.parts or PARTS:
        with suppress(KeyboardInterrupt):
            PARTS[name](args.seed, 0.1 if args.quick else 1.0)


if __name__ == "__main__":
    main()
