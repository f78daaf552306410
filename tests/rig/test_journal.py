import json
import random
import re
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.journal import Journal, JournalDamaged, JournalUnusable, Record, Snapshot
from rig.journal_tables import ANSWERS, SCHEMA
from rig.salvage import examined

words = st.text(max_size=12)
fields = st.dictionaries(words, st.none() | st.integers(-9, 9) | words | st.booleans(), max_size=3)
records = st.builds(
    Record,
    at=st.floats(0, 2e9),
    actor=words,
    type=words,
    public=fields,
    secret=st.none() | fields.filter(bool),
    cmd_id=st.none() | words,
)


@settings(max_examples=30)
@given(batches=st.lists(st.lists(records, max_size=3), max_size=5))
def test_what_was_appended_is_read_again_in_order(tmp_path_factory, batches):
    path = tmp_path_factory.mktemp("journal") / "t.sqlite3"
    journal = Journal(path)
    for batch in batches:
        journal.append(batch)
    journal.close()
    again = Journal(path)
    flat = [record for batch in batches for record in batch]
    read = list(again.events())
    assert [r.v for r in read] == list(range(1, len(flat) + 1))
    assert [(r.at, r.actor, r.type, r.public, r.secret, r.cmd_id) for r in read] == [
        (r.at, r.actor, r.type, r.public, r.secret, r.cmd_id) for r in flat
    ]
    again.close()


def test_an_answer_is_kept_with_the_version_of_its_events(tmp_path):
    journal = Journal(tmp_path / "t.sqlite3")
    journal.append([Record(1.0, "s1", "Called", {})], done=("phone", "c1", {"ok": True}))
    assert journal.reply("phone", "c1") == {"ok": True, "v": 1}
    assert journal.reply("other", "c1") is None
    journal.close()


def test_nothing_of_a_failed_transaction_stays(tmp_path):
    journal = Journal(tmp_path / "t.sqlite3")
    journal.append([], done=("phone", "c1", {"ok": True}))
    with pytest.raises(sqlite3.IntegrityError):
        journal.append([Record(1.0, "s1", "Called", {})], done=("phone", "c1", {"ok": True}))
    assert (journal.version, list(journal.events())) == (0, [])
    journal.close()


def test_an_acknowledged_event_survives_a_killed_process(tmp_path):
    path = tmp_path / "t.sqlite3"
    script = (
        "import os, pathlib, signal\n"
        "from rig.journal import Journal, Record\n"
        f"j = Journal(pathlib.Path({str(path)!r}))\n"
        "j.append([Record(1.0, 's1', 'Called', {'n': 7})], pictures={1: b'jpeg'})\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=False)
    journal = Journal(path)
    assert [r.public for r in journal.events()] == [{"n": 7}]
    assert journal.picture(1) == b"jpeg"
    assert journal.picture(2) is None
    journal.close()


def test_a_second_process_is_kept_out_in_words(tmp_path):
    path = tmp_path / "t.sqlite3"
    journal = Journal(path)
    with pytest.raises(JournalUnusable, match="another domino-rig has this table open"):
        Journal(path)
    journal.close()
    Journal(path).close()


def test_a_newer_journal_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "t.sqlite3"
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA user_version={SCHEMA + 1}")
    db.close()
    before = path.read_bytes()
    with pytest.raises(JournalUnusable, match=r"newer domino-rig \(journal version 4"):
        Journal(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("content", [b"hello", b"SQLite format 3\0" + bytes(100)])
def test_another_file_is_refused_and_left_alone(tmp_path: Path, content: bytes):
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(JournalUnusable, match="no"):
        Journal(path)
    assert path.read_bytes() == content


FIRST_VERSION = """
CREATE TABLE event (
    v INTEGER PRIMARY KEY, at REAL NOT NULL, actor TEXT NOT NULL, cmd_id TEXT,
    type TEXT NOT NULL, public_json TEXT NOT NULL, secret_json TEXT
);
CREATE TABLE done (
    device TEXT NOT NULL, cmd_id TEXT NOT NULL, v INTEGER NOT NULL, reply TEXT NOT NULL,
    PRIMARY KEY (device, cmd_id)
) WITHOUT ROWID;
CREATE TABLE picture (n INTEGER PRIMARY KEY, jpeg BLOB NOT NULL);
PRAGMA user_version=1;
PRAGMA journal_mode=WAL;
INSERT INTO event VALUES (1, 5.5, 's1', 'c1', 'Called', '{"name":"Іра"}', NULL);
INSERT INTO event VALUES (2, 6.0, 's2', NULL, 'Voted', '{}', '{"side":"failure"}');
INSERT INTO done VALUES ('phone', 'c1', 1, '{"ok":true,"v":1}');
INSERT INTO picture VALUES (1, x'ffd8');
"""


def first_version(path, more=""):
    db = sqlite3.connect(path)
    db.executescript(FIRST_VERSION + more)
    db.close()


def an_evening(path, n=60):
    """A journal with events, pictures, answers and snapshots of chance."""
    chance, journal = random.Random(4), Journal(path)
    for i in range(n):
        fields = {"n": i, "text": "ї" * chance.randrange(200)}
        records = [Record(1.5 * i, f"s{i % 4}", "Called", fields, {"salt": chance.random()})]
        journal.append(
            records * chance.randint(1, 3),
            done=("phone", f"c{i}", {"ok": True}),
            pictures={i: chance.randbytes(3000)} if i % 9 == 0 else None,
            snapshot=Snapshot("code", json.dumps(fields)) if i % 20 == 10 else None,
        )
    kept = list(journal.events())
    journal.close()
    return kept


def test_a_journal_of_the_first_version_goes_on(tmp_path):
    path = tmp_path / "t.sqlite3"
    first_version(path)
    for version in (2, 3):
        journal = Journal(path)
        events = list(journal.events())
        assert [e.v for e in events] == list(range(1, version + 1))
        assert events[0] == Record(5.5, "s1", "Called", {"name": "Іра"}, None, "c1", 1)
        assert events[1].secret == {"side": "failure"}
        assert (journal.picture(1), journal.bad_pictures()) == (b"\xff\xd8", ())
        assert journal.reply("phone", "c1") == {"ok": True, "v": 1}
        assert journal.damage is None
        journal.append([Record(7.0, "s1", "Called", {})])
        journal.close()
    assert not list(tmp_path.glob("*damaged*"))


@pytest.mark.parametrize(
    ("harm", "good", "why"),
    [
        ("DELETE FROM event WHERE v = 1", 0, "event 1 is missing"),
        ("UPDATE event SET public_json = '{]' WHERE v = 2", 1, "event 2 is not as"),
        ("UPDATE event SET public_json = '[]' WHERE v = 2", 1, "event 2 is not as"),
        ("UPDATE event SET actor = x'00' WHERE v = 1", 0, "event 1 "),
        ("UPDATE event SET at = 'noon' WHERE v = 2", 1, "event 2 is not as"),
    ],
)
def test_a_damaged_journal_of_the_first_version_is_not_brought_along(tmp_path, harm, good, why):
    path = tmp_path / "t.sqlite3"
    first_version(path, harm)
    before = path.read_bytes()
    journal = Journal(path)
    assert (journal.damage.good, journal.version) == (good, good)
    assert why in journal.damage.why
    journal.close()
    assert journal.damage.copy.read_bytes() == path.read_bytes() == before


@pytest.mark.parametrize(
    "harm",
    [
        "DELETE FROM event WHERE v = {v}",
        "DELETE FROM event WHERE v >= {v}",
        "DELETE FROM event WHERE v > {v}",
        "INSERT INTO event SELECT {n} + 1, at, actor, cmd_id, type, public_json, secret_json, link"
        " FROM event WHERE v = {v}",
        "UPDATE event SET v = v + 1000 WHERE v >= {v};"
        "INSERT INTO event SELECT {v}, at, actor, cmd_id, type, public_json, secret_json, link"
        " FROM event WHERE v = {v} - 1;"
        "UPDATE event SET v = v - 999 WHERE v > 1000",
        "UPDATE event SET at = at + 1e-6 WHERE v = {v}",
        "UPDATE event SET secret_json = NULL WHERE v = {v}",
        "UPDATE event SET cmd_id = 'x' WHERE v = {v}",
        "UPDATE event SET actor = 7 WHERE v = {v}",
        "UPDATE event SET type = x'ff' WHERE v = {v}",
        "UPDATE event SET link = '' WHERE v = {v}",
        "UPDATE head SET v = v + 1",
        "DELETE FROM head",
        "DROP TABLE head",
        "DROP TABLE event",
    ],
)
def test_rows_that_were_changed_taken_out_or_doubled_are_noticed(tmp_path, harm):
    path = tmp_path / "t.sqlite3"
    kept = an_evening(path)
    for v in (2, len(kept) - 1):
        spoiled = tmp_path / f"{v}.sqlite3"
        spoiled.write_bytes(path.read_bytes())
        db = sqlite3.connect(spoiled)
        db.executescript(harm.format(v=v, n=len(kept)))
        db.close()
        journal = Journal(spoiled)
        events = list(journal.events())
        assert journal.damage is not None and events == kept[: len(events)]
        if "{v}" in harm:
            assert len(events) in (v - 1, v, len(kept)) and journal.damage.good == len(events)
        with pytest.raises(JournalDamaged, match="is damaged: you see what is left"):
            journal.append([Record(1.0, "s1", "Called", {})])
        journal.close()


def spoiled_bytes(good, chance):
    """One flipped bit, anywhere or in the first page, or a file that was cut."""
    data = bytearray(good)
    kind = chance.choice(["flip", "flip", "first page", "cut"])
    if kind == "cut":
        return bytes(data[: chance.randrange(1, len(data))])
    data[chance.randrange(len(data) if kind == "flip" else 4096)] ^= 1 << chance.randrange(8)
    return bytes(data)


def test_whatever_bit_is_flipped_and_wherever_the_file_is_cut_it_is_said_in_words(tmp_path):
    kept, chance = an_evening(tmp_path / "t.sqlite3"), random.Random(7)
    good = (tmp_path / "t.sqlite3").read_bytes()
    found = 0
    for n in range(60):
        path = tmp_path / f"{n}" / "t.sqlite3"
        path.parent.mkdir()
        path.write_bytes(bad := spoiled_bytes(good, chance))
        try:
            journal = Journal(path)
        except JournalUnusable as error:
            assert "newer domino-rig" in str(error) and path.read_bytes() == bad
            continue
        events = list(journal.events())
        assert events == kept[: len(events)]
        if journal.damage is None:
            assert len(events) == len(kept)
        else:
            found += 1
            assert journal.damage.copy.read_bytes() == bad
            assert "--recover" in str(journal.damage)
        for i in range(0, 60, 9):
            journal.picture(i)
        journal.close()
    assert found > 20


def test_a_damaged_journal_is_copied_once_with_its_log_and_shows_what_is_good(tmp_path):
    path = tmp_path / "t.sqlite3"
    script = (
        "import os, pathlib, signal, sys\n"
        "from tests.rig.test_journal import an_evening\n"
        "from rig.journal import Journal\n"
        "Journal.close = lambda journal: None\n"
        "an_evening(pathlib.Path(sys.argv[1]))\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-c", script, str(path)], check=False, cwd=root)
    db = sqlite3.connect(path)
    db.execute("DELETE FROM event WHERE v = 40")
    db.commit()
    folder = tmp_path / "as it was left"
    folder.mkdir()
    for name in ("t.sqlite3", "t.sqlite3-wal"):
        (folder / name).write_bytes((tmp_path / name).read_bytes())
    db.close()
    path, log = folder / "t.sqlite3", (folder / "t.sqlite3-wal").read_bytes()
    assert log
    for n in (1, 2):
        journal = Journal(path)
        assert (journal.version, journal.damage.good) == (39, 39)
        assert journal.damage.lost > 60
        assert journal.picture(9) is not None
        assert journal.snapshot("code").v <= 39
        journal.close()
        assert (folder / "t.sqlite3.damaged-1-wal").read_bytes() == log
        copies = [p.name for p in folder.glob("*damaged*") if not p.name.endswith("-wal")]
        assert "t.sqlite3.damaged-1" in copies and len(copies) <= n


def test_a_picture_that_is_not_as_it_was_taken_is_not_shown(tmp_path):
    path = tmp_path / "t.sqlite3"
    an_evening(path)
    db = sqlite3.connect(path)
    db.execute("UPDATE picture SET jpeg = x'ffd8' WHERE n = 9")
    db.commit()
    db.close()
    journal = Journal(path)
    assert journal.damage is None
    assert (journal.picture(9), journal.bad_pictures()) == (None, (9,))
    assert journal.picture(0) is not None
    journal.close()


def test_a_number_that_no_picture_can_have_is_no_trouble_of_the_disk(tmp_path, caplog):
    journal = Journal(tmp_path / "t.sqlite3")
    assert [journal.picture(n) for n in (10**30, -1)] == [None, None]
    assert caplog.records == []
    journal.close()


def test_a_picture_is_never_replaced(tmp_path):
    journal = Journal(tmp_path / "t.sqlite3")
    journal.append([], pictures={1: b"one"})
    with pytest.raises(sqlite3.IntegrityError):
        journal.append([], pictures={1: b"two"})
    assert journal.picture(1) == b"one"
    journal.close()


def test_a_snapshot_is_given_to_the_code_that_made_it_and_only_as_it_was_written(tmp_path):
    path = tmp_path / "t.sqlite3"
    journal = Journal(path)
    for n in (1, 2, 3):
        journal.append([Record(n, "s1", "Called", {})], snapshot=Snapshot(f"code {n % 2}", f"{n}"))
    assert journal.snapshot("code 1") == Snapshot("code 1", "3", 3)
    assert journal.snapshot("code 0") == Snapshot("code 0", "2", 2)
    assert journal.snapshot("other") is None
    journal._db.execute("UPDATE snapshot SET secret_json = '4' WHERE v = 3")
    assert journal.snapshot("code 1") == Snapshot("code 1", "1", 1)
    journal.close()


def test_only_the_last_answers_are_kept(tmp_path):
    journal = Journal(tmp_path / "t.sqlite3")
    journal.append([], done=("phone", "first", {"ok": True}))
    journal._db.execute("UPDATE done SET n = n + ?", (10_000 - ANSWERS,))
    for n in range(ANSWERS // 1024):
        journal.append([], done=("phone", f"c{n}", {"ok": True}))
    assert journal.reply("phone", "first") is not None
    journal._db.execute("UPDATE done SET n = 10000 WHERE cmd_id = 'c3'")
    journal.append([], done=("phone", "last", {"ok": True}))
    assert journal.reply("phone", "first") is None
    assert journal.reply("phone", "c3") is not None
    journal.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_nobody_else_on_the_machine_may_read_it(tmp_path):
    path = tmp_path / "new" / "folder" / "t.sqlite3"
    journal = Journal(path)
    journal.append([Record(1.0, "s1", "Called", {})])
    modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in path.parent.iterdir()}
    assert modes == {"t.sqlite3": 0o600, "t.sqlite3-wal": 0o600}
    assert [stat.S_IMODE(p.stat().st_mode) for p in list(path.parents)[:2]] == [0o700, 0o700]
    journal.close()
    path.chmod(0o644)
    Journal(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("harm", "why"),
    [
        ("SELECT 1", ""),
        ("DELETE FROM event WHERE v = 30", "event 30 is missing"),
        ("UPDATE head SET link = ''", "is not the last that was written"),
        ("UPDATE picture SET jpeg = x'ffd8' WHERE n > 9", "picture 18 .*5 in all"),
        ("DROP TABLE event", "cannot be read"),
    ],
)
def test_a_journal_that_nobody_has_open_can_be_examined(tmp_path, harm, why):
    path = tmp_path / "t.sqlite3"
    an_evening(path)
    db = sqlite3.connect(path)
    db.execute(harm)
    db.commit()
    db.close()
    before = {p: p.read_bytes() for p in tmp_path.iterdir()}
    found = examined(path)
    assert re.search(why, str(found or "")) and bool(why) == (found is not None)
    assert {p: p.read_bytes() for p in tmp_path.iterdir()} == before


def test_a_journal_of_the_first_version_and_what_is_no_journal_can_be_examined(tmp_path):
    first_version(tmp_path / "old.sqlite3")
    assert examined(tmp_path / "old.sqlite3") is None
    (tmp_path / "notes.txt").write_bytes(b"hello")
    assert examined(tmp_path / "notes.txt")
    assert examined(tmp_path / "nothing")


def killed_with_a_log(folder, n):
    """A journal whose process was killed: all of its last events stand in the log beside it."""
    script = (
        "import os, pathlib, signal, sys\n"
        "from rig.journal import Journal, Record\n"
        "journal = Journal(pathlib.Path(sys.argv[1]))\n"
        "for n in range(int(sys.argv[2])):\n"
        "    journal.append([Record(n, 's1', 'Called', {'n': n})])\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    path = folder / "t.sqlite3"
    subprocess.run([sys.executable, "-c", script, str(path), str(n)], check=False)
    return path.read_bytes(), path.with_name("t.sqlite3-wal").read_bytes()


def test_whatever_bit_of_the_log_is_flipped_only_its_last_transaction_is_taken_for_torn(tmp_path):
    count, frame = 12, 4096 + 24
    whole, log = killed_with_a_log(tmp_path, count)
    last = log[: len(log) - 2 * frame]  # two pages a transaction: the event and the head
    chance = random.Random(2)
    for n in range(40):
        folder = tmp_path / f"{n}"
        folder.mkdir()
        path = folder / "t.sqlite3"
        spoiled = bytearray(log)
        at = chance.randrange(len(log)) if n % 4 else chance.randrange(32)
        spoiled[at] ^= 1 << chance.randrange(8)
        path.write_bytes(whole)
        path.with_name("t.sqlite3-wal").write_bytes(spoiled)
        journal = Journal(path)
        if at < len(last):
            assert "its log" in journal.damage.why, at
            assert journal.damage.copy.with_name(f"{journal.damage.copy.name}-wal").exists()
        assert [r.public["n"] for r in journal.events()] == list(range(journal.version))
        assert journal.version >= count - 1 or journal.damage is not None
        journal.close()


def test_a_log_of_which_the_last_transaction_was_torn_is_none_that_is_damaged(tmp_path):
    whole, log = killed_with_a_log(tmp_path, 5)
    path = tmp_path / "torn" / "t.sqlite3"
    path.parent.mkdir()
    for cut in (1, 100, 4096, 5000):
        path.write_bytes(whole)
        path.with_name("t.sqlite3-wal").write_bytes(log[:-cut])
        journal = Journal(path)
        assert (journal.damage, journal.version) == (None, 4)
        journal.close()
