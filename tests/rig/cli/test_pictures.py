"""Pictures, reports and films of predict: what is done is kept, errors are one sentence."""

import os
import sys
from itertools import islice
from pathlib import Path

import av
import pytest

import rig.cli.predict
from physics.pictures import fall_film
from rig.cli.main import main

ROWS = "3v@0,0,0;5v@20,0,0;id=near\n3v@0,0,0;5v@70,0,0;id=far\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "two.txt").write_text(ROWS)
    (tmp_path / "one.txt").write_text(ROWS.splitlines()[0])
    return tmp_path


def predict(*words):
    return main(["predict", "--runs", "1", *words])


def files(folder):
    return sorted(path.name for path in folder.iterdir() if path.suffix != ".txt")


def test_one_row_is_one_picture_and_several_are_numbered(folder, capsys):
    assert predict("one.txt", "--plot", "row.svg") == 0
    assert files(folder) == ["row.svg"]
    assert predict("two.txt", "--plot", "row.png") == 0
    assert files(folder) == ["row-1.png", "row-2.png", "row.svg"]
    assert b">near<" in (folder / "row.svg").read_bytes()
    assert (folder / "row-2.png").read_bytes().startswith(b"\x89PNG")
    assert capsys.readouterr().out.count("falls with") == 3


def test_the_report_has_every_row_beside_the_answers(folder, capsys):
    assert predict("two.txt", "--report", "rows.html", "--out", "answers.jsonl") == 0
    page = (folder / "rows.html").read_text()
    assert page.count("<section") == page.count("</section>") == 2
    assert "2 rows; 1 more likely to fall" in page and page.endswith("</html>\n")
    assert len((folder / "answers.jsonl").read_text().splitlines()) == 2


def test_the_film_is_one_that_browsers_play(folder, monkeypatch):
    monkeypatch.setattr(fall_film, "FRAMES_S", 3)
    assert predict("one.txt", "--film", "row.mp4") == 0
    data = (folder / "row.mp4").read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")
    with av.open("row.mp4") as container:
        (video,) = container.streams.video
        assert (video.codec.name, video.pix_fmt) == ("h264", "yuv420p")
        assert (video.width, video.height) == (1280, 720)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--plot", "row.pdf"], "--plot row.pdf: expected a name that ends in .svg or .png"),
        (["--report", "two.txt"], "--report two.txt: expected a name that ends in .html"),
        (["--film", "row.avi"], "--film row.avi: expected a name that ends in .mp4"),
        (["--report", "no/rows.html"], "--report no/rows.html: there is no folder no; make it"),
        (["--plot", "no/row.svg"], "--plot no/row.svg: there is no folder no; make it"),
        (["--film", "no/row.mp4"], "--film no/row.mp4: there is no folder no; make it"),
        (["--report", "a.html", "--out", "b.jsonl", "--resume"], "leave out --report or --resume"),
    ],
)
def test_what_cannot_be_made_is_one_sentence_before_any_answer(folder, capsys, words, said):
    assert predict("two.txt", *words) == 2
    heard = capsys.readouterr()
    assert heard.out == "" and said in heard.err and heard.err.count("\n") == 1
    assert (folder / "two.txt").read_text() == ROWS


@pytest.mark.parametrize(
    ("missing", "words"),
    [("resvg_py", ["--plot", "a.png"]), ("resvg_py", ["--film", "a.mp4"]),
     ("av", ["--film", "a.mp4"])],
)  # fmt: skip
def test_a_missing_extra_is_one_sentence_before_any_answer(
    folder, capsys, monkeypatch, missing, words
):
    monkeypatch.setitem(sys.modules, missing, None)
    assert predict("two.txt", *words) == 2
    heard = capsys.readouterr()
    assert heard.out == "" and "the extra film" in heard.err
    assert heard.err.count("\n") == 1


BAD_PLACES = (
    (["--plot", "row.pdf"], "expected a name that ends in"),
    (["--report", "no/rows.html"], "there is no folder no"),
    (["--plot", "row.svg"], "row-2.svg: cannot be written (Is a directory)"),
    (["--film", "row.mp4"], "row-2.mp4: cannot be written (Is a directory)"),
    (["--report", "rows.html"], "rows.html: cannot be written (Is a directory)"),
    (["--report", f"{'long' * 80}.html"], "cannot be written (File name too long)"),
)


@pytest.mark.parametrize(("words", "said"), BAD_PLACES)
def test_a_picture_that_cannot_be_made_leaves_no_other_file(folder, capsys, words, said):
    for name in ("row-2.svg", "row-2.mp4", "rows.html"):
        (folder / name).mkdir()
    before = files(folder)
    assert predict("two.txt", "--out", "answers.jsonl", *words) == 2
    heard = capsys.readouterr()
    assert heard.out == "" and said in heard.err and heard.err.count("\n") == 1
    assert files(folder) == before


@pytest.mark.parametrize(("there", "shut"), [(True, "rows.html"), (False, "")])
def test_a_folder_without_write_permission_leaves_no_other_file(
    folder, capsys, monkeypatch, there, shut
):
    if there:
        (folder / "rows.html").write_text("mine")
    monkeypatch.setattr(os, "access", lambda path, mode: path != Path(shut))
    assert predict("two.txt", "--report", "rows.html", "--out", "answers.jsonl") == 2
    assert "rows.html: cannot be written (Permission denied)" in capsys.readouterr().err
    assert files(folder) == ["rows.html"] * there
    assert not there or (folder / "rows.html").read_text() == "mine"


def test_answers_that_were_cut_short_stay_so_if_a_picture_cannot_be_made(folder):
    cut = '{"format": "domino-rig-prediction", "vers'
    (folder / "answers.jsonl").write_text(cut)
    words = ("--out", "answers.jsonl", "--resume", "--plot", "no/row.svg")
    assert predict("two.txt", *words) == 2
    assert (folder / "answers.jsonl").read_text() == cut


def test_answers_that_cannot_be_kept_leave_no_report(folder, capsys):
    (folder / "answers.jsonl").mkdir()
    assert predict("two.txt", "--report", "rows.html", "--out", "answers.jsonl") == 2
    assert "answers.jsonl: cannot be written" in capsys.readouterr().err
    assert files(folder) == ["answers.jsonl"]


def test_a_picture_that_cannot_be_written_keeps_the_answer_and_leaves_no_half(
    folder, capsys, monkeypatch
):
    answer = rig.cli.predict.predict_many

    def obstructed(rows, **how):
        (folder / "row-2.svg").mkdir()
        return answer(rows, **how)

    monkeypatch.setattr(rig.cli.predict, "predict_many", obstructed)
    assert predict("two.txt", "--plot", "row.svg") == 2
    heard = capsys.readouterr()
    assert heard.out.count("falls with") == 2 and heard.err.count("\n") == 1
    assert "row-2.svg: cannot be written" in heard.err
    assert files(folder) == ["row-1.svg", "row-2.svg"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_a_full_disk_is_one_sentence(folder, capsys):
    (folder / "full.html").symlink_to("/dev/full")
    assert predict("two.txt", "--report", "full.html") == 2
    assert "No space left on device" in capsys.readouterr().err


def test_an_interrupt_leaves_a_whole_page_of_what_is_done(folder, capsys, monkeypatch):
    answer = rig.cli.predict.predict_many

    def interrupted(rows, **how):
        yield from islice(answer(rows, **how), 1)
        raise KeyboardInterrupt

    monkeypatch.setattr(rig.cli.predict, "predict_many", interrupted)
    predict("two.txt", "--report", "rows.html", "--plot", "row.svg")
    page = (folder / "rows.html").read_text()
    assert page.count("</section>") == 1 and "It was stopped before the other 1." in page
    assert page.endswith("</html>\n") and files(folder) == ["row-1.svg", "rows.html"]
