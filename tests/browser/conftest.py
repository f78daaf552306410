"""One headless Chromium for the whole run, and the pages without a server behind them."""

import functools
import http.server
import itertools
import json
import os
import shutil
import struct
import threading
import zlib
from collections import defaultdict
from contextlib import contextmanager
from html import escape
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest
from playwright.sync_api import sync_playwright

from physics.pictures.movie import movie
from tests.support.fake_session import FakeSession
from tests.support.fake_setup import FakeSetup
from tests.support.stages import shell
from web.base.headers import SECURITY
from web.content import saved
from web.content.static_files import files
from web.content.words import languages
from web.factory import create_app
from web.server.server import Server

ROOT = Path(__file__).parents[2]
SNAPSHOTS = ROOT / "tests" / "data" / "snapshots"
HEAD = f'<head><meta name="languages" content="{escape(json.dumps(languages()))}">'
"""What every page is told of the languages there are."""
PHONE_STAGE = {
    "/stage.html": shell('class="phone"', inside='<div id="defs"></div><div id="app"></div>'),
    "/stage.js": (Path(__file__).parent / "phone_stage.js").read_text(encoding="utf-8"),
}
CHROMIUM_ARGS = ("--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu")
KINDS = (Path(__file__).parent / "axe_kinds.js").read_text(encoding="utf-8")
CHECK_ALL = os.environ.get("DOMINO_AXE") == "all"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The first that is there is taken; the one that can open no windows is the quickest."""


@pytest.fixture(scope="session")
def chromium():
    """The browser of the whole run."""
    executable = next(filter(None, map(shutil.which, BROWSERS)), None)
    if executable is None:
        missing = f"no chromium on this machine: install the package {BROWSERS[0]}"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=list(CHROMIUM_ARGS))
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def browser(chromium):
    """The browser, for a file that closes what it opens: a page left open works on to the end."""
    yield chromium
    left = [page.url for context in chromium.contexts for page in context.pages]
    for context in chromium.contexts:
        context.close()
    assert left == []


@pytest.fixture
def visitors(browser):
    """The browser, for a test whose pages are closed at its end, whatever they are."""
    before = set(browser.contexts)
    yield browser
    for context in set(browser.contexts) - before:
        context.close()


@pytest.fixture(scope="module")
def windows(browser):
    """The windows of a file that no test has just now, by language and script."""
    kept = defaultdict(list)
    yield kept
    for page in itertools.chain(*kept.values()):
        page.context.close()


@pytest.fixture
def fresh(browser, windows):
    """Open a window as good as new: `fresh((390, 844), locale="uk", color_scheme="dark")`.

    A new one is a process, and fetches and reads every file of a page again: the tests of a file
    have the same ones in turn, without what the test before left there. `script` runs before the
    page does.
    """
    taken = []

    def open_window(size, locale="en-US", script="", **media):
        kept = windows[locale, script]
        if kept:
            page = kept.pop()
        else:
            page = browser.new_context(locale=locale).new_page()
            page.set_default_timeout(120_000)
            if script:
                page.add_init_script(script)
        taken.append((kept, page))
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(**NO_WISHES | media)
        return page

    yield open_window
    for kept, page in taken:
        if page.is_closed() or len(page.context.pages) > 1:
            page.context.close()
        else:
            emptied(page)
            kept.append(page)


NO_WISHES = {"color_scheme": "light", "reduced_motion": "no-preference"}


def emptied(page):
    """Take out of a window all that a page can leave in it."""
    page.unroute_all(behavior="ignoreErrors")
    if page.url.startswith("http"):
        page.evaluate("localStorage.clear(), sessionStorage.clear()")
    page.goto("about:blank")
    page.context.clear_cookies()


@contextmanager
def painted_small(page):
    """Lay the page out as ever but paint it in a hundredth of its area, while it is only measured.

    Painting would take half of the time. Nobody may point at anything meanwhile.
    """
    size = page.viewport_size
    wanted = {**size, "deviceScaleFactor": 1, "mobile": False, "scale": 0.1}
    devtools = page.context.new_cdp_session(page)
    devtools.send("Emulation.setDeviceMetricsOverride", wanted)
    try:
        yield
    finally:
        devtools.detach()
        # Playwright sends no size that it has sent last; the browser has the window's own by now.
        page.set_viewport_size({**size, "height": size["height"] + 1})
        page.set_viewport_size(size)


def grey_picture(width=160, height=90):
    """A plain PNG, where a snapshot names a picture of the camera."""
    line = b"\0" + bytes((96, 120, 104)) * width

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress(line * height)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    )


DRAWING = threading.Lock()
"""One still at a time: those who wait for it have it from the one who drew it."""


def film_file(path):
    """A still as films have them, grey where none can be made here; or a film of little."""
    if path.endswith(".jpg"):
        # A screen asks for all of its stills at once, and each may be asked for twice.
        with DRAWING:
            still = saved.film(path)
        return (still, "image/jpeg") if still else (grey_picture(), "image/png")
    return tiny_film(), "video/mp4"


@functools.cache
def tiny_film():
    """Five seconds of grey."""
    grey = np.full((36, 64, 3), 96, np.uint8)
    return movie([grey] * 50, (64, 36), 10)


KIND_OF = {".html": "text/html", ".svg": "image/svg+xml"}


class StaticSite(http.server.BaseHTTPRequestHandler):
    """Serves the files of the pages as the app sends them, with its security headers."""

    protocol_version = "HTTP/1.1"
    """A page is dozens of files: over one connection they come in a fraction of the time."""

    def __init__(self, *args, extra, **kwargs):
        self.extra = extra
        super().__init__(*args, **kwargs)

    def do_GET(self):
        path = urlsplit(self.path).path
        if path.startswith("/picture/"):
            self.answer(grey_picture(), "image/png")
        elif path.startswith("/film/"):
            self.answer(*film_file(path))
        elif path in self.extra:
            kind = KIND_OF.get(Path(path).suffix, "text/javascript")
            text = self.extra[path].replace("<head>", HEAD)
            self.answer(text.encode(), f"{kind}; charset=utf-8")
        elif sent := files(False).answer(path, "", ""):
            kind = dict(sent.headers)[b"content-type"].decode()
            self.answer(sent.body, kind)
        else:
            self.send_error(404)

    def answer(self, body, kind):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def end_headers(self):
        for name, value in SECURITY.items():
            self.send_header(name, value)
        if urlsplit(self.path).path.startswith("/static/"):
            # A page that is loaded again has dozens of files at hand and need not ask for them.
            self.send_header("Cache-Control", "max-age=3600")
        super().end_headers()

    def log_message(self, *args):
        pass


@pytest.fixture(scope="session")
def static_site():
    """Start a site of the page files: `static_site({"/stage.html": "..."})` gives its address.

    The pages handed in stand beside `/static/` and `/locales/`, under the same headers.
    """
    servers = []

    def start(extra):
        handler = functools.partial(StaticSite, extra=extra)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        servers.append((server, thread))
        return f"http://127.0.0.1:{server.server_address[1]}"

    yield start
    for server, thread in servers:
        server.shutdown()
        thread.join()
        server.server_close()


class Checker:
    """The accessibility checker: it looks at a screen that has something it has not met.

    With DOMINO_AXE=all it checks every screen as a whole.
    """

    def __init__(self) -> None:
        from axe_playwright_python import base

        # The policy blocks a script tag; what is evaluated goes past it.
        self._axe = (Path(base.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
        self._met: set[str] = set()

    def come(self, page):
        """Put the checker into a page, for `checkNew` in it."""
        page.evaluate(self._axe)
        self._look_out(page)

    def _look_out(self, page):
        """Put into a page what notices something new on it, a small part of the checker."""
        page.evaluate(KINDS)
        page.evaluate("kinds => knowKinds(JSON.parse(kinds))", json.dumps(sorted(self._met)))

    def __call__(self, page, theme="", still=False):
        """What is wrong with a page on which something is new, as rules and pieces of it.

        `theme` is another theme in which to look at the contrast as well. Where nothing is drawn
        meanwhile the page is `still`, and drawings are emptied for the look.
        """
        if not page.evaluate("() => Boolean(window.checkNew)"):
            self._look_out(page)
        how = {"all": CHECK_ALL, "theme": theme, "still": still}
        if page.evaluate("how => !window.axe && isNew('html', how)", how):
            page.evaluate(self._axe)
        told = page.evaluate("how => checkNew('html', how)", how)
        self._met.update(told["kinds"])
        return told["faults"]


@pytest.fixture(scope="module")
def checker():
    """`checker(page)` gives what is wrong with what is new on the page."""
    return Checker()


@pytest.fixture
def heard():
    """What pages complain about: `heard(page)` starts listening; nothing may be left at the end."""
    said = []
    pages = []

    def note(message):
        if message.type == "error":
            said.append(message.text)

    def fail(error):
        said.append(str(error))

    def listen(page):
        page.on("console", note)
        page.on("pageerror", fail)
        pages.append(page)
        return page

    yield listen
    for page in pages:
        if not page.is_closed():
            page.remove_listener("console", note)
            page.remove_listener("pageerror", fail)
    assert said == []


@pytest.fixture(scope="module")
def idle_server():
    """A server whose table has nobody at it, for tests of the page files themselves."""
    app = create_app(FakeSession(), code="PINE", setup=FakeSetup())
    with Server(app, bind="127.0.0.1", port=0) as server:
        yield server


@pytest.fixture(scope="session")
def phone_site(static_site):
    """The address of the stage on which phone screens are drawn from snapshots."""
    return static_site(PHONE_STAGE)


@pytest.fixture(scope="module")
def new_stage(browser, phone_site):
    """Open a phone without a server, for a test that changes the page itself."""
    contexts = []

    def open_stage(size=(390, 844), theme="dark"):
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=theme,
            reduced_motion="reduce",
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(120_000)
        page.goto(f"{phone_site}/stage.html")
        page.wait_for_selector("body[data-ready]")
        return page

    yield open_stage
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def stage(new_stage):
    """A phone of a size and a theme, the same page for all tests of a file that only draw on it."""
    opened = functools.cache(new_stage)

    def at(size=(390, 844), theme="dark"):
        page = opened()
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(color_scheme=theme)
        return page

    return at


@pytest.fixture
def phone(stage, heard):
    """Open a phone on a saved snapshot: `phone("turn", paused_by="s1")`, or on one that is made."""

    def open_phone(snapshot, **changes):
        page = heard(stage())
        if isinstance(snapshot, str):
            snapshot = json.loads(
                (SNAPSHOTS / f"phone-{snapshot}.json").read_text(encoding="utf-8")
            )
        page.evaluate("snapshot => show(snapshot, 'en')", {**snapshot, **changes})
        return page

    return open_phone
