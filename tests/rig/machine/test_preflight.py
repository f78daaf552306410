"""What `domino-rig play` says of devices that are not there, with the real ones' own code."""

import errno
import json

import pytest
import serial

from rig.cli.main import main
from rig.cli.speech import noted, speech
from rig.machine.preflight import old_program
from vision.render.render import default_view
from web.server.server import Server

LENS, _ = default_view()
CTRL_C = 130


@pytest.fixture
def play(tmp_path, monkeypatch, capsys):
    """Open a table with these settings, end at once, and give what was said: out and err."""

    def wait(self):
        raise KeyboardInterrupt

    monkeypatch.setattr(Server, "wait", wait)
    lens = {"K": LENS.matrix.tolist(), "dist": LENS.dist.tolist()}
    lens_file = tmp_path / "lens.json"
    lens_file.write_text(json.dumps({**lens, "width": LENS.width, "height": LENS.height}))

    def played(camera, pusher):
        settings = tmp_path / "rig.toml"
        settings.write_text(
            f"[network]\nport = 0\n[camera]\nlens = {str(lens_file)!r}\n{camera}[pusher]\n{pusher}"
        )
        words = ["play", "--no-browser", "--config", str(settings)]
        code = main([*words, "--journal", str(tmp_path / "t.sqlite3")])
        said = capsys.readouterr()
        return code, said.out, said.err

    return played


def notes(out):
    return [line for line in out.splitlines() if line.startswith("Note: ")]


def test_a_missing_camera_and_a_missing_pusher_are_named_and_the_table_opens(play):
    code, out, _ = play(
        "kind = 'opencv'\nid = '/dev/video97'\n", "kind = 'serial'\nport = '/dev/ttyNOPE'\n"
    )
    assert code == CTRL_C
    camera, pusher = notes(out)[:2]
    assert "video97: is not plugged in; check its cable" in camera
    assert "Rows are entered on the phones until it answers." in camera
    assert "/dev/ttyNOPE is not there: plug the pusher in" in pusher
    assert "A finger pushes until it answers." in pusher
    assert "rig.toml" in next(line for line in out.splitlines() if line.startswith("Settings:"))


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EBUSY, "in use by another program: close it"),
        (errno.EACCES, "no permission; run sudo usermod -aG"),
    ],
)
def test_a_port_that_may_not_be_opened_or_is_in_use_is_told_as_such(
    play, monkeypatch, number, words
):
    def refuse(self):
        raise serial.SerialException(number, "could not open port")

    monkeypatch.setattr(serial.Serial, "open", refuse)
    code, out, _ = play("kind = 'none'\n", "kind = 'serial'\nport = '/dev/ttyACM0'\n")
    assert code == CTRL_C
    assert words in notes(out)[0]


def test_a_camera_without_its_lens_file_is_named_and_the_table_goes_without_it(play, tmp_path):
    (tmp_path / "lens.json").unlink()
    code, out, err = play("kind = 'opencv'\nid = '/dev/video97'\n", "kind = 'hand'\n")
    assert (code, err) == (CTRL_C, "")
    note = notes(out)[0]
    assert note.startswith("Note: The table runs without its camera: ") and "lens.json" in note


@pytest.mark.parametrize("kind", ["phone", "none"])
def test_where_tiles_are_real_a_pretend_pusher_is_called_that(play, kind):
    _, out, _ = play(f"kind = '{kind}'\n", "")
    assert "the pusher is a pretend one" in " ".join(notes(out))


@pytest.mark.parametrize("kind", ["phone", "none"])
def test_who_would_collect_frames_hears_that_without_a_camera_there_are_none(play, kind):
    _, out, _ = play(f"kind = '{kind}'\ncollect = true\n", "kind = 'hand'\n")
    assert "[camera] collect keeps nothing at this table" in " ".join(notes(out))
    _, out, _ = play(f"kind = '{kind}'\n", "kind = 'hand'\n")
    assert "collect" not in " ".join(notes(out))


@pytest.mark.parametrize(("firmware", "old"), [("1.0", True), ("0.9", True), ("1.1", False)])
def test_a_board_whose_program_forgets_a_cut_push_is_told_to_be_flashed(firmware, old):
    said = [noted(note, speech("en")) for note in old_program(firmware)]
    assert ["domino-rig pusher flash" in line for line in said] == [True] * old


def test_a_board_that_has_not_greeted_yet_is_not_called_old():
    assert old_program("") == ()
