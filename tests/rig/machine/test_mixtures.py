"""Every camera goes with every pusher: a round comes to its verdict at each of twelve tables."""

import pytest

from rig.cli.speech import noted, speech
from rig.machine.preflight import REHEARSAL, STAGED, notes
from tests.support.mixtures import MIXTURES, Stage, film


@pytest.fixture(scope="session")
def filmed(tmp_path_factory):
    return film(tmp_path_factory.mktemp("film"))


@pytest.fixture
def open_stage(open_session, tmp_path, monkeypatch, filmed):
    """Open a table of some mixture."""
    stages = []

    def opened(camera, pusher, **sections):
        stages.append(Stage(open_session, tmp_path, monkeypatch, camera, pusher, filmed, sections))
        return stages[-1]

    yield opened
    for stage in stages:
        stage.close()


def play_round(stage):
    """From the lobby to the chips, people saying what nothing else can say."""
    stage.to_push()
    if stage.devices.sees or stage.devices.pushes:
        stage.push()
        stage.until(stage.judged)
    told = stage.session.table.phase
    if told == "TOPPLE":
        stage.do("ana", "report", outcome="fell")
        stage.do("bo", "agree")
    stage.until(lambda: stage.phase == "ROUND_END")
    return told


@pytest.mark.parametrize(("camera", "pusher"), MIXTURES)
def test_a_round_comes_to_its_verdict(open_stage, camera, pusher):
    stage = open_stage(camera, pusher)
    if camera != "virtual" and pusher == "virtual":  # a rehearsal: somebody knocks the row over
        push = stage.rig.pusher.push
        stage.rig.pusher.push = lambda token, how: (stage.touch(), push(token, how))[1]
    told = play_round(stage)
    # Five pictures a second show that the row fell, and not surely how: people say it then.
    by_people = camera in ("none", "folder")
    assert told == ("TOPPLE" if by_people else "JUDGE")
    seen = stage.session.table.seen
    assert (seen is None) == (camera == "none")
    assert seen is None or seen.outcome == "fell"
    verdict = stage.session.view("ana")["verdict"]
    assert (verdict["outcome"], verdict["by"]) == ("fell", "s1" if by_people else "camera")
    devices = stage.session.view("ana")["devices"]
    assert (devices["sees"], devices["pushes"]) == (camera != "none", pusher != "hand")
    assert stage.board.strokes == (pusher == "serial")


def test_a_rehearsal_moves_no_tile_and_the_push_may_be_made_again(open_stage):
    stage = open_stage("opencv", "virtual")
    stage.to_push()
    stage.push()
    assert stage.session.table.attempt.step == "missed"
    assert [tile.value for tile in stage.table.tiles.truth()] == [3, 6]
    stage.until(lambda: stage.session.view("ana")["push"]["state"] == "switch")
    assert notes(stage.machine) == [REHEARSAL]


def test_a_virtual_row_stands_until_the_real_stroke_is_reported(open_stage):
    stage = open_stage("virtual", "serial")
    stage.to_push()
    told = []
    stage.rig.pusher.listen(lambda news: told.append((news, stage.rig.virtual.at_rest())))
    stage.push()
    out = [at_rest for news, at_rest in told if getattr(news, "state", "") in ("OUT", "HOLD")]
    assert out and all(out)
    assert stage.session.table.seen.outcome == "fell"
    assert notes(stage.machine) == [STAGED]


def test_a_device_that_does_not_answer_at_the_start_is_named_with_what_to_do(open_stage):
    stage = open_stage("opencv", "serial")
    assert notes(stage.machine) == []
    stage.webcam.plugged = stage.cable.there = False
    stage.until(lambda: stage.rig.pusher.link.device is None)
    told = notes(stage.machine, patience_s=0.1)
    camera, pusher = (noted(note, speech("en")) for note in told)
    assert "check its cable. Rows are entered on the phones" in camera
    assert pusher.startswith("Pusher: ") and "plug" in pusher
    assert pusher.endswith("A finger pushes until it answers.")


def test_tables_of_ones_own_tiles_are_seen_and_shown_with_them(open_stage):
    stage = open_stage("virtual", "virtual", tiles={"length_mm": 56.0, "width_mm": 28.0})
    assert stage.session.view("ana")["tile"]["length_mm"] == 56.0
    stage.to_push()
    assert {tile.spec.length_mm for tile in stage.rig.virtual.truth()} == {56.0}
    assert stage.rig.eye.tile_set.spec.length_mm == 56.0
    assert {t.spec.length_mm for t in stage.machine.observer.row_of(stage.session.duty).tiles} == {
        56.0
    }
    assert abs(stage.session.table.row[0].x_mm - 275.0) < 2.0
    stage.until(lambda: stage.session.live.forecast is not None)


MOVED_BY = [(camera, pusher) for camera, pusher in MIXTURES if pusher != "hand"]


@pytest.mark.parametrize(("camera", "pusher"), MOVED_BY)
def test_a_program_that_ends_stops_an_arm_on_its_way(open_stage, camera, pusher):
    stage = open_stage(camera, pusher)
    stage.to_push()
    link = stage.rig.pusher.link
    ask = link.ask

    def asked(text, **how):
        reply = ask(text, **how)
        if text.startswith("PUSH"):
            link.ask = ask
            stage.machine.halt()
        return reply

    link.ask = asked
    stage.push()
    assert stage.rig.pusher.status().strokes == 1
    assert stage.rig.pusher.status().state == "ESTOP"


@pytest.mark.parametrize("pusher", ["virtual", "serial", "hand"])
def test_a_program_that_ends_leaves_a_pusher_at_rest_as_it_is(open_stage, pusher, caplog):
    stage = open_stage("none", pusher)
    stage.to_push()
    stage.machine.halt()
    if pusher != "hand":
        assert stage.rig.pusher.status().state == "SAFE"
    assert caplog.messages == []
