"""domino-rig pusher: find the board, watch it, try one stroke in the air, put its program on it."""

import sys
import threading
from argparse import Namespace
from collections.abc import Callable
from importlib.resources import files
from typing import Any, Final

import numpy as np

from physics.row.push import Path as PushPath
from physics.row.push import Push
from rig.clock import Clock, SystemClock
from rig.errors import RigError
from rig.pusher.find_port import NO_PORT, Search, SerialLine, nonces, ports
from rig.pusher.flash import OLD_SPEED, flash, read_image
from rig.pusher.link import Link
from rig.pusher.port import PortLost, PusherState, PusherStatus, PushRefused, Refusal, StopAnswer
from rig.pusher.protocol import BeamNews, BootNews, News, PusherConfused, StateNews
from rig.pusher.serial import SerialPusher
from rig.pusher.virtual import VirtualPusher

VIRTUAL: Final = "virtual"
GREET_S: Final = 6.0
"""Seconds to wait for a board's greeting. Opening its port restarts it; it answers within four."""

IN_THE_AIR: Final = Push(speed_mm_s=55.0, stroke_mm=13.6, standoff_mm=10.0, path=PushPath.SMOOTH)
COUNTDOWN_S: Final = 3
"""Seconds to take a hand away, in which the arm settles too."""
_LOOK_S: Final = 0.1

HOMED: Final = "home"
"""What a person types after putting the arm home."""
PUT_HOME: Final = (
    "The arm may be out: turn the arm switch off, pull the red button out, and push the arm "
    "back against its stop with your hand."
)


class PusherNotFound(RigError):
    """No pusher answers."""


def find(args: Namespace) -> int:
    """Ask on every serial port who is there; 1 if no pusher is."""
    listed = ports()
    if not listed:
        raise PusherNotFound(NO_PORT)
    found = False
    for port in listed:
        told = _asked(port.name)
        found |= told.startswith("pusher")
        print(f"{port.name} ({port.chip}): {told}", flush=True)
    if not found:
        print(
            "No pusher was found: plug in its USB cable; `domino-rig pusher flash` puts the "
            "program on a new board."
        )
    return 0 if found else 1


def _asked(name: str) -> str:
    """Say who answers on a port."""
    link = Link(lambda: SerialLine(name), SystemClock(), nonces())
    link.start()
    try:
        return _greeted(link, SystemClock())
    except PusherNotFound as error:
        return str(error)
    finally:
        link.close()


def _greeted(link: Link, clock: Clock) -> str:
    """Wait for a session, and say who it is with.

    Raises:
        PusherNotFound: with the reason.
    """
    end_s = clock.monotonic_s() + GREET_S
    while clock.monotonic_s() < end_s:
        device = link.device
        if device is not None:
            return f"pusher, firmware {device.firmware}, {device.state}"
        if link.given_up:
            break
        clock.sleep(_LOOK_S)
    raise PusherNotFound(link.trouble)


def open_pusher(port: str | None, clock: Clock) -> SerialPusher:
    """Open the pusher at a port, or the first one that answers if no port is named.

    Raises:
        PusherNotFound: with the reason.
    """
    if port == VIRTUAL:
        return VirtualPusher(clock, np.random.default_rng())
    opener: Callable[[], Any] = Search() if port is None else lambda: SerialLine(port)
    pusher = SerialPusher(opener, clock, nonces())
    pusher.link.start()
    tries = len(ports()) if port is None else 1
    for attempt in range(max(1, tries)):
        try:
            _greeted(pusher.link, clock)
            return pusher
        except PusherNotFound:
            if attempt + 1 >= tries:
                pusher.close()
                raise
    return pusher


def watch(args: Namespace) -> int:
    """Print every change until somebody ends it."""
    clock = SystemClock()
    pusher = open_pusher(args.port, clock)
    told = threading.Lock()

    def tell(news: News) -> None:
        with told:
            if (line := in_words(news)) != last[0]:
                last[0] = line
                print(line, flush=True)

    last = [""]
    pusher.listen(tell)
    print("Ctrl-C ends.", file=sys.stderr)
    if sys.stdin is not None and sys.stdin.isatty():  # only a person at a keyboard has hands
        threading.Thread(target=_listen, args=(pusher,), daemon=True).start()
    before = ""
    try:
        while True:
            if (now := _now(pusher)) != before:
                print(now, flush=True)
                before = now
            clock.sleep(_LOOK_S)
    finally:
        pusher.close()


def _now(pusher: SerialPusher) -> str:
    """Describe its state in one line, and what to do if only a hand can help."""
    try:
        status = pusher.status()
    except PortLost:
        return f"no pusher: {pusher.link.trouble or 'it does not answer'}"
    except PusherConfused as error:
        return str(error)
    if status.state is not PusherState.AWAY:
        return _inputs(status)
    return f"{_inputs(status)}\n{PUT_HOME} Then type {HOMED} and press Enter."


def _listen(pusher: SerialPusher) -> None:
    for line in sys.stdin:
        if answer := obey(pusher, line):
            print(answer, flush=True)


def obey(pusher: SerialPusher, line: str) -> str:
    """Do what somebody typed while watching; give the answer."""
    word = line.strip().lower()
    if not word:
        return ""
    if word != HOMED:
        return f"{word[:30]!r} is not understood: type {HOMED} once the arm is home."
    try:
        pusher.homed()
    except PushRefused as refused:
        if refused.refusal is Refusal.STATE:
            return f"There is nothing to confirm in state {refused.state}."
        return f"Not taken: {refused.refusal.value}."
    except RigError as error:
        return str(error)
    return "The pusher believes you: the arm is home."


def trial(args: Namespace) -> int:
    """Make one stroke in the air; 1 if it was cut short."""
    clock = SystemClock()
    pusher = open_pusher(args.port, clock)
    try:
        print("Put the pusher down so that its arm swings in the air, nothing within 10 cm of it.")
        _cleared(pusher, clock)
        print("Turn the arm switch off, and then on.")
        if (pretend := pusher.pretend()) is not None:
            pretend.set_switch(True)
        _await(pusher, clock, lambda status: status.ready)
        armed = pusher.arm()
        print("Armed. Turning the switch off or Ctrl+C stops it. The arm swings out in")
        for seconds in range(COUNTDOWN_S, 0, -1):
            print(f"  {seconds} ...", flush=True)
            clock.sleep(1.0)
        stroke = pusher.push(armed.token, IN_THE_AIR)
        print(f"Stroke {stroke.number}: {stroke.reach.value}; the pusher is {stroke.ended}.")
        print("Turn the arm switch off again.")
        return 0 if stroke.complete else 1
    except KeyboardInterrupt:
        if pusher.stop() is not StopAnswer.ACKNOWLEDGED:
            print("The pusher has not confirmed the stop: press its red button.", file=sys.stderr)
        raise
    finally:
        pusher.close()


def _cleared(pusher: SerialPusher, clock: Clock) -> None:
    """Leave ESTOP, FAULT or AWAY, with the help of hands."""
    status = pusher.status()
    if status.state in ("ESTOP", "FAULT"):
        print(f"It is in {status.state}: pull the red button out and turn the arm switch off.")
        _await(pusher, clock, lambda now: now.estop_closed and not now.switch_on)
        pusher.clear()
    if pusher.status().state is PusherState.AWAY:
        print(PUT_HOME)
        input("Then press Enter. ")
        _await(pusher, clock, lambda now: now.estop_closed and not now.switch_on)
        pusher.homed()


def _await(pusher: SerialPusher, clock: Clock, wanted: Callable[[PusherStatus], bool]) -> None:
    before = None
    while not wanted(status := pusher.status()):
        if status != before:
            print(f"  {_inputs(status)}", flush=True)
            before = status
        clock.sleep(_LOOK_S)


def _inputs(status: PusherStatus) -> str:
    """Describe a status in one line."""
    switch = "on" if status.switch_on else "off"
    button = "out" if status.estop_closed else "PRESSED"
    fault = f" ({status.fault})" if status.fault != "NONE" else ""
    return f"{status.state}{fault}: arm switch {switch}, red button {button}"


def in_words(news: News) -> str:
    """Describe an event of the board in one line."""
    if isinstance(news, StateNews):
        return f"state {news.state}"
    if isinstance(news, BeamNews):
        seconds = news.time_us / 1e6
        return f"beam {news.beam} {'broken' if news.broken else 'free'} at {seconds:.6f} s"
    assert isinstance(news, BootNews)
    return f"the board has started ({news.cause}){'; the arm may be out' * news.away}"


def put_program(args: Namespace) -> int:
    """Put the program on the board; 1 if no pusher answers then."""
    name = args.port or _only_board()
    program = read_image(files("rig.pusher").joinpath("pusher.hex").read_text("ascii"))
    print(f"Looking for the bootloader at {name}.", flush=True)
    done = flash(name, program, lambda text: print(text, flush=True))
    if done.written:
        print("The program is on the board and was read back without a fault.")
    else:
        print("The board already has this program; nothing was written.")
    if done.speed == OLD_SPEED:
        print(OLD_BOOTLOADER)
    told = _asked(name)
    print(f"{name}: {told}")
    return 0 if told.startswith("pusher") else 1


OLD_BOOTLOADER: Final = (
    "Its bootloader is an old one: if the watchdog ever resets the board, it hangs, with its light "
    "flickering and no power at the servo, until USB and supply are unplugged for a moment. "
    "Optiboot does not have this fault."
)


def _only_board() -> str:
    """Give the port of the board, if there is one and no other.

    Raises:
        PusherNotFound: there is none, or it is not clear which one is meant.
    """
    listed = ports()
    if not listed:
        raise PusherNotFound(NO_PORT)
    boards = [port for port in listed if port.likely]
    if len(boards) == 1:
        return boards[0].name
    which = "several boards are there" if boards else "no port looks like a board's"
    names = ", ".join(f"{port.name} ({port.chip})" for port in boards or listed)
    raise PusherNotFound(
        f"{which}: name one, as in domino-rig pusher flash PORT; there are {names}"
    )
