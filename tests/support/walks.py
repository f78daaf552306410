"""Which files a turn, a vote and a view enter: how much has to be read to follow one of them."""

import gc
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rig.clock import Clock, ManualClock
from rig.machine.build import open_by_hand
from tests.support.clients import FlaskWay
from tests.support.quiet_table import Seats
from tests.support.sessions import session_on
from tests.support.whole_rig import WholeRig
from web.factory import create_app
from web.live.parts import parts

ROOT = Path(__file__).parents[2]
PACKAGES = ("physics", "vision", "rig", "web")


@contextmanager
def entered() -> Iterator[list[str]]:
    """Collect the files in which this thread calls anything, as paths from the project's root.

    Importing a module is no entry: what it defines is. The list is filled at the end. The garbage
    collector rests meanwhile: to close what earlier work left behind, it would enter other files.
    """
    codes, files, before = set(), [], sys.getprofile()

    def notice(frame, event, arg):
        if event == "call":
            codes.add(frame.f_code)

    gc.collect()
    gc.disable()
    sys.setprofile(notice)
    try:
        yield files
    finally:
        sys.setprofile(before)
        gc.enable()
        paths = {Path(code.co_filename) for code in codes if code.co_name != "<module>"}
        inside = (path.relative_to(ROOT) for path in paths if path.is_relative_to(ROOT))
        files += sorted(path.as_posix() for path in inside if path.parts[0] in PACKAGES)


@contextmanager
def _table() -> Iterator[Callable[[Clock], Seats]]:
    """Give what opens a session with a journal of its own, once."""
    opened = []

    def open_session(clock: Clock) -> Seats:
        opened.append(session_on(Path(folder) / "table.sqlite3", clock))
        return Seats(opened[-1])

    with tempfile.TemporaryDirectory() as folder:
        yield open_session
        for session in opened:
            session.close()


def files_of_a_vote() -> list[str]:
    """A phone's request, at a table with the whole virtual rig behind it."""
    with _table() as open_session:
        rig = WholeRig(open_session)
        app = create_app(rig.session, code="PINE", host_secret="secret")
        way = FlaskWay(app)
        cookies = [way.join(), way.join()]
        for number, (cookie, mark) in enumerate(zip(cookies, ("circle", "square"), strict=True)):
            way.command(cookie, "sit", id=f"sit{number}", name=f"P{number}", mark=mark)
            way.command(cookie, "ready", id=f"ready{number}", on=True)
        way.command(cookies[0], "start", id="start", first="s1")
        rig.until(lambda: rig.session.table.row)
        placer, caller = (rig.session.table.player(seat).device for seat in ("s1", "s2"))
        rig.place(placer, 3, 275.0)
        rig.do(caller, "call")
        moment = rig.session.table.phase_id
        with entered() as files:
            answer = way.command(cookies[1], "vote", id="v", side="failure", phase_id=moment)
        assert answer.json["ok"], answer.json
        parts(app).hub.stop()
    return files


def files_of_a_view() -> list[str]:
    """What one seat may see, at a table that is led by hand."""
    with _table() as open_session:
        seats = open_session(ManualClock())
        open_by_hand(seats.session)
        seats.sit("ana", "bo")
        seats.do("ana", "start")
        with entered() as files:
            seats.session.view("ana")
    return files


def files_of_a_turn() -> list[str]:
    """The turn of tests/test_one_turn.py that enters most: the row stops half-way."""
    from tests.test_one_turn import turn

    with entered() as files:
        turn(58.0, "stood")
    return files
