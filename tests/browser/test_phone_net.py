"""The link of a page: what it does when a phone sleeps, a server dies or a command gets lost."""

import pytest

pytestmark = pytest.mark.browser

PRETEND = """
async () => {
  const { Net } = await import("/static/core/net.js");
  window.streams = [];
  window.posts = [];
  window.addresses = [];
  window.answers = [];
  window.snapshots = [];
  window.links = [];
  window.ends = [];
  window.EventSource = class extends EventTarget {
    constructor(url) { super(); this.url = url; this.open = true; streams.push(this); }
    close() { this.open = false; }
    say(data) { this.onmessage({ data: JSON.stringify(data) }); }
  };
  window.state = { v: 1, now_ms: Date.now(), phase_id: "1.1.TURN", net: { code: "PINE" } };
  window.fetch = async (url, { body } = {}) => {
    if (body === undefined) {
      posts.push(url);
      return new Response(JSON.stringify(state));
    }
    posts.push(JSON.parse(body));
    addresses.push(url);
    const answer = answers.shift() ?? [200, { v: 2 }];
    if (answer === "lost") throw new TypeError("no network");
    return new Response(JSON.stringify(answer[1]), { status: answer[0] });
  };
  const { ONCE } = await import("/static/games/estimation/screens/hands.js");
  window.net = new Net({
    once: (type) => ONCE.includes(type),
    onSnapshot: (snapshot) => snapshots.push(snapshot.v),
    onLink: (link) => links.push(link.live),
    onDenied: (why) => ends.push(why),
  });
  net.start();
}
"""


@pytest.fixture(scope="module")
def bare(static_site):
    """The address of an empty page: the link needs no screens."""
    empty = '<!doctype html><title>Bare</title><link rel="icon" href="data:,">'
    return static_site({"/bare.html": empty}) + "/bare.html"


@pytest.fixture(scope="module")
def window(browser):
    """A window whose clock stands still until it is moved; every test opens the page in it anew."""
    with browser.new_context() as context:
        page = context.new_page()
        page.set_default_timeout(120_000)
        page.clock.install()
        yield page


@pytest.fixture
def linked(window, bare, heard):
    """A page whose network is pretended."""
    page = heard(window)
    page.goto(bare)
    page.evaluate("localStorage.clear(), sessionStorage.clear()")
    page.evaluate(PRETEND)
    page.evaluate("Promise.resolve()")
    return page


def commands(page):
    return page.evaluate("posts.filter((each) => typeof each === 'object')")


def open_streams(page):
    return page.evaluate("streams.map((each) => each.open)")


def test_it_opens_a_stream_and_asks_for_the_state_beside_it(linked):
    assert linked.evaluate("[streams.length, posts, links]") == [1, ["api/state"], [True]]


def test_an_older_snapshot_is_never_shown_after_a_newer_one(linked):
    linked.evaluate("for (const v of [5, 4, 6]) streams[0].say({ ...state, v })")
    assert linked.evaluate("snapshots") == [1, 5, 6]


def test_of_two_snapshots_of_one_version_the_one_made_earlier_is_not_shown_last(linked):
    linked.evaluate(
        """for (const late of [5, 3, 8]) {
          streams[0].say({ ...state, v: late < 8 ? 5 : 6, now_ms: state.now_ms + late });
        }"""
    )
    assert linked.evaluate("snapshots") == [1, 5, 6]


@pytest.mark.parametrize(
    "event",
    [
        "document.dispatchEvent(new Event('visibilitychange'))",
        "window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))",
        "window.dispatchEvent(new Event('online'))",
    ],
    ids=["seen again", "from the cache", "online"],
)
def test_a_page_that_wakes_opens_a_new_stream_whatever_the_old_one_says(linked, event):
    linked.evaluate(event)
    assert open_streams(linked) == [False, True]
    assert linked.evaluate("posts.length") == 2


def test_silence_of_two_and_a_half_heartbeats_is_a_lost_link(linked):
    linked.clock.run_for(9000)
    assert open_streams(linked) == [True]
    linked.evaluate("streams[0].dispatchEvent(new Event('beat'))")
    linked.clock.run_for(9000)
    assert open_streams(linked) == [True]
    linked.clock.run_for(7000)
    assert open_streams(linked)[0] is False
    assert linked.evaluate("links.slice(0, 2)") == [True, False]


def test_a_broken_stream_is_tried_again_by_and_by(linked):
    linked.evaluate("() => { window.fetch = async () => { throw new TypeError('no network'); }; }")
    linked.evaluate("streams[0].onerror()")
    assert linked.evaluate("links") == [True, False]
    linked.clock.run_for(600)
    assert open_streams(linked) == [False, True]


def test_what_the_table_ended_is_not_opened_again_by_itself(linked):
    linked.evaluate("streams[0].dispatchEvent(new Event('elsewhere'))")
    linked.clock.run_for(60000)
    assert linked.evaluate("[ends, streams.length]") == [["elsewhere"], 1]


def test_a_table_that_closes_says_so_and_is_looked_for_until_it_is_open_again(linked):
    linked.evaluate("() => { window.fetch = async () => { throw new TypeError('no network'); }; }")
    linked.evaluate("streams[0].dispatchEvent(new Event('closed'))")
    assert linked.evaluate("[net.link.live, net.link.closed, ends]") == [False, True, []]
    linked.clock.run_for(3000)
    assert open_streams(linked) == [False]  # not knocked at while it is still closing
    linked.clock.run_for(4000)
    assert open_streams(linked) == [False, True]
    assert linked.evaluate("net.link.closed")
    linked.evaluate("streams[1].say({...state, v: 2})")
    assert linked.evaluate("[net.link.live, net.link.closed ?? false]") == [True, False]


def test_a_lost_command_is_repeated_under_the_same_id(linked):
    linked.evaluate(
        "answers.push('lost', [503, {}]); window.done = net.command('ready', {on: true})"
    )
    for _ in range(4):
        linked.clock.run_for(1000)
        linked.evaluate("Promise.resolve()")
    assert linked.evaluate("done")["ok"] is True
    sent = commands(linked)
    assert len(sent) == 3
    assert len({each["id"] for each in sent}) == 1
    assert sent[0]["phase_id"] == "1.1.TURN"


def test_stop_has_a_way_of_its_own_and_is_sent_until_it_gets_through(linked):
    linked.evaluate("() => { answers.push('lost', [500, {}], [200, { stopped: 'sent' }]); }")
    linked.evaluate("() => { net.stop().then((reply) => { window.told = reply; }); }")
    linked.clock.run_for(2000)
    assert linked.evaluate("told") == {"ok": True, "stopped": "sent"}
    assert commands(linked) == [{"type": "stop"}] * 3
    assert linked.evaluate("addresses") == ["api/stop"] * 3


def test_a_lost_command_goes_out_again_as_soon_as_the_link_is_back(linked):
    linked.evaluate("() => { answers.push('lost'); net.command('ready', {on: true}); }")
    linked.clock.run_for(100)
    assert len(commands(linked)) == 1
    linked.evaluate("streams.at(-1).say({...state, v: 2})")
    linked.evaluate("Promise.resolve()")
    assert len(commands(linked)) == 2


@pytest.mark.parametrize("kind", ["call", "hold", "push"])
def test_what_must_not_come_late_is_sent_once_or_not_at_all(linked, kind):
    linked.evaluate("answers.push('lost')")
    first = linked.evaluate(f"net.command('{kind}')")
    second = linked.evaluate(f"net.command('{kind}')")
    assert [first["reason"], second["reason"]] == ["offline", "offline"]
    assert len(commands(linked)) == 1


@pytest.mark.parametrize(("kind", "patience_ms"), [("call", 5000), ("ready", 60000)])
def test_a_command_says_until_when_on_the_tables_clock_it_is_wanted(linked, kind, patience_ms):
    ahead_ms = 7_200_000
    linked.evaluate(f"streams[0].say({{...state, v: 2, now_ms: Date.now() + {ahead_ms}}})")
    began_ms = linked.evaluate("Date.now()")
    linked.evaluate(f"net.command('{kind}')")
    ended_ms = linked.evaluate("Date.now()")
    until_ms = commands(linked)[0]["until_ms"] - ahead_ms - patience_ms
    assert began_ms - 1 <= until_ms <= ended_ms + 1


@pytest.mark.parametrize(
    ("status", "answer", "reason"),
    [
        (409, {"ok": False, "reason": "wrong_phase"}, "wrong_phase"),
        (429, {}, "too_fast"),
        (403, {}, "not_allowed"),
        (400, {}, "refused"),
    ],
)
def test_a_refusal_has_a_reason_that_the_page_can_say(linked, status, answer, reason):
    linked.evaluate("([status, answer]) => answers.push([status, answer])", [status, answer])
    assert linked.evaluate("net.command('vote')")["reason"] == reason


def test_a_phone_that_was_put_out_is_told(linked):
    linked.evaluate("answers.push([401, {}])")
    assert linked.evaluate("net.command('ready')")["ok"] is False
    assert linked.evaluate("ends") == ["gone"]


def test_a_stale_command_brings_the_newest_state(linked):
    linked.evaluate("answers.push([409, { reason: 'stale', state: { ...state, v: 9 } }])")
    assert linked.evaluate("net.command('vote')")["reason"] == "stale"
    assert linked.evaluate("snapshots.at(-1)") == 9


def test_the_clock_is_the_servers(linked):
    linked.evaluate("streams[0].say({ ...state, v: 3, now_ms: Date.now() + 5000 })")
    assert linked.evaluate("net.now() - Date.now()") == pytest.approx(5000, abs=60)


SYNC = """
async () => {
  const trips = [80, 20, 60, 120, 40];
  const ahead = 5000;
  let clock = performance.timeOrigin + performance.now();
  window.asked = 0;
  performance.now = () => clock - performance.timeOrigin;
  window.fetch = async (url) => {
    if (!url.startsWith("api/clock")) return new Response(JSON.stringify(state));
    const trip = trips[asked++];
    clock += trip * 0.5;
    const now_ms = clock + ahead;
    clock += trip * 0.5;
    return new Response(JSON.stringify({ now_ms }));
  };
  streams.at(-1).say({ ...state, v: 2, photo_finish: true });
}
"""


def test_the_clock_is_set_by_the_quickest_of_a_few_round_trips(linked):
    linked.evaluate(SYNC)
    for _ in range(8):
        linked.clock.run_for(400)
        linked.evaluate("Promise.resolve()")
    assert linked.evaluate("[asked, net.clock.trip]") == [5, 20]
    assert linked.evaluate("Math.round(net.clock.offset)") == 5000
    ahead = "Math.round(net.now() - performance.timeOrigin - performance.now())"
    assert linked.evaluate(ahead) == 5000


def test_without_a_photo_finish_nobody_sets_a_clock(linked):
    linked.evaluate("streams.at(-1).say({ ...state, v: 2 })")
    linked.clock.run_for(3000)
    assert not any("clock" in each for each in linked.evaluate("posts") if isinstance(each, str))
    assert linked.evaluate("net.clock") is None


def test_a_table_that_was_started_anew_is_believed_though_its_clock_and_journal_are_older(linked):
    linked.evaluate("streams[0].say({ ...state, opened_ms: 2, v: 7, now_ms: Date.now() + 9e6 })")
    linked.evaluate("streams[0].say({ ...state, opened_ms: 1, v: 3, now_ms: Date.now() - 9e6 })")
    assert linked.evaluate("snapshots") == [1, 7, 3]
    assert linked.evaluate("net.now() - Date.now()") == pytest.approx(-9e6, abs=60)
