import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.row.tile import Orientation
from vision.marks.sticker import CELLS, SHIPPED, BadMarks, distance, load_marks

MARKS = load_marks()
VALUES = sorted(MARKS.words)


def samples(word, ink=20.0, paper=200.0):
    return np.array([paper if cell == "1" else ink for cell in word])


def test_every_value_of_the_set_has_a_word():
    assert list(range(1, 12)) == VALUES
    assert all(len(word) == CELLS for word in MARKS.words.values())


def test_words_stay_three_cells_apart_in_both_reading_directions():
    for one in VALUES:
        for two in VALUES:
            if one != two:
                assert distance(MARKS.words[one], MARKS.words[two]) >= 3
                assert distance(MARKS.words[one], MARKS.words[two][::-1]) >= 3


def test_a_word_is_four_cells_from_its_own_reverse():
    for word in MARKS.words.values():
        assert distance(word, word[::-1]) >= 4


@given(st.sampled_from(VALUES), st.booleans(), st.floats(1, 100), st.floats(110, 255))
def test_every_word_is_read_in_both_directions_at_any_contrast(value, backwards, ink, paper):
    word = MARKS.words[value][::-1] if backwards else MARKS.words[value]
    (reading,) = MARKS.read(samples(word, ink, paper)[None])
    assert (reading.value, reading.backwards) == (value, backwards)
    assert reading.score == pytest.approx(1.0)
    assert reading.margin > 0.35


@given(st.sampled_from(VALUES), st.integers(0, CELLS - 1))
def test_one_wrong_cell_is_never_read_with_confidence(value, cell):
    word = MARKS.words[value]
    flipped = word[:cell] + ("0" if word[cell] == "1" else "1") + word[cell + 1 :]
    (reading,) = MARKS.read(samples(flipped)[None])
    assert reading.value == value or reading.score < 0.92


def test_nine_equal_cells_say_nothing():
    (reading,) = MARKS.read(np.full((1, CELLS), 128.0))
    assert reading.score == 0.0


@pytest.mark.parametrize("orientation", list(Orientation))
def test_the_drawing_has_the_size_of_the_paper_and_reads_as_its_value(orientation):
    sticker = MARKS.sticker(orientation)
    for value in VALUES:
        image = MARKS.draw(value, orientation, px_per_mm=10.0)
        assert image.shape == (round(10 * sticker.sticker_mm[1]), round(10 * sticker.sticker_mm[0]))
        columns = [
            math.floor((x + sticker.sticker_mm[0] / 2) * 10) for x in sticker.cell_centres_mm
        ]
        row = image[image.shape[0] // 2, columns].astype(float)
        (reading,) = MARKS.read(row[None])
        assert (reading.value, reading.backwards) == (value, False)


def test_the_drawing_keeps_walls_and_rim():
    image = MARKS.draw(9, Orientation.VERTICAL, px_per_mm=10.0)
    assert image[0].min() == 255 and image[:, 0].min() == 255
    assert image[9 : 9 + 13, 9 : 9 + 16].max() == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"codewords": {"1": "0000"}}, "9 cells"),
        ({"codewords": {"1": "000011110", "2": "0001"}}, "the word of 2 must be 9 cells"),
        ({"codewords": {}}, "has no word"),
        ({"codewords": {"1": "000011110", "2": "000011111"}}, "reverse|alike"),
        ({"codewords": {"4": "111101111"}}, "reverse"),
        ({"codewords": None}, "not a file of marks"),
        ({"marks": {}}, "short is missing"),
    ],
)
def test_a_bad_file_of_marks_is_refused_by_name(tmp_path, change, words):
    path = tmp_path / "marks.json"
    path.write_text(json.dumps({**json.loads(SHIPPED.read_text()), **change}))
    with pytest.raises(BadMarks, match=words) as caught:
        load_marks(path)
    assert str(path) in str(caught.value)


def test_a_file_nested_without_end_is_no_file_of_marks(tmp_path):
    path = tmp_path / "deep.json"
    path.write_text("[" * 100_000)
    with pytest.raises(BadMarks, match=r"deep\.json"):
        load_marks(path)


def test_a_file_of_marks_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadMarks, match="nowhere"):
        load_marks(tmp_path / "nowhere.json")
