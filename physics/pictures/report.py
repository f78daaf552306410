"""A report of many rows as one HTML page that needs nothing else, written piece by piece."""

import math
from collections.abc import Iterable
from html import escape
from typing import Final

from physics.errors import PhysicsError
from physics.pictures.row_picture import (
    DARK,
    STYLE,
    colour,
    headline,
    row_picture,
    turns_rad,
    weakest,
    weakest_said,
)
from physics.predict.predict import Prediction
from physics.predict.wording import percent, row_name, tile_name
from physics.rows import notation
from physics.rows.scenario import Scenario

_STYLE: Final = f"""
:root {{ color-scheme: light dark; --page: #ffffff; --ink: #2a1a0d; --ink-2: #5d4429;
  --line: #8a6a3f; --warn: #7a4a00; }}
body {{ max-width: 62rem; margin: 2rem auto; padding: 0 1rem; background: var(--page);
  color: var(--ink); font: 1rem/1.45 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; }}
h1, h2 {{ line-height: 1.1; overflow-wrap: anywhere; }}
section {{ margin: 2.5rem 0; border-top: 1px solid var(--line); }}
.picture {{ display: block; width: 100%; height: auto; }}
table {{ border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }}
th, td {{ padding: .2rem .9rem .2rem 0; text-align: right; border-bottom: 1px solid var(--line); }}
th:first-child, td:first-child, td.words {{ text-align: left; }}
tr.weakest td {{ font-weight: 700; }}
.bar {{ width: min(11rem, 12vw); height: .7rem; display: block; }}
.bar rect {{ stroke: var(--ink); stroke-width: .6px; }} .bar .way {{ fill: none; }}
code {{ overflow-wrap: anywhere; }}
.warned {{ color: var(--warn); }} small {{ color: var(--ink-2); }}
{STYLE}
@media screen and (prefers-color-scheme: dark) {{
:root {{ --page: #1b130c; --ink: #fdf0d8; --ink-2: #d9c4a2; --line: #8b6d48; --warn: #ffd27a; }}
{DARK} }}
@media print {{ body {{ margin: 0; max-width: none; font-size: 10pt;
  print-color-adjust: exact; -webkit-print-color-adjust: exact; }}
section {{ border: 0; margin: 0 0 1.5rem; }} .picture, tr, h2 {{ break-inside: avoid; }}
h2 {{ break-after: avoid; }} }}
"""


def head(total: int) -> str:
    """Write the beginning of the page.

    Args:
        total: how many rows there are to be.
    """
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Will they fall? {total} {_rows(total)} of dominoes</title>
<style>{_STYLE}</style>
<h1>Will they fall?</h1>
<p>The chance that each of {total} {_rows(total)} of dominoes falls as a whole, as domino-rig
predicts it, with its 95 % interval. The chance of a joint is that of a fall that has come so far:
multiplied, the chances of the push and of all joints give that of the row.</p>
"""


def section(number: int, row: Scenario, answer: Prediction | PhysicsError) -> str:
    """Write one row: its picture, the answer in words, and every joint.

    Args:
        number: of the row, from 1 on.
        row: the row.
        answer: its prediction, or why it has none.
    """
    name = escape(row_name(row.id))
    start = f'<section id="row-{number}">\n<h2>{number}. {name}</h2>\n'
    if isinstance(answer, PhysicsError):
        return f"{start}<p class=warned>refused: {escape(str(answer))}</p>\n</section>\n"
    said = f"<p><b>{name} {headline(answer)}</b>; {escape(weakest_said(row, answer))}.</p>\n"
    strange = "".join(f"<li>{escape(one)}</li>" for one in answer.extrapolated)
    if strange:
        strange = f"<p class=warned>A guess, outside the fitted range:</p><ul>{strange}</ul>\n"
    picture = row_picture(row, answer, alone=False)
    line = (
        f"<p><small>The row in one line:</small> <code>{escape(notation.written(row))}</code></p>"
    )
    return f"{start}{picture}\n{said}{strange}{_table(row, answer)}{line}\n</section>\n"


def tail(done: int, total: int, falling: int) -> str:
    """Write the end of the page.

    Args:
        done: how many rows it has.
        total: how many it was to have.
        falling: how many of them are likelier to fall than not.
    """
    missing = "" if done == total else f" It was stopped before the other {total - done}."
    verdict = f"{falling} more likely to fall as a whole than not."
    return f"<p>{done} {_rows(done)}; {verdict}{missing}</p>\n</html>\n"


def _table(row: Scenario, answer: Prediction) -> str:
    weak = weakest(answer)
    first = tile_name(row.chain.tiles[0].value)
    lines = [_line("", f"push topples {first}", "", "", answer.push)]
    for at, (joint, gap, turn) in enumerate(
        zip(answer.joints, row.chain.gaps_mm, turns_rad(row.chain), strict=True)
    ):
        name = f"{tile_name(joint.start)} to {tile_name(joint.end)}"
        mark = " class=weakest" if at == weak else ""
        name += ", the weakest" if at == weak else ""
        lines.append(_line(mark, name, f"{gap:.1f}", f"{math.degrees(turn):+.0f}", joint.p))
    heads = ("joint", "gap in mm", "turn in degrees", "gets across", "")
    return (
        f"<table>\n<thead><tr>{_cells('th', heads)}</tr></thead>\n<tbody>\n"
        f"{''.join(lines)}</tbody>\n</table>\n"
    )


def _line(mark: str, name: str, gap: str, turn: str, p: float) -> str:
    bar = (
        '<svg class=bar viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect width="{100 * p:.1f}" height="6" fill="{colour(p)}"/>'
        '<rect class=way width="100" height="6"/></svg>'
    )
    return f"<tr{mark}>{_cells('td', (escape(name), gap, turn, percent(p), bar))}</tr>\n"


def _cells(tag: str, inner: Iterable[str]) -> str:
    return "".join(f"<{tag}>{one}</{tag}>" for one in inner)


def _rows(count: int) -> str:
    return "row" if count == 1 else "rows"
