"""Many tables in one process, each with its phones and its screen, and a command now and then."""

import random
import time

from tests.bench.web_phones import Ear, Phone, Room, connect, seat
from tests.bench.web_process import Stack

TABLES = 300
PLAYERS = 4
A_SECOND = 1 / 5
"""Commands a second at each table."""
SECONDS = 30.0


def measure(part: float = 1.0) -> None:
    """Print how soon six screens at each of 300 tables know."""
    tables, seconds = max(20, round(TABLES * part)), max(5.0, SECONDS * part)
    with Stack("ours", "--tables", str(tables)) as stack:
        idle_mb, _, _ = stack.weigh()
        room, phones, ears = fill(stack)
        opened_mb, threads, before_s = stack.weigh()
        begun_s = time.monotonic()
        sent = play(room, phones, ears, seconds)
        took_s = time.monotonic() - begun_s
        memory, _, after_s = stack.weigh()
        delays = []
        told = stack.say("marks")
        for name, versions in sent.items():
            marks = {int(v): ns for v, ns in told[name].items()}
            delays += [
                (ear.heard[v] - marks[v]) / 1e6
                for ear in ears[name]
                for v in versions
                if v in ear.heard
            ]
        last = {name: max(versions) for name, versions in sent.items() if versions}
        lost = sum(ear.newest < last.get(name, 0) for name in ears for ear in ears[name])
        commands = sum(map(len, sent.values()))
        delays.sort()
        print(
            f"\n{tables} tables x {PLAYERS + 2} screens, {commands / took_s:.0f} commands a second "
            f"for {took_s:.0f} s: p50 {delays[len(delays) // 2]:.1f} ms, "
            f"p99 {delays[int(len(delays) * 0.99)]:.1f} ms (must 20, aim 5), "
            f"screens without the last change {lost} of {tables * (PLAYERS + 2)} (must 0), "
            f"{100 * (after_s - before_s) / took_s:.0f} % of one core, {threads} threads, "
            f"{opened_mb - idle_mb:.0f} MB for the screens, {memory:.0f} MB in all"
        )
        room.close()


def fill(stack: Stack) -> tuple[Room, dict[str, list[Phone]], dict[str, list[Ear]]]:
    """Open every table's screens: four players, a watcher and the table screen."""
    room = Room()
    phones: dict[str, list[Phone]] = {}
    ears: dict[str, list[Ear]] = {}
    for n, code in enumerate(stack.codes, 1):
        name = "" if n == 1 else str(n)
        base = f"/t/{name}" if name else ""
        players = seat(stack.port, PLAYERS, base, code)
        watcher = Phone(stack.port, base, code).join()
        for phone in players:
            phone.hang_up()
        phones[name] = players
        ears[name] = [room.listen(phone) for phone in (*players, watcher)]
        ears[name].append(room.listen(watcher, "?role=table"))
    everybody = [ear for table in ears.values() for ear in table]
    assert room.hear(lambda: all(ear.newest >= 0 for ear in everybody)), "not all streams opened"
    return room, phones, ears


def play(
    room: Room, phones: dict[str, list[Phone]], ears: dict[str, list[Ear]], seconds: float
) -> dict[str, list[int]]:
    """Send commands at random tables, evenly in time; gives the version each led to."""
    chance = random.Random(1)
    names = list(phones)
    pause_s = 1 / (A_SECOND * len(names))
    sent: dict[str, list[int]] = {name: [] for name in names}
    line = connect(phones[""][0].port)
    begun_s = time.monotonic()
    n = 0
    while (due_s := begun_s + n * pause_s) < begun_s + seconds:
        room.hear(lambda: False, max(0.0, due_s - time.monotonic()))
        name = chance.choice(names)
        phone = chance.choice(phones[name])
        answer = room.ask(line, phone.request("rename", name=f"{phone.seat} {n}"))
        assert answer.status == 200, answer.body
        sent[name].append(answer.json["v"])
        n += 1
    wanted = {name: max(versions, default=0) for name, versions in sent.items()}
    room.hear(lambda: all(ear.newest >= wanted[name] for name in ears for ear in ears[name]), 10.0)
    return sent
