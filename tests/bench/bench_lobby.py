"""What the small game on an empty table's lobby takes of a core.

    python -m tests.bench.bench_lobby [--runs 3]

A real server and headless Chromium, 1920 x 1080, drawn in software. The page's share is the main
thread's `TaskDuration` as the developer tools tell it; the browser's is the CPU time of all its
processes. Both over one whole run of the small game and a bit, against a lobby that stands still.
"""

import argparse
import shutil
import statistics
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tests.bench.web_process import Stack

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
WATCHED_S = 20
SETTLED_MS = 3000
TICKS_S = 100


def task_s(cdp: Any) -> float:
    """How long the page's main thread has worked."""
    metrics = cdp.send("Performance.getMetrics")["metrics"]
    return next(float(m["value"]) for m in metrics if m["name"] == "TaskDuration")


def cpu_s(browser_cdp: Any) -> float:
    """The CPU time of the browser's processes that live now."""
    told = browser_cdp.send("SystemInfo.getProcessInfo")["processInfo"]
    total = 0.0
    for process in told:
        stat = Path(f"/proc/{process['id']}/stat").read_text(encoding="utf-8")
        total += sum(map(int, stat.rpartition(")")[2].split()[11:13])) / TICKS_S
    return total


def share(browser: Browser, stack: Stack, motion: str) -> tuple[float, float]:
    """The shares of one core of the page and of the whole browser, while the lobby is shown."""
    context = browser.new_context(
        viewport={"width": 1920, "height": 1080}, reduced_motion=motion, locale="en-GB"
    )
    tab = context.new_page()
    tab.goto(f"http://127.0.0.1:{stack.port}/j/{stack.codes[0]}?as=table", wait_until="commit")
    tab.wait_for_selector(".t-demo")
    tab.wait_for_timeout(SETTLED_MS)
    cdp, whole = context.new_cdp_session(tab), browser.new_browser_cdp_session()
    cdp.send("Performance.enable")
    before = task_s(cdp), cpu_s(whole)
    tab.wait_for_timeout(WATCHED_S * 1000)
    after = task_s(cdp), cpu_s(whole)
    context.close()
    return (after[0] - before[0]) / WATCHED_S, (after[1] - before[1]) / WATCHED_S


def main() -> None:
    """Measure by turns and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    runs = parser.parse_args().runs
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as playwright, Stack("ours") as stack:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for motion in ("no-preference", "reduce"):
            shares = [share(browser, stack, motion) for _ in range(runs)]
            page, whole = (100 * statistics.median(each) for each in zip(*shares, strict=True))
            print(f"{motion}: page {page:.1f} %, whole browser {whole:.1f} % of one core")
        browser.close()


if __name__ == "__main__":
    main()
