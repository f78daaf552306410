"""`domino-rig doctor`: what is set up, what is still to do, and why a phone cannot get in."""

import http.client
import http.server
import json
import threading
from argparse import Namespace
from collections.abc import Sequence
from decimal import Decimal
from html import escape
from typing import Any

from rig.cli.output import can_show, print_json
from rig.cli.speech import explained, speech
from rig.clock import SystemClock
from rig.setup import checks
from rig.setup.holder import holder
from rig.setup.plan.facts import Mark, Network, Point, Port, SetupStep
from rig.setup.plan.steps import doctor
from rig.setup.store import Shelf, chosen_of, data_folder, default_journal, kept_settings
from web.access.address import is_loopback
from web.base.errors import WebError
from web.content import qr
from web.content.words import Say, languages
from web.routes.doctor import Facts, findings, look
from web.server.listening import listen

ANSWER_S = 2.0
MOST_BYTES = 4096
"""Most seconds and bytes to read from a program that answers on the port."""


def run(args: Namespace) -> int:
    """Print the findings; 1 if there is something to do, or no phone got through."""
    say = speech(args.language)
    settings = args.config or kept_settings()
    config, trouble = checks.settings(settings, args.port, [*languages()])
    port = config.network.port
    if args.wait:  # waiting 0 s would tell nothing
        return _wait(port, args.wait, say)
    shelf, clock = Shelf(data_folder(), settings), SystemClock()
    journal = args.journal or default_journal()
    served = _port(port)
    network = look("0.0.0.0", port, answering=served.table)
    kept = shelf.kept()
    steps = doctor(
        chosen_of(config),
        kept,
        Network(findings(network), kept.visitor),
        checks.pusher(config, clock),
        checks.house(config, trouble, shelf, journal, port=served),
    )
    good = not any(step.mark in (Mark.TODO, Mark.FAILED) for step in steps)
    if args.json:
        print_json("doctor", {"ok": good, "checks": [_plain(step, say) for step in steps]})
        return 0 if good else 1
    _print(steps, say)
    print()
    _tell(network, port, say)
    if served.table and network.adapters:
        _show(f"http://{network.adapters[0].address}:{port}/", say)
    elif not kept.visitor:
        print(f"\n{say('doctor.only_phone')}")
    return 0 if good else 1


def _port(number: int) -> Port:
    """Say who has the port: nobody, a table, or another program."""
    try:
        listen("0.0.0.0", number).close()
    except WebError as error:
        if _is_table(number):
            return Port(number, table=True)
        return Port(number, trouble=error, holder=holder(number))
    return Port(number)


def _is_table(port: int) -> bool:
    """Whether a domino-rig answers there: no other program has its clock."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWER_S)
    try:
        connection.request("GET", "/api/clock")
        told = json.loads(connection.getresponse().read(MOST_BYTES))
    except (OSError, http.client.HTTPException, ValueError):
        return False
    finally:
        connection.close()
    return isinstance(told, dict) and "now_ms" in told


def _show(url: str, say: Say) -> None:
    """Show an address as a QR code, with characters that this terminal can write."""
    code = qr.terminal(url, can_show(qr.BLOCKS))
    print(f"\n{code}\n{say('doctor.scan', url=url)}", flush=True)


def _plain(step: SetupStep, say: Say) -> dict[str, Any]:
    points = []
    for point in step.points:
        title, what = _said(point, say)
        points.append(
            {"mark": point.mark, "key": point.key, "says": title, "do": what, **_why(point.of)}
        )
    return {"name": step.name, "mark": step.mark, "points": points}


def _said(point: Point, say: Say) -> tuple[str, str]:
    """Its title, and what to do ("" if nothing)."""
    return say(f"setup.{point.key}", **point.of), say(f"setup.{point.key}.do", **point.of)


def _why(of: dict[str, Any]) -> dict[str, Any]:
    return {"why": str(of["why"])} if of.get("why") else {}


def _print(steps: Sequence[SetupStep], say: Say) -> None:
    signs = {mark: say(f"setup.mark.{mark}") for mark in Mark}
    signs |= {mark: signs[mark].upper() for mark in (Mark.TODO, Mark.FAILED)}
    names = [say(f"setup.check.{step.name}") for step in steps]
    sign_width, name_width = (max(map(len, each)) for each in (signs.values(), names))
    for step, name in zip(steps, names, strict=True):
        for n, point in enumerate(step.points):
            title, what = _said(point, say)
            head = f"{signs[point.mark]:<{sign_width}}  {'' if n else name:<{name_width}}  "
            print(f"{head}{title}")
            why = point.of.get("why", "")
            for line in (what, explained(why, say) if isinstance(why, Exception) else why):
                if line and (point.mark is not Mark.OFF or step.name == "extras"):
                    print(f"{'':<{len(head)}}{line}")


def _wait(port: int, longest_s: float, say: Say) -> int:
    with TestPage(port, say("doctor.works")) as test:
        facts = look("0.0.0.0", test.port)
        _tell(facts, test.port, say)
        if facts.adapters:
            _show(f"http://{facts.adapters[0].address}:{test.port}/", say)
        visitor = test.wait(longest_s)
    if visitor is None:
        print(say("doctor.no_phone", seconds=Decimal(f"{longest_s:g}")))
        return 1
    print(say("doctor.got_through", address=visitor))
    return 0


class TestPage:
    """A page that only shows a phone that it got through; a context manager.

    Args:
        port: where; 0 is any free port.
        words: what the phone reads.

    Raises:
        WebError: the port cannot be opened, for example because a table is served there.
    """

    __test__ = False  # pytest takes it for a test otherwise

    def __init__(self, port: int, words: str) -> None:
        self._visited = visited = threading.Event()
        self._visitors: list[str] = []
        visitors = self._visitors

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                page = f"<!doctype html><title>domino-rig</title><h1>&#10003; {escape(words)}</h1>"
                body = page.encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
                if not is_loopback(self.client_address[0]):
                    visitors.append(self.client_address[0])
                    visited.set()

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

        listener = listen("0.0.0.0", port)
        self.port: int = listener.getsockname()[1]
        self._server = http.server.ThreadingHTTPServer(
            ("0.0.0.0", self.port), Handler, bind_and_activate=False
        )
        self._server.socket.close()
        self._server.socket = listener
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def wait(self, longest_s: float) -> str | None:
        """Give the address of the first phone, None if none came in time."""
        return self._visitors[0] if self._visited.wait(longest_s) else None

    def __enter__(self) -> "TestPage":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _tell(facts: Facts, port: int, say: Say) -> None:
    for adapter in facts.adapters:
        name = f" ({adapter.name})" if adapter.name else ""
        default = f", {say('doctor_default')}" if adapter.default else ""
        silent = "" if adapter.answers else f", {say('doctor_silent')}"
        kind = say(f"doctor_kind.{adapter.kind}")
        print(f"{adapter.address}:{port}  {kind}{name}{default}{silent}")
    for name in findings(facts):
        what = say(f"doctor_find.{name}.do", port=port)
        print(f"\n{say(f'doctor_find.{name}')}\n  {what}")
