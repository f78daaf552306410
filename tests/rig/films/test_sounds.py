"""The sounds of a film are those of the page, and none clips."""

import re
from pathlib import Path

import numpy as np
import pytest

from rig.films import sounds

PAGE = Path(__file__).parents[3] / "web" / "static" / "core" / "sound.js"


def numbers_of(moment):
    """The numbers of a moment's notes on the page, in order."""
    body = re.search(rf"\n  {moment}\([^)]*\) {{\n(.*?)\n  }}\n", PAGE.read_text(), re.S)[1]
    return [float(n) for n in re.findall(r"(?<![\w.])\d+(?:\.\d+)?", body)]


@pytest.mark.parametrize("moment", ["accepted", "reveal", "stood", "chip"])
def test_a_moment_has_the_numbers_of_the_page(moment):
    notes = [v for note in sounds.MOMENTS[moment] for v in note if not isinstance(v, str)]
    at_once = [v for v in notes if v]
    assert at_once == numbers_of(moment)


def test_what_rises_after_a_fall_and_the_tiles_are_those_of_the_page():
    tones = sounds.MOMENTS["fell"]
    assert [*(note[2] for note in tones), 0.4, 0.4, 0.12] == numbers_of("fell")
    assert {note[4:6] for note in tones} == {(0.4, 0.4)}
    assert [note[6] for note in tones] == [0.0, 0.12, 0.24]
    assert numbers_of("tile") == [sounds.LOW_HZ, sounds.UPRIGHT_HZ, sounds.HIGHER]


def test_a_mix_is_heard_where_it_was_put_and_never_clips():
    score = [(0.5, sounds.tile(n, False)) for n in range(9)] + [(0.5, sounds.MOMENTS["reveal"])]
    mix = sounds.mixed(score, 1.0)
    assert mix.shape == (sounds.RATE,) and mix.dtype == np.float32
    assert np.max(np.abs(mix)) == pytest.approx(0.891)
    assert not mix[: sounds.RATE // 2].any() and mix[sounds.RATE // 2 :].any()


def test_the_pitch_is_the_one_that_was_asked_for():
    mix = sounds.mixed([(0.0, (("tone", "sine", 440, 440, 0.5, 0.5),))], 0.5)
    assert np.argmax(np.abs(np.fft.rfft(mix))) * 2 == pytest.approx(440, abs=4)
