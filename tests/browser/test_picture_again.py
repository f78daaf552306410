"""A picture that cannot be fetched, as the referee is starting anew, is asked for again."""

import json
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

SNAPSHOTS = Path(__file__).parents[1] / "data" / "snapshots"
TABLE = """async (snapshot) => {
  const { preview } = await import("/static/games/estimation/table.js");
  const { allWords } = await import("/static/games/index.js");
  const catalogue = await allWords("en", "table");
  preview(document.getElementById("app"), snapshot, { catalogue, lang: "en" });
}"""


def saved(name):
    snapshot = json.loads((SNAPSHOTS / f"{name}.json").read_text(encoding="utf-8"))
    return {**snapshot, "verdict": {**snapshot["verdict"], "picture": "/picture/7.jpg"}}


@pytest.fixture
def page(new_stage):
    """A page whose first picture gets lost on its way."""
    page = new_stage()
    page.clock.install()
    lost = []

    def once(route):
        lost.append(route.request.url)
        route.abort() if len(lost) == 1 else route.continue_()

    page.route("**/picture/*", once)
    return page


@pytest.mark.parametrize(
    ("draw", "name"),
    [("(snapshot) => show(snapshot, 'en')", "phone-verdict-picture")]
    + [(TABLE, f"table-{name}") for name in ("verdict-picture", "judge-unsure")],
)
def test_a_lost_picture_comes_a_second_later(page, draw, name):
    with page.expect_event("requestfailed"):
        page.evaluate(draw, saved(name))
    with page.expect_event("requestfinished") as fetched:
        page.locator("img:not([src]), image:not([href])").first.wait_for(state="attached")
        page.clock.run_for(1000)
    assert fetched.value.url.endswith("/picture/7.jpg")
    assert page.locator("img[src*='/picture/'], image[href*='/picture/']").count() == 1
