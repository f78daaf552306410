"""Four players call within a millisecond: one is the caller, and the others are told."""

import time

from tests.bench.web_phones import Answer, Phone, place, read_answer, seat
from tests.bench.web_process import Stack

ROUNDS = 60
PLAYERS = 5


def measure(part: float = 1.0) -> None:
    """Print how many rounds had exactly one caller, and how long a call took."""
    rounds = max(6, round(ROUNDS * part))
    with Stack("ours") as stack:
        phones = seat(stack.port, PLAYERS)
        good, told, spread_ms, answered_ms = 0, 0, [], []
        for _ in range(rounds):
            placer = place(phones)
            callers = [phone for phone in phones if phone is not placer]
            before_ns, sent_ns, answers = shout(callers)
            spread_ms.append((sent_ns - before_ns) / 1e6)
            answered_ms += [(answer.at_ns - before_ns) / 1e6 for answer in answers]
            view = placer.state()
            caller, late = view["shout"]["caller"], view["shout"]["late"]
            seats = {phone.seat for phone in callers}
            taken = all(answer.status == 200 for answer in answers)
            good += taken and caller in seats and view["phase"] == "BALLOT"
            told += {one["seat"] for one in late} == seats - {caller}
            phones[0].do("void", phase_id=view["phase_id"], reason="the next one")
        answered_ms.sort()
        print(
            f"\n{rounds} rounds of {PLAYERS - 1} shouts, sent within "
            f"{sorted(spread_ms)[len(spread_ms) // 2]:.2f} ms (longest {max(spread_ms):.2f}): "
            f"one caller each in {good}, all others told by how much in {told} (must be all); "
            f"answer p50 {answered_ms[len(answered_ms) // 2]:.1f} ms, "
            f"longest {answered_ms[-1]:.1f} ms"
        )


def shout(callers: list[Phone]) -> tuple[int, int, list[Answer]]:
    """Let all call at once, each over a line of its own."""
    phase_id = callers[0].state()["phase_id"]
    for phone in callers:
        phone.state()
    ready = [(phone.line, phone.request("call", phase_id=phase_id)) for phone in callers]
    before_ns = time.monotonic_ns()
    for line, request in ready:
        assert line
        line.sendall(request)
    sent_ns = time.monotonic_ns()
    return before_ns, sent_ns, [read_answer(line) for line, _ in ready if line]
