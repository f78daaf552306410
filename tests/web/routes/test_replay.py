"""Past games over HTTP: looked at, taken home as a file, and brought back to be looked at."""

import json
from pathlib import Path
from typing import get_args

import pytest

from rig.backroom import WorkEnded
from rig.films.film_folder import FilmFolder, films_of
from rig.history.gamefile import loaded
from rig.history.proof import Kind
from rig.history.statistics import Statistics, erased_in
from rig.history.verify import verified
from rig.history.votes import Figures
from rig.journal import Journal
from rig.session.events import Seated
from tests.support.clients import PLENTY, AsgiWay, FlaskWay
from tests.support.evenings import played
from tests.support.fake_session import EmptyJournal, FakeSession
from tests.support.sessions import session_on
from tests.support.words import LANGUAGES
from web.access.auth import device_of
from web.base.rate_limits import Limits, Rate
from web.content.words import words
from web.factory import create_app
from web.live.parts import parts
from web.live.past import Archive

PICTURE = b"\xff\xd8 what the camera saw"


class Table:
    """A table at which a game was played; its people still sit there."""

    def __init__(self, make_way, folder, **bounds):
        journal = Journal(folder / "table.sqlite3")
        journal.append(played(19), pictures={1: PICTURE})
        self.session = session_on(journal)
        bounds = {"past": PLENTY, **bounds}
        limits = Limits(device=PLENTY, address=PLENTY, unknown=PLENTY, **bounds)
        app = create_app(self.session, code="PINE", host_secret="the-secret", limits=limits)
        self.way = make_way(app)
        self.app = app
        self.host = self.way.get("/host/the-secret").cookie
        self.watcher = self.way.join()
        self.player = self.way.join()
        self.session.commit([Seated("s5", "Max", "cross", _device(self.player))], "s5")

    def phone_of(self, name):
        """A new phone for whoever played under this name."""
        cookie = self.way.join()
        (seat,) = (p.seat for p in self.session.table.players if p.name == name)
        assert self.session.hand_over(seat, _device(cookie))["ok"]
        return cookie

    def close(self):
        parts(self.app).hub.stop()
        self.way.close()
        self.session.close()


def _device(cookie):
    return device_of(cookie.partition("=")[2].partition(".")[0])


@pytest.fixture(params=[FlaskWay, AsgiWay], ids=["flask", "asgi"])
def table(request, tmp_path):
    made = Table(request.param, tmp_path)
    yield made
    made.close()


def test_players_see_the_games_of_their_table(table):
    told = table.way.get("/api/games", cookie=table.player).json
    (game,) = told["games"]
    assert game["players"][0] == "Olena"
    assert game["winners"]
    assert told["host"] is False
    assert table.way.get("/api/games", cookie=table.host).json["host"] is True


def test_a_past_game_is_shown_moment_by_moment_with_its_proof(table):
    told = table.way.get("/api/games/1", cookie=table.player).json
    assert told["proof"]["good"]
    assert told["proof"]["over"]
    assert told["moments"][0]["changes"]["phase"] == "TURN"
    assert told["moments"][-1]["changes"]["phase"] == "GAME_OVER"
    assert table.way.get("/api/games/2", cookie=table.player).status == 404


def test_what_may_not_be_told_yet_is_no_part_of_a_game(table, monkeypatch):
    told_v = table.session.journal.version - 5
    with monkeypatch.context() as patch:
        patch.setattr(type(table.session), "told_v", told_v)
        part = table.way.get("/api/games/1", cookie=table.player).json
        assert part["moments"][-1]["v"] <= told_v
    whole = table.way.get("/api/games/1", cookie=table.player).json
    assert whole["proof"]["events"] > part["proof"]["events"]


def test_whoever_waits_for_a_game_as_the_table_closes_is_told_so(table, caplog):
    room = parts(table.app).tables.backroom
    room.open()
    room.kill()
    told = table.way.get("/api/games/1", cookie=table.player)
    assert (told.status, told.json["reason"], caplog.text) == (503, "closing", "")
    room.close()


def test_a_game_that_no_program_thinks_about_has_nothing_to_say_of_a_round(table):
    assert table.way.get("/api/games/1/rounds/1", cookie=table.player).status == 404


def test_the_host_takes_a_game_home_and_it_is_proved_there(table):
    answer = table.way.get("/api/games/1/file", cookie=table.host)
    assert answer.headers["content-disposition"] == 'attachment; filename="domino-game-1.json"'
    file = loaded(answer.body)
    assert verified(file).good
    assert file.names
    whole = loaded(table.way.get("/api/games/0/file", cookie=table.host).body)
    assert len(whole.events) > len(file.events)
    assert verified(whole).good


def test_a_game_goes_home_without_names_if_wished(table):
    body = table.way.get("/api/games/1/file?names=0", cookie=table.host).body
    assert b"Olena" not in body
    assert not loaded(body).names


def test_neither_file_nor_view_holds_phones_or_secrets(table):
    everything = table.way.get("/api/games/0/file", cookie=table.host).body
    everything += table.way.get("/api/games/1", cookie=table.host).body
    for secret in (b"device-hash", b"the secret of the host", b"PINE", b"the-secret", b"hidden"):
        assert secret not in everything
    for cookie in (table.host, table.player):
        token = cookie.partition("=")[2].partition(".")[0]
        assert device_of(token).encode() not in everything


def test_a_game_brought_back_is_shown_and_nothing_is_kept(table):
    body = table.way.get("/api/games/1/file", cookie=table.host).body
    assert len(body) > 3 * 8192
    before = (table.session.journal.version, table.session.table)
    given = table.way.post("/api/replay", json.loads(body), cookie=table.host)
    assert given.status == 200, given.body
    shown = table.way.get("/api/games/1", cookie=table.host).json
    assert given.json["proof"] == shown["proof"]
    assert len(given.json["moments"]) == len(shown["moments"])
    assert (table.session.journal.version, table.session.table) == before


def test_a_forged_game_is_shown_with_what_is_wrong(table):
    body = table.way.get("/api/games/1/file", cookie=table.host).body.decode()
    at = body.index('"type":"BallotsRevealed"')
    forged = body[:at] + body[at:].replace('"success"', '"failure"', 1)
    told = table.way.post("/api/replay", json.loads(forged), cookie=table.host).json
    assert not told["proof"]["good"]
    swapped = [f for f in told["proof"]["findings"] if f["kind"] == "swapped"]
    assert len(swapped) == 1 and swapped[0]["of"]["name"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_whatever_is_wrong_has_words_in_every_language(lang):
    catalogue = words(lang, "past")
    told = {key.removeprefix("past.found.") for key in catalogue if key.startswith("past.found.")}
    assert told == set(get_args(Kind))
    assert "{{name}}" in catalogue["past.found.swapped"] and "{{n}}" in catalogue["past.found.gap"]


@pytest.mark.parametrize("given", [{}, [], 3, {"format": "domino-rig-game", "version": 1}])
def test_a_file_that_is_no_game_is_refused_in_a_sentence(table, given):
    answer = table.way.post("/api/replay", given, cookie=table.host)
    assert answer.status == 400
    assert answer.json["reason"] == "bad_file"
    assert answer.json["message"].endswith(".")


@pytest.mark.parametrize("query", ["", "?round=1"])
def test_a_file_that_ends_the_process_that_reads_it_is_not_read_in_this_one(
    table, monkeypatch, query
):
    file = json.loads(table.way.get("/api/games/1/file", cookie=table.host).body)

    def ended(*_):
        raise WorkEnded("The work beside has ended; try again.")

    monkeypatch.setattr(parts(table.app).tables.backroom, "_done", ended)
    answer = table.way.post(f"/api/replay{query}", file, cookie=table.host)
    assert (answer.status, answer.json["reason"]) == (400, "bad_file")
    assert "takes longer to read" in answer.json["message"]


def test_only_the_host_may_bring_more_than_a_command(table):
    body = json.loads(table.way.get("/api/games/1/file", cookie=table.host).body)
    for cookie in (table.player, table.watcher):
        assert table.way.post("/api/replay", body, cookie=cookie).status in (403, 413)
    assert table.way.post("/api/replay", body).status in (401, 413)
    command = {"id": "c1", "type": "sit", "name": "x" * 9000}
    assert table.way.post("/api/command", command, cookie=table.host).status == 413


def test_a_second_table_has_games_and_files_of_its_own(tmp_path):
    first = create_app(FakeSession(), code="PINE", host_secret="the-secret")
    journal = Journal(tmp_path / "second.sqlite3")
    journal.append(played(35))
    session = session_on(journal)
    tables = parts(first).tables
    create_app(session, code="ROSE", host_secret="another", name="2", tables=tables)
    way = AsgiWay(first)
    host = way.get("/t/2/host/another").cookie
    assert len(way.get("/t/2/api/games", cookie=host).json["games"]) == 1
    body = way.get("/t/2/api/games/1/file", cookie=host).body
    assert len(body) > 8192
    assert way.post("/t/2/api/replay", json.loads(body), cookie=host).json["proof"]["good"]
    assert way.get("/api/games", cookie=host).status == 401
    for each in tables.parts:
        each.hub.stop()
    way.close()
    session.close()


@pytest.mark.parametrize("make_way", [FlaskWay, AsgiWay])
def test_a_file_beyond_all_bounds_is_not_read(make_way, tmp_path):
    table = Table(make_way, tmp_path, file_bytes=20_000)
    body = json.loads(table.way.get("/api/games/1/file", cookie=table.host).body)
    assert table.way.post("/api/replay", body, cookie=table.host).status == 413
    table.close()


def test_evidence_pictures_go_along(table):
    body = table.way.get("/api/games/0/file", cookie=table.host).json
    assert body["pictures"] == {}
    assert table.session.picture(1) == PICTURE


def test_statistics_are_told_to_players_and_erased_by_their_owner(table):
    told = table.way.get("/api/statistics", cookie=table.host).json
    names = {each["name"] for each in told["players"]}
    assert "Olena" in names
    phone = table.phone_of("Борис")
    own = table.way.get("/api/statistics", cookie=phone).json
    assert (own["you"], own["mine"]) == ("Борис", "Борис")
    assert {each["name"] for each in own["players"]} == names
    refused = table.way.post("/api/statistics", {"erase": "Olena"}, cookie=phone)
    assert refused.status == 403
    assert table.way.post("/api/statistics", {"erase": "борис"}, cookie=phone).status == 200
    assert table.way.post("/api/statistics", {"erase": "Olena"}, cookie=table.host).status == 200
    left = table.way.get("/api/statistics", cookie=table.host).json["players"]
    assert {each["name"] for each in left} == names - {"Olena", "Борис"}


def test_what_is_played_after_erasing_counts_though_the_tables_clock_has_slept(table):
    table.way.post("/api/statistics", {"erase": "Olena"}, cookie=table.host)
    newest = max(record.at for record in table.session.journal.events())
    assert erased_in(table.session.journal.path.parent)["olena"] <= newest


def seen_by(table, cookie):
    told = table.way.get("/api/statistics", cookie=cookie).json
    return told["mine"], {each["name"] for each in told["players"]}


@pytest.mark.parametrize("renames", [True, False], ids=["renamed", "sat down anew"])
def test_whoever_takes_the_name_of_somebody_who_is_not_here_gets_nothing_of_theirs(table, renames):
    FilmFolder(films_of(table.session.journal.path)).put("ab-1-0a1b2c", b"f", b"s", ["Olena"])
    (seat,) = (p.seat for p in table.session.table.players if p.name == "Olena")
    table.way.command(table.host, "remove_seat", seat=seat)
    if renames:
        assert table.way.command(table.player, "rename", name="Olena").status == 200
    else:
        assert table.way.command(table.player, "leave").status == 200
        sat = table.way.command(table.player, "sit", name="Olena", mark="cross")
        assert sat.status == 200
    mine, names = seen_by(table, table.player)
    assert mine is None and "Olena" not in names
    refused = table.way.post("/api/statistics", {"erase": "Olena"}, cookie=table.player)
    assert refused.status == 403
    assert table.way.get("/film/ab-1-0a1b2c.mp4", cookie=table.player).status == 200
    assert "Olena" in seen_by(table, table.host)[1]


def test_whoever_has_another_name_by_now_has_statistics_again_under_the_old_one(table):
    phone = table.phone_of("Борис")
    table.way.command(phone, "rename", name="Boris")
    assert seen_by(table, phone)[0] is None
    table.way.command(phone, "rename", name="Борис")
    assert seen_by(table, phone)[0] == "Борис"


def test_with_a_player_their_films_go_and_the_table_hears_of_it(table):
    folder, heard = FilmFolder(films_of(table.session.journal.path)), []
    folder.put("ab12-1-0a1b2c", b"film", b"still", ["Борис", "Olena"])
    phone = table.phone_of("Борис")
    leave = table.session.subscribe(lambda: heard.append(folder.names()))
    assert table.way.get("/film/ab12-1-0a1b2c.mp4", cookie=table.player).status == 200
    table.way.post("/api/statistics", {"erase": "борис"}, cookie=phone)
    leave()
    assert table.way.get("/film/ab12-1-0a1b2c.mp4", cookie=table.player).status == 404
    assert heard[-1:] == [frozenset()]


def test_the_end_of_a_game_hears_who_has_earned_the_badge(table, monkeypatch):
    assert table.way.get("/api/badges", cookie=table.player).json == {"seats": []}
    earned = [Figures("OLENA", badge=True), Figures("Max"), Figures("Nobody here", badge=True)]
    monkeypatch.setattr(Statistics, "figures", lambda self: earned)
    seats = table.session.view(None, "table")["seats"]
    olena = next(each["seat"] for each in seats if each["name"] == "Olena")
    assert table.way.get("/api/badges", cookie=table.watcher).json == {"seats": [olena]}
    table.way.command(table.host, "remove_seat", seat=olena)
    table.way.command(table.player, "rename", name="Olena")
    assert table.way.get("/api/badges", cookie=table.player).json == {"seats": []}


def test_statistics_say_what_the_model_has_learned_of_the_table(table):
    assert table.way.get("/api/statistics", cookie=table.player).json["table"] is None
    file = Path(table.session.journal.path).with_suffix(".table.json")
    file.write_text('{"trust": {"pushes": 40, "brier_before": 0.15, "brier_after": 0.1}}')
    told = table.way.get("/api/statistics", cookie=table.player).json
    assert told["table"] == {"pushes": 40, "before": 0.15, "after": 0.1}


def test_a_player_does_not_see_those_who_sit_elsewhere(table):
    for seat in ("s2", "s4"):
        assert table.way.command(table.host, "remove_seat", seat=seat).status == 200
    told = table.way.get("/api/statistics", cookie=table.player).json
    assert [each["name"] for each in told["players"]] == ["Olena"]
    all_ = table.way.get("/api/statistics", cookie=table.host).json["players"]
    assert {"Olena", "Борис", "Іра"} <= {each["name"] for each in all_}


def test_the_host_switches_statistics_off_and_on(table):
    assert table.way.post("/api/statistics", {"on": False}, cookie=table.player).status == 403
    assert table.way.post("/api/statistics", {"on": False}, cookie=table.host).status == 200
    told = table.way.get("/api/statistics", cookie=table.host).json
    assert (told["on"], told["players"]) == (False, [])
    assert table.way.post("/api/statistics", {"on": True}, cookie=table.host).status == 200
    assert table.way.get("/api/statistics", cookie=table.host).json["players"]
    assert table.way.post("/api/statistics", {"on": 1}, cookie=table.host).status == 400


def test_statistics_that_cannot_be_written_say_so(table, monkeypatch):
    monkeypatch.setattr("rig.private.os.replace", _full)
    answer = table.way.post("/api/statistics", {"erase": None}, cookie=table.host)
    assert answer.status == 503
    assert "cannot be written" in answer.json["message"]


def _full(*_):
    raise OSError(28, "No space left on device")


def test_a_game_that_is_over_is_told_once_and_then_from_memory(table, monkeypatch):
    first = table.way.get("/api/games/1", cookie=table.player)
    monkeypatch.setattr("web.routes.replay.account.of_game", None)
    assert table.way.get("/api/games/1", cookie=table.host).body == first.body


def test_answers_that_are_kept_have_a_bound():
    past = Archive(EmptyJournal())
    made = [0]

    def make():
        made[0] += 1
        return b"x" * (3 << 20)

    for high in (1, 2, 3, 1, 2, 3):
        past.answer((1, high), make)
    assert made == [6]
    past.answer((1, 3), make)
    assert made == [6]


def test_whoever_looks_back_too_fast_waits_and_nobody_else(tmp_path):
    table = Table(AsgiWay, tmp_path, past=Rate(0.001, 3.0))
    told = [table.way.get("/api/games", cookie=table.player).status for _ in range(5)]
    assert told == [200] * 3 + [429] * 2
    assert table.way.get("/api/games", cookie=table.host).status == 200
    assert table.way.get("/api/state", cookie=table.player).status == 200
    table.close()
