"""Phones that mean harm, and how the others fare meanwhile.

    python -m tests.bench.web_hostile ATTACK PORT COOKIE SECONDS

is one attacker, as a process of its own; `bench_web.py hostile` starts them one after the other.
They come by this machine's address on its network, as a stranger's phone would; without a network
by loopback, which the server trusts more. The honest phones come by loopback.
"""

import json
import os
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

from tests.bench.web_phones import (
    Phone,
    Room,
    ask,
    connect,
    place,
    raise_files,
    read_answer,
    request_bytes,
)
from tests.bench.web_process import Stack
from web.access.address import lan_addresses

SECONDS = 8.0
HALVES, STREAMS = 500, 1000
PAUSE_S = 0.03
"""Between two requests of the honest phones, who take turns."""
BAR_MS = 50.0
FORGED = "domino=AAAAAAAAAAAAAAAAAAAAAA.BBBBBBBBBBBBBBBBBBBBBB"

ADDRESS = next(iter(lan_addresses()), "127.0.0.1")

Until = float
Seen = Counter[str | int]


def half_requests(port: int, cookie: str, until_s: Until) -> Seen:
    """Begin 500 requests and finish none; begin anew wherever the server hangs up."""
    halves = (
        b"POST /api/command HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n"
        b'Content-Type: application/json\r\n\r\n{"id"',
        b"GET /api/state HTTP/1.1\r\nHost: loc",
    )
    seen: Seen = Counter()
    lines = []
    for n in range(HALVES):
        line = connect(port, ADDRESS)
        with suppress(OSError):
            line.sendall(halves[n % 2])
        lines.append(line)
    while time.monotonic() < until_s:
        time.sleep(0.1)
    seen["half-sent requests"] = len(lines)
    seen["hung up on"] = sum(map(is_over, lines))
    return seen


def is_over(line: socket.socket) -> bool:
    """Say whether the server hung up, with words or without."""
    line.setblocking(False)
    try:
        while line.recv(4096):
            pass
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def many_streams(port: int, cookie: str, until_s: Until) -> Seen:
    """Open a thousand streams with one player's cookie."""
    room, phone = Room(), Phone(port, cookie=cookie, address=ADDRESS)
    ears = [room.listen(phone) for _ in range(STREAMS)]
    room.hear(lambda: time.monotonic() > until_s - 1.0, SECONDS)
    room.hear(lambda: False, 0.5)
    seen: Seen = Counter(ear.status or "hung up on" for ear in ears if ear.status != 200)
    seen["streams left open"] = sum(ear.open and ear.status == 200 for ear in ears)
    return seen


def flood(write: Callable[[int, str], bytes]) -> Callable[[int, str, Until], Seen]:
    """Send the same again and again, each as soon as the one before is answered."""

    def attack(port: int, cookie: str, until_s: Until) -> Seen:
        seen: Seen = Counter()
        line: socket.socket | None = None
        while time.monotonic() < until_s:
            try:
                line = line or connect(port, ADDRESS)
                answer = ask(line, write(port, cookie))
                reason = answer.json.get("reason", "") if answer.body[:1] == b"{" else ""
                seen[f"{answer.status} {reason}".strip()] += 1
            except (OSError, ConnectionError):
                seen["hung up on"] += 1
                line = None
        return seen

    return attack


def _foreign(port: int, cookie: str) -> bytes:
    return request_bytes("GET", "/api/state", port, cookie, host="evil.example")


def _large(port: int, cookie: str) -> bytes:
    body = json.dumps({"id": "1", "type": "rename", "name": "x" * 8200}).encode()
    return request_bytes("POST", "/api/command", port, cookie, body)


def _forged(port: int, cookie: str) -> bytes:
    return request_bytes("GET", "/api/state", port, f"domino={os.urandom(11).hex()}.{'B' * 22}")


def _own(port: int, cookie: str) -> bytes:
    return request_bytes("GET", "/api/state", port, cookie)


ATTACKS: dict[str, Callable[[int, str, Until], Seen]] = {
    "nobody": lambda port, cookie, until_s: Counter(),
    "half-sent requests": half_requests,
    "streams of one seat": many_streams,
    "foreign Host": flood(_foreign),
    "8 kB bodies": flood(_large),
    "forged cookies": flood(_forged),
    "cookie of one put out": flood(_own),
    "one phone's flood": flood(_own),
}


def measure(part: float = 1.0) -> None:
    """Print how long honest requests take under each attack, and what the attackers got."""
    seconds = max(2.0, SECONDS * part)
    print(f"\nOthers' requests under attack, ms (must p99 <= {BAR_MS:.0f})")
    print(f"attackers come from {ADDRESS}")
    print("| attack | p50 | p99 | longest | what the attacker got |\n|---|---|---|---|---|")
    with Stack("ours", "--strict") as stack:
        phones, victim, out = company(stack.port)
        for name in ATTACKS:
            cookie = out if name == "cookie of one put out" else victim.cookie
            words = [name, str(stack.port), cookie, str(seconds)]
            with subprocess.Popen(
                [sys.executable, "-m", "tests.bench.web_hostile", *words],
                stdout=subprocess.PIPE,
                text=True,
            ) as attacker:
                assert attacker.stdout
                attacker.stdout.readline()
                took_ms = honest(phones, seconds - 1.0)
                got = json.loads(attacker.stdout.read())
            told = ", ".join(f"{count} {what}" for what, count in got.items()) or "-"
            print(
                f"| {name} | {took_ms[len(took_ms) // 2]:.1f} "
                f"| {took_ms[int(len(took_ms) * 0.99)]:.1f} | {took_ms[-1]:.1f} | {told} |",
                flush=True,
            )
        tabs(phones)


def company(port: int) -> tuple[list[Phone], Phone, str]:
    """Seat three honest players and one who is not; put a fifth out and keep their cookie."""
    fifth = None
    phones = []
    for n, name in enumerate(("Ana", "Bo", "Cy", "Di", "Eve")):
        phone = Phone(port).join()
        mark = ("circle", "triangle", "square", "star", "diamond")[n]
        phone.do("sit", name=name, mark=mark)
        phone.do("ready", on=True)
        phone.seat = f"s{n + 1}"
        phones.append(phone)
    fifth = phones.pop()
    phones[0].do("remove_seat", seat=fifth.seat)
    phones[0].do("start", first="s1")
    return phones[:3], phones[3], fifth.cookie


def honest(phones: list[Phone], seconds: float) -> list[float]:
    """Ask and command as people do, each over an open line; gives the milliseconds, sorted."""
    took_ms = []
    until_s = time.monotonic() + seconds
    n = 0
    while time.monotonic() < until_s:
        phone = phones[n % len(phones)]
        begun_ns = time.monotonic_ns()
        if n % 2:
            phone.do("rename", name=f"{phone.seat} {n}")
        else:
            phone.state()
        took_ms.append((time.monotonic_ns() - begun_ns) / 1e6)
        n += 1
        time.sleep(PAUSE_S)
    return sorted(took_ms)


def tabs(phones: list[Phone]) -> None:
    """Vote from two tabs of one phone at once; one ballot counts, and it is one of the two."""
    view = phones[0].state()
    active = view["active"]
    everybody = {phone.seat: phone for phone in phones}
    if active not in everybody:
        print("two tabs: it was the attacker's turn; run this part again")
        return
    placer = place(phones)
    voter, caller = (phone for phone in phones if phone is not placer)
    phase_id = placer.state()["phase_id"]
    caller.do("call", phase_id=phase_id)
    phase_id = placer.state()["phase_id"]
    other = Phone(voter.port, cookie=voter.cookie)
    other.state()
    requests = [
        (voter, voter.request("vote", side="success", phase_id=phase_id)),
        (other, other.request("vote", side="failure", phase_id=phase_id)),
    ]
    for phone, request in requests:
        assert phone.line
        phone.line.sendall(request)
    replies = [read_answer(phone.line).status for phone, _ in requests if phone.line]
    mine = [phone.state()["ballot"]["mine"] for phone in (voter, other)]
    seen = placer.state()
    sealed = "failure" not in json.dumps(seen["ballot"]["others"] if "others" in seen else {})
    one = mine[0] == mine[1] and mine[0] in ("success", "failure")
    print(f"two tabs voting: answered {replies}, one ballot for both: {one and sealed}")


def main() -> None:
    """Be one attacker."""
    name, port, cookie, seconds = sys.argv[1:]
    raise_files()
    until_s = time.monotonic() + float(seconds)
    print("begun", flush=True)
    with suppress(KeyboardInterrupt):
        print(json.dumps(ATTACKS[name](int(port), cookie, until_s)))


if __name__ == "__main__":
    main()
