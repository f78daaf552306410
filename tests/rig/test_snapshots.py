"""Snapshots save replaying and are never needed; a damaged journal shows what is good of it."""

import json
from functools import reduce
from random import Random

import pytest

from rig import snapshots
from rig.games.estimation.game import Game, Options
from rig.games.estimation.table.estimation_play import PLAY, apply, from_record, to_record
from rig.games.estimation.table.estimation_table import EstimationTable
from rig.games.estimation.terms import Phase
from rig.journal import Journal, Snapshot
from rig.row.push_events import PushRequested, PushStep
from rig.snapshots import maker, recover, replayed, restored, taken
from tests.support.evenings import Evening
from tests.support.sessions import session_on

OPTIONS = Options()


def folded(records):
    return reduce(apply, map(from_record, records), EstimationTable(game=Game(options=OPTIONS)))


@pytest.fixture(scope="module")
def evening():
    """Three games, played by chance."""
    evening = Evening(5).play()
    for _ in range(2):
        evening.again()
        while evening.table.phase is not Phase.GAME_OVER:
            evening.step()
    return evening


def kept(path, records):
    """A journal of these events, with a snapshot where a game begins."""
    journal, table = Journal(path), EstimationTable(game=Game(options=OPTIONS))
    waiting = []
    for record in records:
        table = apply(table, from_record(record))
        waiting.append(record)
        if record.type == "GameStarted":
            journal.append(waiting, snapshot=taken(table, maker(PLAY, {})))
            waiting = []
    journal.append(waiting)
    return journal


def test_a_snapshot_of_any_moment_is_the_table(evening):
    table = EstimationTable(game=Game(options=OPTIONS))
    for record in evening.records:
        table = apply(table, from_record(record))
        assert restored(taken(table, "this code"), PLAY) == table


def test_replaying_from_a_snapshot_gives_what_replaying_everything_gives(tmp_path, evening):
    journal = kept(tmp_path / "t.sqlite3", evening.records)
    read = []
    events = journal.events
    journal.events = lambda since=0: read.append(since) or events(since)
    assert replayed(journal, PLAY, {}, maker(PLAY, {})) == folded(evening.records)
    last_start = max(r.v for r in evening.records if r.type == "GameStarted")
    assert read == [last_start]
    journal.close()


@pytest.mark.parametrize(
    ("spoil", "made_by"),
    [
        ("DELETE FROM snapshot", maker(PLAY, {})),
        (
            "UPDATE snapshot SET secret_json = replace(secret_json, 'Olena', 'Oleha')",
            maker(PLAY, {}),
        ),
        ("UPDATE snapshot SET secret_json = x'00'", maker(PLAY, {})),
        ("DROP TABLE snapshot", maker(PLAY, {})),
        ("SELECT 1", "newer code"),
    ],
)
def test_without_a_snapshot_of_its_own_everything_is_replayed(tmp_path, evening, spoil, made_by):
    journal = kept(tmp_path / "t.sqlite3", evening.records)
    journal._db.execute(spoil)
    assert replayed(journal, PLAY, {}, made_by) == folded(evening.records)
    journal.close()


def test_a_snapshot_of_another_shape_is_not_looked_at(tmp_path, evening):
    journal = kept(tmp_path / "t.sqlite3", evening.records)
    text = json.dumps({"players": 7})
    journal.keep(Snapshot(maker(PLAY, {}), text))
    assert replayed(journal, PLAY, {}, maker(PLAY, {})) == folded(evening.records)
    journal.close()


def test_other_options_or_other_code_have_other_snapshots(monkeypatch):
    here = maker(PLAY, {})
    assert maker(PLAY, {"ballot_timeout": 30.0}) != here
    monkeypatch.setattr(snapshots, "_code", lambda: b"another line of code")
    assert maker(PLAY, {}) != here


def test_after_a_long_replay_a_snapshot_is_kept(tmp_path, evening, monkeypatch):
    monkeypatch.setattr(snapshots, "LONG", 50)
    journal = Journal(tmp_path / "t.sqlite3")
    journal.append(evening.records)
    assert journal.snapshot(maker(PLAY, {})) is None
    table = replayed(journal, PLAY, {}, maker(PLAY, {}))
    assert restored(journal.snapshot(maker(PLAY, {})), PLAY) == table
    journal.close()


def test_a_session_keeps_a_snapshot_where_a_game_begins(seats):
    seats.start("ana", "bo", "cy")
    (started,) = (r for r in seats.session.journal.events() if r.type == "GameStarted")
    rows = seats.session.journal._db.execute("SELECT v FROM snapshot").fetchall()
    assert len(rows) == 1 and started.v <= rows[0][0] <= started.v + 2


def damaged(folder, records, v):
    """A journal of which one event is no longer as it was written."""
    path = folder / "table.sqlite3"
    journal = kept(path, records)
    journal._db.execute("UPDATE event SET actor = 'somebody' WHERE v = ?", (v,))
    journal.close()
    return path


def test_of_a_damaged_journal_everybody_sees_what_is_good_and_may_do_nothing(tmp_path, evening):
    random = Random(3)
    for n, v in enumerate(random.sample(range(2, len(evening.records)), 4)):
        folder = tmp_path / f"{n}"
        session = session_on(damaged(folder, evening.records, v))
        assert session.table == folded(evening.records[: v - 1])
        for device in ("device-hash-0", "stranger"):
            view = session.view(device)
            assert view["damaged"] == {"good": v - 1, "lost": len(evening.records) - v + 1}
            assert not any(view["may"].values())
            reply = session.submit(device, {"id": "c1", "type": "sit", "name": "Eve"})
            assert (reply["ok"], reply["reason"]) == (False, "damaged")
            assert str(tmp_path) not in reply["message"]
        session.make_host("stranger")
        assert session.table.is_host("stranger") and "for" not in session.view("stranger")
        assert session.hand_over("s1", "stranger")["reason"] == "damaged"
        assert session.tick() is None and session.limit() is None
        assert session.journal.version == v - 1
        session.close()


def test_an_event_that_cannot_follow_is_damage_too_and_its_secrets_are_not_told(tmp_path, evening):
    path = tmp_path / "t.sqlite3"
    journal = Journal(path)
    push = to_record(PushRequested(1, "left", 3, None), 1.0, "s1")
    journal.append(evening.records[:20])
    forged = {**evening.records[20].public, "odd": "a secret"}
    journal.append([type(push)(1.0, "s1", "TilePlaced", forged), push])
    journal.close()
    session = session_on(path)
    assert session.table == folded(evening.records[:20])
    assert session.damage.why == "event 21 (TilePlaced) cannot follow what stands before it"
    assert "a secret" not in str(session.damage)
    session.close()


def test_a_push_that_nobody_knows_of_stays_as_it_is_in_a_damaged_journal(tmp_path, evening):
    asked = next(r.v for r in evening.records if r.type == "PushRequested")
    session = session_on(damaged(tmp_path, evening.records, asked + 1))
    assert session.table.attempt.step is PushStep.REQUESTED
    assert session.journal.version == asked
    session.close()


def test_what_is_good_can_be_gone_on_from_and_the_damaged_file_is_kept(tmp_path, evening):
    v = len(evening.records) // 2
    path = damaged(tmp_path, evening.records, v)
    bad = path.read_bytes()
    damage = recover(path, {})
    assert damage.good == v - 1 and damage.copy.read_bytes() == bad
    session = session_on(path)
    assert session.damage is None
    assert session.table == folded(evening.records[: v - 1])
    session.make_host("phone")
    session.close()
    assert recover(path, {}) is None
    assert session_on(path).journal.version == v
    names = {p.name for p in tmp_path.iterdir()}
    assert names - {"table.sqlite3-wal"} == {"table.sqlite3", "table.sqlite3.damaged-1"}


def test_pictures_of_what_is_lost_do_not_come_along(tmp_path, evening):
    path = tmp_path / "t.sqlite3"
    seen = [r for r in evening.records if r.type == "OutcomeSeen"]
    journal = Journal(path)
    for record in evening.records:
        if record.type == "OutcomeSeen":
            n = 1 + [r.v for r in seen].index(record.v)
            public = {**record.public, "seen": {**record.public["seen"], "picture": n}}
            record = type(record)(record.at, record.actor, record.type, public)
            journal.append([record], pictures={n: b"picture %d" % n})
        else:
            journal.append([record])
    journal._db.execute("UPDATE event SET link = '' WHERE v = ?", (seen[1].v,))
    journal.close()
    recover(path, {})
    session = session_on(path)
    assert session.table.pictures == 1
    assert [session.picture(n) for n in (1, 2)] == [b"picture 1", None]
    session.close()
