"""Frames of an evening: kept only where people want it, made into a folder, and scored."""

import json
import stat

import cv2
import numpy as np
import pytest

from rig.cli.main import main
from rig.films.kept_frames import KeptFrames, frames_in, frames_of
from tests.support.whole_rig import WholeRig


@pytest.fixture
def evening(open_session):
    return WholeRig(open_session, camera={"collect": True})


def closed(table):
    """Write what is due, close the table, and give its journal."""
    table.machine.observer.keep_frames()
    path = table.session.journal.path
    table.seats.session.close()
    return path


def collect(capsys, *words):
    assert main(["camera", "collect", *map(str, words)]) == 0
    return capsys.readouterr().out


def truths(folder):
    return [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]


def test_every_phone_is_told_that_frames_are_kept(evening, open_session):
    evening.start("ana", "bo")
    assert evening.session.view("bo")["collects"] is True
    assert evening.session.view(None)["collects"] is True


def test_no_frame_is_kept_where_nobody_asked_for_it(open_session, tmp_path, capsys):
    table = WholeRig(open_session)
    table.to_push()
    journal = closed(table)
    assert not frames_of(journal).exists()
    assert "collects" not in table.session.view("bo")
    assert main(["camera", "collect", str(tmp_path / "out"), str(journal)]) == 2
    assert "set collect = true" in capsys.readouterr().err


def test_no_phone_is_told_of_frames_where_phones_are_the_camera(open_session):
    table = WholeRig(open_session, camera={"kind": "phone", "collect": True})
    assert "collects" not in table.session.view(None)


def pushed(table):
    table.to_push()
    table.push()
    table.until(lambda: table.session.table.phase == "ROUND_END")


def test_an_evening_becomes_a_folder_that_can_be_scored(evening, tmp_path, capsys):
    pushed(evening)
    journal, out = closed(evening), tmp_path / "out"
    kept = [frame.kind for frame in frames_in(frames_of(journal))]
    assert kept == ["placed", "before", "after"]
    assert stat.S_IMODE(frames_of(journal).stat().st_mode) == 0o700
    assert "3 frames, 0 corrections" in collect(capsys, out, journal)
    told = truths(out)
    assert [each["kind"] for each in told] == kept
    assert {each["truth"] for each in told} == {"people"}
    assert [sorted(t["value"] for t in each["tiles"]) for each in told] == [[3, 6]] * 3
    assert told[0]["tiles"][told[0]["new_tile"]]["value"] == 3
    assert "fallen" in {tile["state"] for tile in told[2]["tiles"]}
    everything = b"".join(path.read_bytes() for path in out.iterdir())
    assert b"ana" not in everything and b"Exif" not in everything
    page = (out / "index.html").read_text()
    assert all(each["image"] in page for each in told)
    (out / told[1]["image"]).unlink()  # what somebody does not want to show
    assert main(["see", "--score", str(out), "--json"]) == 0
    score = json.loads(capsys.readouterr().out)
    figures = {figure["name"]: figure for figure in score["figures"]}
    assert score["by_people"] == 2 and score["complaints"] == []
    assert figures["marked standing tiles found"]["values"] == [1.0]
    assert figures["position of marked, median / p95 mm"]["cases"] == 0
    assert figures["frame with a hand: false"]["cases"] == 0
    assert main(["see", "--score", str(out)]) == 0
    assert "what people confirmed" in capsys.readouterr().out


def test_frames_whose_journal_is_empty_or_gone_are_told_as_that(evening, tmp_path, capsys):
    pushed(evening)
    journal = closed(evening)
    words = ["camera", "collect", str(tmp_path / "out"), str(journal), "--language", "de"]
    journal.write_bytes(b"")
    assert main(words) == 2
    assert "Dieses Protokoll ist leer" in capsys.readouterr().err
    journal.unlink()
    assert main(words) == 2
    assert "Dieses Protokoll gibt es nicht" in capsys.readouterr().err


def test_a_journal_that_is_not_there_is_told_as_that(tmp_path, capsys):
    assert main(["camera", "collect", str(tmp_path / "out"), str(tmp_path / "none.sqlite3")]) == 2
    assert "none.sqlite3: there is no such journal" in capsys.readouterr().err
    assert main(["camera", "collect", str(tmp_path / "out"), str(tmp_path)]) == 2
    assert "is a folder, so it is no journal" in capsys.readouterr().err


def test_a_verdict_that_was_turned_round_is_a_correction_and_no_truth(evening, tmp_path, capsys):
    pushed(evening)
    seen = evening.session.table.seen.outcome
    other = {"fell": "stood", "stood": "fell"}[seen]
    evening.do("ana", "correct_verdict", reason="the last tile")
    assert "3 frames, 1 corrections" in collect(capsys, tmp_path / "out", closed(evening))
    last = truths(tmp_path / "out")[2]
    assert (last["kind"], last["tiles"]) == ("overruled", [])
    assert last["corrections"] == [
        f"read as: the row {seen}; people said: the row {other}",
    ]
    assert main(["see", "--score", str(tmp_path / "out")]) == 0
    assert "people overruled what was seen; not scored" in capsys.readouterr().out


def test_a_tile_that_people_put_right_is_a_correction(evening, tmp_path, capsys):
    evening.start("ana", "bo")
    evening.stand("ana", 3, 275.0)
    evening.until(lambda: evening.reading().state == "proposal")
    evening.do("ana", "correct", value=4, position=evening.reading().position)
    assert "1 frames, 1 corrections" in collect(capsys, tmp_path / "out", closed(evening))
    (only,) = truths(tmp_path / "out")
    assert only["corrections"] == ["tile 4 was read as 3"]
    assert 4 in {tile["value"] for tile in only["tiles"]}


def test_the_room_is_blurred_unless_somebody_wants_it_sharp(evening, tmp_path, capsys):
    evening.start("ana", "bo")
    evening.place("ana", 3, 275.0)
    journal = closed(evening)
    (frame,) = frames_in(frames_of(journal))
    collect(capsys, tmp_path / "sharp", journal, "--unblurred")
    collect(capsys, tmp_path / "blurred", journal)
    was, sharp, blurred = (
        cv2.imread(str(path)).astype(float)
        for path in (frame.path, *sorted(tmp_path.glob("*/evening*.jpg"), reverse=True))
    )
    assert np.array_equal(was, sharp)
    grain = [np.abs(np.diff(image[:20, :20], axis=0)).mean() for image in (was, blurred)]
    assert grain[1] < grain[0] / 2
    middle = np.s_[260:460, 500:780]
    assert np.abs(was[middle] - blurred[middle]).mean() < 2


def test_the_oldest_frames_go_and_a_full_disk_stops_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("rig.films.kept_frames.MOST_FRAMES", 2)
    kept = KeptFrames(tmp_path / "frames")
    for v in (1, 22, 333):
        kept.keep(v, "placed", b"jpeg", {})
    assert [frame.v for frame in frames_in(tmp_path / "frames")] == [22, 333]
    assert len(list((tmp_path / "frames").iterdir())) == 4
    KeptFrames(tmp_path / "frames" / "000022-placed.jpg").keep(1, "placed", b"", {})


def test_a_folder_with_something_in_it_is_left_alone(evening, tmp_path, capsys):
    evening.start("ana", "bo")
    evening.place("ana", 3, 275.0)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("")
    assert main(["camera", "collect", str(tmp_path / "out"), str(closed(evening))]) == 2
    assert "name a new folder" in capsys.readouterr().err
