"""The sounds of a film are those of the page at its levels, and none clips."""

import re
from pathlib import Path

import numpy as np
import pytest

from rig.films import reel, sounds
from tests.support.film_scripts import script, words

PAGE = (Path(__file__).parents[3] / "web" / "static" / "core" / "sound.js").read_text("utf-8")
MIX = {
    name: float(level)
    for name, level in re.findall(
        r"(\w+): ([\d.]+),", re.search(r"\nexport const MIX = {\n(.*?)\n};\n", PAGE, re.S)[1]
    )
}
MOST = float(re.search(r"\nconst MOST = ([\d.]+);", PAGE)[1])
QUIET = 1e-3
"""At such a level nothing is bent."""


def numbers_of(moment):
    """The numbers of a moment's notes on the page, in order."""
    body = re.search(rf"\n  {moment}\([^)]*\) {{\n(.*?)\n  }}\n", PAGE, re.S)[1]
    return [float(n) for n in re.findall(r"(?<![\w.])\d+(?:\.\d+)?", body)]


@pytest.mark.parametrize("moment", ["accepted", "reveal", "stood", "chip"])
def test_a_moment_has_the_numbers_of_the_page(moment):
    notes = [v for note in sounds.NOTES[moment] for v in note if not isinstance(v, str)]
    at_once = [v for v in notes if v]
    assert at_once == numbers_of(moment)


def test_what_rises_after_a_fall_and_the_tiles_are_those_of_the_page():
    tones = sounds.NOTES["fell"]
    assert [*(note[2] for note in tones), 0.4, 0.4, 0.12] == numbers_of("fell")
    assert {note[4:6] for note in tones} == {(0.4, 0.4)}
    assert [note[6] for note in tones] == [0.0, 0.12, 0.24]
    assert numbers_of("tile") == [sounds.LOW_HZ, sounds.UPRIGHT_HZ, sounds.HIGHER]


def test_a_mix_is_heard_where_it_was_put_and_never_clips():
    score = [(0.5, sounds.tile(n, False)) for n in range(9)] + [(0.5, sounds.moment("reveal"))]
    mix = sounds.mixed(score, 1.0)
    assert mix.shape == (sounds.RATE,) and mix.dtype == np.float32
    assert 0.8 < np.max(np.abs(mix)) <= MOST
    assert not mix[: sounds.RATE // 2].any() and mix[sounds.RATE // 2 :].any()


def test_the_pitch_is_the_one_that_was_asked_for():
    tone = sounds.Sound(1.0, (("tone", "sine", 440, 440, 0.5, 0.5),))
    mix = sounds.mixed([(0.0, tone)], 0.5)
    assert np.argmax(np.abs(np.fft.rfft(mix))) * 2 == pytest.approx(440, abs=4)


def level_db(samples, *spans_s):
    """The energy of some spans of a track."""
    parts = [samples[round(a * sounds.RATE) : round(b * sounds.RATE)] for a, b in spans_s]
    return 10 * np.log10(np.sum(np.square(np.concatenate(parts, dtype=float))))


def as_on_the_page(name, moment):
    """The samples of a moment at the page's level, bent as there."""
    plain = sounds.mixed([(0.0, moment._replace(level=QUIET))], 2.0).astype(float) / QUIET
    return MOST * np.tanh(MIX[name] * plain / MOST)


def test_the_mix_is_that_of_the_page():
    assert {name: MIX[name] for name in sounds.MIX} == sounds.MIX
    assert sounds.NOTES.keys() < sounds.MIX.keys()


@pytest.mark.parametrize(
    ("name", "down"),
    [
        *(("accepted", 3), ("reveal", 3), ("tile", 3), ("stood", 3), ("chip", 3)),
        *(("tile", 5), ("fell", 5)),
    ],
)
def test_in_the_track_of_a_film_each_sound_has_its_level_of_the_mix(name, down):
    told = script(tiles=5, down=down)
    times, track = reel.timeline(told), reel.Reel(told, words()).sound()
    at_s = times.told_at_s
    chip_s = (at_s + 0.34, at_s + 0.42)
    spans_s = {
        "accepted": [(0.0, reel.ROW_S)],
        "reveal": [(reel.ROW_S, times.falls_at_s)],
        "tile": [(times.falls_at_s, at_s)],
        "stood": [(at_s, chip_s[0]), (chip_s[1], times.whole_s)],
        "chip": [chip_s],
        "fell": [(at_s, chip_s[0])],
    }
    low = {tile.value: tile.orientation == "horizontal" for tile in told.row}
    tiles = [sounds.tile(n, low[tip.value]) for n, tip in enumerate(told.tips)]
    moments = tiles if name == "tile" else [sounds.moment(name)]
    asked = np.concatenate([as_on_the_page(name, moment) for moment in moments])
    asked_s = 0.34 if name == "fell" else 100.0  # then a chip sounds with it
    heard_db = level_db(track, *spans_s[name])
    assert heard_db == pytest.approx(level_db(asked, (0.0, asked_s)), abs=0.1)
