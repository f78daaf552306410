"""A picture of what a table's pushes have told of it: prior and posterior of each value."""

from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import numpy as np

from physics.calibrate.posterior import Posterior
from physics.calibrate.surrogate import NAMES
from physics.errors import PhysicsError
from physics.fall.joint import Reals

_LABELS: Final = (
    "friction between tiles",
    "friction with the table",
    "stroke (real / set)",
    "placement error (real / told)",
    "contact (log-odds of a joint)",
)
_PRIOR: Final = "#999999"
_BLUE: Final = "#0072b2"
"""Of the palette by Okabe and Ito, which colour-blind people can tell apart."""
_BINS: Final = 40
_KINDS: Final = (".png", ".svg", ".pdf")


def require_plot(path: str) -> None:
    """Look whether a picture can be drawn, before anything slow is done.

    Raises:
        PhysicsError: its name is of no known kind, or Matplotlib is not installed.
    """
    if Path(path).suffix.lower() not in _KINDS:
        raise PhysicsError(f"{path}: expected a name that ends with {', '.join(_KINDS)}")
    _figures()


def _figures() -> Any:
    """Matplotlib's class of figures.

    Raises:
        PhysicsError: it is not installed.
    """
    try:
        return import_module("matplotlib.figure").Figure
    except ImportError:
        raise PhysicsError(
            "plots need Matplotlib from the extra survey; 'domino-rig doctor' prints the command "
            "that installs it"
        ) from None


def plotted(known: Posterior, kind: str) -> bytes:
    """Draw the posterior: a histogram a value, and Brier scores before and after.

    Args:
        known: the posterior.
        kind: of file: png, svg or pdf.

    Raises:
        PhysicsError: Matplotlib is not installed.
    """
    figure = _figures()(figsize=(9.0, 5.4), layout="constrained")
    *panels, last = figure.subplots(2, 3).flat
    table = known.table
    for axis, name, label, column in zip(panels, NAMES, _LABELS, known.draws.T, strict=True):
        low, high = _range(column, known.weights)
        bins = np.linspace(low, high, _BINS)
        axis.hist(column, bins, density=True, color=_PRIOR, alpha=0.5, label="expected before")
        axis.hist(
            column, bins, weights=known.weights, density=True, histtype="step", lw=1.8,
            color=_BLUE, label="after the pushes",
        )  # fmt: skip
        ends = getattr(table.low, name), getattr(table.high, name)
        axis.axvspan(*ends, color=_BLUE, alpha=0.12, lw=0, label="90 % interval")
        axis.axvline(getattr(table.values, name), color=_BLUE, lw=1.0, ls="--", label="median")
        axis.set_xlim(low, high)
        axis.set_xlabel(label)
        axis.set_yticks([])
    scores = (table.trust.brier_before, table.trust.brier_after)
    bars = last.bar(("by the defaults", "by the table"), scores, 0.6, color=(_PRIOR, _BLUE))
    last.bar_label(bars, fmt="%.3f", padding=2)
    last.set_ylabel("Brier score of pushes left out")
    last.set_ylim(0.0, max(0.05, 1.2 * max(scores)))
    figure.axes[0].set_ylabel("density")
    figure.axes[3].set_ylabel("density")
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, frameon=False)
    figure.suptitle(f"One table, learned from {table.trust.pushes} pushes", fontsize=12)
    for axis in figure.axes:
        axis.spines[["top", "right"]].set_visible(False)
    file = BytesIO()
    figure.savefig(file, format=kind, dpi=150)
    return file.getvalue()


def _range(column: Reals, weights: Reals) -> tuple[float, float]:
    """Where nearly all of prior and posterior is."""
    order = np.argsort(column)
    ends = np.interp((0.002, 0.998), np.cumsum(weights[order]), column[order])
    low, high = np.quantile(column, (0.01, 0.98))
    return float(min(low, ends[0])), float(max(high, ends[1]))
