"""The test row: three tiles, pushed and judged by the ordinary machine at a table of their own.

It is a game of two seats without players: readings are confirmed by themselves, the last tile is
called and doubted, and the rest is as in a game: the switch, the button held, the clear table, the
last look, the stroke, the verdict. Its journal is thrown away.
"""

import logging
import math
import secrets
import tempfile
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from physics.row.pose import Pose
from rig.clock import Clock
from rig.config import Config, Timers
from rig.journal import Journal
from rig.machine.build import open_rig
from rig.machine.loop import Machine
from rig.pusher.port import StopAnswer
from rig.row.physical import Stage
from rig.row.push_events import PushStep
from rig.row.row_live import Reading
from rig.row.row_session import RowSession
from rig.setup.errors import NotSo

log = logging.getLogger(__name__)

SEATS = {"setup-1": "circle", "setup-2": "square"}
FIRST = next(iter(SEATS))
TILES = 3
SURE_S = 1.0
"""Seconds for which a reading must stay the same before it counts."""
NEXT = {1: 3, 2: 9}
"""The tile that the pretend hand stands next, by how many are standing."""
PITCH_MM = 24.0
FOREVER_S = 3600.0

Opener = Callable[[RowSession, Config, Clock, np.random.SeedSequence], Machine]


class NoRow(NotSo):
    """The table of the test row refused something.

    Attributes:
        reason: why, as the table names it.
    """

    def __init__(self, message: str, reason: str = "not_now") -> None:
        super().__init__(f"row.refused.{reason}", message)
        self.reason = reason


class TestRow:
    """A table for one row.

    Args:
        config: the settings that are being tried.
        clock: its time.
        opener: puts the rig together.

    Raises:
        RigError, VisionError: the devices of the settings cannot be opened.
    """

    __test__ = False  # pytest takes it for a test otherwise

    def __init__(self, config: Config, clock: Clock, opener: Opener = open_rig) -> None:
        self._clock = clock
        self._ids = count(1)
        self._proposed: tuple[Reading, float] | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="domino-rig-", ignore_cleanup_errors=True)
        timing = replace(config.timing, countdown_step=0.0, reveal=0.0, verdict=FOREVER_S)
        config = replace(
            config,
            table=replace(config.table, bots=0, tables=1),
            timing=replace(timing, round_end=FOREVER_S, photo_finish=0.0),
            timers=Timers(),
            rules={},
        )
        journal = Journal(Path(self._folder.name) / "row.sqlite3")
        try:
            self.session = RowSession(journal, clock, config, lambda: secrets.token_hex(16))
            machine = opener(self.session, config, clock, np.random.SeedSequence())
        except BaseException:
            journal.close()
            self._folder.cleanup()
            raise
        for device, mark in SEATS.items():
            self._must(device, "sit", name=device, mark=mark)
            self._must(device, "ready", on=True)
        self._must(FIRST, "start")
        machine.start()

    @property
    def virtual(self) -> bool:
        """Whether tiles are stood on the page."""
        return self.session.table.devices.drags(self.session.machine)

    @property
    def moving(self) -> bool:
        """Whether a push has been requested and is not over."""
        attempt = self.session.table.attempt
        return attempt is not None and attempt.step is PushStep.REQUESTED

    def tend(self) -> None:
        """Do what people would do in a game up to the push, but not the push itself."""
        session = self.session
        table, live = session.table, session.live
        duty = session.physical.duty(table)
        moves = session.physical.to_the_push(table)
        match duty.stage:
            case Stage.PLACING if len(duty.values) < TILES and live.reading.state == "proposal":
                now_s = self._clock.monotonic_s()
                if self._proposed is None or self._proposed[0].tile != live.reading.tile:
                    self._proposed = (live.reading, now_s)
                elif now_s - self._proposed[1] >= SURE_S:
                    self._do(self._device(duty.active), "confirm")
            case Stage.PLACING if len(duty.values) < TILES:
                self._proposed = None
            case _ if moves:
                for move in moves:
                    self._do(self._device(move.seat), move.kind, **move.fields)
            case Stage.PUSHING if live.guide and not live.guide.right and self._pretend:
                self._do(self._toppler, "aim")
            case _:
                self._proposed = None

    def view(self) -> dict[str, Any]:
        """Say how far it has come, for the page.

        `state` is stand, wrong, blind, guide, switch, clear, hold, finger, pushing, unknown or
        done.
        """
        session = self.session
        with session.lock:
            table, live = session.table, session.live
            duty = session.physical.duty(table)
            push = session.view(self._toppler, "phone").get("push") or {}
        view: dict[str, Any] = {
            "state": "stand",
            "standing": len(duty.values) if table.row else 0,
            "of": TILES,
            "reading": live.reading.state,
            "faults": [kind for kind, _ in live.reading.violations],
            "sight": live.seeing.kind if live.seeing.blind else "",
            "virtual": self.virtual,
        }
        if live.forecast is not None:
            view["p_fall"] = round(live.forecast.p_fall, 3)
        if table.seen is not None:
            view["state"] = "done"
            view["outcome"] = table.seen.outcome
            view["sure"] = table.seen.sure
            view["picture"] = table.seen.picture
            if table.forecast is not None:
                view["p_fall"] = round(table.forecast.p_fall, 3)
        elif duty.stage is Stage.PUSHING:
            attempt = table.attempt
            guide = push.get("guide")
            if attempt is not None and attempt.step is PushStep.UNKNOWN:
                view["state"] = "unknown"
            elif push.get("state") == "finger":
                view["state"] = "finger"
            elif self.moving:
                view["state"] = "pushing"
            elif guide and guide["seen"] and not guide["right"]:
                view["state"] = "guide"
            elif push.get("state") not in ("ready", "armed"):
                view["state"] = "switch"
            else:
                view["state"] = "hold" if live.clear else "clear"
            view["push"], view["guide"] = push.get("state"), guide
            view["again"] = bool(push.get("cause"))
            view["end"] = duty.values[0] if duty.values else None
        elif live.reading.state == "wrong":
            view["state"] = "wrong"
        elif view["sight"]:
            view["state"] = "blind"
        return view

    def stand(self) -> None:
        """Have the pretend hand stand the next tile beside the row."""
        table, duty = self.session.table, self.session.duty
        value = NEXT.get(len(duty.values))
        if not self.virtual or not table.row or value is None:
            raise NoRow("There is nothing to stand now: wait until the row has been read.")
        last = table.row[-1]
        heading = Pose(last.x_mm, last.y_mm, math.radians(last.heading_deg))
        x, y = heading.to_table(PITCH_MM, 0.0)
        place = {"x_mm": x, "y_mm": y, "heading_deg": last.heading_deg, "orientation": "vertical"}
        self._must(self._device(duty.active), "stand", value=value, **place)

    def switch(self, on: bool) -> None:
        """Turn the pretend arm switch."""
        self._must(self._toppler, "switch", on=on)

    def hold(self) -> str:
        """A thumb presses the button; give the nonce that the push must carry."""
        guide = self.session.live.guide
        # Where the camera does not see the tag, whoever holds has looked where the pusher stands.
        by_eye = guide is not None and not guide.seen
        return str(self._must(self._toppler, "hold", by_eye=by_eye)["nonce"])

    def release(self) -> None:
        """The thumb has left the button too early."""
        self._do(self._toppler, "release")

    def push(self, nonce: str) -> None:
        """The button was held to the end."""
        self._must(self._toppler, "push", nonce=nonce)

    def touch(self) -> None:
        """A finger pushes on the pretend table."""
        self._must(self._toppler, "touch")

    def stop(self) -> StopAnswer:
        """STOP."""
        machine = self.session.machine
        stopped = StopAnswer.NOT_SENT if machine is None else machine.stop()
        self._do(FIRST, "stop")
        return stopped

    def halt(self) -> None:
        """The program ends: stop whatever moves."""
        machine = self.session.machine
        if machine is not None:
            machine.halt()

    def clear(self) -> None:
        """Free the pusher after a STOP."""
        self._must(FIRST, "clear_stop")

    def homed(self) -> None:
        """A person has put the arm home by hand."""
        self._must(FIRST, "homed", away=self.session.live.away)

    def picture(self) -> bytes | None:
        """The picture that goes with the verdict."""
        seen = self.session.table.seen
        return self.session.picture(seen.picture) if seen and seen.picture else None

    def close(self) -> None:
        """Release the devices and delete the journal."""
        self.session.close()
        self._folder.cleanup()

    @property
    def _pretend(self) -> bool:
        """Whether the pusher is put in its place on the page."""
        return self.session.machine is not None and self.session.machine.pretend is not None

    @property
    def _toppler(self) -> str:
        return self._device(self.session.duty.toppler)

    def _device(self, seat: str | None) -> str:
        """The device of a seat of the game."""
        player = self.session.table.player(seat)
        return (player and player.device) or FIRST

    def _do(self, device: str, kind: str, **fields: Any) -> dict[str, Any]:
        command = {"id": f"row{next(self._ids)}", "type": kind, **fields}
        command["phase_id"] = self.session.table.phase_id
        return self.session.submit(device, command)

    def _must(self, device: str, kind: str, **fields: Any) -> dict[str, Any]:
        reply = self._do(device, kind, **fields)
        if not reply["ok"]:
            raise NoRow(str(reply["message"]), str(reply["reason"]))
        return reply
