"""A film of a push: what phones need of its file, how long it is, what is to be seen in it."""

import shutil
import subprocess
from dataclasses import replace
from io import BytesIO

import av
import cv2
import numpy as np
import pytest
from PIL import Image

from physics.errors import PhysicsError
from physics.pictures import movie
from rig.films import reel, stage
from rig.films.film_script import Voter
from rig.games.estimation.terms import Side
from tests.support.film_scripts import script, words
from tests.support.words import LANGUAGES


@pytest.fixture(scope="module")
def made():
    return reel.make(script(tiles=5, down=3), words())


def test_phones_galleries_take_it(made, tmp_path):
    film = made[0]
    with av.open(BytesIO(film)) as container:
        video, voice = container.streams.video[0], container.streams.audio[0]
        assert (video.codec_context.name, video.codec_context.profile) == ("h264", "High")
        assert (video.width, video.height, video.average_rate) == (1280, 720, 30)
        assert video.codec_context.pix_fmt == "yuv420p"
        assert (voice.codec_context.name, voice.codec_context.profile) == ("aac", "LC")
        assert 6.0 <= container.duration / av.time_base <= 8.0
    assert film.index(b"moov") < film.index(b"mdat")
    assert len(film) < 3_000_000


def test_ffprobe_says_the_same(made, tmp_path):
    if shutil.which("ffprobe") is None:
        return  # PyAV has looked at it
    (tmp_path / "film.mp4").write_bytes(made[0])
    asked = "stream=codec_name,profile,pix_fmt"
    order = ["ffprobe", "-v", "error", "-show_entries", asked, "-of", "csv=p=0", "film.mp4"]
    told = subprocess.run(order, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert told.split() == ["h264,High,yuv420p", "aac,LC"]


def test_it_is_heard_and_does_not_clip(made):
    with av.open(BytesIO(made[0])) as container:
        heard = np.concatenate([f.to_ndarray().ravel() for f in container.decode(audio=0)])
    assert 0.8 < np.max(np.abs(heard)) < 1.0


@pytest.mark.parametrize("down", [0, 1, 5, 10])
@pytest.mark.parametrize("step_ms", [40, 90, 500])
def test_every_film_takes_six_to_eight_seconds(down, step_ms):
    told = reel.timeline(script(tiles=10, down=down, step_ms=step_ms))
    assert 6.0 - 1 / 30 <= told.whole_s <= 8.0
    assert told.slower <= 2.0


def test_a_usual_fall_is_shown_at_half_speed():
    assert reel.timeline(script(tiles=9)).slower == 2.0


def test_ballots_lie_on_their_faces_before_they_turn():
    """Nothing tells two sides apart until all ballots turn together."""
    turned = [stage.ballot(voter, 0, 2, 0.4) for voter in script().voters]
    assert turned[0] == turned[1]
    assert len({stage.ballot(voter, 0, 2, 1.0) for voter in script().voters}) == len(Side)


def test_the_fall_moves_and_the_verdict_stands(made):
    with av.open(BytesIO(made[0])) as container:
        frames = list(container.decode(video=0))

    def grey(number):
        return frames[number].to_ndarray(format="gray").astype(int)

    times = reel.timeline(script(tiles=5, down=3))
    middle = round((times.falls_at_s + 0.4) * reel.RATE)
    assert np.abs(grey(middle) - grey(middle + 4)).mean() > 0.1
    assert np.abs(grey(-1) - grey(-10)).mean() < 0.5
    still = np.asarray(Image.open(BytesIO(made[1])).convert("L")).astype(int)
    assert np.abs(grey(-1) - still).mean() < 5


def test_what_the_camera_saw_is_shown_where_it_saw_anything():
    shades = [40, 90, 140, 190]
    seen = [
        (i / 10, cv2.imencode(".jpg", np.full((270, 480, 3), shade, np.uint8))[1].tobytes())
        for i, shade in enumerate(shades)
    ]
    told = reel.Reel(script(tiles=5, down=3), words(), seen)
    middles = [int(picture[330, 640].mean()) for picture in told.pictures()]
    assert {min(shades, key=lambda s: abs(s - v)) for v in middles[-60:]} == {190}
    assert all(any(abs(v - shade) < 3 for v in middles) for shade in shades)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_of_a_film_is_there_in_every_language(language):
    assert [key for key in reel.WORDS if not isinstance(words(language).get(key), str)] == []


def test_a_place_that_nobody_named_is_not_left_in_a_sentence():
    for down in (0, 3, 5):
        told = reel.Reel(script(tiles=5, down=down), words())
        assert not any("{" in said for said in told._outcome_said())


@pytest.mark.parametrize(
    ("language", "missing"), [("en", "2.4 mm short"), ("de", "2,4 mm fehlten")]
)
def test_how_much_a_row_was_short_of_is_said_as_in_the_films_caption(language, missing):
    near = replace(script(tiles=5, down=3, language=language), short_mm=2.4)
    _, line = reel.Reel(near, words(language))._outcome_said()
    assert missing in line and words(language)["table.fall.short"].endswith(missing[3:])


def test_without_the_encoder_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "av", None)
    with pytest.raises(PhysicsError, match="the extra film"):
        movie.require()


def test_a_name_may_have_signs_that_no_xml_may_hold():
    rails = [stage.rail((Voter(name, "circle", "success"),)) for name in ("a\ufffe", "a\ufffd")]
    assert stage.picture_of(rails[0]) == stage.picture_of(rails[1])
