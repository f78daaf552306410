import pytest
from werkzeug.routing import Rule

from tests.support.clients import PLENTY, AsgiWay, Clock, FlaskWay
from tests.support.fake_session import FakeSession
from tests.support.fake_setup import FakeSetup
from web.base.rate_limits import Limits, Rate
from web.factory import create_app
from web.live.parts import parts


@pytest.fixture(autouse=True, scope="session")
def rules_compiled_once():
    """Compile the code that builds an address once, not again for every application.

    Compiling takes most of the time that making an application needs, and no test builds addresses.
    """
    compiled = {}
    compile_builder = Rule._compile_builder

    def kept(rule, append_unknown=True):
        key = (tuple(rule._trace), repr(rule.defaults), append_unknown)
        if key not in compiled:
            compiled[key] = compile_builder(rule, append_unknown)
        return compiled[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rule, "_compile_builder", kept)
        yield


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def session(tmp_path):
    session = FakeSession()
    session.journal.path = tmp_path / "table.sqlite3"
    return session


@pytest.fixture
def limits():
    """Bounds that tests of other things do not meet."""
    return Limits(
        device=PLENTY,
        address=PLENTY,
        unknown=PLENTY,
        past=PLENTY,
        free_guesses=50,
        wrong_codes=Rate(0.2, 60.0),
        tarpit_s=0.0,
    )


@pytest.fixture
def app(session, limits, clock):
    app = create_app(
        session,
        code="PINE",
        host_secret="the-secret",
        limits=limits,
        monotonic_s=clock,
        setup=FakeSetup(),
    )
    yield app
    parts(app).hub.stop()


@pytest.fixture(params=[FlaskWay, AsgiWay], ids=["flask", "asgi"])
def way(request, app):
    """A way into the application: plain WSGI, or the ASGI front that really serves it."""
    way = request.param(app)
    yield way
    parts(app).hub.stop()
    way.close()


@pytest.fixture
def asgi_way(app):
    """The ASGI front, which alone serves streams and files."""
    way = AsgiWay(app)
    yield way
    parts(app).hub.stop()
    way.close()


@pytest.fixture
def flask_way(app):
    return FlaskWay(app)
