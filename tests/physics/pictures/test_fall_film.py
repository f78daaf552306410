"""A film shows the fall that the side view reckons, and says how it ended."""

import pytest

from physics.fall.simulate import simulate
from physics.pictures import fall_film
from physics.pictures.fall_film import frames, verdict, watched
from physics.rows import notation
from tests.physics.pictures.test_row_picture import answer

FALLS = notation.read("3v@0,0,0;5v@20,0,0;7v@40,0,0")
STOPS = notation.read("3v@0,0,0;5v@20,0,0;7v@90,0,0")


@pytest.fixture
def rough(monkeypatch):
    """Fewer pictures a second, for time's sake."""
    monkeypatch.setattr(fall_film, "FRAMES_S", 3)


@pytest.mark.parametrize("row", [FALLS, STOPS], ids=["falls", "stops"])
def test_what_is_watched_is_the_fall_of_the_side_view(row):
    instants, fall = watched(row)
    assert fall == simulate(row.chain, row.push, row.friction)
    turned = [-angle for _, _, angle in instants[-1].boxes]
    assert turned == pytest.approx(fall.tilt_rad, abs=0.02)
    assert [x for x, _, _ in instants[0].boxes] == pytest.approx(
        [3.75, 23.75, instants[0].boxes[2][0]]
    )
    times = [instant.time_s for instant in instants]
    assert times == sorted(times) and times[0] == 0.0


def test_the_verdict_names_what_stopped_the_fall():
    assert verdict(FALLS, watched(FALLS)[1]) == "All 3 tiles fall."
    assert verdict(STOPS, watched(STOPS)[1]) == "The fall stops between 5 and 7: out of reach."


def test_the_film_runs_as_much_slower_as_it_says(rough):
    shown = list(frames(FALLS, answer(0.9, 0.6)))
    still = sum(map(round, (3 * 1.0, 3 * 3.0)))
    fall_s = watched(FALLS)[0][-1].time_s
    assert len(shown) - still == pytest.approx(3 * 4 * fall_s, abs=1)
    assert {image.size for image in shown} == {(1280, 720)}


def test_the_first_picture_the_fall_and_the_verdict_differ(rough):
    shown = [image.tobytes() for image in frames(STOPS, answer(0.9, 0.6))]
    assert shown[0] == shown[2] and shown[-1] == shown[-9]
    assert len({shown[0], shown[len(shown) // 2], shown[-10], shown[-1]}) > 2
