"""domino-rig fit: fit the whole prediction to reference rows again."""

import json
from argparse import Namespace
from pathlib import Path
from typing import Any, Final

from physics.errors import PhysicsError
from physics.learn.fit import as_text, describe_data, go_on, learn, read_references
from physics.predict.hazard import hazard_from
from rig.cli.output import progress, require_writable, write_whole
from rig.cli.row_sources import written_by

LEAST_ROWS: Final = 1000
"""The networks have some ten thousand coefficients. Fits on 100, 300 and 1000 rows have Brier
scores of .085, .061 and .051 on rows left out; two numbers on bare pymunk have .06 to .07."""


def run(args: Namespace) -> int:
    """Fit, print the cross-validated scores, write the file."""
    with written_by("reference", reader=args.command):
        references = read_references(args.rows)
    if len(references) < LEAST_ROWS:
        raise PhysicsError(
            f"{len(references)} rows are too few to fit the whole prediction; expected at least "
            f"{LEAST_ROWS}, because its networks have some ten thousand coefficients and predict "
            "worse than the shipped ones if fitted on fewer; for the pushes of one table use "
            "domino-rig learn"
        )
    out = Path(args.out)
    require_writable(out)  # said now, not after minutes
    tell = progress(args.progress)
    if args.start:
        stored = _stored(Path(args.start))
        fitted = go_on(references, stored, seed=args.seed, epochs=args.epochs, tell=tell)
        fitted["further"]["data"] = describe_data(args.rows)
        write_whole(out, as_text(fitted).encode())
        print(f"{out}: trained further on {len(references)} rows")
        for figure in ("rows_left_out", "log_loss_before", "log_loss_after"):
            print(f"  {figure} {fitted['further'][figure]:g}")
        return 0
    fitted = {
        "about": "chance of push and joints; see physics/README.md",
        "data": describe_data(args.rows),
        **learn(references, seed=args.seed, epochs=args.epochs, tell=tell),
    }
    write_whole(out, as_text(fitted).encode())
    print(f"{out}: fitted on {len(references)} rows")
    for title, name in (("cross-validated", "scores"), ("sizes left out", "unseen_sizes")):
        print(f"{title}:")
        for figure, value in fitted[name].items():
            print(f"  {figure} {value if isinstance(value, dict) else format(value, 'g')}")
    return 0


def _stored(path: Path) -> dict[str, Any]:
    """Read an earlier fit.

    Raises:
        PhysicsError: it cannot be read, or is no coefficients file.
    """
    try:
        stored = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise PhysicsError(f"{path}: cannot be read ({error.strerror}); give a file") from None
    except (ValueError, RecursionError):
        stored = None
    if not isinstance(stored, dict):
        raise PhysicsError(f"{path}: these are no coefficients; name a file of domino-rig fit")
    hazard_from(stored)
    return stored
