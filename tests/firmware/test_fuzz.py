"""A short run of the fuzzers, and that they see what they are there for.

By hand for longer: `make -C firmware fuzz`, then `build/fuzz-structured CORPUS fuzz/seeds`.
"""

import shutil
import subprocess
from pathlib import Path

import pytest

FIRMWARE = Path(__file__).parents[2] / "firmware"
RUNS = {"raw": 4_000, "structured": 400}
PATIENCE = 50
"""So many times as long is looked for a fault that is there: chance has its part in it."""
LUCKY = 17
"""A seed that comes upon both faults soon: most look a hundred times as long for the first."""


def fuzz(folder, name, runs, source=FIRMWARE, seed=1):
    subprocess.run(
        ["make", "-s", "-C", str(source), f"{folder}/fuzz-{name}", f"BUILD={folder}"], check=True
    )
    corpus = folder / "corpus"
    corpus.mkdir()
    return subprocess.run(
        [
            str(folder / f"fuzz-{name}"),
            *(f"-seed={seed}", f"-runs={runs}", "-max_len=300", "-len_control=0"),
            f"-artifact_prefix={folder}/",
            str(corpus),
            *([str(FIRMWARE / "fuzz" / "seeds")] if name == "structured" else []),
        ],
        capture_output=True,
        text=True,
        timeout=1200,
    )


@pytest.mark.parametrize("name", RUNS)
def test_nothing_breaks_what_must_always_hold(name, tmp_path):
    done = fuzz(tmp_path, name, RUNS[name])

    assert done.returncode == 0, done.stderr[-3000:]
    assert f"Done {RUNS[name]} runs" in done.stderr


@pytest.mark.parametrize(
    ("name", "file", "whole", "broken"),
    [
        ("structured", "state.c", "!switch_on(p) || !p->seen_off", "!switch_on(p)"),
        ("raw", "frame.c", "p->length == PUSHER_BODY_MAX", "p->length == PUSHER_BODY_MAX + 3"),
    ],
)
def test_a_broken_core_is_found_out(name, file, whole, broken, tmp_path):
    source = tmp_path / "firmware"
    shutil.copytree(FIRMWARE, source, ignore=shutil.ignore_patterns("build"))
    text = (source / "core" / file).read_text("ascii")
    assert whole in text
    (source / "core" / file).write_text(text.replace(whole, broken), "ascii")

    done = fuzz(tmp_path, name, PATIENCE * RUNS[name], source, LUCKY)

    assert done.returncode != 0
    assert "seen_off" in done.stderr or "out of bounds" in done.stderr
