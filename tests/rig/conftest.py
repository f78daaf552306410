"""A table for tests: real journal, rules and session; the machine's port with nothing behind it."""

from contextlib import suppress

import pytest

from rig.errors import RigError
from rig.history.gamefile import made
from rig.history.verify import verified
from rig.row.row_session import RowSession
from tests.support.practised_eye import practised_eye
from tests.support.quiet_table import QuietMachine, Seats
from tests.support.recount import miscounted
from tests.support.sessions import counted, session_on
from tests.support.small_view import small_view


@pytest.fixture(autouse=True, scope="module")
def small_pictures():
    """Let whole rigs look through a camera whose pictures cost less."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rig.machine.build.default_view", small_view)
        yield


@pytest.fixture(autouse=True, scope="session")
def practised_eyes():
    """Let whole rigs begin with what another eye has learned of the same bare table."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rig.machine.build.bare_table_eye", practised_eye)
        yield


@pytest.fixture(scope="session")
def quiet_machine():
    """The port with nothing behind it, for tests that open sessions of their own."""
    return QuietMachine


def prove(session: RowSession) -> None:
    """Whatever a table has been through, nobody forged it; a test may have closed it, or worse."""
    journal, records = session.journal, []
    with suppress(RigError):
        records = list(journal.events())
    if records and journal.damage is None:
        assert verified(made(records, picture=journal.picture)).findings == []
        assert miscounted(records) == []


@pytest.fixture
def open_session(tmp_path):
    """Open the same journal again and again; everything is closed at the end."""
    opened = []
    nonce = counted()

    def open_again(clock=None) -> Seats:
        if opened:
            opened[-1].close()
        session = session_on(tmp_path / "table.sqlite3", clock, nonce=nonce)
        QuietMachine(session)
        opened.append(session)
        return Seats(session)

    yield open_again
    if opened:
        prove(opened[-1])
        opened[-1].close()


@pytest.fixture
def seats(open_session):
    return open_session()
