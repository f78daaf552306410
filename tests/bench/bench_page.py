"""How soon a phone that has never been here shows its first title, and what it fetches for it.

    nice python -m tests.bench.bench_page [--runs 7] [--page phone|table]

A real server and headless Chromium: an empty cache, a line of 10 ms and 20 Mb/s, a processor slowed
four times. Bytes are those of the line, heads and all. Wall time, as waiting is what it measures.
"""

import argparse
import shutil
import statistics
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tests.bench.web_process import Stack

LATENCY_MS = 10.0
LINE_BITS_S = 20e6
SLOWER = 4
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
TITLES = {"phone": "#app h1", "table": "#app svg"}
LATER_MS = 3000
"""What is fetched only after the first title has come by then."""

WATCH = """
new MutationObserver((_, watcher) => {
  const title = document.querySelector("%s");
  if (!title || !title.checkVisibility()) return;
  watcher.disconnect();
  requestAnimationFrame(() => setTimeout(() => { window.firstTitle = performance.now(); }));
}).observe(document, { childList: true, subtree: true });
"""


@dataclass
class Line:
    """What came over the line, by the events of the network."""

    begun: dict[str, float] = field(default_factory=dict)
    come: list[tuple[float, str, float]] = field(default_factory=list)
    """When it had come, in the browser's seconds, which request, and its bytes by then."""
    first_s: float = 0.0
    requests: int = 0

    def listen(self, cdp: Any) -> None:
        """Take the events of a page."""
        cdp.on("Network.requestWillBeSent", self._sent)
        cdp.on("Network.responseReceived", self._received)
        cdp.on("Network.dataReceived", self._data)
        cdp.on("Network.loadingFinished", self._finished)

    def bytes_until(self, s: float) -> tuple[float, int]:
        """Bytes and requests that had come so many seconds after the first request."""
        until = {}
        for at, request, size in self.come:
            if at - self.first_s <= s:
                until[request] = max(size, until.get(request, 0.0))
        return sum(until.values()), len(until)

    def _sent(self, event: Any) -> None:
        self.first_s = self.first_s or event["timestamp"]
        self.requests += 1
        if "redirectResponse" in event:
            size = event["redirectResponse"]["encodedDataLength"]
            self.come.append((event["timestamp"], f"{event['requestId']} {self.requests}", size))

    def _received(self, event: Any) -> None:
        self.begun[event["requestId"]] = event["response"]["encodedDataLength"]
        self._note(event)

    def _data(self, event: Any) -> None:
        self.begun[event["requestId"]] = (
            self.begun.get(event["requestId"], 0.0) + event["encodedDataLength"]
        )
        self._note(event)

    def _finished(self, event: Any) -> None:
        self.begun[event["requestId"]] = event["encodedDataLength"]
        self._note(event)

    def _note(self, event: Any) -> None:
        self.come.append((event["timestamp"], event["requestId"], self.begun[event["requestId"]]))


def visit(browser: Browser, stack: Stack, page: str) -> tuple[float, float, int, float, int]:
    """Come in by the code, once.

    Returns:
        Seconds to the first title, bytes and requests by then, and in all.
    """
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, locale="en-GB"
    )
    tab = context.new_page()
    cdp = context.new_cdp_session(tab)
    cdp.send("Network.enable")
    cdp.send("Network.setCacheDisabled", {"cacheDisabled": False})
    cdp.send("Network.clearBrowserCache")
    cdp.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": LATENCY_MS,
            "downloadThroughput": LINE_BITS_S / 8,
            "uploadThroughput": LINE_BITS_S / 8,
        },
    )
    cdp.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    line = Line()
    line.listen(cdp)
    tab.add_init_script(WATCH % TITLES[page])
    wanted = "?as=table" if page == "table" else ""
    tab.goto(f"http://127.0.0.1:{stack.port}/j/{stack.codes[0]}{wanted}", wait_until="commit")
    tab.wait_for_function("() => window.firstTitle", timeout=60_000)
    first_s = tab.evaluate("window.firstTitle") / 1000
    tab.wait_for_timeout(LATER_MS)
    first, asked = line.bytes_until(first_s)
    everything, all_asked = line.bytes_until(1e9)
    context.close()
    return first_s, first, asked, everything, all_asked


def main() -> None:
    """Measure, and print the medians."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--page", choices=TITLES, default="phone")
    args = parser.parse_args()
    executable = next(filter(None, map(shutil.which, BROWSERS)), None)
    with Stack("ours") as stack, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        visit(browser, stack, args.page)  # the server's own first time is no phone's
        runs = [visit(browser, stack, args.page) for _ in range(args.runs)]
        browser.close()
        stack.close()
    seconds, first, asked, everything, all_asked = zip(*runs, strict=True)
    print(
        f"{args.page}: first title after {statistics.median(seconds):.2f} s "
        f"(quickest {min(seconds):.2f}, slowest {max(seconds):.2f}; must 1.2), by then "
        f"{statistics.median(first) / 1000:.1f} kB (must 80) of {statistics.median(asked):.0f} "
        f"requests, in all {statistics.median(everything) / 1000:.1f} kB "
        f"of {statistics.median(all_asked):.0f}"
    )


if __name__ == "__main__":
    main()
