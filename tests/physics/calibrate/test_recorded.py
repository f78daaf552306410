import json

import pytest

from physics.calibrate.recorded import read_pushes
from physics.errors import ChainError, ScenarioError

TILES = [{"x_mm": 20.0 * i, "y_mm": 0.0} for i in range(3)]


def written(tmp_path, **line):
    file = tmp_path / "pushes.jsonl"
    file.write_text(json.dumps({"tiles": TILES, **line}))
    return file


@pytest.mark.parametrize(
    ("down", "fell", "all_fell"),
    [([1, 1, 1], 3, True), ([1, 0, 0], 1, False), ([0, 0, 0], 0, False), ([1, 0, 1], 1, False)],
)
def test_a_push_got_as_far_as_the_first_tile_that_stayed(tmp_path, down, fell, all_fell):
    (push,) = read_pushes([written(tmp_path, nominal_fall=down)])
    assert (push.fell, push.all_fell) == (fell, all_fell)


@pytest.mark.parametrize("down", [None, [1, 1], [1, 1, 2], "fell"])
def test_a_push_of_which_nobody_knows_what_fell_is_refused(tmp_path, down):
    with pytest.raises(ScenarioError, match=r"line 1: nominal_fall: expected a list of 3"):
        read_pushes([written(tmp_path, nominal_fall=down)])


def test_a_row_that_cannot_be_predicted_is_refused_before_any_falls(tmp_path):
    far = [*TILES, {"x_mm": 900.0, "y_mm": 0.0}]
    with pytest.raises(ChainError, match=r"pushes\.jsonl, line 1: tile 4 .* out of"):
        read_pushes([written(tmp_path, tiles=far, nominal_fall=[1, 1, 1, 0])])
