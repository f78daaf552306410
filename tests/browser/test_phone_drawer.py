"""What the host's hands do: the drawer and its sheets, seats that are dragged, corrections."""

import json
import re
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

SNAPSHOTS = Path(__file__).parents[1] / "data" / "snapshots"


def saved(name):
    return json.loads((SNAPSHOTS / f"phone-{name}.json").read_text(encoding="utf-8"))


def sent(page):
    return page.evaluate("sent")


def press(page, *names):
    """Press these one after another, in the sheet if one is open."""
    for name in names:
        sheet = page.get_by_role("dialog")
        place = sheet if sheet.count() else page
        place.get_by_role("button", name=name, exact=True).click()


@contextmanager
def stopped(page, ms=0):
    """The page's clock stands still, so many milliseconds from now."""
    page.evaluate("ms => { const at = performance.now() + ms; performance.now = () => at; }", ms)
    yield
    page.evaluate("delete performance.now")


def may(name, **more):
    return {**saved(name)["may"], **more}


@pytest.mark.parametrize(
    ("screen", "name", "command"),
    [
        ("drawer", "Pause", {"type": "pause", "on": True}),
        ("drawer-lobby", "Add a bot", {"type": "add_bot"}),
    ],
)
def test_a_wooden_key_does_what_it_says_and_closes_the_drawer(phone, screen, name, command):
    page = phone(screen)
    press(page, name)
    assert sent(page) == [command]
    assert page.get_by_role("dialog").count() == 0


def test_the_browser_s_way_back_closes_what_is_open_and_leaves_the_page_as_it_is(phone):
    page = phone("turn")
    before = page.url
    for _ in range(2):
        page.locator(".rail-menu").click()
        page.get_by_role("dialog").wait_for()
        page.go_back()
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert page.url == before
        assert page.locator("h1").is_visible()


BLANK = """() => [...document.querySelectorAll(".rail *, .sheet *")].filter((each) => {
  const { backgroundImage, backgroundColor } = getComputedStyle(each);
  const filled = backgroundImage !== "none" || backgroundColor !== "rgba(0, 0, 0, 0)";
  return filled && !each.textContent.trim() && !each.closest("svg") && !each.querySelector("svg");
}).map((each) => each.className)"""


@pytest.mark.parametrize("screen", ["drawer", "drawer-lobby"])
def test_whatever_has_a_ground_has_words_or_a_sign_on_it(phone, screen):
    assert phone(screen).evaluate(BLANK) == []


def test_more_time_leaves_the_drawer_open(phone):
    page = phone("drawer", may=may("drawer", longer=True))
    press(page, "30 s more")
    assert sent(page) == [{"type": "longer"}]
    assert page.get_by_role("dialog").count() == 1


@pytest.mark.parametrize(
    ("key", "reason", "command"),
    [
        ("Undo", "A slip of the finger", {"type": "undo", "reason": "mistap"}),
        ("Verdict wrong", "We looked again", {"type": "correct_verdict", "reason": "looked"}),
        ("Void round", "The table was bumped", {"type": "void", "reason": "moved"}),
    ],
)
def test_a_ruling_is_one_tap_on_its_reason(phone, key, reason, command):
    page = phone("drawer", history=[{"round": 1, "outcome": "fell", "won": {}}])
    press(page, key)
    assert sent(page) == []
    press(page, reason)
    assert sent(page) == [command]
    assert page.get_by_role("dialog").count() == 0


def test_a_ruling_may_have_a_reason_of_its_own(phone):
    page = phone("why-void")
    page.get_by_label("Something else").fill("The cat")
    press(page, "Do it")
    assert sent(page) == [{"type": "void", "reason": "The cat"}]


@pytest.mark.parametrize(
    ("outcome", "words"), [("fell", "it counts as stood"), ("stood", "it counts as fallen")]
)
def test_the_sheet_says_what_a_corrected_verdict_would_be_and_whose_chips_move(
    phone, outcome, words
):
    scored = {"round": 1, "outcome": outcome, "won": {"s2": 2}, "otherwise": {"s3": 1, "s4": 1}}
    page = phone("why-verdict", history=[scored])
    whose = "Chips go back from: Mira. Chips go to: Petro and Borys."
    assert f"Round 1: {words}. {whose}" in page.get_by_role("dialog").inner_text()


@pytest.mark.parametrize(
    ("names", "command"),
    [
        (["Skip this turn"], {"type": "skip", "seat": "s3"}),
        (["Make them the host"], {"type": "give_host", "seat": "s3"}),
        (["Remove this phone, keep the seat", "Sure?"], {"type": "take_phone", "seat": "s3"}),
        (["Remove from the table", "Sure?"], {"type": "remove_seat", "seat": "s3"}),
    ],
)
def test_a_seat_is_in_the_hosts_hands(phone, names, command):
    page = phone("seat")
    press(page, names[0])
    with stopped(page, ms=600):
        press(page, *names[1:])
    assert sent(page) == [command]


def test_what_puts_somebody_out_is_asked_once_more(phone):
    page = phone("seat")
    with stopped(page):
        press(page, "Remove from the table", "Sure?")
    assert sent(page) == [], "two quick taps are no answer"


def test_the_host_finds_a_better_name_for_anybody(phone):
    page = phone("seat")
    page.get_by_label("Name").fill("Peter")
    press(page, "Rename")
    assert sent(page) == [{"type": "rename", "seat": "s3", "name": "Peter"}]


def test_only_a_seat_that_is_away_and_waited_for_is_passed_over(phone):
    page = phone("seat", active="s4")
    assert page.get_by_role("button", name="Skip this turn").count() == 0
    page = phone("seat", **{"for": {}})
    assert page.get_by_role("button", name="Act for Petro").count() == 0
    assert page.get_by_role("button", name="Skip this turn").count() == 0


SHEET_TOPS = """async (snapshot) => {
  await show(snapshot, "en");
  const top = () => document.querySelector(".sheet").getBoundingClientRect().top;
  const drawn = top();
  await Promise.all(document.getAnimations().map((each) => each.finished));
  return [drawn, top()];
}"""


def test_where_motion_is_unwelcome_a_sheet_is_at_its_place_at_once(phone):
    drawn, at_rest = phone("seat").evaluate(SHEET_TOPS, saved("seat"))
    assert drawn == at_rest


def test_a_missing_ballot_is_not_waited_for(phone):
    page = phone("seat-ballot")
    press(page, "Don’t wait: the ballot counts as Success")
    assert sent(page) == [{"type": "skip", "seat": "s3"}]


def test_a_player_without_a_phone_is_seated_with_a_name_and_a_mark(phone):
    page = phone("guest")
    page.get_by_label("Name").fill("Oma Lena")
    page.get_by_label("cross").check()
    press(page, "Seat them")
    assert sent(page) == [{"type": "add_player", "name": "Oma Lena", "mark": "cross"}]


def choose(page, group, name):
    page.get_by_role("radiogroup", name=group).get_by_role("radio", name=name, exact=True).check()


def test_limits_are_off_shown_or_act_and_of_some_seconds(phone):
    page = phone("timers")
    choose(page, "For the ballots", "acts")
    choose(page, "For a turn", "off")
    choose(page, "For the ballots", "120 s")
    press(page, "No hurry")
    assert sent(page) == [
        {"type": "set_timers", "ballot": "hard"},
        {"type": "set_timers", "turn": "off"},
        {"type": "set_timers", "ballot_s": 120},
        {"type": "set_timers", "no_hurry": True},
    ]


@pytest.mark.parametrize(("shown", "on"), [("timers", True), ("timers-finish", False)])
def test_the_photo_finish_is_one_switch(phone, shown, on):
    page = phone(shown)
    switch = page.get_by_role("button", name="Photo finish")
    assert switch.get_attribute("aria-pressed") == str(not on).lower()
    switch.click()
    assert sent(page) == [{"type": "set_photo_finish", "on": on}]


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        ("ballot-finish", "Photo finish: you were first by 38 ms"),
        ("ballot-finish-late", "Photo finish: Olena was 38 ms before you"),
        ("ballot-finish-tie", "too close to tell, under 15 ms. Olena was heard first"),
    ],
)
def test_phones_tell_what_the_photo_finish_shows(phone, shown, words):
    assert words in phone(shown).locator(".kicker").inner_text()


def test_the_host_picks_who_has_the_first_turn(phone):
    page = phone("lobby-host")
    order = page.locator(".seats b").all_inner_texts()
    assert page.locator(".quiet").inner_text() == f"First turn: {order[0]}"
    press(page, f"First turn: {order[0]}", "Start the game")
    assert page.locator(".quiet").inner_text() == f"First turn: {order[1]}"
    second = saved("lobby-host")["seats"][1]["seat"]
    assert sent(page) == [{"type": "start", "first": second}]


def test_where_chance_decides_who_is_first_nobody_picks(phone):
    page = phone("lobby-host", options={"first_player": "random"})
    press(page, "Start the game")
    assert sent(page) == [{"type": "start", "first": None}]
    assert page.locator(".quiet").count() == 0


def test_the_rules_are_chosen_by_name(phone):
    page = phone("rules-host")
    choose(page, "Who pushes", "the caller")
    choose(page, "Time to call before the next tile", "10 s")
    page.get_by_label("Values of the tiles").fill("6 6 1,2,3 4 5 7 8 9 10")
    press(page, "Set", "All as in the rulebook")
    first, second, values, usual = (command["options"] for command in sent(page))
    assert (first, second) == ({"toppler": "caller"}, {"call_window": 10})
    assert values == {"tile_values": [6, 6, 1, 2, 3, 4, 5, 7, 8, 9, 10]}
    assert usual["judge"] == "camera"
    assert usual["tile_values"] == list(range(1, 12))
    assert len(usual) == len(saved("rules-host")["options"])


def test_everybody_else_reads_the_rules_and_changes_nothing(phone):
    page = phone("rules")
    sheet = page.get_by_role("dialog")
    assert "the placer" in sheet.inner_text()
    assert sheet.get_by_role("radio").count() == 0


def test_the_sheet_names_every_option_of_the_rules():
    from dataclasses import fields

    from rig.games.estimation.game import Options

    source = (SNAPSHOTS.parents[2] / "web/static/games/estimation/screens/rules.js").read_text(
        encoding="utf-8"
    )
    for option in fields(Options):
        assert option.name in source
        for value in option.metadata.get("choices", ()):
            assert f'"{value}"' in source


def test_another_address_of_the_machine_has_a_code_of_its_own(phone):
    net = saved("wayin")["net"]
    ways = [{**way, "qr": f"{way['qr']}#{n}"} for n, way in enumerate(net["others"])]
    page = phone("wayin", net={**net, "others": ways})
    page.get_by_role("radio", name="10.42.0.1:8000").check()
    assert page.get_by_role("dialog").locator("img").get_attribute("src") == ways[0]["qr"]


def middle(page, selector):
    box = page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_seat_is_dragged_to_another_place(phone):
    page = phone("lobby-host-moving")
    start = middle(page, ".seat-line:nth-child(1) .grab")
    end = middle(page, ".seat-line:nth-child(3) .grab")
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0], (start[1] + end[1]) / 2)
    page.mouse.move(end[0], end[1] + 4)
    page.wait_for_selector(".seat-line:nth-child(1).is-dragged")
    page.wait_for_selector(".seat-line:nth-child(3).is-target-below")
    assert sent(page) == []
    page.mouse.up()
    assert sent(page) == [{"type": "move_seat", "seat": "s1", "to": 2}]


def test_a_seat_let_go_where_it_was_stays(phone):
    page = phone("lobby-host-moving")
    page.mouse.move(*middle(page, ".seat-line:nth-child(2) .grab"))
    page.mouse.down()
    page.mouse.up()
    assert sent(page) == []


def test_a_seat_is_moved_by_keys(phone):
    page = phone("lobby-host-moving")
    page.locator(".seat-line:nth-child(2) .grab").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    assert [(each["seat"], each["to"]) for each in sent(page)] == [("s2", 0), ("s2", 2)]


def test_the_row_is_put_right_by_two_taps(phone):
    page = phone("rowfix", ui={"local": {"sheet": "rowfix"}})
    ask = page.get_by_role("button", name="This is the row")
    assert ask.is_disabled()
    row = [tile["value"] for tile in saved("rowfix")["row"]]
    for value in row[:2]:
        page.get_by_role("dialog").get_by_role("button", name=str(value), exact=True).click()
        page.locator(".pick[aria-pressed=true], .key-lamp:not([disabled])").first.wait_for()
    ask.click()
    assert sent(page) == [{"type": "fix_row", "order": [row[1], row[0], *row[2:]]}]


@pytest.mark.parametrize(("name", "kind"), [("Yes, it is", "consent_row"), ("No", "decline_row")])
def test_another_player_nods_or_does_not(phone, name, kind):
    page = phone("rowfix-asked")
    press(page, name)
    assert sent(page) == [{"type": kind}]


def test_domino_can_be_called_while_a_correction_waits(phone):
    page = phone("rowfix-asked")
    page.locator(".dome").dispatch_event("pointerdown", {"button": 0})
    assert sent(page) == [{"type": "call"}]


def test_whoever_asked_only_waits(phone):
    page = phone("rowfix-waiting")
    assert page.locator(".asked button").count() == 0


@pytest.mark.parametrize(("name", "end"), [("Left end", "left"), ("Right end", "right")])
def test_between_equal_ends_the_toppler_chooses(phone, name, end):
    page = phone("chooseend")
    press(page, name)
    assert sent(page) == [{"type": "choose_end", "end": end}]
    assert phone("chooseend-wait").get_by_role("button", name=name).count() == 0


def test_a_placement_against_the_rules_is_taken_back_from_the_menu(phone):
    page = phone("menu-placer")
    press(page, "My tile breaks a rule: take it back")
    assert sent(page) == [{"type": "illegal"}]


@pytest.mark.parametrize("screen", ["menu-placer", "drawer"])
def test_stop_is_at_the_foot_of_whatever_opens_over_a_game(phone, screen):
    page = phone(screen)
    stop = page.get_by_role("dialog").get_by_role("button", name="STOP")
    expect(stop).to_be_in_viewport(ratio=1)
    stop.click()
    assert sent(page) == [{"type": "stop"}]


@pytest.mark.parametrize("screen", ["menu-placer", "drawer"])
def test_what_came_of_stop_is_told_where_it_was_pressed(phone, screen):
    told = "The arm says that it has stopped."
    local = {**saved(screen)["ui"]["local"], "notice": told}
    page = phone(screen, ui={"local": local})
    expect(page.get_by_role("dialog").get_by_text(told)).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("dialog").get_by_role("button", name="STOP")).to_be_in_viewport(ratio=1)


def test_everybody_reads_that_stop_holds_before_any_push_and_the_host_frees_the_arm(phone):
    page = phone("others-stopped")
    assert page.locator(".ruling").inner_text() == (
        "Stopped by Mira. Nothing moves. The host frees the arm again."
    )
    page = phone("others-stopped", you={"role": "seat", "seat": "s2", "host": False})
    assert page.locator(".ruling").inner_text().startswith("You stopped it. Nothing moves.")
    page = phone("others-stopped", may=may("others-stopped", clear_stop=True))
    press(page, "Free the arm again")
    assert sent(page) == [{"type": "clear_stop"}]


def test_a_push_at_the_wrong_end_is_claimed_with_the_accidents(phone):
    page = phone("claim", may=may("claim", wrong_end=True))
    press(page, "It was pushed at the wrong end")
    assert sent(page) == [{"type": "wrong_end"}]
    page = phone("claim")
    assert page.get_by_role("button", name="It was pushed at the wrong end").count() == 0


def test_somebody_takes_the_drawer_of_a_host_who_is_gone(phone):
    page = phone("menu-placer")
    press(page, "Become the host: the old one is gone")
    assert sent(page) == [{"type": "take_host"}]


def test_a_claim_is_told_as_the_word_of_whoever_says_it(phone):
    page = phone("verdict-confirm")
    heading = page.get_by_role("heading", level=1).inner_text()
    assert "says:" in heading or "You say:" in heading


def test_a_watcher_hears_what_either_side_wins(phone):
    text = phone("reveal-watcher").locator(".stake").inner_text()
    assert "If all fall" in text
    assert "If a tile stays up" in text


@pytest.mark.parametrize(
    ("screen", "name", "which", "on"),
    [
        ("blind-without", "Go on without the camera", "camera", True),
        ("fault-without", "Go on without the arm", "pusher", True),
        ("drawer-devices", "Use the camera again", "camera", False),
        ("drawer-devices", "Use the arm again", "pusher", False),
        ("drawer-camera", "Go on without the camera", "camera", True),
    ],
)
def test_the_host_goes_on_without_a_device_or_counts_on_it_again(phone, screen, name, which, on):
    pretend = {"camera": "virtual", "pusher": "virtual", "lost": [], "without": []}
    devices = saved(screen).get("devices", pretend)
    page = phone(screen, devices=devices, may=may(screen, without=True))
    press(page, name)
    assert sent(page) == [{"type": "without", "which": which, "on": on}]


@pytest.mark.parametrize(
    ("phones", "name"),
    [(False, "Let phones sound, too"), (True, "Let only the table screen sound")],
)
def test_the_host_has_phones_sound_beside_a_table_screen_or_not(phone, phones, name):
    page = phone("drawer", table_screen={"sound": True, "phones": phones, "language": ""})
    press(page, name)
    assert sent(page) == [{"type": "phones_sound", "on": not phones}]


def test_where_no_table_screen_sounds_there_is_nothing_to_choose(phone):
    page = phone("drawer", table_screen={"sound": False, "phones": False, "language": ""})
    assert page.get_by_role("button", name="Let phones sound, too").count() == 0


@pytest.mark.parametrize(
    ("lesson", "says"),
    [
        ({"state": "", "values": []}, "Take off every tile"),
        ({"state": "tiles", "values": [3, 11]}, "The camera still sees tiles: 3 and 11"),
        ({"state": "learned", "values": []}, "Done. What lies there now belongs to the table"),
    ],
)
def test_the_host_shows_a_real_camera_the_empty_table(phone, lesson, says):
    devices = {"camera": "opencv", "pusher": "hand", "lost": [], "without": []}
    allowed = may("drawer-lobby", learn_table=True)
    page = phone("drawer-lobby", devices=devices, may=allowed, lesson=lesson)
    press(page, "Show the camera the empty table")
    page.get_by_text(says).wait_for()
    press(page, "The table is empty")
    assert sent(page) == [{"type": "learn_table"}]


@pytest.mark.parametrize("screen", ["drawer", "drawer-lobby"])
def test_pretend_devices_without_trouble_are_no_matter_for_the_drawer(phone, screen):
    devices = {"camera": "virtual", "pusher": "virtual", "lost": [], "without": []}
    page = phone(screen, devices=devices, may=may(screen, without=True))
    assert page.get_by_text("Go on without").count() == 0


def test_whoever_does_the_work_of_a_lost_device_is_told_and_nobody_else(phone):
    active, others = saved("turn-no-camera"), saved("others")
    line = "No camera now"
    assert phone("turn-no-camera").get_by_text(line).count() == 1
    devices = active["devices"]
    you = {**others["you"], "host": False}
    assert phone("others", devices=devices, you=you).get_by_text(line).count() == 0


def test_two_taps_lead_from_the_turn_of_a_player_without_a_phone_to_their_tile_in_hand(phone):
    page = phone("deed-turn")
    assert page.inner_text("h1") == "Oma is next"
    page.get_by_role("button", name="Stand it for Oma").click()
    page.get_by_role("button", name=re.compile("^Take the ")).first.click()
    assert page.locator(".topview").count() == 1
    page.get_by_role("button", name="Stand it here").click()
    assert (sent(page)[-1]["type"], len(sent(page))) == ("stand", 1)


def test_the_host_may_still_call_while_somebody_without_a_phone_is_next(phone):
    page = phone("deed-turn")
    page.locator(".dome").first.dispatch_event("pointerdown")
    assert [each["type"] for each in sent(page)] == ["call"]


def test_before_somebody_elses_ballot_comes_the_hosts_own(phone):
    saved = json.loads((SNAPSHOTS / "phone-deed-ballot.json").read_text(encoding="utf-8"))
    page = phone("deed-ballot", ballot={**saved["ballot"], "mine": None})
    assert page.inner_text("h1") == "Will the whole row fall?"
    page.locator(".answer-failure").click()
    assert sent(page) == [{"type": "vote", "side": "failure"}]


def test_the_phone_is_handed_over_for_a_ballot_and_no_side_is_seen_before(phone):
    page = phone("deed-ballot")
    assert page.inner_text("h1") == "Oma votes"
    assert page.locator(".answer").count() == 0
    page.get_by_role("button", name="Here I am: Oma").click()
    assert page.locator(".answer").count() == 2


def test_the_host_may_first_change_the_own_ballot(phone):
    page = phone("deed-ballot")
    page.get_by_role("button", name="First change my ballot").click()
    assert page.locator("[data-screen=sealed]").count() == 1


def test_a_push_for_somebody_without_a_phone_keeps_stop_in_sight(phone):
    page = phone("deed-push")
    assert page.locator(".stop").count() == 1
    page.get_by_role("button", name="Push for Oma").click()
    assert page.locator(".hold").count() == 1
