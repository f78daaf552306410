"""Films on phones: a link after the push and at the end, what the host says of them, one played."""

import json
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from rig.films import reel, stage
from rig.films.film_folder import FilmFolder, films_of
from tests.support.fake_session import FakeSession
from tests.support.film_scripts import script, words
from web.factory import create_app
from web.server.server import Server

pytestmark = pytest.mark.browser

SNAPSHOTS = Path(__file__).parents[1] / "data" / "snapshots"


def sent(page):
    return page.evaluate("sent")


def test_after_a_push_its_film_is_one_link_that_saves_it(phone):
    link = phone("round-end-film").get_by_role("link", name="the film of this fall")
    assert link.get_attribute("href") == "/film/ab12-2-0a1b2c.mp4"
    assert link.get_attribute("download") == "domino-2.mp4"
    assert link.bounding_box()["height"] >= 44


def test_until_it_is_there_a_word_says_that_it_is_being_made(phone):
    verdict = json.loads((SNAPSHOTS / "phone-round-end-film.json").read_text("utf-8"))["verdict"]
    verdict["film"]["ready"] = False
    page = phone("round-end-film", verdict=verdict)
    assert page.get_by_text("The film of this fall is being made.").is_visible()
    assert page.locator(".film-link").count() == 0


def test_the_best_three_falls_stand_at_the_end_each_with_its_caption(phone):
    page = phone("final-films")
    told = page.locator(".film-word").all_inner_texts()
    assert told == [
        "Round 1: stopped at the 9",
        "Round 2: all 7 fell",
        "Round 3: 2.4 mm short",
    ]
    assert page.locator(".film").first.get_attribute("href") == "/film/ab12-1-0a1b2c.mp4"


def test_a_film_and_the_drawing_of_its_fall_tell_the_same(phone):
    shown = json.loads((SNAPSHOTS / "phone-final-films.json").read_text("utf-8"))["final"]
    films = [{**film, "best": "", "short_mm": 2.4} for film in shown["films"]]
    falls = [{**fall, "short_mm": 2.4} for fall in shown["falls"]]
    filmed = phone("final-films", final={**shown, "films": films})
    told = filmed.locator(".film-word").all_inner_texts()
    drawn = phone("final-films", final={**shown, "films": [], "falls": falls})
    assert told == drawn.locator(".ending-falls span").all_inner_texts()
    assert told[0] == "Round 1: 2.4 mm short"


def test_the_host_switches_films_names_and_language(phone):
    page = phone("films")
    page.get_by_role("button", name="Names in the films").click()
    page.get_by_role("radio", name="Українська").check()
    page.get_by_role("button", name="Make films").click()
    assert sent(page) == [
        {"type": "set_films", "names": False},
        {"type": "set_films", "language": "uk"},
        {"type": "set_films", "on": False},
    ]


def test_without_the_extra_the_host_reads_what_to_install(phone):
    page = phone("films-missing")
    assert page.get_by_role("dialog").get_by_text("domino‑rig doctor").count()
    assert page.get_by_role("button", name="Make films").count() == 0


PLAY = """() => {
  const play = async () => {
    const video = document.createElement("video");
    if (!video.canPlayType('video/mp4; codecs="avc1.640020, mp4a.40.2"')) return { able: false };
    Object.assign(video, { muted: true, src: location.href.replace("jpg", "mp4") });
    const heard = (event) => new Promise((done, fail) => {
      video.addEventListener(event, done, { once: true });
      video.addEventListener("error", () => fail(video.error.message), { once: true });
    });
    await heard("canplay");
    const { readyState, duration, videoWidth: wide, videoHeight: high } = video;
    await video.play();
    const times = [];
    while (times.length < 3) {
      await heard("timeupdate");
      times.push(video.currentTime);
    }
    const sound = video.webkitAudioDecodedByteCount;
    video.currentTime = duration - 0.3;
    await heard("ended");
    const [last, still] = [video, document.images[0]].map((picture) => {
      const paper = new OffscreenCanvas(wide, high).getContext("2d");
      paper.drawImage(picture, 0, 0);
      return paper.getImageData(0, 0, wide, high).data;
    });
    const apart = last.reduce((sum, shade, i) => sum + Math.abs(shade - still[i]), 0) / last.length;
    return { able: true, readyState, duration, wide, high, times, sound, apart };
  };
  play().then((told) => (window.told = told), (error) => (window.told = { error: `${error}` }));
}"""
"""Beside its still, play a film to the end and compare its last picture with that."""


def seen():
    """What a camera saw of a fall: shown as it is, it makes each picture of the film cheap."""
    jpeg = BytesIO()
    Image.linear_gradient("L").resize((480, 270)).save(jpeg, "JPEG")
    return [(0.0, jpeg.getvalue())]


def test_a_film_plays_in_a_browser_from_its_table_and_ends_with_its_still(visitors, tmp_path):
    session, told = FakeSession(), script(tiles=5, down=3)
    session.journal.path = tmp_path / "table.sqlite3"
    film, still = reel.make(told, words(), seen())
    FilmFolder(films_of(session.journal.path)).put("ab12-4-0a1b2c", film, still, told.names)
    page = visitors.new_page()
    page.set_default_timeout(120_000)
    with Server(create_app(session, code="PINE"), bind="127.0.0.1", port=0) as server:
        page.goto(f"http://127.0.0.1:{server.port}/film/ab12-4-0a1b2c.jpg")
        page.evaluate(PLAY)
        played = page.wait_for_function("() => window.told").json_value()
    assert "error" not in played
    if not played["able"]:
        pytest.skip("this Chromium was built without H.264 or AAC")
    assert played["readyState"] >= 3 and (played["wide"], played["high"]) == stage.SIZE
    assert played["duration"] == pytest.approx(reel.timeline(told).whole_s, abs=0.1)
    assert 0 < played["times"][0] < played["times"][-1]
    assert played["sound"] > 0 and played["apart"] < 5
