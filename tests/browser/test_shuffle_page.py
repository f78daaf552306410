"""A phone shuffles with the table by itself, and proves the deal with its own share afterwards."""

import hashlib
import hmac
import json
from dataclasses import replace
from random import Random

import pytest

from rig.games import registry
from rig.games.dominoes.bones import SET
from rig.games.dominoes.lead import dealt
from rig.games.shuffle import faults
from rig.serialise import to_plain
from tests.browser.test_plain_game import PHONE
from tests.support import high_rounds
from tests.support.card_table import SEATS, Table
from tests.support.many_seats import NET
from tests.support.shares import Shares, shuffled
from tests.support.shuffles import VECTORS
from tests.support.words import LANGUAGES

pytestmark = pytest.mark.browser

BLANK = "<!doctype html><html lang='en'><head><title>Blank</title></head><body></body></html>"
MODULES = """Promise.all(["sha256", "shuffle"].map((name) => import(`/static/core/${name}.js`)))
  .then(([hash, shuffle]) => Object.assign(window, hash, shuffle)).then(() => null)"""


@pytest.fixture(scope="module")
def modules(browser, static_site):
    """A page that has what a phone computes with, and nothing else."""
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{static_site({'/blank.html': BLANK})}/blank.html")
        page.evaluate(MODULES)
        yield page


def test_hashes_are_those_of_python_whatever_is_hashed(modules):
    chance = Random(8)
    lengths = [*range(131), *(chance.randrange(131, 3000) for _ in range(20))]
    inputs = [(chance.randbytes(n), chance.randbytes(n % 90)) for n in lengths]
    told = modules.evaluate(
        """(text) => JSON.stringify(JSON.parse(text)
          .map((pair) => pair.map((bytes) => new Uint8Array(bytes)))
          .map(([message, key]) => [[...sha256(message)], [...hmac(key, message)]]))""",
        json.dumps([[list(message), list(key)] for message, key in inputs]),
    )
    assert [tuple(map(bytes, pair)) for pair in json.loads(told)] == [
        (hashlib.sha256(message).digest(), hmac.digest(key, message, "sha256"))
        for message, key in inputs
    ]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector.count))
def test_the_page_knows_the_same_vectors(modules, vector):
    told = modules.evaluate(
        """(s) => [committed(s, s.secret), orderOf(s), faults(s),
          Object.fromEntries(s.seats.map((seat) => [seat, shareHash(s, seat, s.shares[seat])]))]""",
        to_plain(vector),
    )
    assert told == [vector.commitment, list(vector.order), [], dict(vector.hashes)]


FOUR, OTHER = VECTORS[1], hashlib.sha256(b"another").hexdigest()
CHEATS = {
    "secret": {"secret": OTHER},
    "share": {"shares": {**FOUR.shares, "s2": OTHER}},
    "short": {"shares": {**FOUR.shares, "s2": OTHER[:-2]}},
    "withheld": {"shares": {s: share for s, share in FOUR.shares.items() if s != "s3"}},
    "late": {"hashes": {s: told for s, told in FOUR.hashes.items() if s != "s4"}},
    "deck": {"order": (*FOUR.order[2:], *FOUR.order[:2])},
    "round": {"round": 4},
}


@pytest.mark.parametrize("change", CHEATS.values(), ids=CHEATS)
def test_the_page_finds_what_the_proof_finds(modules, change):
    forged = replace(FOUR, **change)
    due = [(wrong.fault, wrong.seat or None) for wrong in faults(forged)]
    told = modules.evaluate("(s) => faults(s)", to_plain(forged))
    assert due and [(each["fault"], each.get("seat")) for each in told] == due


def test_a_phone_finds_what_it_alone_can_know(modules):
    honest, hashes = to_plain(FOUR), dict(FOUR.hashes)
    own = {"seat": "s2", "share": FOUR.shares["s2"], "hashes": hashes, "hand": ["1-2", "0-0"]}

    def found(opened, kept, dealt=None):
        told = modules.evaluate("([o, k, d]) => faults(o, k, d)", [opened, kept, dealt])
        return [(each["fault"], each.get("seat")) for each in told]

    assert found(honest, own) == found(honest, own, ["0-0", "1-2"]) == []
    assert found(honest, own, ["0-0", "1-3"]) == [("hand", "s2")]
    assert found(honest, {**own, "share": OTHER}) == [("mine", "s2")]
    assert found(honest, {**own, "hashes": {**hashes, "s1": OTHER}}) == [("hashes", "s1")]
    less = {seat: told for seat, told in hashes.items() if seat != "s4"}
    assert found(honest, {**own, "hashes": less}) == [("hashes", "s4")]


def test_a_phone_of_dominoes_knows_what_the_order_deals_it_and_finds_another_hand(modules):
    order = Random(3).sample(range(len(SET)), len(SET))
    hands, _ = dealt(order, FOUR.seats, 7)
    opened = {**to_plain(FOUR), "count": len(SET), "order": order}
    told = modules.evaluate(
        """async ([opened, hands]) => {
          const { checked } = await import("/static/core/shares.js");
          const game = await import("/static/games/dominoes/phone.js");
          const found = (seat, hand) => {
            const note = { seat, share: opened.shares[seat], hashes: opened.hashes, hand };
            localStorage["domino.shares"] = JSON.stringify({ [opened.commitment]: note });
            return checked(opened, game).wrong.filter(({ fault }) => fault === "hand");
          };
          const all = Object.entries(hands).flatMap(([seat, hand]) => found(seat, hand.toSorted()));
          return [all, found("s2", hands.s1)];
        }""",
        [opened, to_plain(hands)],
    )
    assert told == [[], [{"fault": "hand", "seat": "s2"}]]


def test_a_phone_that_has_lost_its_seat_gives_back_the_key_that_it_has(modules):
    told = modules.evaluate(
        """() => import("/static/core/round_key.js").then(({ RoundKeys }) => {
          const sent = [];
          const send = async (type, fields) => { sent.push([type, fields]); return { ok: true }; };
          const keys = new RoundKeys(null, send);
          keys.take({ round_key: { name: "n", value: "v" }, you: { seat: "s1" } });
          keys.take({ key_missing: "other", you: { seat: null } });
          keys.take({ key_missing: "n", you: { seat: null } });
          keys.take({ key_missing: "n", you: { seat: null } });
          return sent;
        })"""
    )
    assert told == [["unlock", {"key": "v"}]]


# A referee whose answers are those of the table of the test. Routes of the browser would keep it
# from having the files of the page at hand.
PRETEND = """
window.EventSource = class {
  constructor() {
    window.stream = this;
    this.close = this.addEventListener = () => {};
  }
};
window.answered = 0;
const real = window.fetch.bind(window);
window.fetch = async (url, options) => {
  if (!/^api\\/(state|command)/.test(url)) return real(url, options);
  const answer = await referee(url, JSON.parse(options?.body ?? null));
  if (url.startsWith("api/command")) answered += 1;
  return new Response(JSON.stringify(answer));
};
"""


ANSWERS = {}
"""Who answers now, by the window."""


class OwnPhone:
    """The phone of s1 as a page, at a table whose other phones are programs."""

    def __init__(self, page, site, table):
        self.page, self.table, self.answers = page, table, []
        self.changed = {}
        ANSWERS[page] = self.answer
        page.goto(f"{site}/play.html")
        page.wait_for_selector("[data-screen]")

    def view(self):
        return {**self.table.session.view("phone0"), "net": NET, **self.changed}

    def answer(self, url, command):
        if url.startswith("api/state"):
            return self.view()
        reply = self.table.session.submit("phone0", command)
        self.answers.append((command["type"], reply["ok"]))
        return reply

    def shows(self):
        """Bring the newest view to the page."""
        self.page.evaluate("(s) => stream.onmessage({ data: JSON.stringify(s) })", self.view())

    def sends(self, kind):
        """Bring the newest view, and wait for what the page says to it by itself."""
        said, answered = len(self.answers), self.page.evaluate("answered")
        self.shows()
        self.page.wait_for_function("n => answered > n", arg=answered)
        assert self.answers[said][0] == kind

    def others(self):
        self.table.session.tick()
        for phone in ("phone1", "phone2", "phone3"):
            kind, fields = Shares(phone).owed(self.table.session.view(phone))
            assert self.table.send(phone, kind, **fields)["ok"]
        self.table.session.tick()

    def shuffle(self):
        self.table.session.tick()
        self.sends("shuffle_hash")
        self.others()
        self.sends("shuffle_share")
        self.others()


@pytest.fixture(scope="module")
def site(static_site):
    return static_site({"/play.html": PHONE})


@pytest.fixture
def phone(fresh, site, tmp_path, monkeypatch):
    monkeypatch.setitem(registry.GAMES, high_rounds.PLAY.name, high_rounds.__name__)
    table = Table(tmp_path / "table.sqlite3", high_rounds.PLAY).sit()
    assert table.send("phone0", "start")["ok"]
    page = fresh((390, 844), locale="en", script=PRETEND)
    if page not in ANSWERS:
        page.expose_function("referee", lambda *asked: ANSWERS[page](*asked))
    yield OwnPhone(page, site, table)
    table.session.close()


def play_a_round(table):
    chance = Random(6)
    while not table.session.table.dealing.opened:
        table.play_on(chance)


def test_a_phone_sends_its_hash_and_its_share_by_itself_and_proves_the_deal(phone, checker):
    page = phone.page
    phone.shuffle()
    assert phone.answers == [("shuffle_hash", True), ("shuffle_share", True)]
    dealing = phone.table.session.table.dealing
    assert len(phone.table.game.hands) == 4 and set(dealing.shares) == set(SEATS)
    phone.shows()
    play_a_round(phone.table)
    phone.shows()
    page.get_by_role("button", name="How is this deal proved?").click()
    page.get_by_text("Yes: shuffle 1 was dealt as it had to be.").wait_for()
    sheet = page.locator(".sheet-deck")
    assert checker(page, theme="dark") == []
    assert "the share that it drew itself is in it" in sheet.inner_text()
    assert sheet.locator("summary").count() == 1
    sheet.locator("summary").click()
    assert dealing.shares["s1"] in sheet.inner_text()
    opened = phone.view()["shuffle_opened"]
    phone.changed = {"shuffle_opened": {**opened, "shares": {**opened["shares"], "s1": OTHER}}}
    phone.shows()
    page.get_by_text("No: shuffle 1 was not dealt as it had to be.").wait_for()
    told = sheet.locator("ul").first.inner_text()
    assert "The share under the name of Ana is not the one that this phone drew." in told


def test_a_phone_says_by_itself_that_something_is_wrong_with_a_deal(phone):
    phone.shuffle()
    phone.shows()
    play_a_round(phone.table)
    opened = phone.view()["shuffle_opened"]
    phone.changed = {"shuffle_opened": {**opened, "shares": {**opened["shares"], "s1": OTHER}}}
    phone.shows()
    phone.page.get_by_role("alert").get_by_text("something is wrong with it").wait_for()


def test_a_page_that_is_loaded_again_goes_on_with_the_same_share(phone):
    phone.table.session.tick()
    phone.sends("shuffle_hash")
    phone.page.reload()
    phone.page.wait_for_selector("[data-screen]")
    phone.others()
    phone.sends("shuffle_share")
    assert phone.answers == [("shuffle_hash", True), ("shuffle_share", True)]


def test_a_phone_gives_no_share_for_a_hash_that_is_not_its_own(phone):
    page = phone.page
    phone.table.session.tick()
    phone.sends("shuffle_hash")
    phone.others()
    shuffle = phone.view()["shuffle"]
    shown = {**shuffle, "hashes": {**shuffle["hashes"], "s1": OTHER}}
    phone.changed = {"shuffle": shown}
    phone.shows()
    notes = page.evaluate("() => JSON.parse(localStorage['domino.shares'])")
    assert notes[shuffle["commitment"]]["hashes"]["s1"] == OTHER
    assert phone.answers == [("shuffle_hash", True)]


def test_a_phone_gives_its_key_by_itself_to_a_table_that_was_started_again(phone):
    page, table = phone.page, phone.table
    phone.shuffle()
    phone.shows()
    hands = table.game.hands
    assert len(hands) == 4
    for _ in range(2):  # the second time it has been loaded again, too
        table.session.close()
        table.session = table.opened()
        phone.sends("unlock")
        assert table.game.hands == hands
        page.reload()
        page.wait_for_selector("[data-screen]")
    table.session.close()
    table.session = table.opened()
    page.evaluate("() => localStorage.clear()")
    page.reload()
    page.get_by_text("The table was started again in the middle of a round.").wait_for()
    assert set(phone.answers[2:]) == {("unlock", True)}


def test_screens_say_who_is_waited_for_and_whose_share_is_missing(phone):
    page, table = phone.page, phone.table
    table.session.tick()
    phone.sends("shuffle_hash")
    phone.shows()
    page.get_by_text("Waiting for the phones of: Bo, Cy, and Di").wait_for()
    for name in ("phone1", "phone3"):
        kind, fields = Shares(name).owed(table.session.view(name))
        table.send(name, kind, **fields)
    table.clock.sleep(8.5)
    table.session.tick()
    phone.sends("shuffle_share")
    page.get_by_text("no answer in time): Cy").wait_for()
    table.clock.sleep(8.5)
    table.session.tick()
    phone.sends("shuffle_hash")
    page.get_by_text("stopped answering: Bo and Di").wait_for()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_sheet_speaks_every_language_and_fits_a_small_phone(stage, heard, lang, tmp_path):
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(registry.GAMES, high_rounds.PLAY.name, high_rounds.__name__)
        table = Table(tmp_path / "table.sqlite3", high_rounds.PLAY).begin()
        sealed = table.session.view("phone0")
        play_a_round(table)
        shuffled(table.session, ["phone0", "phone1", "phone2", "phone3"], table.send)
        opened = table.session.view("phone0")
        table.session.close()
    page = heard(stage((360, 640)))
    wrong = {**opened["shuffle_opened"], "secret": OTHER}
    shots = {
        "sealed": sealed,
        "open": opened,
        "wrong": {**opened, "shuffle_opened": wrong},
    }
    for snapshot in shots.values():
        snapshot["ui"] = {"local": {"sheet": "deck"}}
        page.evaluate("([s, lang]) => show(s, lang)", [snapshot, lang])
        page.locator(".sheet-deck p").first.wait_for()
        asked = json.dumps([{"s": snapshot}, lang, ("wide", "cut", "targets", "keys")])
        assert page.evaluate("asked => askAll(...JSON.parse(asked))", asked) == {}
