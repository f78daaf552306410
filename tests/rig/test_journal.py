import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.journal import SCHEMA, Journal, JournalUnusable, Record

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
    with pytest.raises(JournalUnusable, match=r"newer domino-rig \(journal version 2"):
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
