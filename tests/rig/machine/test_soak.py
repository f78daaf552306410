"""Every kind of fault of the soak, one or two to a round: it is played to its end all the same."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path

import pytest

import rig.machine.build
from rig.journal import Journal
from tests.soak.audit import audit
from tests.soak.faults import LOST, PUSH_FAULTS, TURN_FAULTS
from tests.soak.game import Game, Log
from tests.support.small_view import small_view

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


ALONE = (*sorted(LOST), "pusher out")
"""After these in a turn nothing can go wrong in the middle of a stroke."""
_IN_TURNS = [kind for kind in TURN_FAULTS if kind not in ("kill", *ALONE)]
_IN_PUSHES = [kind for kind in PUSH_FAULTS if kind != "kill"]
PAIRS = [
    *zip_longest(_IN_TURNS, _IN_PUSHES[6:] + _IN_PUSHES[:6]),
    *((kind, None) for kind in ALONE),
]
"""What goes wrong in the first turn of a round, and what with its push: never the same."""


def play(folder, log, turn=None, push=None):
    """Play a round in which something goes wrong in a turn, with the push, or both."""
    path = folder / "table.sqlite3"
    kinds = ([kind] if kind else [] for kind in (turn, push))
    game = Game(path, [5], log, 2, *kinds, once=True, calls=AT_ONCE)
    done = game.play(paid)
    game.close()
    assert done, game.shown
    wrong, counts = audit(path, log, over=False)
    assert wrong == []
    assert counts["rounds"] == 1
    return game


@pytest.mark.parametrize(("turn", "push"), PAIRS)
def test_a_round_is_played_to_its_end_and_pushed_once_although_there_is(tmp_path, turn, push):
    log = Log()
    game = play(tmp_path, log, turn, push)
    struck = log.all("struck")
    assert [line["struck"] for line in struck] == [kind for kind in (turn, push) if kind]
    assert TOLD.get(turn, "proposal") in game.shown
    assert push is None or struck[-1]["phase"] == "TOPPLE"


@pytest.mark.parametrize("during", ["turn", "push"])
def test_a_round_goes_on_in_a_new_process_after_a_kill(tmp_path, during):
    root = Path(__file__).parents[3]
    words = [sys.executable, __file__, str(tmp_path), during]
    there = {**os.environ, "PYTHONPATH": str(root)}
    assert subprocess.run(words, cwd=root, env=there).returncode == -9
    log = Log(tmp_path / "log.jsonl")
    play(tmp_path, log, **{during: "kill"})
    log.close()
    assert [line["struck"] for line in log.all("struck")] == ["kill"]
    assert len(log.all("opened")) == 2


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The folder and the log of a good round."""
    folder, log = tmp_path_factory.mktemp("played"), Log()
    play(folder, log, turn="clock")
    return folder, log


@pytest.fixture
def table(played, tmp_path):
    """The journal and the log of a good round, to be spoiled."""
    log = Log()
    log.lines = list(played[1].lines)
    return Path(shutil.copytree(played[0], tmp_path / "table")) / "table.sqlite3", log


def test_what_is_lost_leaked_or_made_twice_is_found(table):
    path, log = table
    log(ack="never", device="phone-1", reply={"ok": True, "v": 3})
    log(stroke=log.all("stroke")[-1]["stroke"], v=9)  # a push may have been refused before
    log(leak="phone-2 sees a secret", phase="BALLOT")
    log(state=4, is_="another table", wall_s=0.0)
    told = "\n".join(audit(path, log)[0])
    for word in ("is lost", "made 2 times", "sees a secret", "was another one", "to its end"):
        assert word in told


def test_a_chip_too_many_is_found(table):
    path, log = table
    journal = Journal(path)
    records = list(journal.events())
    journal.close()
    path.unlink()
    [judged] = [r for r in records if r.type == "OutcomeJudged"]
    text = json.dumps(judged.public).replace(": 1", ": 2")
    records[judged.v - 1] = replace(judged, public=json.loads(text))
    journal = Journal(path)
    journal.append(records)
    journal.close()
    assert any("is worth" in what for what in audit(path, log)[0])


if __name__ == "__main__":
    rig.machine.build.default_view = small_view
    folder = Path(sys.argv[1])
    play(folder, Log(folder / "log.jsonl"), **{sys.argv[2]: "kill"})
