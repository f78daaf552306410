"""Dominoes on a phone: a bone is tapped, then an end; what cannot be laid is refused in words."""

import json

import pytest

from tests.support.domino_states import SNAPSHOTS, states

pytestmark = pytest.mark.browser


def lead(page):
    return page.locator(".lead").text_content().strip()


def chosen(page):
    return page.locator(".rack-bone.is-chosen").evaluate_all("all => all.map(o => o.dataset.bone)")


def bone(page, name):
    page.locator(f'[data-bone="{name}"]').click()


def end(page, side):
    page.locator(f'[data-end="{side}"]').click()


def sent(page):
    return page.evaluate("() => sent")


def games_own(snapshots):
    """What the rules say of each, without what every table says."""
    own = ("legal", "options", "phase", "teams")
    return {
        name: {key: each[key] for key in (*own, *each["shown"])} for name, each in snapshots.items()
    }


def test_the_saved_states_are_what_the_rules_say_today():
    saved = {path.stem: json.loads(path.read_text()) for path in SNAPSHOTS.glob("*-dominoes-*")}
    assert games_own(saved) == games_own(json.loads(json.dumps(states())))


def test_a_phone_of_a_table_that_was_started_again_says_what_is_waited_for(phone):
    page = phone("dominoes-locked")
    assert page.locator("h1").text_content() == "Waiting for a phone"
    assert page.get_by_text("Any phone of this round lets the game go on.").count() == 1


def test_a_hand_is_kept_to_check_the_deal_by_until_the_first_bone_lies(phone):
    page = phone("dominoes-turn")
    told = page.evaluate(
        """(all) => import("/static/games/dominoes/phone.js")
          .then((game) => all.map(game.isAsDealt))""",
        [states()[f"phone-dominoes-{name}"] for name in ("turn-first", "turn", "deal")],
    )
    assert told == [True, False, False]


def test_a_bone_that_fits_one_end_goes_there(phone):
    page = phone("dominoes-turn")
    bone(page, "3-5")
    assert chosen(page) == ["3-5"]
    assert page.locator(".end.is-open").evaluate_all("all => all.map(o => o.dataset.end)") == [
        "left"
    ]
    end(page, "left")
    assert sent(page) == [{"type": "place", "tile": "3-5", "end": "left"}]


def test_a_bone_that_fits_one_end_goes_there_when_it_is_tapped_again(phone):
    page = phone("dominoes-turn")
    bone(page, "2-6")
    bone(page, "2-6")
    assert sent(page) == [{"type": "place", "tile": "2-6", "end": "right"}]


def test_a_bone_that_fits_both_asks_which_end(phone):
    page = phone("dominoes-turn-both")
    bone(page, "4-5")
    assert page.locator("h1").text_content() == "Which end?"
    assert sent(page) == []
    end(page, "right")
    assert sent(page) == [{"type": "place", "tile": "4-5", "end": "right"}]


def test_a_bone_that_fits_nowhere_is_refused_in_words_and_stays(phone):
    page = phone("dominoes-turn")
    bone(page, "1-1")
    assert lead(page) == "1-1 fits neither 5 nor 2."
    assert (chosen(page), sent(page)) == ([], [])


def test_a_bone_is_refused_at_the_end_that_it_does_not_fit(phone):
    page = phone("dominoes-turn-chosen")
    end(page, "right")
    assert lead(page) == "3-5 does not fit the 2."
    assert sent(page) == []


def test_nothing_is_grey_before_the_turn_and_a_tap_says_whose_it_is(phone):
    page = phone("dominoes-others")
    assert page.locator(".rack-bone:disabled").count() == 0
    bone(page, "3-5")
    assert lead(page) == "Now it is Petro’s turn."
    assert sent(page) == []


def test_a_pause_is_said_no_longer_than_it_lasts(phone):
    page = phone("dominoes-turn", paused_by="s2")
    bone(page, "3-5")
    assert lead(page) == "The game is paused."
    page = phone("dominoes-turn", ui={"local": {"said": lead(page)}})
    assert lead(page) == "Tap a bone, then an end."


def test_the_first_bone_has_one_place_and_another_one_is_refused(phone):
    page = phone("dominoes-turn-first")
    forced = page.evaluate("() => document.querySelector('.lead').textContent").split()[-1][:-1]
    other = page.locator(f'.rack-bone:not([data-bone="{forced}"])').first
    other.click()
    assert lead(page) == f"This round begins with {forced}."
    bone(page, forced)
    end(page, "")
    assert sent(page) == [{"type": "place", "tile": forced}]


@pytest.mark.parametrize(
    ("state", "key", "asked"),
    [
        ("turn-draw", "Draw from the boneyard", {"type": "draw"}),
        ("turn-knock", "Knock", {"type": "pass"}),
        (
            "turn-two",
            "Lay 4-4 and 1-1 at once",
            {"type": "place2", "tiles": ["4-4", "1-1"], "ends": ["left", "right"]},
        ),
    ],
)
def test_what_else_may_be_done_has_a_key(phone, state, key, asked):
    page = phone(f"dominoes-{state}")
    page.get_by_role("button", name=key).click()
    assert sent(page) == [asked]


def test_of_two_last_doubles_the_player_chooses_which_is_the_last(phone):
    """Out with 0-0 wins the match in the Sea Goat, out with 6-6 perhaps not."""
    orders = [
        {"tiles": ["0-0", "6-6"], "ends": ["left", "right"]},
        {"tiles": ["6-6", "0-0"], "ends": ["right", "left"]},
    ]
    legal = [{"type": "place2", "fields": fields} for fields in orders]
    page = phone("dominoes-turn-two", hand=["0-0", "6-6"], ends=[0, 6], legal=legal)
    page.get_by_role("button", name="Lay 6-6 and 0-0 at once").click()
    assert sent(page) == [{"type": "place2", **orders[1]}]


@pytest.mark.parametrize(
    ("ui", "key"),
    [
        ({}, "Let the referee play for Petro"),
        ({"local": {"sheet": "seat", "seat": "s2"}}, "Let the referee play this turn"),
    ],
    ids=["at the line", "in the drawer"],
)
def test_the_host_has_the_referee_play_for_whoever_is_away(phone, ui, key):
    page = phone("dominoes-others-away", ui=ui)
    page.get_by_role("button", name=key).click()
    assert sent(page) == [{"type": "skip", "seat": "s2"}]


def test_everybody_sees_who_is_away_and_only_the_host_can_help(phone):
    page = phone("dominoes-others-away", you={"role": "seat", "seat": "s1", "host": False})
    assert lead(page) == "Petro: away."
    assert page.get_by_role("button", name="referee").count() == 0


@pytest.mark.parametrize(
    ("state", "local", "asks"),
    [
        ("turn", {"sheet": "menu", "confirm": "leave"}, "This ends the game for everybody."),
        ("turn", {"sheet": "seat", "seat": "s2", "confirm": "off"}, "This ends the game for every"),
        ("lobby", {"sheet": "menu", "confirm": "leave"}, "Leave for good?"),
    ],
)
def test_whoever_gives_a_seat_up_is_told_that_the_match_ends(phone, state, local, asks):
    page = phone(f"dominoes-{state}", ui={"local": local})
    assert page.get_by_role("button", name=asks).count() == 1


@pytest.mark.parametrize(
    ("account", "memory", "said"),
    [(None, 0, ["lost: 6", "–"]), (None, 9, ["+6", "+9"]), (19, 0, ["+6", "19"])],
    ids=["burnt", "remembered", "open"],
)
def test_what_comes_to_an_account_that_stays_closed_is_said_to_be_lost(
    phone, account, memory, said
):
    state = states()["phone-dominoes-out"]
    books = {"account": [17, account], "memory": [0, memory]}
    result = {**state["result"], "credited": [0, 6]}
    page = phone({**state, **books, "result": result})
    shown = page.locator(".open-account").nth(1)
    assert shown.locator("span, b").all_text_contents() == said


def test_a_match_that_somebody_has_left_says_so(phone):
    page = phone("dominoes-over", winners=[], losers=[], rating=[], result=None)
    assert page.locator("h1").text_content() == "The game is over"
    assert lead(page) == "Somebody left, so nobody wins."


def test_the_match_is_staked_by_a_second_press(phone):
    page = phone("dominoes-turn-stake")
    page.get_by_role("button", name="Stake the whole game on 6-6").click()
    assert sent(page) == []
    page.get_by_role("button", name="The whole game hangs on 6-6. Press again").click()
    assert [each["type"] for each in sent(page)] == ["stake"]


def test_twenty_one_bones_lie_in_two_rows_of_full_size(phone):
    page = phone("dominoes-turn-many")
    boxes = page.locator(".rack-bone").evaluate_all(
        "all => all.map(o => o.getBoundingClientRect()).map(b => [b.top, b.width, b.height])"
    )
    assert len(boxes) == 21
    assert len({round(top) for top, _, _ in boxes}) == 2
    assert all(width >= 44 and height >= 88 for _, width, height in boxes)


def test_every_account_is_there_and_memory_is_marked(phone):
    page = phone("dominoes-turn")
    shown = page.locator(".hand-account").all_text_contents()
    assert shown == ["23", "40", "+11"]
    assert page.locator(".rack-words").text_content() == "Your boneskept: +7 points"


def test_a_fish_shows_all_hands_with_what_each_counts(phone):
    page = phone("dominoes-fish")
    assert page.locator("h1").text_content() == "Fish!"
    assert page.locator(".open-pips").all_text_contents() == [
        *("= 10 points", "= 15 points", "= 32 points", "= 4 points")
    ]


def test_a_fish_by_a_used_up_number_does_not_say_that_nobody_can_move(phone):
    """Both ends are 2, and 2-2 is still in a hand."""
    page = phone("dominoes-fish")
    assert page.locator(".open-hands [aria-label='2-2']").count() == 1
    assert lead(page).strip() == "Mira closed the line."


def test_the_host_chooses_the_kind_of_dominoes_and_each_rule_of_it(phone):
    page = phone("dominoes-rules-host")
    page.get_by_role("radio", name="Sea goat").click()
    page.locator("summary").click()
    page.get_by_role("radio", name="one, then knock").click()
    page.locator("#rule-limit").fill("150")
    page.locator("#rule-limit").press("Enter")
    options = [each["options"] for each in sent(page)]
    assert options == [{"preset": "sea-goat"}, {"draw": "one"}, {"limit": 150}]


def test_a_rule_that_is_refused_is_answered_where_it_was_asked(phone):
    page = phone("dominoes-rules-host", ui={"refused": "bad_option", "local": {"sheet": "rules"}})
    page.locator("summary").click()
    page.get_by_role("radio", name="the winner collects").click()
    answered = page.locator(".rule", has=page.locator(".notice"))
    assert answered.locator("h3").all_text_contents() == ["Who writes points"]
    assert answered.locator(".notice").is_visible()


def test_the_hosts_drawer_has_no_keys_for_what_dominoes_has_not(phone):
    page = phone("dominoes-turn", ui={"local": {"sheet": "drawer"}})
    assert page.locator(".wood-key span").all_text_contents() == ["Pause", "Undo", "30 s more"]
