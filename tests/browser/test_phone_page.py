"""The whole page of a phone against a pretended table: what it sends, says and remembers."""

import functools
import json
from pathlib import Path

import pytest
from playwright.sync_api import TimeoutError

from tests.support.stages import shell

pytestmark = pytest.mark.browser

SNAPSHOTS = Path(__file__).parents[1] / "data" / "snapshots"
PAGE = {
    "/play.html": shell(
        'class="phone" data-v',
        title="Phone",
        scripts="""<script src="/pretend.js"></script>
<script type="module" src="/static/phone.js"></script>""",
    )
}
"""The page, and beside it, for each test, `/pretend.js` with the table."""
PIXEL = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" width="1" height="1"/>'
PRETEND = """
window.posts = [];
window.answers = [];
window.streams = [];
window.EventSource = class extends EventTarget {
  constructor() { super(); streams.push(this); }
  close() {}
};
window.say = (snapshot) => streams.at(-1).onmessage({ data: JSON.stringify(snapshot) });
const real = window.fetch.bind(window);
window.fetch = async (url, options) => {
  if (url.startsWith("/locales/")) return real(url, options);
  if (url.startsWith("api/state")) return new Response(JSON.stringify(window.state));
  posts.push(JSON.parse(options.body));
  const [status, answer] = answers.shift() ?? [200, { ok: true, v: 124 }];
  return new Response(JSON.stringify(answer), { status });
};
"""


def snapshot(name, **changes):
    text = (SNAPSHOTS / f"phone-{name}.json").read_text(encoding="utf-8")
    return {**json.loads(text), **changes}


@pytest.fixture(scope="module")
def site(static_site):
    return static_site(PAGE)


@pytest.fixture(scope="module")
def window_in(browser):
    """A window of each language, in which the tests open the page: it keeps the page's files."""
    contexts = []

    @functools.cache
    def open_window(locale):
        context = browser.new_context(viewport={"width": 390, "height": 844}, locale=locale)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(120_000)
        page.clock.install()
        return page

    yield open_window
    for context in contexts:
        context.close()


@pytest.fixture
def phone(window_in, site, heard):
    """Open the page anew on a saved snapshot: `phone("others")`; it remembers nothing."""

    def open_phone(name, locale="en-GB"):
        page = heard(window_in(locale))
        page.emulate_media(reduced_motion="reduce")
        if page.url.startswith(site):
            page.evaluate("localStorage.clear(), sessionStorage.clear()")
        PAGE["/pretend.js"] = f"{PRETEND}\nwindow.state = {json.dumps(snapshot(name))};"
        page.goto(f"{site}/play.html")
        wait(page, "body[data-phase]")
        wait(page, "body[data-game]")
        page.clock.run_for(100)
        return page

    return open_phone


def wait(page, selector):
    """Let the page's clock run until something is there; what is fetched takes its own time."""
    for _ in range(100):
        page.clock.run_for(50)
        try:
            page.locator(selector).first.wait_for(state="attached", timeout=100)
        except TimeoutError:
            continue
        return
    pytest.fail(f"{selector} never came")


def say(page, shown):
    page.evaluate("shown => say(shown)", shown)
    page.clock.run_for(100)


def answer(page, status, **words):
    page.evaluate("each => answers.push(each)", [status, words])


def sent(page):
    posts = page.evaluate("posts")
    return [
        {k: v for k, v in each.items() if k not in ("id", "phase_id", "until_ms")} for each in posts
    ]


def test_the_page_shows_what_the_table_says_and_its_version(phone):
    page = phone("others")
    assert page.locator("[data-screen=others]").count() == 1
    say(page, snapshot("ballot", v=130))
    assert page.locator("body").get_attribute("data-v") == "130"
    wait(page, "[data-screen=ballot]")


def test_the_language_is_the_browsers_until_another_is_chosen(phone):
    page = phone("others", locale="uk-UA")
    assert page.evaluate("document.documentElement.lang") == "uk"
    page.get_by_role("button", name="Меню").click()
    wait(page, "[role=dialog]")
    page.get_by_role("radio", name="Български").check()
    wait(page, "html[lang=bg]")
    page.reload()
    wait(page, "html[lang=bg]")


def test_a_lost_link_is_a_word_after_a_second_and_a_sheet_after_ten(phone):
    page = phone("others")
    page.evaluate("window.fetch = () => Promise.reject(new TypeError('no network')), 0")
    page.evaluate("streams.at(-1).onerror()")
    page.clock.run_for(600)
    assert page.locator(".rail-word").inner_text() == "Round 2 of 3"
    page.clock.run_for(900)
    assert page.locator(".rail-word").inner_text() == "No link…"
    assert "No link" in page.locator(".dome").inner_text()
    page.clock.run_for(10000)
    assert page.locator("[role=alertdialog]").count() == 1
    say(page, snapshot("others", v=140))
    assert page.locator("[role=alertdialog]").count() == 0


def test_a_refusal_is_said_in_words_and_the_draft_stays(phone):
    page = phone("turn")
    page.get_by_role("button", name="Take the 7").click()
    wait(page, "[data-screen=stand]")
    answer(page, 409, ok=False, reason="looking", message="One moment.")
    page.get_by_role("button", name="Stand it here").click()
    wait(page, ".notice")
    assert "the camera is looking" in page.locator(".notice").inner_text()
    assert page.locator("[data-screen=stand]").count() == 1


DEAD_NET = """() => {
  window.fetch = async (url) => {
    posts.push(url);
    return url.startsWith("/locales/") ? new Promise(() => {}) : Promise.reject(new TypeError());
  };
}"""
"""A net that fails to send and never answers a question for words."""


def test_that_a_call_did_not_get_through_is_said_in_words_that_are_there(slowly):
    page = slowly("others")
    page.evaluate(DEAD_NET)
    page.locator(".dome").dispatch_event("pointerdown", {"button": 0})
    page.clock.run_for(100)
    (said,) = page.locator(".notice").all_inner_texts()
    assert said.startswith("That did not get through.")
    assert page.evaluate("posts") == ["api/command"]


def test_a_refusal_whose_words_do_not_come_is_said_in_others(slowly):
    page = slowly("others")
    page.evaluate("""() => {
      window.fetch = async (url) => url.startsWith("/locales/") ? new Promise(() => {})
        : new Response('{"ok": false, "reason": "placer"}', { status: 409 });
    }""")
    page.locator(".dome").dispatch_event("pointerdown", {"button": 0})
    page.clock.run_for(3100)
    said = page.locator(".notice").all_inner_texts()
    assert said == ["The referee says no. Look at the table again."]


def test_a_tile_taken_back_is_in_the_hand_again_where_it_stood(phone):
    page = phone("turn")
    page.get_by_role("button", name="Take the 7").click()
    wait(page, "[data-screen=stand]")
    page.get_by_role("button", name="Turn 15 degrees to the left").click()
    page.get_by_role("button", name="Stand it here").click()
    wait(page, "[data-screen=reading]")
    stood = sent(page)[-1]
    reading = {"state": "proposal", "tile": {**stood, "value": 7}, "position": 6, "violations": []}
    may = {**snapshot("turn")["may"], "confirm": True, "take_back": True}
    say(page, snapshot("turn", v=131, reading=reading, may=may))
    page.get_by_role("button", name="Take it back").click()
    page.clock.run_for(100)
    say(page, snapshot("turn", v=132))
    wait(page, "[data-screen=stand]")
    page.get_by_role("button", name="Stand it here").click()
    assert sent(page)[-1] == stood


def test_two_quick_taps_take_a_tile_back_once(phone):
    page = phone("turn")
    reading = snapshot("reading", you=snapshot("turn")["you"])["reading"]
    may = {**snapshot("turn")["may"], "confirm": True, "take_back": True}
    say(page, snapshot("turn", v=131, reading=reading, may=may))
    # Taken, and not shown by the table yet: so it is between two quick taps.
    answer(page, 200, ok=True, v=132)
    page.get_by_role("button", name="Take it back").dblclick()
    page.clock.run_for(100)
    assert [each["type"] for each in sent(page)] == ["take_back"]


def test_two_quick_taps_call_two_bots(phone):
    page = phone("lobby-host")
    page.get_by_role("button", name="Add a bot").dblclick()
    page.clock.run_for(100)
    assert [each["type"] for each in sent(page)] == ["add_bot", "add_bot"]


def test_nothing_can_be_pressed_while_a_game_against_bots_begins_by_itself(phone):
    page = phone("join-solo")
    page.get_by_role("button", name="Play against two bots").click()
    page.clock.run_for(100)
    say(page, snapshot("lobby-host", v=130))
    assert page.inner_text("h1") == "Coming to the table…"
    assert page.get_by_role("button").count() == 0
    say(page, snapshot("turn", v=131))
    wait(page, "[data-screen=turn]")


def test_the_words_over_a_picture_change_once_the_other_picture_is_there(phone):
    page, held = phone("others"), []
    page.route("**/picture/12.jpg", lambda r: r.fulfill(body=PIXEL, content_type="image/svg+xml"))
    page.route("**/picture/11.jpg", lambda r: held.append(r))
    say(page, snapshot("verdict-before", v=131))
    turn = page.locator(".frame-turn")
    with page.expect_request("**/picture/11.jpg"):
        turn.click()
    page.clock.run_for(100)
    assert turn.inner_text() == "Tap: before the push"
    held.pop().fulfill(body=PIXEL, content_type="image/svg+xml")
    wait(page, ".frame-turn:has-text('Tap: after the push')")
    for number in (11, 12):
        page.unroute(f"**/picture/{number}.jpg")


def test_the_words_about_a_picture_cover_nothing_of_it(phone):
    page = phone("others")
    say(page, snapshot("verdict-before", v=131))
    wait(page, ".frame-word")
    picture, word = (page.locator(part).bounding_box() for part in (".frame", ".frame-word"))
    assert picture["y"] + picture["height"] <= word["y"]


@pytest.fixture
def slowly(phone):
    """Open the page as `phone` does, with a clock that runs only where a test lets it."""
    opened = []

    def open_slowly(name):
        page = phone(name)
        page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
        opened.append(page)
        return page

    yield open_slowly
    for page in opened:
        page.clock.resume()


def middle(page, selector):
    box = page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_finger_on_its_way_to_the_dome_votes_for_nothing(slowly, motion):
    page = slowly("others")
    page.emulate_media(reduced_motion=motion)
    x, y = middle(page, ".dome")
    say(page, snapshot("ballot", v=131))
    assert page.locator(".dome-early").count() == 1
    right = x + 60  # between the two answers there is nothing to press
    page.mouse.click(right, y)
    page.clock.run_for(900)
    assert page.locator(".answer").count() == 2
    page.mouse.click(right, y)
    page.clock.run_for(100)
    assert sent(page) == []
    page.clock.run_for(500)
    page.mouse.click(right, y)
    page.clock.run_for(100)
    assert [each["type"] for each in sent(page)] == ["vote"]


def test_by_keys_a_ballot_is_cast_as_soon_as_it_is_there(slowly):
    page = slowly("others")
    say(page, snapshot("ballot", v=131))
    page.clock.run_for(900)
    page.locator(".answer-failure").focus()
    page.keyboard.press("Enter")
    assert sent(page) == [{"type": "vote", "side": "failure"}]


def test_a_page_loaded_anew_in_a_vote_has_the_ballot_at_once(slowly):
    page = slowly("ballot")
    page.mouse.click(*middle(page, ".answer-success"))
    assert sent(page) == [{"type": "vote", "side": "success"}]


def test_a_thumb_on_its_way_to_i_object_does_not_end_the_round(slowly):
    page = slowly("verdict")
    objects = page.get_by_role("button", name="I object").bounding_box()
    x, y = objects["x"] + objects["width"] / 2, objects["y"] + objects["height"] / 2
    may = {**snapshot("round-end")["may"], "next": True}
    say(page, snapshot("round-end", v=131, may=may))
    lamp = page.locator(".key-lamp").bounding_box()
    assert lamp["x"] < x < lamp["x"] + lamp["width"] and lamp["y"] < y < lamp["y"] + lamp["height"]
    page.mouse.click(x, y)
    page.clock.run_for(500 - 100)
    page.mouse.click(x, y)
    assert sent(page) == []
    page.clock.run_for(200)
    page.mouse.click(x, y)
    assert sent(page) == [{"type": "next"}]


def lobby(ready, v):
    """The lobby of a player who is ready, or not yet."""
    shown = snapshot("lobby", v=v)
    own = shown["you"]["seat"]
    seats = [{**each, "ready": ready or each["seat"] != own} for each in shown["seats"]]
    return {**shown, "seats": seats}


def test_ready_twice_is_ready_and_begins_nothing(slowly):
    page = slowly("lobby")
    say(page, lobby(False, 131))
    page.clock.run_for(600)
    x, y = middle(page, ".foot .key")
    page.mouse.click(x, y)
    say(page, lobby(True, 132))
    assert page.inner_text(".foot .key") == "Not ready after all"
    page.mouse.click(x, y)
    page.clock.run_for(100)
    assert sent(page) == [{"type": "ready", "on": True}]


def test_who_has_a_new_name_is_offered_it_at_the_next_table(phone):
    page = phone("others")
    page.get_by_role("button", name="Menu").click()
    page.locator("#rename").fill("Mouse")
    page.get_by_role("button", name="Rename").click()
    page.clock.run_for(100)
    assert sent(page) == [{"type": "rename", "name": "Mouse"}]
    assert page.get_by_role("dialog").count() == 0
    left = [seat for seat in snapshot("join")["seats"] if seat["seat"] != "s4"]
    say(page, snapshot("join", v=131, ui={}, seats=left))
    wait(page, "[data-screen=join]")
    assert page.locator("#name").input_value() == "Mouse"


def test_two_quick_taps_on_leaving_leave_nothing(slowly):
    page = slowly("others")
    page.get_by_role("button", name="Menu").click()
    wait(page, ".menu-last .key")
    page.clock.run_for(600)
    page.locator(".menu-last .key").scroll_into_view_if_needed()
    x, y = middle(page, ".menu-last .key")
    page.mouse.click(x, y)
    page.clock.run_for(100)
    assert page.inner_text(".menu-last .key") == "Leave for good? Press again"
    page.clock.run_for(200)
    page.mouse.click(x, y)
    assert [each for each in sent(page) if each["type"] == "leave"] == []
    page.clock.run_for(600)
    page.mouse.click(*middle(page, ".menu-last .key"))
    assert sent(page)[-1] == {"type": "leave"}


def test_a_key_that_was_there_before_can_be_pressed_whatever_else_has_come(slowly):
    page = slowly("verdict")
    say(page, snapshot("verdict", v=131, paused_by=None))
    say(page, snapshot("verdict", v=132))
    page.mouse.click(*middle(page, ".foot .key-lamp"))
    assert sent(page) == [{"type": "agree"}]


def test_stop_the_ring_and_what_closes_a_sheet_wait_for_nobody(slowly):
    page = slowly("others")
    say(page, snapshot("push-ready", v=131))
    page.mouse.click(*middle(page, ".stop"))
    answer(page, 200, ok=True, v=132, nonce="n-1")
    page.mouse.move(*middle(page, ".hold"))
    page.mouse.down()
    page.mouse.up()
    page.clock.run_for(100)
    assert [each["type"] for each in sent(page)][:2] == ["stop", "hold"]
    page.mouse.click(*middle(page, ".rail-menu"))
    wait(page, "[role=dialog]")
    assert page.locator(".sheet-head .key").evaluate(
        """(key) => {
          const { x, y, width, height } = key.getBoundingClientRect();
          return key.contains(document.elementFromPoint(x + width / 2, y + height / 2));
        }"""
    )


def call(page):
    """Press the dome, and wait until the call is on its way."""
    page.locator(".dome").dispatch_event("pointerdown", {"button": 0})
    wait(page, ".dome-sent")


def test_whoever_was_a_blink_late_is_told_kindly(phone):
    page = phone("others")
    call(page)
    say(page, snapshot("ballot-caller-late", v=131))
    assert "was a blink earlier" in page.locator(".dome-early").inner_text()
    page.clock.run_for(2000)
    assert "38 ms" in page.locator("[data-screen=ballot] .kicker").inner_text()
    assert sent(page) == [{"type": "call"}]


def test_a_first_tile_that_stands_unconfirmed_is_not_asked_for_again(phone):
    page = phone("others-fresh")
    assert page.inner_text(".dome-line") == "Somebody has to stand a tile first"
    reading = snapshot("others-proposal")["reading"]
    say(page, snapshot("others-fresh", v=131, reading=reading))
    wait(page, ".hint:has-text('has placed')")
    assert page.inner_text(".dome-line") == "Wait until this tile counts"


def test_whoever_called_in_their_own_turn_is_not_told_that_they_are_next(phone):
    page = phone("turn")
    call(page)
    seat = snapshot("turn")["you"]["seat"]
    shout = {"caller": seat, "late": []}
    say(page, snapshot("ballot", v=131, shout=shout, active=seat, you=snapshot("turn")["you"]))
    wait(page, ".dome-recorded")
    assert page.inner_text("h1") == "Will the whole row fall?"


def test_whoever_called_gets_a_ballot_even_if_the_clock_is_set_back(phone):
    page = phone("others")
    call(page)
    now = page.evaluate("Date.now()")
    say(page, snapshot("ballot-caller-late", v=131, now_ms=now + 9000))
    assert page.locator(".dome-early").count() == 1
    for v in range(132, 138):
        say(page, snapshot("ballot-caller-late", v=v, now_ms=now))
    page.clock.run_for(1000)
    assert page.locator("[data-screen=ballot]").count() == 1


@pytest.mark.parametrize(
    ("name", "motion", "lit"),
    [
        ("ballot", "no-preference", [True, False]),
        ("ballot", "reduce", []),
        ("ballot-first", "no-preference", []),
    ],
)
def test_a_phone_that_cannot_vibrate_lights_once_at_anothers_domino(phone, name, motion, lit):
    page = phone("others")
    page.emulate_media(reduced_motion=motion)
    page.evaluate("Object.defineProperty(navigator, 'vibrate', { value: undefined })")
    you = snapshot(name)["you"]
    say(page, snapshot("others", v=130, you=you))
    page.evaluate("""() => {
      const under = document.querySelector(".under");
      window.lit = [];
      const look = () => lit.push(under.classList.contains("is-lit"));
      new MutationObserver(look).observe(under, { attributeFilter: ["class"] });
    }""")
    say(page, snapshot(name, v=131))
    page.clock.run_for(200)
    assert page.evaluate("lit") == lit


@pytest.mark.parametrize("hold_ms", [1500, 3000])
def test_a_thumb_held_as_long_as_the_table_asks_pushes_once(phone, hold_ms):
    page = phone("push-ready")
    shown = snapshot("push-ready", v=130)
    say(page, {**shown, "push": {**shown["push"], "hold_ms": hold_ms}})
    answer(page, 200, ok=True, v=131, nonce="n-1")
    box = page.locator(".hold").bounding_box()
    page.mouse.move(box["x"] + 90, box["y"] + 90)
    page.mouse.down()
    page.clock.run_for(hold_ms / 2)  # half is left for a machine that is slow to answer
    assert sent(page) == [{"type": "hold"}]
    page.clock.run_for(hold_ms)
    assert sent(page) == [{"type": "hold"}, {"type": "push", "nonce": "n-1"}]
    page.mouse.up()
    page.clock.run_for(500)
    assert len(sent(page)) == 2


def test_a_thumb_lifted_early_releases(phone):
    page = phone("push-ready")
    answer(page, 200, ok=True, v=124, nonce="n-1")
    box = page.locator(".hold").bounding_box()
    page.mouse.move(box["x"] + 90, box["y"] + 90)
    page.mouse.down()
    page.clock.run_for(900)
    page.mouse.up()
    page.clock.run_for(2000)
    assert [each["type"] for each in sent(page)] == ["hold", "release"]


def test_a_seat_that_was_emptied_is_said_on_the_join_page(phone):
    page = phone("others")
    left = [seat for seat in snapshot("join")["seats"] if seat["seat"] != "s4"]
    say(page, snapshot("join", v=131, ui={}, seats=left))
    assert page.locator("[data-screen=join] .notice").inner_text() == "Your seat is empty now."


def watching(name, **changes):
    return snapshot(name, you={"role": "watcher", "seat": None, "host": False}, **changes)


def test_whoever_comes_into_a_running_game_says_which_seat_was_theirs(phone):
    page = phone("join-running")
    seats = snapshot("join-running")["seats"]
    seats[1] = {**seats[1], "connected": False}
    say(page, snapshot("join-running", v=131, seats=seats, claims=[]))
    assert page.locator("h1").inner_text().replace("\n", " ") == "Which seat was yours?"
    page.get_by_role("button", name=seats[1]["name"]).click()
    page.clock.run_for(100)
    assert sent(page) == [{"type": "claim_seat", "seat": seats[1]["seat"]}]
    asked = [{"seat": seats[1]["seat"], "claim": None}]
    say(page, snapshot("join-running", v=132, seats=seats, claims=asked))
    assert f"are you {seats[1]['name']}?" in page.locator("h1").inner_text().replace("\n", " ")


def test_a_phone_that_another_was_quicker_than_reads_that_and_nothing_else(phone):
    page = phone("join-running")
    seats = snapshot("join-running")["seats"]
    seats[1] = {**seats[1], "connected": False}
    say(page, snapshot("join-running", v=131, seats=seats, claims=[]))
    answer(page, 409, ok=False, reason="claimed")
    page.get_by_role("button", name=seats[1]["name"]).click()
    page.clock.run_for(100)
    asked = [{"seat": seats[1]["seat"], "claim": None}]
    say(page, snapshot("join-running", v=132, seats=seats, claims=asked))
    wait(page, "text=Another phone asks for this seat.")
    assert "The host is asked" not in page.locator(".pad").inner_text()


def test_the_host_lets_a_phone_back_to_its_seat_with_one_tap(phone):
    page = phone("others")
    you = {"role": "seat", "seat": snapshot("others")["you"]["seat"], "host": True}
    claims = [{"seat": "s3", "claim": "c1"}]
    say(page, snapshot("others", v=131, you=you, claims=claims))
    page.get_by_role("button", name="Yes", exact=True).click()
    page.clock.run_for(100)
    assert sent(page) == [{"type": "grant_seat", "seat": "s3", "claim": "c1", "on": True}]


def test_a_former_host_learns_who_has_the_drawer(phone):
    page = phone("others")
    seat = snapshot("others")["you"]["seat"]
    say(page, snapshot("others", v=131, you={"role": "seat", "seat": seat, "host": True}))
    seats = [{**each, "host": each["seat"] == "s3"} for each in snapshot("others")["seats"]]
    you = {"role": "seat", "seat": seat, "host": False}
    say(page, snapshot("others", v=132, you=you, seats=seats))
    name = next(each["name"] for each in seats if each["host"])
    assert page.locator(".notice").inner_text() == f"{name} is the host now."


def test_a_seat_that_went_to_another_phone_is_said_and_this_one_watches(phone):
    page = phone("others")
    say(page, watching("others", v=131))
    assert page.locator("[data-screen=others] .notice").inner_text() == (
        "Your seat is on another phone now."
    )


def test_whoever_waits_for_the_next_game_is_asked_to_sit_as_soon_as_they_may(phone):
    page = phone("join-running")
    page.get_by_role("button", name="Watch, then join the next game").click()
    wait(page, "[data-screen=others]")
    page.reload()
    wait(page, "[data-screen=others]")
    over = watching("final-late", v=131)
    say(page, {**over, "may": {**over["may"], "sit": False}})
    assert page.locator("[data-screen=final]").count() == 1
    say(page, {**over, "v": 132, "may": {**over["may"], "sit": True}})
    assert page.locator("[data-screen=join]").count() == 1


def test_whoever_only_watches_is_left_in_peace(phone):
    page = phone("join-running")
    page.get_by_role("button", name="Just watching").click()
    say(page, watching("final-late", v=132))
    assert page.locator("[data-screen=final]").count() == 1


HOST = {"role": "seat", "seat": "s1", "host": True}


def acting(name, **changes):
    return snapshot(f"acting-{name}", v=131, **changes)


def test_what_the_host_does_for_a_seat_is_sent_in_its_name_and_the_rest_is_not(phone):
    page = phone("others")
    say(page, acting("others", ui={}))
    page.get_by_role("button", name="Host’s drawer").click()
    wait(page, ".sheet-drawer")
    page.get_by_role("button", name="Oma no phone").click()
    page.get_by_role("button", name="Act for Oma").click()
    wait(page, ".rail .small-key")
    page.locator(".dome").dispatch_event("pointerdown", {"button": 0})
    page.clock.run_for(100)
    assert sent(page) == [{"type": "call", "for": "s3"}]
    page.get_by_role("button", name="Done").click()
    wait(page, ".rail-word")
    say(page, acting("others", ui={}, phase_id="2.8.TURN"))
    page.locator(".dome").dispatch_event("pointerdown", {"button": 0})
    page.clock.run_for(100)
    assert sent(page)[-1] == {"type": "call"}


def act_for_oma(page):
    page.get_by_role("button", name="Host’s drawer").click()
    wait(page, ".sheet-drawer")
    page.get_by_role("button", name="Oma no phone").click()
    page.get_by_role("button", name="Act for Oma").click()


def test_a_secret_ballot_for_another_begins_with_handing_on_the_phone(phone):
    page = phone("others")
    say(page, acting("ballot", ui={}))
    act_for_oma(page)
    wait(page, "[data-screen=handon]")
    page.get_by_role("button", name="Here I am: Oma").click()
    wait(page, "[data-screen=ballot]")
    page.get_by_role("button", name="Failure: At least one stays up").click()
    page.clock.run_for(100)
    assert sent(page) == [{"type": "vote", "for": "s3", "side": "failure"}]
    say(page, {**acting("sealed", ui={}), "v": 132})
    assert page.locator("[data-screen=sealed]").count() == 1
    assert page.get_by_role("button", name="Peep at mine").count() == 0
    assert "Failure" not in page.locator(".pad").inner_text()


def test_a_ballot_cast_for_somebody_lies_face_down_once_the_table_has_it(phone):
    page = phone("others")
    say(page, acting("ballot", ui={}))
    act_for_oma(page)
    page.get_by_role("button", name="Here I am: Oma").click()
    wait(page, "[data-screen=ballot]")
    answer(page, 200, ok=True, v=132)
    page.get_by_role("button", name="Failure: At least one stays up").click()
    page.clock.run_for(100)
    assert "On its way to the referee." in page.locator(".pad").inner_text()
    say(page, {**acting("sealed", ui={}), "v": 132})
    assert "On its way" not in page.locator(".pad").inner_text()
    assert page.get_by_role("button", name="Change it").count() == 1


def test_a_ballot_that_a_phone_cast_before_it_dozed_is_not_offered_to_the_host(phone):
    page = phone("others")
    powers = acting("sealed")["for"]
    powers["s3"]["may"].remove("vote")
    say(page, {**acting("sealed", ui={}), "for": powers})
    act_for_oma(page)
    wait(page, "[data-screen=sealed]")
    assert page.get_by_role("button", name="Change it").count() == 0


def test_a_ballot_changed_in_another_window_is_not_on_its_way(phone):
    page = phone("ballot")
    page.get_by_role("button", name="Failure: At least one stays up").click()
    page.clock.run_for(100)
    assert "On its way to the referee." in page.locator(".pad").inner_text()
    other = {**snapshot("ballot")["ballot"], "mine": "success"}
    say(page, snapshot("sealed", v=130, ballot=other))
    assert "On its way" not in page.locator(".pad").inner_text()
    page.get_by_role("button", name="Peep at mine").click()
    page.clock.run_for(100)
    assert page.locator(".big-plaque.is-peep").count() == 1


def test_the_last_ballot_is_sent_at_once_like_any_other(phone):
    page = phone("ballot")
    missing = {**snapshot("ballot")["ballot"], "mine": None}
    say(page, snapshot("ballot", v=130, ballot={**missing, "count": missing["of"] - 1}))
    page.get_by_role("button", name="Failure: At least one stays up").click()
    page.clock.run_for(100)
    assert sent(page) == [{"type": "vote", "side": "failure"}]


def test_the_last_ballot_can_be_turned_over_on_any_phone_of_its_seat(phone):
    """The referee tells of it: a phone that has just been opened knows it as well."""
    page = phone("ballot-last")
    assert "Yours is the last" in page.locator(".pad").inner_text()
    page.get_by_role("button", name="I meant the other side").click()
    page.clock.run_for(100)
    assert sent(page) == [{"type": "vote", "side": "success"}]


def test_the_last_ballot_cast_for_somebody_can_be_turned_over_where_it_was_cast(phone):
    page = phone("others")
    say(page, acting("ballot", ui={}))
    act_for_oma(page)
    page.get_by_role("button", name="Here I am: Oma").click()
    wait(page, "[data-screen=ballot]")
    answer(page, 200, ok=True, v=132)
    page.get_by_role("button", name="Failure: At least one stays up").click()
    page.clock.run_for(100)
    closing = {**acting("sealed")["ballot"], "closing": {"seat": "s3", "at_ms": 0}}
    say(page, {**acting("sealed", ui={}), "v": 132, "ballot": closing})
    page.get_by_role("button", name="I meant the other side").click()
    page.clock.run_for(100)
    assert sent(page) == [
        {"type": "vote", "for": "s3", "side": side} for side in ("failure", "success")
    ]


def test_the_toppler_goes_on_from_the_open_ballots(phone):
    page = phone("reveal-toppler")
    page.get_by_role("button", name="On to the push").click()
    page.clock.run_for(100)
    assert sent(page) == [{"type": "go_on"}]


def test_a_ballot_that_is_refused_can_be_cast_again(phone):
    page = phone("ballot")
    answer(page, 409, ok=False, reason="too_fast")
    page.get_by_role("button", name="Failure: At least one stays up").click()
    page.clock.run_for(200)
    assert page.get_by_role("button", name="Failure: At least one stays up").count() == 1


def test_an_answer_that_comes_after_its_picture_leaves_nothing_on_its_way(phone):
    page = phone("ballot")
    told = page.evaluate("""async () => {
      const { Pending } = await import("/static/core/pending.js");
      const pending = new Pending();
      pending.shown({ v: 5, phase_id: "1" }, 0);
      const first = pending.begin("vote", "s1", { side: "success" }, "1");
      const again = pending.begin("vote", "s1", { side: "failure" }, "1");
      const other = pending.begin("vote", "s2", { side: "success" }, "1");
      pending.answered(first, { ok: true, v: 6 }, 0);
      const kept = pending.of("vote", "s1")?.side;
      pending.shown({ v: 7, phase_id: "1" }, 0);
      const unanswered = pending.of("vote", "s1")?.side;
      pending.answered(again, { ok: true, v: 7 }, 0);
      pending.answered(other, { ok: false, reason: "stale", v: 9 }, 0);
      return [kept, unanswered, pending.has("vote")];
    }""")
    assert told == ["failure", "failure", False]


def test_what_was_taken_is_kept_aside_for_its_phase_with_its_draft(phone):
    """The table does not tell the side cast for somebody, nor the draft of a tile taken back."""
    page = phone("ballot")
    told = page.evaluate("""async () => {
      const { Pending } = await import("/static/core/pending.js");
      const pending = new Pending();
      const vote = pending.begin("vote", "s3", { side: "success" }, "1");
      const stand = pending.begin("stand", "s1", { value: 4 }, "1", { value: 4, turned: true });
      const before = pending.taken("vote", "s3");
      pending.answered(vote, { ok: true, v: 6 }, 0);
      pending.answered(stand, { ok: false, reason: "stale", v: 6 }, 0);
      pending.shown({ v: 6, phase_id: "1" }, 0);
      const kept = [pending.taken("vote", "s3").fields.side, pending.taken("stand", "s1")];
      pending.shown({ v: 7, phase_id: "2" }, 0);
      return [before ?? null, ...kept, pending.taken("vote", "s3")].map((each) => each ?? null);
    }""")
    assert told == [None, "success", None, None]


def test_a_claim_lasts_from_when_it_is_shown_until_it_no_longer_is(phone):
    page = phone("join-running")
    told = page.evaluate("""async () => {
      const { Pending } = await import("/static/core/pending.js");
      const pending = new Pending();
      const claim = pending.begin("claim_seat", null, { seat: "s2" }, "1");
      pending.shown({ v: 5, phase_id: "1", claims: [] }, 0);
      pending.answered(claim, { ok: true, v: 5 }, 0);
      const states = [[[], 300], [[{ seat: "s2" }], 600], [[{ seat: "s2" }], 60000], [[], 60300]];
      return states.map(([claims, nowMs]) => {
        pending.shown({ v: 5, phase_id: nowMs > 1000 ? "2" : "1", claims }, nowMs);
        return pending.has("claim_seat");
      });
    }""")
    assert told == [True, True, True, False]


def test_whoever_comes_back_plays_alone_again(phone):
    page = phone("others")
    say(page, acting("others", ui={}))
    act_for_oma(page)
    wait(page, ".rail .small-key")
    say(page, {**acting("others", ui={}), "v": 133, "for": {}})
    assert page.locator(".notice").inner_text() == "Oma is back and plays on."
    assert page.locator(".rail .small-key").count() == 0


def test_a_thumb_pushes_for_the_seat_acted_for(phone):
    page = phone("others")
    say(page, acting("push", ui={}))
    act_for_oma(page)
    wait(page, ".hold")
    answer(page, 200, ok=True, v=124, nonce="n-1")
    box = page.locator(".hold").bounding_box()
    page.mouse.move(box["x"] + 90, box["y"] + 90)
    page.mouse.down()
    page.clock.run_for(1800)
    assert sent(page) == [
        {"type": "hold", "for": "s3"},
        {"type": "push", "for": "s3", "nonce": "n-1"},
    ]
    page.mouse.up()
    page.locator(".stop").dispatch_event("pointerdown")
    page.clock.run_for(100)
    assert sent(page)[-1] == {"type": "stop"}


@pytest.mark.parametrize(
    ("lang", "stopped", "words"),
    [
        ("en-GB", "acknowledged", "The arm says that it has stopped."),
        ("en-GB", "sent", "has not answered. Press the red button"),
        ("bg-BG", "sent", "червения бутон"),
        ("uk-UA", "not_sent", "червону кнопку"),
        ("ru-RU", "not_sent", "красную кнопку"),
    ],
)
def test_whoever_pressed_stop_reads_what_the_pusher_said(phone, lang, stopped, words):
    page = phone("handsoff", locale=lang)
    answer(page, 200, ok=True, stopped=stopped)
    page.locator(".stop").dispatch_event("pointerdown")
    page.clock.run_for(100)
    assert words in page.locator(".notice").inner_text()
    assert sent(page) == [{"type": "stop"}]


def test_the_arm_is_said_to_have_stopped_until_the_host_frees_it(phone):
    page = phone("handsoff")
    answer(page, 200, ok=True, stopped="acknowledged")
    page.locator(".stop").dispatch_event("pointerdown")
    page.clock.run_for(100)
    stopped = snapshot("stopped", v=124, stopped_by="s3", you=snapshot("handsoff")["you"])
    say(page, stopped)
    assert "it has stopped" in page.locator(".notice").inner_text()
    say(page, snapshot("handsoff", v=125))
    assert page.locator(".stop-sign").count() == 1
    assert page.locator(".notice").count() == 0


def test_a_name_that_is_being_typed_outlives_what_happens_meanwhile(phone):
    page = phone("others")
    say(page, acting("others", ui={}))
    page.get_by_role("button", name="Host’s drawer").click()
    wait(page, ".sheet-drawer")
    page.get_by_role("button", name="Oma no phone").click()
    wait(page, "#rename-seat")
    page.locator("#rename-seat").fill("Grand")
    say(page, {**acting("others", ui={}), "v": 140})
    assert page.locator("#rename-seat").input_value() == "Grand"


def test_a_code_for_another_phone_is_drawn_and_runs_out(phone):
    page = phone("others")
    picture = snapshot("ticket")["ui"]["local"]["ticket"]["qr"]
    answer(page, 200, ok=True, qr=picture, url="http://10.0.0.1:8000/h/abc", life_ms=120_000)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Move my seat to another phone").click()
    wait(page, ".sheet-ticket img")
    assert sent(page) == [{"seat": "s4"}]
    assert "http://10.0.0.1:8000/h/abc" in page.locator(".sheet-ticket").inner_text()
    page.clock.fast_forward(121_000)
    page.clock.run_for(500)
    assert page.locator(".sheet-ticket img").count() == 0
    assert "no longer good" in page.locator(".sheet-ticket").inner_text()


def test_the_countdown_runs_by_the_clock_of_the_table(phone):
    page = phone("others")
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 60)
    now = page.evaluate("Date.now()") + 60_000
    shown = snapshot("countdown-three", v=131, now_ms=now)
    shown["countdown"]["from_ms"] = now
    say(page, shown)
    assert page.locator(".is-now").inner_text() == "three"
    page.clock.run_for(900)
    assert page.locator(".is-now").inner_text() == "two"
    page.clock.run_for(800)
    assert page.locator(".is-now").inner_text() == "one"
    page.clock.resume()


def test_what_interrupts_is_read_aloud_at_once_and_the_rest_politely(phone):
    page = phone("others")
    say(page, snapshot("ballot", v=131))
    assert page.locator("body [role=alert]").inner_text() == "Olena called Domino!"
    wait(page, "[data-screen=ballot]")
    # Said once, by the title to which the focus goes.
    assert page.evaluate("document.activeElement.innerText") == "Will the whole row fall?"
    assert page.locator("[aria-live=polite]").last.inner_text() == ""
    say(page, snapshot("stopped", v=132))
    assert "Stopped by Petro" in page.locator("body [role=alert]").inner_text()
    say(page, snapshot("stopped-button", v=133))
    assert "red button was pressed" in page.locator("body [role=alert]").inner_text()


SILENT_NET = """() => {
  window.fetch = (url, how) =>
    new Promise((_, fail) => how?.signal?.addEventListener("abort", fail));
}"""
"""A net that never answers: what is given up fails."""


HEARD = "#app > .unseen[aria-live] > p"
"""What came of the last thing done, and what is on its way."""


def test_what_becomes_of_a_press_is_read_aloud_from_a_place_that_was_there_before(slowly):
    page = slowly("others")
    page.evaluate("heard => { window.places = [...document.querySelectorAll(heard)]; }", HEARD)
    heard = page.locator(HEARD)
    assert heard.all_text_contents() == ["", ""]
    page.evaluate(SILENT_NET)
    page.locator(".dome").dispatch_event("pointerdown", {"button": 0})
    page.clock.run_for(100)
    assert heard.all_text_contents() == ["", "Sent"]
    page.clock.run_for(4200)
    offline = "That did not get through. Is the phone still on the Wi-Fi?"
    assert heard.all_text_contents() == [offline, ""]
    assert page.locator(".notice[role], .notice [role]").count() == 0
    page.clock.run_for(1500)
    assert heard.all_text_contents() == [offline, "No link…"]
    say(page, snapshot("ballot", v=131))
    page.clock.run_for(1600)
    page.mouse.click(*middle(page, ".answer-success"))
    page.clock.run_for(100)
    assert heard.all_text_contents() == ["", "On its way to the referee."]
    page.evaluate("streams.at(-1).onerror()")
    page.clock.run_for(1500)
    waiting = "No link: it goes to the referee as soon as there is one."
    assert heard.all_text_contents() == ["", waiting]
    assert page.evaluate("places.every((place) => place.isConnected)")


def test_why_a_bone_cannot_be_laid_is_read_aloud_and_no_longer_than_it_is_shown(phone):
    page = phone("dominoes-turn")
    wait(page, ".rack-bone")
    for bone, words in (("1-1", "1-1 fits neither 5 nor 2."), ("3-5", "")):
        page.locator(f'[data-bone="{bone}"]').click()
        page.clock.run_for(100)
        assert page.locator(HEARD).all_text_contents() == [words, ""]


def test_whoever_peeps_reads_in_the_title_that_the_ballot_lies_open(phone):
    page = phone("sealed")
    assert page.inner_text("h1").replace("\n", " ") == "Your ballot lies face down"
    page.get_by_role("button", name="Peep at mine").click()
    page.clock.run_for(100)
    assert page.inner_text("h1").replace("\n", " ") == "Your ballot lies face up"


@pytest.mark.parametrize(
    ("event", "screen"), [("gone", "gone"), ("elsewhere", "elsewhere"), ("closed", "closed")]
)
def test_the_end_of_the_stream_says_why(phone, event, screen):
    page = phone("others")
    page.evaluate(f"streams.at(-1).dispatchEvent(new Event('{event}'))")
    wait(page, f"[data-screen={screen}]")


def test_what_only_trouble_needs_is_fetched_once_there_is_some(phone):
    page = phone("others")
    with page.expect_response("**/static/games/estimation/screens/turn/mend.js") as fetched:
        page.evaluate("(shot) => say(shot)", snapshot("differs-others", v=124))
    assert fetched.value.ok
    wait(page, "button:has-text('Show it')")


def test_a_proposal_is_redrawn_while_its_time_runs(phone):
    page = phone("reading-counts")
    first = page.locator(".counts").inner_text()
    page.clock.run_for(3000)
    wait(page, f".counts:not(:has-text({json.dumps(first)}))")


HUSHED = """() => import("/static/core/sound.js").then(({ Sound }) => {
  window.hushed = [];
  Sound.prototype.hush = (on) => hushed.push(on);
})"""


def test_a_phone_is_quiet_beside_a_table_screen_that_sounds_unless_the_host_says_otherwise(phone):
    page = phone("others")
    page.evaluate(HUSHED)
    for sound, phones in ((True, False), (True, True), (False, False)):
        say(page, snapshot("others", table_screen={"sound": sound, "phones": phones}))
    assert page.evaluate("hushed") == [True, False, False]
