"""A whole rig in a test: real session, journal, eye and firmware, over a virtual table."""

import numpy as np

from rig.config import load_config
from rig.machine.build import open_rig
from tests.support.stroke_clock import StrokeClock


class WholeRig:
    """A session with the whole virtual rig behind it; its machine is stepped by hand.

    `again()` opens it after a crash. What came of a push is told at once, shown or not, and the
    last ballot locks all of them at once.
    """

    def __init__(self, open_session, **settings):
        self.open_session = open_session
        virtual = {"show_fall": False, **settings.pop("virtual", {})}
        timing = {"last_ballot": 0.0, **settings.pop("timing", {})}
        self.settings = {**settings, "virtual": virtual, "timing": timing}
        self.again()

    def again(self):
        self.clock = StrokeClock()
        self.seats = self.open_session(self.clock)
        self.session = self.seats.session
        self.session.config = load_config(**self.settings)
        seeds = np.random.SeedSequence(7)
        self.machine = open_rig(self.session, self.session.config, self.clock, seeds)
        self.clock.run_in_strokes_of(self.machine)
        self.do = self.seats.do

    def until(self, wanted, steps=100):
        for _ in range(steps):
            self.machine._step()
            if wanted():
                return
            self.clock.sleep(0.15)
        raise AssertionError(self.session.live)

    def start(self, *names):
        self.seats.sit(*names)
        self.do(names[0], "start")
        self.until(lambda: self.session.table.row)

    def stand(self, name, value, x_mm, verb="do", **how):
        place = {"y_mm": 210.0, "heading_deg": 0.0, "orientation": "vertical", **how}
        return getattr(self, verb)(name, "stand", value=value, x_mm=x_mm, **place)

    def reading(self):
        return self.session.live.reading

    def place(self, name, value, x_mm, **how):
        self.stand(name, value, x_mm, **how)
        self.until(lambda: self.reading().state == "proposal")
        self.do(name, "confirm")

    def to_reveal(self, x_mm=275.0):
        self.start("ana", "bo")
        self.place("ana", 3, x_mm)
        self.do("bo", "call")
        self.do("bo", "vote", side="failure")
        self.until(lambda: self.session.table.phase == "REVEAL")

    def to_push(self, x_mm=275.0):
        self.to_reveal(x_mm)
        self.do("ana", "go_on")
        self.until(lambda: self.session.live.clear and self.session.live.forecast)

    def push(self):
        self.do("ana", "switch", on=True)
        nonce = self.do("ana", "hold")["nonce"]
        self.clock.sleep(1.5)
        self.do("ana", "push", nonce=nonce)

    def put_home(self):
        """A hand puts the arm home, and the host says so."""
        self.machine._step()
        self.do("ana", "homed", away=self.session.view("ana")["push"]["away"])
