"""How well the marks of the seats can be told apart, in figures and on a sheet to look at.

    python -m tests.tools.marks [--sheet FOLDER]

By colour for four kinds of eyes, by shape at 16 pixels, and against everything they are drawn on.
`--sheet` writes marks-dark.png and marks-light.png: 16 px, 30 px, 80 px, and as from four metres.
"""

import argparse
import functools
import http.server
import re
import shutil
import threading
from itertools import combinations
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

from tests.support.eyes import EYES, apart, contrast

WEB = Path(__file__).parents[2] / "web"
STATIC = WEB / "static"
GROUNDS = ("card", "card-2", "rail", "rail-2", "felt", "felt-deep")
"""What marks are drawn on, as the tokens are called."""
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
SILHOUETTES = """async (size) => {
  const { MARK_ORDER, markShape } = await import("/static/core/objects/marks.js");
  const { render, html } = await import("/static/vendor/lit-html/lit-html.js");
  const shown = {};
  for (const kind of MARK_ORDER) {
    const root = document.createElement("div");
    render(html`<svg xmlns="http://www.w3.org/2000/svg" width=${size} height=${size}
      viewBox="-26 -26 52 52">${markShape(kind, { shadow: false })}</svg>`, root);
    const picture = new Image();
    const drawn = root.innerHTML.replaceAll(/<!--.*?-->/g, "");
    picture.src = `data:image/svg+xml,${encodeURIComponent(drawn)}`;
    await picture.decode();
    const sheet = document.createElement("canvas");
    const pen = Object.assign(sheet, { width: size, height: size }).getContext("2d");
    pen.drawImage(picture, 0, 0);
    shown[kind] = [...pen.getImageData(0, 0, size, size).data].filter((_, i) => i % 4 === 3);
  }
  return shown;
}"""
SHEET = """async () => {
  const { MARK_ORDER, mark } = await import("/static/core/objects/marks.js");
  const { defs } = await import("/static/core/objects/defs.js");
  const { render, html } = await import("/static/vendor/lit-html/lit-html.js");
  const line = (size) => html`<p>${MARK_ORDER.map((kind) => mark(kind, { size }))}</p>`;
  const all = (ground) => html`<div class=${ground}>${[80, 30, 16].map(line)}
    <div class="far">${line(80)}</div></div>`;
  render(html`${defs()}${["card", "rail-2", "felt", "felt-deep"].map(all)}`, document.body);
}"""
STYLE = """<!doctype html><link rel="icon" href="data:,">
<link rel="stylesheet" href="/static/core/style/tokens.css">
<style>body{margin:0;display:grid;grid-template-columns:1fr 1fr;background:var(--card)}
body>div{padding:12px}p{margin:6px 0;display:flex;gap:12px;align-items:center}
.defs{position:absolute}
.far{height:20px;filter:blur(.6px)}.far p{zoom:.17;gap:40px}
.card{background:var(--card)}.rail-2{background:var(--rail-2)}.felt{background:var(--felt)}
.felt-deep{background:var(--felt-deep)}</style><body>"""


def fills():
    """The colour of every mark, by its name."""
    text = (STATIC / "core" / "objects" / "marks.js").read_text(encoding="utf-8")
    return dict(re.findall(r'^  (\w+): \{\s*fill: "(#\w{6})"', text, re.M))


def rim():
    """The colour of the line round every mark."""
    return _tokens()["light"]["seat-rim"]


def grounds():
    """The colours behind marks, by theme and token."""
    return {theme: {name: of[name] for name in GROUNDS} for theme, of in _tokens().items()}


@functools.cache
def _tokens():
    text = (STATIC / "core" / "style" / "tokens.css").read_text(encoding="utf-8")
    parts = re.split(r':root\[data-theme="(light|dark)"\]', text)
    common = dict(re.findall(r"--([\w-]+): (#\w{6});", parts[0]))
    themes = {
        name: common | dict(re.findall(r"--([\w-]+): (#\w{6});", body.partition("}")[0]))
        for name, body in zip(parts[1::2], parts[2::2], strict=True)
    }
    return {name: themes[name] for name in ("dark", "light")}


def clear(colour, ground):
    """The contrast of a mark against a ground: that of its fill or of its rim, what is more."""
    return max(contrast(colour, ground), contrast(rim(), ground))


def nearest(eyes):
    """The two marks whose colours are nearest for these eyes, and how far they are apart."""
    colours = fills()
    pairs = combinations(colours, 2)
    return min((apart(colours[one], colours[other], eyes), one, other) for one, other in pairs)


def differing(shapes):
    """How much of two silhouettes, laid over each other, only one has; by pair of marks."""
    drawn = {kind: np.asarray(shape) / 255 for kind, shape in shapes.items()}
    return {
        (one, other): float(
            np.abs(drawn[one] - drawn[other]).sum() / np.maximum(drawn[one], drawn[other]).sum()
        )
        for one, other in combinations(drawn, 2)
    }


class _Site(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.path != "/":
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        return self.wfile.write(STYLE.encode())

    def log_message(self, *args):
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sheet", type=Path, metavar="FOLDER")
    folder = parser.parse_args().sheet
    for eyes in EYES:
        far, one, other = nearest(eyes)
        print(f"eyes with {eyes:9}: nearest colours {one} and {other}, CIEDE2000 {far:.1f}")
    for theme, behind in grounds().items():
        least, kind, name = min(
            (clear(colour, ground), kind, name)
            for kind, colour in fills().items()
            for name, ground in behind.items()
        )
        print(f"{theme:5}: least contrast {least:.1f}, {kind} on {name}")
    inside = min((contrast(colour, rim()), kind) for kind, colour in fills().items())
    print(f"fill against rim: least {inside[0]:.1f}, {inside[1]}")
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(_Site, directory=str(WEB))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=next(filter(None, map(shutil.which, BROWSERS)), None),
            args=["--no-sandbox", "--disable-gpu"],
        )
        page = browser.new_page(viewport={"width": 2 * 960, "height": 460})
        page.goto(f"http://127.0.0.1:{server.server_address[1]}/")
        pairs = differing(page.evaluate(SILHOUETTES, 16))
        for (one, other), part in sorted(pairs.items(), key=lambda item: item[1])[:5]:
            print(f"shapes at 16 px: {one} and {other} differ in {part:.0%}")
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            page.evaluate(SHEET)
            for theme in ("dark", "light"):
                page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
                page.screenshot(path=str(folder / f"marks-{theme}.png"))
        browser.close()
    server.shutdown()


if __name__ == "__main__":
    main()
