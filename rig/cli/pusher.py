"""domino-rig pusher: find the board, watch it, try one stroke in the air, put its program on it."""

import sys
import threading
from argparse import Namespace
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from importlib.resources import files
from typing import Any, Final

import numpy as np

from physics.row.push import Path as PushPath
from physics.row.push import Push
from rig.cli.speech import explained, speech
from rig.clock import Clock, SystemClock
from rig.errors import KeyedError, RigError
from rig.pusher.find_port import NO_PORT, Search, SerialLine, SerialPort, nonces, ports
from rig.pusher.flash import OLD_SPEED, flash, read_image
from rig.pusher.link import Link
from rig.pusher.port import (
    LATCHED,
    PortLost,
    PusherState,
    PusherStatus,
    PushRefused,
    Refusal,
    StopAnswer,
)
from rig.pusher.protocol import (
    BeamNews,
    BootNews,
    Device,
    News,
    PusherConfused,
    StateNews,
    remembers,
)
from rig.pusher.serial import SerialPusher
from rig.pusher.virtual import VirtualPusher
from web.content.words import Say

VIRTUAL: Final = "virtual"
GREET_S: Final = 6.0
"""Seconds to wait for a board's greeting. Opening its port restarts it; it answers within four."""

IN_THE_AIR: Final = Push(speed_mm_s=55.0, stroke_mm=13.6, standoff_mm=10.0, path=PushPath.SMOOTH)
COUNTDOWN_S: Final = 3
"""Seconds to take a hand away, in which the arm settles too."""
_LOOK_S: Final = 0.1
_HELD: Final = (*LATCHED, PusherState.AWAY)
"""The states that the arm switch does not end."""

HOMED: Final = "home"
"""What a person types after putting the arm home."""


class PusherNotFound(KeyedError):
    """No pusher answers."""


def find(args: Namespace) -> int:
    """Ask on every serial port who is there; 1 if no pusher is."""
    say, listed = speech(args.language), ports()
    if not listed:
        raise _no_port()
    found = False
    for port in listed:
        answers, told = _asked(port.name, say)
        found |= answers
        print(f"{_named(port)}: {told}", flush=True)
    if not found:
        print(say("pusher.none"))
    return 0 if found else 1


def _no_port() -> PusherNotFound:
    return PusherNotFound(NO_PORT, "pusher.no_port")


def _named(port: SerialPort) -> str:
    return f"{port.name} ({port.chip})" if port.chip else port.name


def _asked(name: str, say: Say) -> tuple[bool, str]:
    """Find out whether a pusher answers on a port, and say who does."""
    link = Link(lambda: SerialLine(name), SystemClock(), nonces())
    link.start()
    try:
        device = _greeted(link, SystemClock())
    except PusherNotFound as error:
        return False, explained(error, say)
    finally:
        link.close()
    there = say("pusher.there", firmware=device.firmware, state=device.state)
    return True, "\n".join([there, *_old(device, say)])


def _old(device: Device | None, say: Say) -> list[str]:
    """What to do about a program that forgets that the arm may be out; nothing for a newer one."""
    if device is None or remembers(device.firmware):
        return []
    return [say("note.old", firmware=device.firmware)]


def _greeted(link: Link, clock: Clock) -> Device:
    """Wait for a session, and give who it is with.

    Raises:
        PusherNotFound: with the reason.
    """
    end_s = clock.monotonic_s() + GREET_S
    while clock.monotonic_s() < end_s:
        device = link.device
        if device is not None:
            return device
        if link.given_up:
            break
        clock.sleep(_LOOK_S)
    raise _why_lost(link)


def _why_lost(link: Link) -> PusherNotFound:
    """Why a link has nobody at its other end."""
    lost = link.lost or PusherNotFound("it does not answer")
    return PusherNotFound(str(lost), lost.key or "pusher.trouble", **lost.of)


def open_pusher(port: str | None, clock: Clock) -> SerialPusher:
    """Open the pusher at a port, or the first one that answers if no port is named.

    Raises:
        PusherNotFound: with the reason.
    """
    if port == VIRTUAL:
        return VirtualPusher(clock, np.random.default_rng())
    opener: Callable[[], Any] = (lambda: SerialLine(port)) if port else Search()
    pusher = SerialPusher(opener, clock, nonces())
    pusher.link.start()
    troubles: list[PusherNotFound] = []
    while len(troubles) < (1 if port else max(1, len(ports()))):
        try:
            _greeted(pusher.link, clock)
            return pusher
        except PusherNotFound as error:
            troubles.append(error)
            pusher.link.look_again()
    pusher.close()
    if len(troubles) == 1:
        raise troubles[0]
    raise PusherNotFound("; ".join(map(_of_port, troubles)), "pusher.failed")


def _of_port(trouble: PusherNotFound) -> str:
    """What is wrong with a port, with its name."""
    name, words = trouble.of.get("port", ""), str(trouble)
    return words if name in words else f"{name}: {words}"


def watch(args: Namespace) -> int:
    """Print every change until somebody ends it."""
    say, clock = speech(args.language), SystemClock()
    pusher = open_pusher(args.port, clock)
    told = threading.Lock()

    def tell(news: News) -> None:
        with told:
            if (line := in_words(news, say)) != last[0]:
                last[0] = line
                print(line, flush=True)

    last = [""]
    pusher.listen(tell)
    print("\n".join([*_old(pusher.link.device, say), say("pusher.ends")]), file=sys.stderr)
    if sys.stdin is not None and sys.stdin.isatty():  # only a person at a keyboard has hands
        threading.Thread(target=_listen, args=(pusher, say), daemon=True).start()
    before = ""
    try:
        while True:
            if (now := _now(pusher, say)) != before:
                print(now, flush=True)
                before = now
            clock.sleep(_LOOK_S)
    finally:
        pusher.close()


def _now(pusher: SerialPusher, say: Say) -> str:
    """Describe its state in one line, and what to do if only a hand can help."""
    try:
        status = pusher.status()
    except PortLost:
        return say("pusher.lost", why=explained(_why_lost(pusher.link), say))
    except PusherConfused as error:
        return explained(error, say)
    if status.state is not PusherState.AWAY:
        return _inputs(status, say)
    home = say("pusher.then_type", word=HOMED)
    return f"{_inputs(status, say)}\n{say('pusher.put_home')} {home}"


def _listen(pusher: SerialPusher, say: Say) -> None:
    for line in sys.stdin:
        if answer := obey(pusher, line, say):
            print(answer, flush=True)


def obey(pusher: SerialPusher, line: str, say: Say) -> str:
    """Do what somebody typed while watching; give the answer."""
    word = line.strip().lower()
    if not word:
        return ""
    if word != HOMED:
        return say("pusher.what", said=repr(word[:30]), word=HOMED)
    try:
        pusher.homed()
    except PushRefused as refused:
        if refused.refusal is Refusal.STATE:
            return say("pusher.nothing", state=refused.state)
        why = explained(KeyedError(refused.refusal.value, refused.key), say)
        return say("pusher.not_taken", why=why.rstrip("."))
    except RigError as error:
        return explained(error, say)
    return say("pusher.homed")


def trial(args: Namespace) -> int:
    """Make one stroke in the air; 1 if it was cut short."""
    say, clock = speech(args.language), SystemClock()
    pusher = open_pusher(args.port, clock)
    try:
        print("\n".join([*_old(pusher.link.device, say), say("pusher.put_down")]))
        _switched(pusher, clock, say)
        armed = pusher.arm()
        print(say("pusher.armed"))
        for seconds in range(COUNTDOWN_S, 0, -1):
            print(f"  {seconds} ...", flush=True)
            clock.sleep(1.0)
            if (now := pusher.status()).state is not PusherState.ARMED:
                print(f"{say('stopped')} {_inputs(now, say)}")
                return 1
        stroke = pusher.push(armed.token, IN_THE_AIR)
        reach = say(f"pusher.reach.{stroke.reach.name.lower()}")
        print(say("pusher.stroke", number=stroke.number, reach=reach, state=stroke.ended))
        print(say("pusher.switch_off"))
        return 0 if stroke.complete else 1
    except KeyboardInterrupt:
        if pusher.stop() is not StopAnswer.ACKNOWLEDGED:
            print(say("pusher.unstopped"), file=sys.stderr)
        raise
    finally:
        pusher.close()


def _switched(pusher: SerialPusher, clock: Clock, say: Say) -> None:
    """Wait until hands have made it ready, even if a stop comes meanwhile."""
    ready = False
    while not ready:
        _cleared(pusher, clock, say)
        print(say("setup.air.switch.do"))
        if (pretend := pusher.pretend()) is not None:
            pretend.set_switch(True)
        ready = _await(pusher, clock, say, lambda now: now.ready or now.state in _HELD).ready


def _cleared(pusher: SerialPusher, clock: Clock, say: Say) -> None:
    """Leave ESTOP, FAULT or AWAY, and a red button that is pressed, with the help of hands."""
    status = pusher.status()
    if status.state in LATCHED or status.stopped:
        print(say("pusher.latched", state=status.state))
        _await(pusher, clock, say, lambda now: now.estop_closed and not now.switch_on)
        if pusher.status().state in LATCHED:
            pusher.clear()
    if pusher.status().state is PusherState.AWAY:
        print(say("pusher.put_home"))
        _confirmed(say)
        _await(pusher, clock, say, lambda now: now.estop_closed and not now.switch_on)
        pusher.homed()


def _confirmed(say: Say) -> None:
    """Wait until a person says that the arm is home.

    Raises:
        KeyedError: nobody is at a keyboard; what a script writes does not count.
    """
    with suppress(EOFError):
        if sys.stdin is not None and sys.stdin.isatty():
            input(f"{say('pusher.then_enter')} ")
            return
    raise KeyedError(
        "nobody has said that the arm is home, and it takes somebody at a keyboard: run this again "
        "in a terminal, and press Enter there",
        "pusher.no_keyboard",
    )


def _await(
    pusher: SerialPusher, clock: Clock, say: Say, wanted: Callable[[PusherStatus], bool]
) -> PusherStatus:
    before = None
    while not wanted(status := pusher.status()):
        if status != before:
            print(f"  {_inputs(status, say)}", flush=True)
            before = status
        clock.sleep(_LOOK_S)
    return status


def _inputs(status: PusherStatus, say: Say) -> str:
    """Describe a status in one line."""
    switch = say("pusher.switch.on" if status.switch_on else "pusher.switch.off")
    button = say("pusher.button.out" if status.estop_closed else "pusher.button.pressed")
    fault = f" ({status.fault})" if status.fault != "NONE" else ""
    return f"{status.state}{fault}: {switch}, {button}"


def in_words(news: News, say: Say) -> str:
    """Describe an event of the board in one line."""
    if isinstance(news, StateNews):
        return say("pusher.state", state=news.state)
    if isinstance(news, BeamNews):
        key = "pusher.beam.broken" if news.broken else "pusher.beam.free"
        return say(key, beam=news.beam, seconds=Decimal(f"{news.time_us / 1e6:.6f}"))
    assert isinstance(news, BootNews)
    return say("pusher.started.away" if news.away else "pusher.started", cause=news.cause)


def put_program(args: Namespace) -> int:
    """Put the program on the board; 1 if no pusher answers then."""
    say, name = speech(args.language), args.port or _only_board()
    if args.port is None and sys.stdin is not None and sys.stdin.isatty():
        input(f"{say('flash.overwrites', port=name)} ")  # the only board may be somebody's printer
    program = read_image(files("rig.pusher").joinpath("pusher.hex").read_text("ascii"))
    print(say("flash.looking", port=name), flush=True)

    def tell(key: str, **of: Any) -> None:
        if "why" in of:
            of["why"] = explained(of["why"], say).rstrip(".")
        print(say(f"flash.{key}", **of), flush=True)

    done = flash(name, program, tell)
    print(say("flash.written" if done.written else "flash.same"))
    if done.speed == OLD_SPEED:
        print(say("flash.old"))
    answers, told = _asked(name, say)
    print(f"{name}: {told}")
    return 0 if answers else 1


def _only_board() -> str:
    """Give the port of the board, if there is one and no other.

    Raises:
        PusherNotFound: there is none, or it is not clear which one is meant.
    """
    listed = ports()
    if not listed:
        raise _no_port()
    boards = [port for port in listed if port.likely]
    if len(boards) == 1:
        return boards[0].name
    which = "several boards are there" if boards else "no port looks like a board's"
    names = ", ".join(map(_named, boards or listed))
    raise PusherNotFound(
        f"{which}: name one, as in domino-rig pusher flash PORT; there are {names}",
        "flash.several" if boards else "flash.none",
        ports=names,
    )
