"""The table screen stays on while it is in sight."""

import pytest

pytestmark = pytest.mark.browser

ASKED = """
window.asked = [];
Object.defineProperty(navigator, "wakeLock", {
  value: { request: (kind) => { asked.push(kind); return Promise.reject(new Error("refused")); } },
});
"""
NONE = 'Object.defineProperty(navigator, "wakeLock", { value: undefined });'
"""As on plain HTTP and in older browsers."""
SEEN = """(hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
  return asked.length;
}"""


def opened(fresh, idle_server, script):
    """A table screen, and what goes wrong on it: of this session not much can be drawn."""
    page, wrong = fresh((390, 844), script=script), []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"{idle_server.host_url}?as=table")
    page.goto(f"http://127.0.0.1:{idle_server.port}/table", wait_until="load")
    return page, wrong


def test_it_is_asked_to_stay_on_whenever_it_comes_into_sight(fresh, idle_server):
    page, wrong = opened(fresh, idle_server, ASKED)
    assert page.evaluate("asked") == ["screen"]
    assert page.evaluate(SEEN, True) == 1
    assert page.evaluate(SEEN, False) == 2
    assert not any("refused" in error for error in wrong)


def test_where_nobody_may_ask_for_it_nothing_goes_wrong(fresh, idle_server):
    page, wrong = opened(fresh, idle_server, NONE)
    assert page.evaluate("document.documentElement.lang") == "en"
    assert not any("request" in error for error in wrong)
