"""A chip with a host at its line, for tests that look at both."""

from rig.pusher.wire import FrameKind, Receiver, SerialFrame, after, encode
from tests.support.chip import MHZ, SWITCH, Chip


class Image(Chip):
    """A chip with a host at its line."""

    def __init__(self, *args):
        super().__init__(*args)
        self.receiver = Receiver()
        self.events = []
        self.answers = []
        self.sequence = 0

    def run(self, us):
        self.run_us(us)
        for one in self.receiver.feed(self.get()):
            (self.events if one.kind is FrameKind.EVENT else self.answers).append(one)

    def frame(self, text, session=1, number=None):
        self.sequence = after(self.sequence) if number is None else number
        return encode(SerialFrame(FrameKind.COMMAND, session, self.sequence, text))

    def answer_to(self, data):
        self.put(data)
        self.answers.clear()
        for _ in range(60):
            self.run(500)
            if self.answers:
                return self.answers[0].text
        raise AssertionError(f"no answer to {data}")

    def ask(self, text, session=1, number=None):
        return self.answer_to(self.frame(text, session, number))

    def hello(self, session=1):
        return self.ask(f"HELLO 1 0000000{session}", session, 0)

    def live(self, ms):
        """Run with a heartbeat, as a host would."""
        end = self.cycle + ms * 1000 * MHZ
        while (left_us := (end - self.cycle) / MHZ) > 0:
            if left_us > 20_000:
                self.ask("HB")
            self.run(min(100_000, max(1, (end - self.cycle) / MHZ)))

    def arm(self):
        """A hand at the switch, ARM, and 700 ms; gives the token."""
        if self.sequence == 0:
            self.run(50_000)
            self.hello()
        self.high(SWITCH)
        self.run(6000)
        self.low(SWITCH)
        self.run(6000)
        token = self.ask("ARM").split()[2]
        self.live(700)
        return token

    def push(self, stroke="300 800 150 600"):
        assert self.ask(f"PUSH {self.arm()} {stroke}").startswith("OK PUSH")

    @property
    def states(self):
        told = [event.text.split() for event in self.events]
        return [words[1] for words in told if words[0] == "ST"]

    @property
    def widths_us(self):
        return [width for _, width in self.pulses]

    def off_after_us(self, since):
        assert not self.power
        return (self.power_changed - since) / MHZ
