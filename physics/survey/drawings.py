"""Drawings of a survey, one a question: a curve, a heat map, how far apart tiles may stand.

Made for paper 160 mm wide; colours are Okabe and Ito's and viridis, and differ in grey, too.
"""

from collections.abc import Mapping
from io import BytesIO
from typing import Any, Final

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from physics.fall.joint import Reals
from physics.survey.parameters import Parameter, SurveyError, named
from physics.survey.summary import Answers, Crossings, curve, reach, surface

APART: Final = "apart"
"""The question how far apart tiles may stand."""
LEVELS: Final = (0.9, 0.5)
KINDS: Final[Mapping[str, Any]] = {
    "svg": {"Date": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None},
}
"""The kinds of file, and what stands in each about itself: no date."""
_DPI: Final = 200
"""Of pictures in pixels: enough for print at their size."""
_BLUE, _ORANGE, _INK, _FAINT = "#0072B2", "#D55E00", "#222222", "#8a8a8a"
_WIDE: Final = (6.3, 4.0)
_PAIR: Final = (6.3, 3.4)
"""Inches: 160 mm across."""
_STYLE: Final[Any] = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": _INK,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "svg.hashsalt": "domino-rig",
    "figure.constrained_layout.use": True,
}
_ABOVE: Final[dict[str, Any]] = {
    "loc": "lower left",
    "bbox_to_anchor": (0.0, 1.0),
    "ncols": 2,
    "fontsize": 8,
    "markerscale": 1.5,
}
"""Legends stand over the drawing, where they hide nothing."""
_BEYOND: Final = (
    (np.inf, "^", "farther than any gap here"),
    (-np.inf, "v", "nearer than any gap here"),
)
_DOTS: Final = 3000
"""Rows that are shown as dots at most; more would be a grey field."""


def require_question(words: tuple[str, ...], varied: tuple[str, ...]) -> None:
    """Make sure that a survey can answer a question.

    Args:
        words: the question: one parameter, two, or "apart" and another.
        varied: the parameters that differ between rows.

    Raises:
        SurveyError: it cannot; says what could be asked.
    """
    names = ("gap", *words[1:]) if words[:1] == (APART,) else words
    if not 1 <= len(names) <= 2 or len(set(names)) < len(names) or words == (APART,):
        raise SurveyError(
            f"--ask {','.join(words)}: expected one parameter, two, or {APART},PARAMETER"
        )
    for name in names:
        named(name)
        if name not in varied:
            raise SurveyError(
                f"--ask {','.join(words)}: {name} is the same in all rows; "
                f"this survey varies {', '.join(varied) or 'nothing'}"
            )


def usual_question(varied: tuple[str, ...]) -> tuple[str, ...]:
    """What is asked unless something else is: the first two parameters that vary, or the one."""
    return varied[:2]


def drawn(
    words: tuple[str, ...],
    columns: Mapping[str, Reals],
    answers: Answers,
    notes: tuple[str, ...],
    kind: str,
) -> bytes:
    """Draw the answer to a question; the same one is the same to the byte.

    Args:
        words: the question, as `require_question` takes it.
        columns: the parameters of each row by their names, each of shape (rows,).
        answers: of the rows.
        notes: what is to be said under the drawing, a line each.
        kind: of file: one of `KINDS`.

    Raises:
        SurveyError: there are too few rows.
    """
    if not len(answers.p):
        raise SurveyError("no row of this survey has an answer yet; there is nothing to draw")
    with rc_context(_STYLE):
        if words[0] == APART:
            figure = _apart(named(words[1]), columns, answers)
        elif len(words) == 2:
            figure = _map(named(words[0]), named(words[1]), columns, answers)
        else:
            figure = _curve(named(words[0]), columns, answers)
        figure.supxlabel("\n".join(notes), fontsize=7, color="#555555", x=0.01, ha="left")
        file = BytesIO()
        figure.savefig(file, format=kind, dpi=_DPI, metadata=KINDS[kind])
        return file.getvalue()


def _curve(parameter: Parameter, columns: Mapping[str, Reals], answers: Answers) -> Figure:
    x = columns[parameter.name]
    found = curve(x, answers)
    figure = Figure(_WIDE)
    axes = figure.add_subplot()
    # Where each row has a mean of its own, neither dots nor an interval of draws could be seen.
    together = len(found.x) < len(x)
    if together:
        some = slice(None, None, max(1, len(x) // _DOTS))
        axes.plot(
            x[some], answers.p[some], ".", color=_FAINT, ms=2, alpha=0.5, label="one row", zorder=1
        )
    axes.fill_between(
        found.x, *found.model, color=_BLUE, alpha=0.18, lw=0, label="95 %, with the model's error"
    )
    if together:
        axes.fill_between(
            found.x, *found.drawn, color=_BLUE, alpha=0.45, lw=0, label="95 %, from the draws"
        )
    axes.plot(found.x, found.mean, "o-", color=_BLUE, ms=3, lw=1.6, label="mean")
    axes.set(
        xlabel=parameter.axis_label,
        ylabel="chance that the row falls",
        ylim=(-0.02, 1.02),
    )
    axes.yaxis.set_major_formatter(_percent)
    axes.legend(**_ABOVE)
    figure.suptitle(f"How the chance depends on the {parameter.label}", fontsize=10)
    return figure


def _map(
    across: Parameter, up: Parameter, columns: Mapping[str, Reals], answers: Answers
) -> Figure:
    found = surface(columns[across.name], columns[up.name], answers)
    figure = Figure(_PAIR)
    left, right = figure.subplots(1, 2, sharex=True, sharey=True)
    for axes, values, title, colours, most in (
        (left, found.mean, "chance that the row falls", "viridis", 1.0),
        (right, found.half, "half its 95 % interval", "cividis", max(0.1, np.nanmax(found.half))),
    ):
        axes.grid(False)
        mesh = axes.pcolormesh(
            found.x_edges, found.y_edges, values, cmap=colours, vmin=0.0, vmax=most
        )
        bar = figure.colorbar(mesh, ax=axes, location="top", shrink=0.9, aspect=30)
        bar.set_label(title)
        bar.ax.xaxis.set_major_formatter(_percent)
        axes.set_xlabel(across.axis_label)
    _levels(left, found.x_edges, found.y_edges, found.mean)
    left.set_ylabel(up.axis_label)
    figure.suptitle(f"Chance over {across.label} and {up.label}", fontsize=10)
    return figure


def _levels(axes: Axes, x_edges: Reals, y_edges: Reals, mean: Reals) -> None:
    """Lines at the levels, where there are enough cells to see one."""
    if min(mean.shape) < 2 or np.isnan(mean).any():
        return
    x, y = ((edges[1:] + edges[:-1]) / 2 for edges in (x_edges, y_edges))
    inside = sorted(each for each in LEVELS if mean.min() < each < mean.max())
    if inside:
        seen = [_INK if each > 0.7 else "white" for each in inside]  # viridis is light up there
        lines = axes.contour(x, y, mean, levels=inside, colors=seen, linewidths=1.2)
        axes.clabel(lines, fmt=_percent, fontsize=8)


def _apart(by: Parameter, columns: Mapping[str, Reals], answers: Answers) -> Figure:
    gap = named("gap")
    x, other = columns[gap.name], columns[by.name]
    rng = np.random.default_rng(0)  # the same file gives the same drawing
    figure = Figure(_WIDE)
    axes = figure.add_subplot()
    low, high = float(x.min()), float(x.max())
    seen, beyond = [], set()
    for level, colour, mark, shift in zip(
        LEVELS, (_BLUE, _ORANGE), "os", (-0.004, 0.004), strict=True
    ):
        found = reach(x, other, answers, level, rng)
        aside = shift * float(np.ptp(other))
        _reach(axes, found, aside, (low, high), colour, mark)
        beyond.update(found.most.tolist())
        seen.append(Line2D([], [], color=colour, marker=mark, ms=4, label=_percent(level)))
    seen += [
        Line2D([], [], color=_INK, lw=3.5, alpha=0.6, label="95 %, from the draws"),
        Line2D([], [], color=_INK, lw=1, label="95 %, with the model's error"),
        *(
            Line2D([], [], color=_INK, marker=sign, ls="", ms=4, mfc="none", label=words)
            for side, sign, words in _BEYOND
            if side in beyond
        ),
    ]
    axes.set(
        xlabel=by.axis_label,
        ylabel=f"gap at which the chance\nfalls under 90 % and 50 % ({gap.unit})",
    )
    axes.legend(handles=seen, **_ABOVE)
    figure.suptitle(f"How far apart tiles may stand, by {by.label}", fontsize=10)
    return figure


def _reach(
    axes: Axes, found: Crossings, aside: float, ends: tuple[float, float], colour: str, mark: str
) -> None:
    at = found.at + aside
    inside = np.isfinite(found.most)
    for (low, high), width, alpha in ((found.model, 1.0, 1.0), (found.drawn, 3.5, 0.6)):
        axes.vlines(at, np.clip(low, *ends), np.clip(high, *ends), colour, lw=width, alpha=alpha)
    shown = np.where(inside, found.most, np.nan)
    axes.plot(at, shown, f"{mark}-", color=colour, ms=4, lw=1.2)
    for (side, sign, _), end in zip(_BEYOND, reversed(ends), strict=True):
        out = found.most == side
        axes.plot(at[out], np.full(int(out.sum()), end), sign, color=colour, mfc="none", ms=6)


def _percent(share: float, place: object = None) -> str:
    return f"{100 * share:.0f} %"
