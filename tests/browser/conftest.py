"""One headless Chromium for the whole run, and the pages without a server behind them."""

import functools
import http.server
import os
import shutil
import struct
import threading
import zlib
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import sync_playwright

from web.headers import SECURITY

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
SNAPSHOTS = ROOT / "tests" / "data" / "snapshots"
CHROMIUM_ARGS = ("--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu")


@pytest.fixture(scope="session")
def browser():
    """The browser of the whole run; tests open contexts in it."""
    executable = shutil.which("chromium") or shutil.which("chromium-browser")
    if executable is None:
        missing = "no chromium on this machine: install the package chromium"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=executable, args=list(CHROMIUM_ARGS)
        )
        yield chromium
        chromium.close()


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


class StaticSite(http.server.SimpleHTTPRequestHandler):
    """Serves the files of the pages with the app's own security headers, and nothing else."""

    def __init__(self, *args, extra, **kwargs):
        self.extra = extra
        super().__init__(*args, directory=str(WEB), **kwargs)

    def do_GET(self):
        path = urlsplit(self.path).path
        if path.startswith("/picture/"):
            self.answer(grey_picture(), "image/png")
        elif path in self.extra:
            kind = "text/html" if path.endswith(".html") else "text/javascript"
            self.answer(self.extra[path].encode(), f"{kind}; charset=utf-8")
        elif path.startswith(("/static/", "/locales/")):
            super().do_GET()
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


@pytest.fixture(scope="session")
def axe_source():
    """The accessibility checker, to be run by `page.evaluate`: a strict policy blocks script tags."""
    from axe_playwright_python import base

    return (Path(base.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture
def heard():
    """What pages complain about: `heard(page)` starts listening; nothing may be left at the end."""
    said = []

    def listen(page):
        page.on("console", lambda m: said.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: said.append(str(error)))
        return page

    yield listen
    assert said == []
