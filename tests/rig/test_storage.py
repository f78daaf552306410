"""A journal's place is looked at before anything is written there."""

import os
import sqlite3

import pytest

from rig.cli.main import main
from rig.journal import Journal, JournalUnusable
from rig.storage import LEAST_BYTES, network_drive, require_safe

ROOT = "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"


def mount(point, kind, options="rw,relatime shared:5 master:2", number=40):
    return f"{number} 22 0:50 / {point} {options} - {kind} server:/tables rw\n"


@pytest.fixture
def mounted(tmp_path):
    """Write a table of mounts as the kernel would."""

    def written(*lines):
        path = tmp_path / "mountinfo"
        path.write_text(ROOT + "".join(lines))
        return path

    return written


@pytest.mark.parametrize(
    "kind", ["nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "fuse.rclone", "vboxsf", "ceph"]
)
def test_a_journal_on_a_network_drive_is_refused_with_what_to_do(tmp_path, mounted, kind):
    place = tmp_path / "share" / "not yet" / "table.sqlite3"
    (tmp_path / "share").mkdir()
    mounts = mounted(mount(tmp_path / "share", kind))
    with pytest.raises(JournalUnusable, match=rf"network drive \({kind}\).*name a file"):
        require_safe(place, mounts)
    assert not place.parent.exists()


@pytest.mark.parametrize("kind", ["ext4", "btrfs", "apfs", "tmpfs", "fuse.ntfs-3g", "fuseblk"])
def test_a_disk_of_this_machine_will_do(tmp_path, mounted, kind):
    require_safe(tmp_path / "table.sqlite3", mounted(mount(tmp_path, kind)))


def test_what_is_mounted_last_and_deepest_counts(tmp_path, mounted):
    share, inside = tmp_path / "a share", tmp_path / "a share" / "disk"
    inside.mkdir(parents=True)
    point = str(share).replace(" ", "\\040")
    mounts = mounted(mount(point, "nfs4"), mount(f"{point}/disk", "ext4", "rw"))
    assert network_drive(share, mounts) == "nfs4"
    assert network_drive(inside, mounts) == ""
    assert network_drive(tmp_path / "a shared other", mounts) == ""
    again = mounted(mount(point, "nfs4"), mount(point, "xfs"))
    assert network_drive(share, again) == ""


def test_a_table_of_mounts_that_cannot_be_read_stops_nobody(tmp_path):
    assert network_drive(tmp_path, tmp_path / "nothing") == ""
    (tmp_path / "odd").write_text("no mounts here - \n\n - ext4\n")
    assert network_drive(tmp_path, tmp_path / "odd") == ""


def test_a_full_disk_is_said_before_the_game_starts(tmp_path):
    with pytest.raises(JournalUnusable, match=r"its disk is full, 3 MB are left .*make room"):
        require_safe(tmp_path / "t.sqlite3", free_bytes=lambda folder: 3_400_000)
    require_safe(tmp_path / "t.sqlite3", free_bytes=lambda folder: LEAST_BYTES)


def test_a_folder_that_may_not_be_written_is_said_before_the_game_starts(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: not mode & os.W_OK)
    with pytest.raises(JournalUnusable, match=r"cannot be written; change the permissions of .*"):
        require_safe(tmp_path / "t.sqlite3")


def test_a_journal_that_may_only_be_read_is_said_before_the_game_starts(tmp_path, monkeypatch):
    path = tmp_path / "t.sqlite3"
    Journal(path).close()
    monkeypatch.setattr(os, "access", lambda each, mode: each != path)
    with pytest.raises(JournalUnusable, match="cannot be written"):
        require_safe(path)


def test_play_says_it_in_a_sentence_and_writes_nothing(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("rig.storage.shutil.disk_usage", lambda folder: type("", (), {"free": 0})())
    assert main(["play", "--no-browser", "--journal", str(tmp_path / "t.sqlite3")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "its disk is full" in said
    assert not (tmp_path / "t.sqlite3").exists()


def test_a_disk_that_is_full_under_a_new_journal_is_said_in_words(tmp_path, monkeypatch):
    class Full:
        def __init__(self, db):
            self.db = db

        def execute(self, sql, *args):
            if sql.strip().startswith("CREATE"):
                error = sqlite3.OperationalError("database or disk is full")
                error.sqlite_errorcode = sqlite3.SQLITE_FULL
                raise error
            return self.db.execute(sql, *args)

        def close(self):
            self.db.close()

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **how: Full(connect(*args, **how)))
    with pytest.raises(JournalUnusable, match=r"disk is full.*make room"):
        Journal(tmp_path / "t.sqlite3")
