"""A game without screens of its own, with as many as ten at the table: phones and table screen."""

import pytest

from rig.games import registry
from tests.support import high_card, high_pairs
from tests.support.many_seats import NAMES, snapshots
from tests.support.stages import shell
from tests.support.words import LANGUAGES

pytestmark = pytest.mark.browser

SHELL = shell(
    'class="table"',
    "table/table",
    title="Table",
    scripts='<script type="module" src="/harness.js"></script>',
)
HARNESS = """
import { translator } from "/static/core/i18n.js";
import { allWords, loadGame } from "/static/games/index.js";
window.draw = async (snap, lang) => {
  const { Table } = await loadGame("table", snap);
  const say = translator(await allWords(lang, "table", snap), lang);
  const root = Object.assign(document.createElement("div"), { id: "app" });
  document.getElementById("app").replaceWith(root);
  const parts = { say, lang, now: () => snap.now_ms, send() {}, sound: {}, still: () => true };
  new Table(root, parts).show(snap);
};
document.body.dataset.ready = "1";
"""
STREAM = """window.EventSource = class {
  constructor() {
    window.stream = this;
    this.close = this.addEventListener = () => {};
  }
};"""
FAULTS = """() => {
  const stage = document.querySelector(".t-stage").getBoundingClientRect();
  const texts = [...document.querySelectorAll(".t-art text, .t-words *")];
  const boxes = texts.filter((each) => each.textContent.trim()).map((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return [each.textContent, range.getBoundingClientRect()];
  });
  const out = boxes.filter(([, box]) => box.left < stage.left || box.right > stage.right
    || box.top < stage.top || box.bottom > stage.bottom).map(([text]) => `${text} is cut`);
  boxes.forEach(([text, a], i) => boxes.slice(i + 1).forEach(([other, b]) => {
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (wide > 1 && high > 8) out.push(`${text} lies over ${other}`);
  }));
  return out;
}"""


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """Snapshots of ten at High Card, and of four at High Pairs."""
    with pytest.MonkeyPatch.context() as patch:
        for game in (high_card, high_pairs):
            patch.setitem(registry.GAMES, game.PLAY.name, game.__name__)
        folder = tmp_path_factory.mktemp("many")
        yield {
            "ten": snapshots(folder, high_card.PLAY, 10),
            "pairs": snapshots(folder, high_pairs.PLAY, 4),
        }


@pytest.fixture(scope="module")
def table(browser, static_site, shown):
    """Draw a moment on a table screen of 1280 x 720."""
    site = static_site({"/stage.html": SHELL, "/harness.js": HARNESS})
    with browser.new_context(viewport={"width": 1280, "height": 720}) as context:
        page = context.new_page()
        page.goto(f"{site}/stage.html")
        page.wait_for_selector("body[data-ready]")

        def draw(game, moment, lang="en"):
            page.evaluate(
                "([snap, lang]) => draw(snap, lang)", [shown[game][f"table-{moment}"], lang]
            )
            return page

        yield draw


@pytest.mark.parametrize("moment", ["lobby", "turn", "over"])
def test_ten_names_stand_round_the_table_on_the_table_screen(table, moment):
    for lang in LANGUAGES:
        page = table("ten", moment, lang)
        words = page.locator(".t-art").text_content()
        names = NAMES if moment != "over" else (NAMES[0], *NAMES[2:])
        assert [name for name in names if name not in words] == []
        assert page.evaluate(FAULTS) == []


def test_a_table_screen_that_loads_its_game_draws_the_moment_that_came_last(
    browser, static_site, shown, table
):
    drawn = table("ten", "turn").locator("#app").text_content()
    site = static_site({"/entry.html": SHELL.replace("/harness.js", "/static/table.js")})
    with browser.new_context(locale="en", viewport={"width": 1280, "height": 720}) as context:
        page, held, faults = context.new_page(), [], []
        page.on("pageerror", lambda error: faults.append(error))
        page.add_init_script(STREAM)
        page.route("**/games/plain/table.js", lambda route: held.append(route))
        with page.expect_request("**/api/state*"):  # what is asked for beside the stream
            page.goto(f"{site}/entry.html")
        come = "(s) => stream.onmessage({ data: JSON.stringify(s) })"
        page.evaluate(come, shown["ten"]["table-lobby"])
        while not held:  # until the page asks for the game
            page.wait_for_timeout(10)
        page.evaluate(come, shown["ten"]["table-turn"])
        held.pop().continue_()
        page.evaluate("() => import('/static/games/plain/table.js')")
        page.wait_for_selector(".t-art")
        assert page.locator("#app").text_content() == drawn
        assert faults == []


def test_partners_sit_opposite_and_the_other_way_is_said(table):
    page = table("pairs", "turn")
    at = {
        name: page.locator(".t-art").get_by_text(name, exact=True).bounding_box()["y"]
        for name in NAMES[:4]
    }
    olena, borys, maximiliane, petro = (at[name] for name in NAMES[:4])
    assert maximiliane < borys == petro < olena
    assert page.locator(".t-line").first.text_content() == "Turns go counter-clockwise."


@pytest.mark.parametrize("size", [(390, 844), (360, 640)], ids=["common", "small"])
def test_ten_rows_and_ten_marks_fit_a_phone(stage, heard, shown, size):
    page = heard(stage(size))
    asked = {k: v for game in shown.values() for k, v in game.items() if not k.startswith("table")}
    for lang in LANGUAGES:
        questions = ["wide", "cut", "targets", "keys"]
        told = page.evaluate("([s, lang, q]) => askAll(s, lang, q)", [asked, lang, questions])
        assert told == {}


def test_a_phone_names_seats_in_the_order_of_turns_and_who_plays_together(stage, heard, shown):
    page = heard(stage())
    page.evaluate("s => show(s, 'en')", shown["pairs"]["phone-turn"])
    assert page.locator(".seat-text b").all_text_contents() == [
        "Olena",
        "Petro",
        "Maximiliane",
        "Borys",
    ]
    assert page.get_by_role("heading").text_content() == "It’s your turn"
    assert page.locator(".seat-text span").first.text_content() == "with Maximiliane"


def test_every_legal_command_is_a_key_and_what_the_rules_show_is_said(stage, heard, shown):
    page = heard(stage())
    turn = shown["ten"]["phone-turn"]
    page.evaluate("s => show(s, 'en')", turn)
    hand = turn["hand"]
    keys = page.locator(".foot").get_by_role("button")
    assert keys.all_inner_texts() == [f"Play {card}" for card in hand]
    keys.nth(1).click()
    pressed = {"type": "play", "card": hand[1], "trick_id": turn["trick_id"]}
    assert page.evaluate("sent") == [pressed]
    seen = dict(
        zip(
            *(page.locator(f".plain-view {part}").all_text_contents() for part in ("dt", "dd")),
            strict=True,
        )
    )
    assert seen["Hand"] == f"{hand[0]}, {hand[1]}, and {hand[2]}"
    assert seen["Left"].startswith("Olena: 3; Borys: 3")


def test_of_many_commands_of_a_kind_one_is_picked_from_a_list(stage, heard, shown):
    page = heard(stage())
    many = [{"type": "play", "fields": {"card": n}} for n in range(30)]
    page.evaluate("s => show(s, 'en')", {**shown["ten"]["phone-turn"], "legal": many})
    page.get_by_label("Play: choose").select_option("Play 21")
    page.get_by_role("button", name="Do it").click()
    assert page.evaluate("sent")[-1]["card"] == 21


PHONE = shell(
    'class="phone" data-v',
    title="Phone",
    scripts='<script type="module" src="/static/phone.js"></script>',
)


def test_a_game_without_screens_is_played_in_the_words_of_its_own_catalogue(
    browser, static_site, shown
):
    site, posts = static_site({"/play.html": PHONE}), []
    words = {"command.play": "Lay down the {{card}}", "field.card.0": "two of clubs"}
    turn = shown["ten"]["phone-turn"]
    legal = [{"type": "play", "fields": {"card": card}} for card in (0, 7)]

    def taken(route):
        posts.append(route.request.post_data_json)
        route.fulfill(json={"ok": True, "v": turn["v"]})

    with browser.new_context(locale="en", viewport={"width": 390, "height": 844}) as context:
        page = context.new_page()
        page.add_init_script(STREAM)
        page.route("**/api/state", lambda route: route.fulfill(json={**turn, "legal": legal}))
        page.route("**/api/command", taken)
        page.route("**/locales/en/high_card/phone.json", lambda route: route.fulfill(json=words))
        page.goto(f"{site}/play.html")
        page.get_by_role("button", name="Lay down the 7").wait_for()
        with page.expect_response("**/api/command"):
            page.get_by_role("button", name="Lay down the two of clubs").click()
    assert [(each["type"], each["card"], each["trick_id"]) for each in posts] == [
        ("play", 0, turn["trick_id"])
    ]


def test_new_marks_are_offered_where_ten_can_play(stage, heard, shown):
    page = heard(stage())
    page.evaluate("s => show(s, 'en')", shown["ten"]["guest-few"])
    assert page.get_by_role("radio").count() == 10
    assert page.get_by_role("radio", disabled=True).count() == 3
