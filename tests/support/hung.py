"""A table whose disk can be made to hang."""

import threading

from rig.journal import Journal
from tests.support.clients import PLENTY, AsgiWay
from tests.support.sessions import session_on
from web.base.rate_limits import Limits
from web.factory import create_app
from web.live.parts import parts


class HungJournal(Journal):
    """A disk that can be made to hang: whatever is written waits until it is let go."""

    def __init__(self, path):
        super().__init__(path)
        self.hangs = threading.Event()
        self.free = threading.Event()
        self.waiting = threading.Semaphore(0)

    def append(self, *given, **named):
        if self.hangs.is_set():
            self.waiting.release()
            assert self.free.wait(120)
        return super().append(*given, **named)


class Machine:
    """Knows nothing but STOP."""

    virtual = False
    pretend = bench = None
    answers = "acknowledged"

    def __init__(self):
        self.stops = 0
        self.stopped = threading.Event()
        self.answer = threading.Event()
        self.answer.set()

    def before_commit(self, before, after):
        return ()

    def pusher_status(self): ...

    def picture_now(self): ...

    def close(self): ...

    def stop(self):
        self.stops += 1
        self.stopped.set()
        assert self.answer.wait(120)
        return self.answers


class Hung:
    """A table with two players whose disk can hang."""

    def __init__(self, folder):
        self.journal = HungJournal(folder / "table.sqlite3")
        self.session = session_on(self.journal)
        self.machine = self.session.machine = Machine()
        limits = Limits(device=PLENTY, address=PLENTY)
        app = create_app(self.session, code="PINE", host_secret="the-secret", limits=limits)
        self.web = parts(app)
        self.way = AsgiWay(app)
        self.ana, self.bo, self.watcher = (self.way.join() for _ in range(3))
        for cookie, name, mark in ((self.ana, "Ana", "star"), (self.bo, "Bo", "cross")):
            assert self.way.command(cookie, "sit", name=name, mark=mark).status == 200
        self.threads = []

    def hang(self, commands):
        """Let so many commands hang at the disk, or behind one that does."""
        self.journal.hangs.set()
        strangers = [self.way.join() for _ in range(commands)]
        for n, cookie in enumerate([self.ana, *strangers[1:]]):
            order = {"id": f"h{n}", "type": "rename" if n == 0 else "sit", "name": f"Hung {n}"}
            named = {"cookie": cookie}
            thread = threading.Thread(
                target=self.way.post, args=("/api/command", order), kwargs=named
            )
            thread.start()
            self.threads.append(thread)
        assert self.journal.waiting.acquire(timeout=120)

    def close(self):
        self.machine.answer.set()
        self.journal.free.set()
        for thread in self.threads:
            thread.join(20)
        self.web.hub.stop()
        self.way.close()
        self.session.close()
