"""Every kind of fault of the soak by itself: a round is played to its end all the same."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))

from soak_audit import audit
from soak_faults import PUSH_FAULTS, TURN_FAULTS
from soak_game import Game, Log

from rig.journal import Journal

AT_ONCE = (0.0, 1.0)
"""Somebody calls as soon as one tile was placed."""

TOLD = {
    "camera out": "gone",
    "camera lost": "camera",
    "hand": "hand",
    "pusher lost": "pusher",
    "estop": "stopped",
    "stop": "stopped",
}
"""What phones show of it, where anything has to show."""


def paid(session):
    """Whether a push has been paid."""
    return bool(session.game.history)


def play(folder, kind, during, log):
    faults = {"turn_faults": (), "push_faults": (), f"{during}_faults": (kind,)}
    path = folder / "table.sqlite3"
    game = Game(path, [5], log, players=2, most=1, calls=AT_ONCE, **faults)
    done = game.play(paid)
    game.close()
    assert done, game.shown
    wrong, counts = audit(path, log, over=False)
    assert wrong == []
    assert counts["rounds"] == 1
    return game


@pytest.mark.parametrize("kind", [kind for kind in TURN_FAULTS if kind != "kill"])
def test_a_round_is_played_to_its_end_although_in_a_turn_there_is(tmp_path, kind):
    log = Log()
    game = play(tmp_path, kind, "turn", log)
    assert [line["struck"] for line in log.all("struck")] == [kind]
    assert TOLD.get(kind, "proposal") in game.shown


@pytest.mark.parametrize("kind", [kind for kind in PUSH_FAULTS if kind != "kill"])
def test_a_push_is_made_once_at_most_although_in_the_middle_of_it_there_is(tmp_path, kind):
    log = Log()
    play(tmp_path, kind, "push", log)
    assert [(line["struck"], line["phase"]) for line in log.all("struck")] == [(kind, "TOPPLE")]


@pytest.mark.parametrize("during", ["turn", "push"])
def test_a_round_goes_on_in_a_new_process_after_a_kill(tmp_path, during):
    words = [sys.executable, __file__, str(tmp_path), during]
    assert subprocess.run(words, cwd=Path(__file__).parents[2]).returncode == -9
    log = Log(tmp_path / "log.jsonl")
    play(tmp_path, "kill", during, log)
    log.close()
    assert [line["struck"] for line in log.all("struck")] == ["kill"]
    assert len(log.all("opened")) == 2


def test_what_is_lost_leaked_or_made_twice_is_found(tmp_path):
    log = Log()
    play(tmp_path, "clock", "turn", log)
    path = tmp_path / "table.sqlite3"
    log(ack="never", device="phone-1", reply={"ok": True, "v": 3})
    log(stroke=1, v=9)
    log(leak="phone-2 sees a secret", phase="BALLOT")
    log(state=4, is_="another table", wall_s=0.0)
    told = "\n".join(audit(path, log)[0])
    for word in ("is lost", "made 2 times", "sees a secret", "was another one", "to its end"):
        assert word in told


def test_a_chip_too_many_is_found(tmp_path):
    log = Log()
    play(tmp_path, "clock", "turn", log)
    path = tmp_path / "table.sqlite3"
    journal = Journal(path)
    [judged] = [r for r in journal.events() if r.type == "OutcomeJudged"]
    text = json.dumps(judged.public).replace(": 1", ": 2")
    journal._db.execute("UPDATE event SET public_json = ? WHERE v = ?", (text, judged.v))
    journal.close()
    assert any("is worth" in what for what in audit(path, log)[0])


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    play(folder, "kill", sys.argv[2], Log(folder / "log.jsonl"))
