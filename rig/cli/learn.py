"""domino-rig learn: what the pushes of one table tell of that table."""

import json
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path

from physics.calibrate.posterior import NotBetter, posterior
from physics.calibrate.posterior_plot import plotted, require_plot
from physics.calibrate.recorded import read_pushes
from physics.predict.learned_table import LearnedTable, as_json
from rig.cli.output import progress, require_writable, write_whole
from rig.cli.row_sources import written_by

_NAMES = {
    "tile_tile": "friction between tiles",
    "tile_table": "friction with the table",
    "stroke": "stroke, real to set",
    "placement": "placement error, real to told",
    "contact": "contact, in log-odds of a joint",
}


def run(args: Namespace) -> int:
    """Learn, write the file, print what was found; nothing if the defaults are far likelier."""
    for path in filter(None, (args.out, args.plot)):
        require_writable(Path(path))  # said now, not when all is learned
    if args.plot:
        require_plot(args.plot)
    with written_by("pushes", reader=args.command):
        pushes = read_pushes(args.pushes)
    known = posterior(pushes, seed=args.seed, tell=progress(args.progress))
    if args.plot:
        plot = Path(args.plot)
        write_whole(plot, plotted(known, plot.suffix[1:].lower()))
    if not known.better:
        raise NotBetter(
            f"{args.out}: not written, because the pushes speak for the defaults, ten to one: "
            f"{_compared(known.table)}; record more pushes"
        )
    text = json.dumps(as_json(known.table), indent=1) + "\n"
    write_whole(Path(args.out), text.encode())
    print(f"{args.out}: learned from {len(pushes)} pushes")
    told = [asdict(part) for part in (known.table.values, known.table.low, known.table.high)]
    for name, words in _NAMES.items():
        value, low, high = (part[name] for part in told)
        print(f"  {words}: {value:.2f} ({low:.2f} to {high:.2f} with 90 %)")
    print(f"  {_compared(known.table)}")
    return 0


def _compared(table: LearnedTable) -> str:
    trust = table.trust
    return (
        f"the table differs from the defaults with a chance of {100 * table.share:.0f} %; over "
        f"{trust.pushes} pushes, each left out in turn, the Brier score is "
        f"{trust.brier_after:.3f} instead of {trust.brier_before:.3f} by the defaults, and the log "
        f"score {trust.log_score_after:.3f} instead of {trust.log_score_before:.3f}"
    )
