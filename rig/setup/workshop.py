"""The workshop: does what the set-up page asks for, one thing after the other, on its own thread.

Pages only read its state and send wishes, so no request waits for a device. While no page is open,
no device is open either, and the table has its devices back.
"""

import logging
import queue
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rig.clock import Clock
from rig.config import Config
from rig.errors import RigError
from rig.machine.build import open_rig, tag_of
from rig.pusher.port import Reach, Stroke
from rig.setup.bench.arms import Arms, InTheAir, RealArms, VirtualArms, arm_of
from rig.setup.bench.eyes import Eyes, RealEyes, VirtualEyes
from rig.setup.bench.row import Opener, TestRow
from rig.setup.bench.watching import Watcher
from rig.setup.errors import NotSo
from rig.setup.lending import Lending
from rig.setup.plan.facts import Arm, Mark, Point
from rig.setup.reasons import SetupReason, why
from rig.setup.store import NotKept, Shelf
from vision.errors import VisionError
from vision.geometry.mat import Mat, load_mat

log = logging.getLogger(__name__)

LOOK_S = 0.6
"""Seconds between pictures while the page is open."""
STEP_S = 0.05
AWAY_S = 20.0
"""Seconds without a request from the page after which the devices go back to the table."""
LOOKED_AT = ("camera", "mat", "pusher")


@dataclass(frozen=True, slots=True)
class Kinds:
    """What stands behind each kind of device.

    Attributes:
        eyes: cameras by kind.
        arms: pushers by kind.
        row: puts the rig of the test row together.
    """

    eyes: Mapping[str, Callable[[Config], Eyes]]
    arms: Mapping[str, Callable[[Config], Arms]]
    row: Opener = open_rig


def usual(clock: Clock) -> Kinds:
    """The devices of this computer, and the pretend ones."""
    return Kinds(
        {
            "opencv": lambda config: RealEyes(config.camera),
            "virtual": lambda config: VirtualEyes(clock, table=config.camera.table),
        },
        {"serial": lambda config: RealArms(clock), "virtual": lambda config: VirtualArms(clock)},
    )


class Workshop:
    """Set-up at one table.

    Args:
        shelf: where it is kept.
        lending: the table whose devices they are.
        clock: its time.
        kinds: what stands behind each kind of device.
        config: the settings that the table was opened with, where the file is not all of them.
    """

    def __init__(
        self, shelf: Shelf, lending: Lending, clock: Clock, kinds: Kinds, config: Config
    ) -> None:
        self.shelf, self.lending, self.clock, self.kinds = shelf, lending, clock, kinds
        self.config = config
        self.kept = shelf.kept()
        self.lock = threading.RLock()
        self._jobs: queue.SimpleQueue[tuple[str, Callable[[], None]]] = queue.SimpleQueue()
        self.busy = ""
        self.said: Point | None = None
        self.detail = ""
        self.watcher = Watcher(shelf)
        self.ports: list[dict[str, Any]] | None = None
        self.air: InTheAir | None = None
        self.arm = Arm()
        self.row: TestRow | None = None
        self.row_view: dict[str, Any] | None = None
        self._asked_s = float("-inf")
        self._looked_s = float("-inf")
        self._wake = threading.Event()
        self._over = False
        self.use_eyes()
        self._thread = threading.Thread(target=self._run, name="workshop", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def halt(self) -> None:
        """Stop an arm that may move, and begin nothing more; waits for no lock."""
        self._over = True
        row, air = self.row, self.air
        if row is not None:
            row.halt()
        if air is not None and air.in_use:
            air.stop()

    def close(self) -> None:
        """Let go of everything; an arm on its way goes home."""
        self._over = True
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(15.0)
        self._let_go()

    def seen(self) -> None:
        """Note that somebody looks."""
        now_s = self.clock.monotonic_s()
        if now_s - self._asked_s > AWAY_S:
            self.open_devices()
        self._asked_s = now_s
        if now_s - self._looked_s > 2 * LOOK_S:
            self._wake.set()

    def picture(self) -> bytes | None:
        """The camera's picture with what was found drawn in, as JPEG."""
        with self.lock:
            self.seen()
            return self.watcher.jpeg

    def preview(self, number: int) -> bytes | None:
        """What a listed camera sees, as JPEG."""
        with self.lock:
            cameras = self.watcher.cameras or ()
            return cameras[number].preview or None if 0 <= number < len(cameras) else None

    def evidence(self) -> bytes | None:
        """The picture that goes with the test row's verdict."""
        with self.lock:
            return self.row.picture() if self.row is not None else None

    # What the thread does.

    def _run(self) -> None:
        while not self._over:
            try:
                wait_s = self.step()
            except Exception:
                log.exception("setting up met something that it does not know")
                self.tell(SetupReason("refused.error"))
                wait_s = 1.0
            self.clock.wait(self._wake, wait_s)
            self._wake.clear()

    def step(self) -> float:
        """Do the next thing; give the seconds to wait before the one after it."""
        now_s = self.clock.monotonic_s()
        away = now_s - self._asked_s > AWAY_S
        if self.lending.playing or away:
            self._let_go()
            self._hand_back()
        try:
            name, job = self._jobs.get_nowait()
        except queue.Empty:
            pass
        else:
            self._work(name, job)
            return 0.0
        if away:
            return 1.0
        self._tend()
        if now_s - self._looked_s >= LOOK_S and self.kept.at in LOOKED_AT:
            self._looked_s = now_s
            self._look()
        return STEP_S

    def _work(self, name: str, job: Callable[[], None]) -> None:
        """Do one thing; what went wrong is said on the page."""
        try:
            job()
        except (RigError, VisionError) as error:
            self.tell(why(error, f"{name}.failed"))
        finally:
            with self.lock:
                self.busy = ""

    def _tend(self) -> None:
        """Go on with what moves, and with the test row."""
        if self.row is not None:
            self.row.tend()
            view = self.row.view()
            with self.lock:
                self.row_view = view
            if view["state"] == "done" and not self.kept.row:
                self.keep(row=view["outcome"], p_fall=view.get("p_fall"))
        if self.air is None:
            return
        ended = self.air.tend()
        arm = arm_of(self.air.pusher)
        with self.lock:
            self.arm = arm
            if isinstance(ended, Stroke) and ended.complete:
                self.keep(tried=True)
            elif isinstance(ended, Stroke):
                self.tell(SetupReason("air.short" if ended.reach is Reach.PART else "air.unheard"))
            elif ended is not None:
                self.tell(why(ended, "air.failed"))

    def _look(self) -> None:
        lent = self.lending.frame() if self.lending.playing else None
        if lent is None and not self.watcher.is_open:
            return
        tag = tag_of(self.config.pusher) if self.kept.at == "pusher" else None
        if self.watcher.look(lent, tag) and self.watcher.tag and not self.kept.tag:
            self.keep(tag=True)

    def list_cameras(self) -> None:
        """Look which cameras there are."""
        self.borrow()
        self.watcher.list()
        self._reopen_camera()

    def take_camera(self, id: str) -> None:
        """Open a camera, and keep that it is this one."""
        self.borrow()
        self.watcher.open(id)
        if id == self.config.camera.id or id == self.kept.camera:
            return
        with self.lock:
            width, height = self.watcher.size or (1920, 1080)
            size = {"width": width, "height": height}
            self.choose(camera={"id": id, **size, "mat": "", "lens": ""})
            self.watcher.lying = None
            self.keep(camera="", lens_px=None, survey_mm=None, tag=False, row="")

    def take(self, of: str) -> None:
        """Take one more picture; the last that is needed gives the lens, or the survey."""
        self.watcher.take()
        if not self.watcher.views.enough:
            return
        if of == "lens":
            fit = self.watcher.fit()
            with self.lock:
                if self.config.camera.lens:  # a file of before would go before what is kept now
                    self.choose(camera={"lens": ""})
                self.keep(lens_px=round(fit.error_px, 3))
        else:
            self.survey()

    def survey(self) -> None:
        """Find where the mat lies, and keep it."""
        survey = self.watcher.measure(self.kept.ruler_mm or 100.0)
        with self.lock:
            if self.watcher.eyes is not None and not self.watcher.eyes.virtual:
                self.choose(camera={"mat": str(self.shelf.mat)})
            self.keep(survey_mm=round(max(s.sigma_mm for s in survey.strips), 3))

    def list_ports(self) -> None:
        """Look which ports there are."""
        found = self.arms().found()
        with self.lock:
            self.ports = [{"name": p.name, "chip": p.chip} for p in found]

    def find(self, port: str) -> None:
        """Find the pusher at a port; nothing moves."""
        self.close_air()
        self.borrow()
        arms = self.arms()
        self.list_ports()
        known = (self.config.pusher.port, *(listed["name"] for listed in self.ports or ()))
        if port and port not in known:  # a phone names nothing else to be opened and spoken to
            raise NotSo("refused.unknown", f"{port!r} is no port of the list.")
        pusher, where = arms.open(port)
        air = InTheAir(pusher, self.clock)
        with self.lock:
            self.air, self.arm = air, arm_of(air.pusher)
            if self.arm.found and not arms.virtual and port:
                self.choose(pusher={"port": port})
            self.keep(firmware=self.arm.firmware, port=where)

    def open_row(self) -> None:
        """Open the table of the test row."""
        self.close_row()
        self._let_go()
        self.borrow()
        row = TestRow(self.config, self.clock, self.kinds.row)
        with self.lock:
            self.keep(row="", p_fall=None)
            self.row, self.row_view = row, row.view()

    def close_row(self) -> None:
        """Close it."""
        row, self.row = self.row, None
        if row is not None:
            row.close()
        with self.lock:
            self.row_view = None

    def close_air(self) -> None:
        """Let go of the pusher."""
        air, self.air = self.air, None
        if air is not None:
            air.close()

    def _let_go(self) -> None:
        """Let go of every device."""
        self.close_row()
        self.close_air()
        self.watcher.close()

    def borrow(self) -> None:
        """Have the table's machine let go of what it has, if that is real."""
        if self.lending.playing:
            raise NotSo("refused.playing", "The devices belong to the game; pause it first.")
        if self.config.camera.kind == "opencv" or self.config.pusher.kind == "serial":
            self.lending.lend()

    def _hand_back(self) -> None:
        trouble = self.lending.take_back(self.config)
        if trouble is not None:
            self.tell(trouble)

    # Small things.

    def open_devices(self) -> None:
        """Open what this step shows, where nobody needs to plug it in or to choose it."""
        if self.lending.playing:
            return
        if self.kept.at in LOOKED_AT and not self.watcher.is_open:
            self._jobs.put(("camera", self._reopen_camera))
        if self.kept.at == "pusher" and self.air is None:
            self._jobs.put(("pusher", self._open_virtual_arm))

    def _reopen_camera(self) -> None:
        kind, eyes = self.config.camera.kind, self.watcher.eyes
        id = self.config.camera.id or self.kept.camera or (eyes.usual if eyes else "")
        if id and kind in self.kinds.eyes and not self.watcher.is_open:
            self.borrow()
            self.watcher.open(id)

    def _open_virtual_arm(self) -> None:
        if self.config.pusher.kind in self.kinds.arms and self.air is None and self.arms().virtual:
            self.find("")

    def use_eyes(self) -> None:
        """Take the kind of camera that the settings name."""
        make = self.kinds.eyes.get(self.config.camera.kind)
        self.watcher.use(make(self.config) if make else None)
        self.watcher.lying = _lying(self.config)

    def arms(self) -> Arms:
        """The kind of pusher that the settings name."""
        make = self.kinds.arms.get(self.config.pusher.kind)
        if make is None:
            raise NotSo("refused.unknown", "This table has no pusher.")
        return make(self.config)

    def need_air(self) -> InTheAir:
        """Give the pusher that was found.

        Raises:
            NotSo: none was.
        """
        if self.air is None:
            raise NotSo("air.lost", "The pusher has not been found yet.")
        return self.air

    def line_up(self, name: str, job: Callable[[], None]) -> None:
        """Put a job in line for the thread."""
        self.busy = name
        self._jobs.put((name, job))
        self._wake.set()

    def tell(self, said: SetupReason) -> None:
        """Say on the page what went wrong."""
        with self.lock:
            self.said, self.detail = Point(Mark.FAILED, said.key, dict(said.of)), said.detail

    def keep(self, **what: Any) -> None:
        """Write down how far the evening has come."""
        with self.lock:
            self.kept = replace(self.kept, **what)
            try:
                self.shelf.keep(self.kept)
            except NotKept as error:  # the evening goes on, and says so
                self.tell(why(error, "refused.kept"))

    def choose(self, **sections: Mapping[str, Any]) -> None:
        """Put settings into the file."""
        chosen = self.shelf.choose(**sections)
        self.config = replace(
            self.config, camera=chosen.camera, pusher=chosen.pusher, tiles=chosen.tiles
        )


def _lying(config: Config) -> Mat | None:
    """The mat as it was surveyed before; None if it was not, or its file is spoiled."""
    try:
        return load_mat(Path(config.camera.mat)) if config.camera.mat else None
    except VisionError:
        return None
