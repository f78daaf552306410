"""What journals remember of every push: lines that `learn` reads, and no names."""

import json
import os
import sqlite3

import pytest

from physics.learn.fit import read_references
from physics.row.push import Push
from rig.cli.main import main
from rig.games.estimation import commands as cmd
from rig.games.estimation.story.push_export import PushMemory, lines, remembered
from rig.games.estimation.terms import CAMERA, HOST, REFEREE, Phase, Result
from rig.journal import Journal
from rig.row.push_events import (
    Cause,
    Forecast,
    OutcomeSeen,
    PushBegun,
    PushEnded,
    PushRequested,
    PushStep,
    Seen,
    Standing,
)
from tests.support.evenings import NAMES, Evening
from tests.support.whole_rig import WholeRig


class Pushed(Evening):
    """An evening in which every push is remembered whole, with the outcome of the camera's."""

    made = 0
    outcome = None

    def push(self, outcome):
        game = self.table.game
        if game.end is None:
            return
        self.outcome = outcome
        number = self.table.pushes + 1
        row = tuple(
            Standing(v, "vertical", 100.0 + 24.5 * i, 210.0, 0.0, "standing", 0.4, 0.7)
            for i, v in enumerate(game.row)
        )
        row = row if game.end.value == "left" else row[::-1]
        down = [t.value for t in (row if outcome is Result.FELL else row[:1])]
        up = tuple(t.value for t in row if t.value not in down)
        forecast = Forecast(0.4, 0.3, 0.5, None)
        asked = PushRequested(number, game.end.value, row[0].value, forecast, "finger")
        self.note(asked, actor=game.toppler)
        self.note(PushBegun(number, row, Push(speed_mm_s=33.0), None), actor=REFEREE)
        self.note(PushEnded(number, PushStep.DONE), actor=CAMERA)
        order = tuple((value, 40 * i) for i, value in enumerate(down))
        seen = Seen(outcome.value, tuple(down), up, order, confidence=0.97)
        self.note(OutcomeSeen(seen, {}), actor=CAMERA)
        self.made += 1


def played(seed=3, **how):
    return Pushed(seed, **how).play()


def until(evening, phase):
    """Play on to this phase, everybody doubting every row."""
    for _ in range(300):
        if evening.table.phase is phase:
            return evening
        evening.step()
    raise AssertionError(f"no {phase} came")


def pushed():
    """An evening up to a push, whose outcome nobody has claimed yet."""
    evening = Pushed(5)
    evening.start()
    return until(evening, Phase.TOPPLE)


@pytest.fixture
def read_back(tmp_path):
    """Write lines to a file and read them as `learn` does."""

    def read(told):
        path = tmp_path / "rows.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in told))
        return read_references([path])

    return read


def test_every_judged_push_is_a_row_that_learn_reads(read_back):
    evening = played()
    told = list(lines(remembered(evening.records)))
    assert len(told) > 1
    rows = read_back(told)
    for line, row in zip(told, rows, strict=True):
        assert [t.value for t in row.scenario.chain.tiles] == [t["value"] for t in line["tiles"]]
        assert row.scenario.push == Push(speed_mm_s=33.0)
        assert all(row.fell) is (line["outcome"] == "fell")
        assert line["tiles"][0]["sigma_mm"] == 0.4


def test_a_journal_that_goes_on_is_read_only_where_it_is_new():
    records, asked = played().records, []
    half = len(records) * 3 // 4

    class Growing:
        upto = half

        def events(self, since):
            asked.append(since)
            return [record for record in records[: self.upto] if record.v > since]

    journal = Growing()
    memory = PushMemory(journal)
    early = memory.lines()
    journal.upto = len(records)
    late = memory.lines()
    assert late == memory.lines() == list(lines(remembered(records)))
    assert 0 < len(early) < len(late) and early == late[: len(early)]
    assert asked == [0, records[half - 1].v, records[-1].v]


def test_nobody_who_played_can_be_told_from_the_lines():
    evening = played(options=None)
    text = json.dumps(list(lines(remembered(evening.records), every=True)), ensure_ascii=False)
    for secret in (*NAMES, *(p.seat for p in evening.table.players), "device", "salt"):
        assert f'"{secret}"' not in text


def test_a_push_has_the_same_name_in_every_export_and_no_other_push_has_it():
    one, two = (remembered(played(seed).records) for seed in (3, 4))
    assert [p.id for p in one] == [p.id for p in remembered(played(3).records)]
    assert len({p.id for p in (*one, *two)}) == len(one) + len(two)


def test_the_wave_stands_tile_by_tile_from_the_pushed_end():
    evening = pushed()
    evening.push(Result.STOOD)
    evening.ask(CAMERA, cmd.Report(Result.STOOD))
    evening.ask(REFEREE, cmd.Stand())
    (line,) = lines(remembered(evening.records))
    n = len(line["tiles"])
    assert line["nominal_fall"] == [1] + [0] * (n - 1)
    assert line["front_ms"] == [0] + [None] * (n - 1)
    assert line["first_standing"] == line["tiles"][1]["value"]
    assert (line["outcome"], line["judged_by"], line["kind"]) == ("stood", "camera", "finger")
    assert (line["prediction"]["p_fall"], line["confidence"]) == (0.4, 0.97)


def test_a_verdict_put_right_is_what_counts_in_the_end():
    evening = pushed()
    evening.push(Result.STOOD)
    evening.ask(CAMERA, cmd.Report(Result.STOOD))
    evening.ask(REFEREE, cmd.Stand())
    evening.ask(HOST, cmd.CorrectVerdict("looked again"))
    (line,) = lines(remembered(evening.records))
    assert (line["outcome"], line["judged_by"]) == ("fell", "people")
    assert set(line["nominal_fall"]) == {1}


def test_where_people_say_it_stood_and_the_camera_it_fell_nobody_knows_which_tile():
    evening = pushed()
    evening.push(Result.FELL)
    evening.ask(CAMERA, cmd.Report(Result.FELL))
    evening.ask(REFEREE, cmd.Stand())
    evening.ask(HOST, cmd.CorrectVerdict("looked again"))
    pushes = remembered(evening.records)
    assert list(lines(pushes)) == []
    (line,) = lines(pushes, every=True)
    assert (line["outcome"], "nominal_fall" in line) == ("stood", False)


def test_a_push_in_a_void_round_keeps_what_was_seen_and_no_outcome():
    evening = pushed()
    evening.push(Result.STOOD)
    evening.ask(HOST, cmd.VoidRound("the cat"))
    pushes = remembered(evening.records)
    assert list(lines(pushes)) == []
    (line,) = lines(pushes, every=True)
    assert (line["outcome"], line["step"]) == (None, "done")


def test_an_outcome_whose_round_is_void_afterwards_does_not_count():
    evening = pushed()
    evening.push(Result.FELL)
    evening.ask(CAMERA, cmd.Report(Result.FELL))
    evening.ask(REFEREE, cmd.Stand())
    evening.ask(HOST, cmd.VoidRound("the cat"))
    (push,) = remembered(evening.records)
    assert (push.outcome, push.seen.outcome) == (None, "fell")


def test_after_a_void_round_a_correction_is_of_the_push_before_it():
    evening = pushed()
    for _ in range(2):
        until(evening, Phase.TOPPLE)
        evening.push(Result.FELL)
        evening.ask(CAMERA, cmd.Report(Result.FELL))
        evening.ask(REFEREE, cmd.Stand())
        if not evening.table.game.history[1:]:
            evening.ask(REFEREE, cmd.NextRound())
    evening.ask(HOST, cmd.VoidRound("the cat"))
    evening.ask(HOST, cmd.CorrectVerdict("looked again"))
    outcomes = [push.outcome for push in remembered(evening.records)]
    assert outcomes == [Result.STOOD, None]


@pytest.mark.parametrize("cause", [Cause.HAND, Cause.PASSED, Cause.NOBODY])
def test_a_push_that_touched_nothing_is_told_with_its_cause_alone(cause):
    evening = pushed()
    evening.note(PushRequested(1, "left", 3, None), actor=evening.table.game.toppler)
    evening.note(PushEnded(1, PushStep.REFUSED, "words", cause), actor=REFEREE)
    evening.push(Result.FELL)
    evening.ask(CAMERA, cmd.Report(Result.FELL))
    evening.ask(REFEREE, cmd.Stand())
    pushes = remembered(evening.records)
    assert [p.outcome for p in pushes] == [None, Result.FELL]
    first, second = lines(pushes, every=True)
    assert (first["cause"], first["outcome"], second["outcome"]) == (cause.value, None, "fell")
    assert len(list(lines(pushes))) == 1


def test_the_wrong_end_says_nothing_of_the_row_even_where_it_counts_as_stood():
    evening = pushed()
    evening.push(Result.FELL)
    evening.note(PushEnded(1, PushStep.DONE, "", Cause.WRONG_END), actor=CAMERA)
    evening.ask(CAMERA, cmd.Report(Result.FELL))
    evening.ask(REFEREE, cmd.Stand())
    assert list(lines(remembered(evening.records))) == []


def test_a_finger_that_no_machine_knew_of_is_remembered_as_people_judged_it():
    evening = pushed()
    placer = evening.table.game.toppler
    evening.ask(placer, cmd.Report(Result.FELL))
    until(evening, Phase.ROUND_END)
    (push,) = remembered(evening.records)
    assert (push.kind, push.by_people, push.learnable) == ("finger", True, False)
    assert [t.value for t in push.row] == [t.value for t in evening.table.row] or [
        t.value for t in push.row
    ] == [t.value for t in evening.table.row][::-1]


def test_a_journal_from_before_gives_its_pushes_too():
    evening = Evening(3).play()
    pushes = remembered(evening.records)
    assert pushes
    assert all(not push.learnable and push.row for push in pushes)
    for line in lines(pushes, every=True):
        json.dumps(line)


def test_the_command_writes_lines_and_pictures_of_a_journal(open_session, tmp_path, capsys):
    table = WholeRig(open_session)
    table.to_push()
    table.push()
    table.until(lambda: table.session.table.phase == "JUDGE")
    table.do("ana", "agree")
    table.do("bo", "agree")
    path = table.session.journal.path
    table.session.close()
    out, folder = tmp_path / "out.jsonl", tmp_path / "pictures"
    assert main(["pushes", str(path), "--out", str(out), "--pictures", str(folder)]) == 0
    assert capsys.readouterr().out == f"{out}: 1 of 1 pushes\n"
    (line,) = map(json.loads, out.read_text().splitlines())
    (row,) = read_references([out])
    config = table.session.config.pusher
    assert row.scenario.push.speed_mm_s == config.speed_mm_s
    assert row.scenario.push.path == "smooth"
    assert (line["kind"], line["step"], row.fell) == ("arm", "done", (1.0, 1.0))
    for when in ("before", "after"):
        assert (folder / line["pictures"][when]).read_bytes().startswith(b"\xff\xd8")
    assert "ana" not in out.read_text()
    files = [out, *folder.iterdir()]
    assert os.name != "posix" or {each.stat().st_mode & 0o777 for each in files} == {0o600}
    assert main(["pushes", str(path), "--out", str(path / "out.jsonl")]) == 2
    assert "out.jsonl: cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize("what", ["nowhere", "no journal"])
def test_what_cannot_be_exported_is_said_in_a_sentence(what, tmp_path, capsys):
    path, out = tmp_path / "table.sqlite3", tmp_path / "out.jsonl"
    if what == "no journal":
        sqlite3.connect(path).execute("CREATE TABLE other (n)").connection.close()
    assert main(["pushes", str(path), "--out", str(out)]) == 2
    told = capsys.readouterr().err
    assert told.startswith("domino-rig pushes: ")
    assert "Traceback" not in told
    assert not (tmp_path / "out.jsonl").exists()
    assert path.exists() is (what != "nowhere")


def test_where_nothing_was_pushed_nothing_is_written(tmp_path, capsys):
    path, out = tmp_path / "table.sqlite3", tmp_path / "out.jsonl"
    Journal(path).close()
    assert main(["pushes", str(path), "--out", str(out)]) == 2
    assert "play a round to its push first" in capsys.readouterr().err
    assert not out.exists()
