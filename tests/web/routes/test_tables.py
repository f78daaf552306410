"""Several tables in one process: each its own code, cookies, host's secret and streams."""

import threading
from contextlib import closing

import pytest

from tests.support.clients import LOCAL, AsgiWay, Clock, snapshot
from tests.support.fake_session import FakeSession
from tests.support.quiet_table import QuietMachine, Seats
from tests.support.sessions import session_on
from web.base.codes import WORDS, new_code
from web.base.errors import WebError
from web.base.rate_limits import Limits
from web.factory import create_app
from web.live.parts import Tables
from web.live.postman import Postman


@pytest.fixture
def tables(limits, clock):
    return Tables(limits, clock)


@pytest.fixture
def sessions(tables, limits, clock):
    """Three tables: the first at the root, the others by name."""
    sessions = {"": FakeSession(), "2": FakeSession(), "3": FakeSession()}
    codes = {"": "PINE", "2": "ROSE", "3": "WOLF"}
    for name, session in sessions.items():
        create_app(
            session,
            code=codes[name],
            host_secret=f"secret-{name}",
            limits=limits,
            monotonic_s=clock,
            name=name,
            tables=tables,
        )
    return sessions


@pytest.fixture
def way(sessions, tables):
    way = AsgiWay(tables.apps[0])
    yield way
    for each in tables.parts:
        each.hub.stop()
    way.close()


def test_a_code_finds_its_table_and_leads_to_its_address(way):
    assert way.get("/j/PINE").headers["location"] == "/play?from=join"
    assert way.get("/j/ROSE").headers["location"] == "/t/2/j/ROSE"
    assert way.get("/j/wolf?as=table").headers["location"] == "/t/3/j/WOLF?as=table"
    assert way.get("/t/2/j/ROSE").headers["location"] == "/t/2/play?from=join"
    assert way.get("/t/2/j/PINE").headers["location"] == "/j/PINE"
    assert way.get("/join?code=rose").headers["location"] == "/j/ROSE"
    assert way.get("/t/2/join?code=rose").headers["location"] == "/t/2/j/ROSE"


def test_a_cookie_belongs_to_its_table_alone(way):
    answer = way.get("/t/2/j/ROSE")
    assert "domino_2=" in answer.cookie and "Path=/t/2;" in answer.headers["set-cookie"]
    assert way.get("/t/2/api/state", cookie=answer.cookie).status == 200
    assert way.get("/api/state", cookie=answer.cookie).status == 401
    assert way.get("/t/3/api/state", cookie=answer.cookie).status == 401
    renamed = answer.cookie.replace("domino_2=", "domino=")
    assert way.get("/api/state", cookie=renamed).status == 401
    assert way.get("/t/3/api/state", cookie=answer.cookie.replace("_2=", "_3=")).status == 401


def test_one_browser_may_sit_at_two_tables(way, sessions):
    both = f"{way.get('/j/PINE').cookie}; {way.get('/t/2/j/ROSE').cookie}"
    order = {"id": "1", "type": "sit", "name": "Mira"}
    assert way.post("/t/2/api/command", order, cookie=both).status == 200
    assert [len(session.seats) for session in sessions.values()] == [0, 1, 0]
    assert way.get("/t/2/api/state", cookie=both).json["you"]["seat"] == "s1"
    assert way.get("/api/state", cookie=both).json["you"]["seat"] is None


def test_a_change_reaches_the_screens_of_its_own_table(way, sessions):
    first = way.listen(cookie=way.join())
    cookie = way.get("/t/2/j/ROSE").cookie
    second = way.listen("/t/2/events", cookie=cookie)
    assert snapshot(first)["net"]["code"] == "PINE"
    assert snapshot(second)["net"]["code"] == "ROSE"
    order = {"id": "1", "type": "sit", "name": "Mira"}
    way.post("/t/2/api/command", order, cookie=cookie)
    while not snapshot(second)["seats"]:
        pass
    sessions[""].announce()
    assert snapshot(first)["seats"] == []
    first.close()
    second.close()


def test_the_snapshot_of_a_table_tells_its_own_way_in(way):
    net = way.get("/t/2/api/state", cookie=way.get("/t/2/j/ROSE").cookie).json["net"]
    assert net["url"].endswith(":8000/t/2/j/ROSE")
    assert net["qr"].startswith("/t/2/qr.svg?c=ROSE&at=")


def test_a_picture_lies_where_its_table_lies(way, sessions):
    view = sessions["2"].view
    shown = {"push": {"picture": None}, "verdict": {"picture": "/picture/12.jpg"}}
    sessions["2"].view = lambda device, role: {**view(device, role), **shown}
    cookie = way.get("/t/2/j/ROSE").cookie
    address = way.get("/t/2/api/state", cookie=cookie).json["verdict"]["picture"]
    assert address == "/t/2/picture/12.jpg"
    assert way.get(address, cookie=cookie).body == b"\xff\xd8 a picture"


@pytest.mark.parametrize("path", ["/", "/?as=table", "/j/NOPE"])
def test_the_way_in_of_a_table_stays_at_that_table(way, path):
    page = way.get(f"/t/2{path}").body.decode()
    assert 'action="/t/2/join"' in page
    assert 'href="/"' not in page and 'action="/join"' not in page


@pytest.mark.parametrize(
    ("path", "there"),
    [
        ("/play", "/t/2/"),
        ("/table", "/t/2/?as=table"),
        ("/host/secret-2", "/t/2/play"),
        ("/host/secret-2?as=table", "/t/2/table"),
    ],
)
def test_every_redirect_of_a_table_stays_at_that_table(way, path, there):
    assert way.get(f"/t/2{path}").headers["location"] == there


def test_a_hosts_secret_opens_its_own_table_alone(way, sessions):
    assert way.get("/t/3/host/secret-2").status == 403
    assert way.get("/host/secret-2").status == 403
    assert way.get("/t/2/host/secret-2").status == 303
    assert [len(session.hosts) for session in sessions.values()] == [0, 1, 0]


@pytest.mark.parametrize("path", ["/t/9/play", "/t/", "/t", "/t/2x/play", "/t/%2e%2e/play"])
def test_a_table_that_is_not_there_is_not_found(way, path):
    assert way.get(path, cookie=way.join()).status == 404


def test_a_table_is_found_without_its_last_slash(way):
    assert b'action="/t/2/join"' in way.get("/t/2").body


def test_wrong_guesses_at_one_table_count_at_all(sessions, way, clock):
    for n in range(50):
        assert way.get(f"/t/{2 + n % 2}/j/{n}").status == 404
    assert way.get("/j/0").status == 429
    assert way.get("/j/ROSE").status == 429
    assert way.get("/j/ROSE", peer="192.168.7.8").status == 303


def test_a_code_that_changes_is_never_that_of_another_table(tables, sessions, monkeypatch):
    drawn = []
    monkeypatch.setattr("web.base.codes.secrets.choice", lambda free: drawn.append(free) or free[0])
    tables.new_code("PINE")
    assert not {"PINE", "ROSE", "WOLF"} & set(drawn[0])


def test_codes_go_on_when_words_run_out():
    taken = set()
    for _ in range(len(WORDS) + 50):
        taken.add(new_code(taken))
    assert len(taken) == len(WORDS) + 50
    assert {len(code) for code in taken} == {4, 5}


def test_the_machine_lists_its_tables_with_their_ways_in(way, sessions):
    cookie = way.get("/t/2/j/ROSE").cookie
    order = {"id": "1", "type": "sit", "name": "Mira <3"}
    way.post("/t/2/api/command", order, cookie=cookie)
    page = way.get("/tables", peer=LOCAL).body.decode()
    for code, there in (("PINE", "/host/secret-"), ("ROSE", "/t/2/host/secret-2")):
        assert code in page and f'href="{there}?as=table"' in page
    assert "Mira &lt;3" in page and "/t/3/j/WOLF" in page


def test_the_list_of_tables_is_for_the_machine_alone(way):
    answer = way.get("/tables", cookie=way.join())
    assert answer.status == 403 and b"secret-" not in answer.body
    assert b"Only the machine that runs the tables" in answer.body


@pytest.mark.parametrize("name", ["", "2", "Two", "a/b", "x" * 17, ".."])
def test_a_name_that_cannot_stand_in_an_address_is_refused(tables, sessions, limits, name):
    with pytest.raises(WebError, match="cannot be a table's name"):
        create_app(FakeSession(), limits=limits, name=name, tables=tables)


def test_all_tables_share_one_thread_for_their_views(way):
    before = [thread.name for thread in threading.enumerate()]
    streams = [
        way.listen(f"{base}/events", cookie=way.get(f"{base}/j/{code}").cookie)
        for base, code in (("", "PINE"), ("/t/2", "ROSE"), ("/t/3", "WOLF"))
    ]
    for stream in streams:
        snapshot(stream)
    now = [thread.name for thread in threading.enumerate()]
    assert now.count("web-views") - before.count("web-views") == 1
    for stream in streams:
        stream.close()


class Stop:
    """A table that the postman serves; says when he came."""

    def __init__(self, postman, wait_s=None, boom=False):
        self.postman = postman
        self.wait_s = wait_s
        self.boom = boom
        self.came = threading.Semaphore(0)

    def deliver(self):
        self.came.release()
        if self.boom:
            raise RuntimeError("no view")
        return self.wait_s


def test_a_table_whose_views_fail_does_not_end_the_others_rounds(caplog):
    postman = Postman()
    bad, good = Stop(postman, boom=True), Stop(postman)
    for table in (bad, good):
        postman.serve(table)
    for _ in range(3):
        postman.call(bad)
        assert bad.came.acquire(timeout=120)
        postman.call(good)
        assert good.came.acquire(timeout=120)
    assert "did not get their views" in caplog.text
    postman.leave(bad)
    postman.leave(good)


def test_the_postman_comes_again_by_himself_when_something_will_be_due():
    postman = Postman()
    table = Stop(postman, wait_s=0.0)
    postman.serve(table)
    postman.call(table)
    assert all(table.came.acquire(timeout=120) for _ in range(5))
    postman.leave(table)


def test_the_postmans_thread_ends_with_the_last_table_and_begins_anew():
    postman = Postman()
    for _ in range(2):
        tables = [Stop(postman), Stop(postman)]
        for table in tables:
            postman.serve(table)
        thread = postman._thread
        postman.leave(tables[0])
        postman.call(tables[1])
        assert tables[1].came.acquire(timeout=120)
        postman.leave(tables[1])
        assert not thread.is_alive() and postman._thread is None


def test_a_table_that_left_is_not_called_at():
    postman = Postman()
    table, other = Stop(postman), Stop(postman)
    postman.serve(other)
    postman.call(table)
    postman.call(other)
    assert other.came.acquire(timeout=120)
    assert not table.came.acquire(blocking=False)
    postman.leave(other)


def test_tables_of_different_processes_know_nothing_of_each_other():
    clock = Clock()
    one, two = (Tables(Limits(), clock) for _ in range(2))
    create_app(FakeSession(), code="PINE", tables=one)
    create_app(FakeSession(), code="PINE", tables=two)
    assert one.by_code("PINE") is not two.by_code("PINE")


def test_the_host_of_any_table_may_bring_a_game_file(way):
    host = way.get("/t/2/host/secret-2").cookie
    file = {"domino": "x" * 20_000}
    assert way.post("/t/2/api/replay", file, cookie=host).status != 413
    assert way.post("/t/2/api/command", file, cookie=host).status == 413
    player = way.get("/t/2/j/ROSE").cookie
    assert way.post("/t/2/api/replay", file, cookie=player).status == 413


def test_a_small_hall_of_tables_loses_nothing(tables, limits, clock):
    """Twelve tables with three screens each; whoever changes something is heard at theirs alone."""
    sessions = [FakeSession() for _ in range(12)]
    for n, session in enumerate(sessions):
        create_app(
            session,
            code=tables.new_code(),
            limits=limits,
            monotonic_s=clock,
            name=str(n) if n else "",
            tables=tables,
        )
    way = AsgiWay(tables.apps[0])
    streams = {}
    cookies = {}
    for each in tables.parts:
        cookies[each.base] = way.get(f"{each.base}/j/{each.auth.code}").cookie
        paths = ("/events", "/events", "/events?role=table")
        streams[each.base] = [
            way.listen(each.base + path, cookie=cookies[each.base]) for path in paths
        ]
    for n in range(60):
        base = tables.parts[n * 7 % 12].base
        order = {"id": f"c{n}", "type": "watch"}
        assert way.post(f"{base}/api/command", order, cookie=cookies[base]).status == 200
    assert [session.v for session in sessions] == [6] * 12
    for each in tables.parts:
        for stream in streams[each.base]:
            while snapshot(stream)["v"] < 6:
                pass
            stream.close()
        each.hub.stop()
    way.close()


def test_the_bench_is_silent_while_another_table_plays_with_a_row(
    way, sessions, monkeypatch, tmp_path
):
    with closing(session_on(tmp_path / "table.sqlite3")) as elsewhere:
        QuietMachine(elsewhere)
        monkeypatch.setattr(sessions["2"], "view", elsewhere.view)
        sessions[""].phase = "LOBBY"
        phone = way.join()

        def refused():
            row = {"row": "0v@0,0,0;1v@20,0,0"}
            return way.post("/api/bench/chance", row, cookie=phone).json.get("reason")

        assert sessions["3"].view(None, "table")["phase"] == "BALLOT", "without a row"
        assert refused() is None
        seats = Seats(elsewhere)
        seats.start("ana", "bo")
        assert refused() == "round"
        seats.do("ana", "leave")
        assert elsewhere.table.phase == "GAME_OVER"
        assert refused() is None
