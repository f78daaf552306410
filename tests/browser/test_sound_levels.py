"""How loud each sound is beside the others, and that all of them together never clip."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

LOUDNESS = Path(__file__).parent / "loudness.js"
PAGE = (
    '<!doctype html><html lang="en"><head><title>Sound</title><link rel="icon" href="data:,">'
    '</head><body><script type="module" src="/loudness.js"></script></body></html>'
)
TARGETS_LUFS = {
    "stop": -16,
    "shout": -18,
    "fell": -20,
    "fault": -22,
    "count3": -22,
    "count2": -22,
    "count1": -22,
    "stood": -24,
    "refused": -26,
    "turn": -26,
    "accepted": -26,
    "tile": -26,
    "sealed": -28,
    "chip": -30,
    "reveal": -31,
    "tap": -34,
    "armed": -38,
}
"""The loudest 400 ms of each: STOP above all, then the call, then what came of the push; what
happens often is quiet, and the hum of an armed pusher is only just there."""
NEAR_LU = 1.0
MOST_PEAK_DB = -1.0
FULL_SCALE_SINE_LUFS = -3.01
"""By the recommendation itself: a sine of 997 Hz at full scale, in one channel."""


@pytest.fixture(scope="module")
def levels(browser, static_site):
    page = browser.new_page()
    script = LOUDNESS.read_text(encoding="utf-8")
    page.goto(f"{static_site({'/sound.html': PAGE, '/loudness.js': script})}/sound.html")
    page.wait_for_selector("body[data-ready]", state="attached")
    said = page.evaluate("levels()")
    page.close()
    return said


def test_the_measure_is_that_of_the_recommendation(levels):
    assert levels["reference"]["lufs"] == pytest.approx(FULL_SCALE_SINE_LUFS, abs=0.05)


def test_each_sound_is_as_loud_as_its_place_in_the_mix(levels):
    said = {moment: levels[moment]["lufs"] for moment in TARGETS_LUFS}
    assert said == pytest.approx(TARGETS_LUFS, abs=NEAR_LU)
    assert levels.keys() - TARGETS_LUFS.keys() == {"together", "reference"}


def test_no_sound_clips_nor_all_of_them_together(levels):
    peaks = {moment: levels[moment]["peak_db"] for moment in [*TARGETS_LUFS, "together"]}
    assert {moment: db for moment, db in peaks.items() if db > MOST_PEAK_DB} == {}
