"""Whatever an address or a header says, the answer is words and never an error of the server."""

import itertools

import pytest
from werkzeug.routing import BaseConverter, IntegerConverter

TEXTS = ("%00", "%ff%fe", "..%2f..%2fetc", "%e2%80%ae", "x" * 3000, "%0d%0aA:b", "con", "%25", ".")
NUMBERS = ("0", "9" * 30, str(2**63), str(2**31))


def fillings(converter):
    return NUMBERS if isinstance(converter, IntegerConverter) else TEXTS


def addresses(app):
    for rule in app.url_map.iter_rules():
        if "GET" not in rule.methods or rule.rule == "/events":  # 501 on plain WSGI
            continue
        kinds: dict[str, BaseConverter] = rule._converters
        for values in itertools.product(*(fillings(kind) for kind in kinds.values())):
            path = rule.rule
            for value in values:
                start = path.index("<")
                path = path[:start] + value + path[path.index(">") + 1 :]
            yield path
            yield f"{path}?at=%00&as=%ff&names=9e999&role=%e2%80%ae&from={'9' * 40}"


@pytest.fixture
def browsers(app):
    """A stranger on the network, and this machine's own browser."""
    stranger, own = app.test_client(), app.test_client()
    stranger.environ_base["REMOTE_ADDR"] = "192.168.1.77"
    own.environ_base["REMOTE_ADDR"] = "127.0.0.1"
    return stranger, own


def test_no_address_makes_the_server_stumble(app, browsers):
    tried = list(addresses(app))
    assert len(tried) > 100
    for path, browser in itertools.product(tried, browsers):
        answer = browser.get(path, headers={"Host": "localhost"})
        assert answer.status_code < 500, path
        answer.close()


@pytest.mark.parametrize(
    "name", ["Cookie", "Accept", "Accept-Language", "If-None-Match", "Accept-Encoding", "Origin"]
)
def test_no_header_makes_the_server_stumble(browsers, name):
    odd = ("\x7f", "ÿþ", ";;;===", "domino=" + "A" * 4000, '"', "*/*;q=NaN", "W/", "9" * 500)
    for value, path in itertools.product(odd, ("/", "/play", "/static/core/net.js", "/api/state")):
        for browser in browsers:
            answer = browser.get(path, headers={"Host": "localhost", name: value})
            assert answer.status_code < 500, (name, value)
            answer.close()
