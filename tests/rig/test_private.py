"""Files that only their owner may read, from the first byte on."""

import os
import stat
import sys

import pytest

from rig import private

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(autouse=True)
def careless():
    """A umask that takes nobody's rights."""
    before = os.umask(0)
    yield
    os.umask(before)


def test_folders_that_are_made_are_the_owners_and_those_that_were_there_stay(tmp_path):
    tmp_path.chmod(0o755)
    private.make_folder(tmp_path / "a" / "b")
    assert [mode(p) for p in (tmp_path, tmp_path / "a", tmp_path / "a" / "b")] == [
        0o755,
        0o700,
        0o700,
    ]


def test_a_file_is_the_owners_before_anything_stands_in_it(tmp_path, monkeypatch):
    path, seen = tmp_path / "game.json", []
    fsync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda f: seen.append(os.fstat(f).st_mode) or fsync(f))
    path.write_text("old, and open to all")
    private.write(path, b"new")
    assert (path.read_bytes(), mode(path)) == (b"new", 0o600)
    assert stat.S_IMODE(seen[0]) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_written_leaves_what_was_there(tmp_path, monkeypatch):
    path = tmp_path / "game.json"
    private.write(path, b"old")

    def full(file):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        private.write(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_rights_that_others_have_to_a_file_are_taken(tmp_path):
    path = tmp_path / "table.sqlite3"
    path.write_bytes(b"kept")
    path.chmod(0o664)
    private.make_file(path)
    assert (path.read_bytes(), mode(path)) == (b"kept", 0o600)


def test_a_pipe_is_written_to_as_it_is(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    private.write(path, b"told")
    assert os.read(reader, 9) == b"told"
    os.close(reader)


def test_what_is_under_a_key_fits_its_own_event_alone_and_tells_nothing_by_its_length():
    key = private.RoundKey("5e" * 32)
    short, long = (key.sealed(7, "CardGiven", f'{{"cards":{c}}}') for c in ([4], [10, 12]))
    assert len(short) == len(long)
    assert key.opened(7, "CardGiven", long) == '{"cards":[10, 12]}'
    for v, kind in ((8, "CardGiven"), (7, "CardPlayed")):
        with pytest.raises(private.WrongKey, match=f"event {v}"):
            key.opened(v, kind, long)
