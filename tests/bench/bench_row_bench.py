"""How long a chance on the row bench lags behind the finger: from a pointer's move to its answer.

    python -m tests.bench.bench_row_bench [moves]

A row of eleven tiles; one is dragged about by 60 moves a second. A move is answered by the first
chance that was asked for after it. The prediction runs in a process of its own, as at a table.
"""

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from playwright.sync_api import sync_playwright

from rig.journal import Journal
from tests.browser.conftest import BROWSERS, CHROMIUM_ARGS
from tests.support.opened import OFTEN
from tests.support.sessions import session_on
from web.factory import create_app
from web.server.server import Server

ROW = ";".join(f"{i}v@{22 * i},0,0" for i in range(11))
NOTE = """
window.moves = [];
window.answers = [];
addEventListener("pointermove", () => moves.push(performance.now()), true);
const fetched = window.fetch;
window.fetch = async (...asked) => {
  const at = performance.now();
  const reply = await fetched(...asked);
  const json = reply.json.bind(reply);
  reply.json = async () => {
    const told = await json();
    requestAnimationFrame(() => requestAnimationFrame(() => answers.push([at, performance.now()])));
    return told;
  };
  return reply;
};
"""


def main() -> None:
    moves = int(sys.argv[1]) if len(sys.argv) > 1 else 600
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        session = session_on(Journal(Path(folder) / "table.sqlite3"))
        app = create_app(session, bind="127.0.0.1", limits=OFTEN)
        path = next(filter(None, map(shutil.which, BROWSERS)), None)
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_ARGS))
        with Server(app, bind="127.0.0.1", port=0) as server:
            page = browser.new_page(viewport={"width": 390, "height": 844})
            page.add_init_script(NOTE)
            page.goto(f"http://127.0.0.1:{server.port}/bench#{ROW}")
            page.locator("body[data-v=bench]").wait_for()
            box = page.locator("[data-tile='5'] rect").first.bounding_box()
            x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            page.mouse.move(x, y)
            page.mouse.down()
            page.evaluate("moves.length = answers.length = 0")
            for i in range(moves):
                page.mouse.move(x + 6 * np.sin(i / 9), y + 30 * np.sin(i / 23))
                page.wait_for_timeout(1000 / 60)
            page.mouse.up()
            page.wait_for_timeout(1000)
            told = page.evaluate("({ moves, answers })")
        browser.close()
        session.close()
    waits = [
        min((done for asked, done in told["answers"] if asked >= move), default=None)
        for move in told["moves"]
    ]
    lags = [done - move for done, move in zip(waits, told["moves"], strict=True) if done]
    p50, p95 = np.percentile(lags, (50, 95))
    print(f"{len(lags)} moves, {len(told['answers'])} answers: p50 {p50:.0f} ms, p95 {p95:.0f} ms")


if __name__ == "__main__":
    main()
