"""domino-rig learn: fit the prediction again on reference rows."""

import argparse
from pathlib import Path
from typing import Any

from physics.errors import PhysicsError
from physics.learn import EPOCHS, as_text, describe_data, learn, read_references


def add(subparsers: Any) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "learn",
        help="fit the prediction again on reference rows",
        description="Fit the chance of every joint on rows whose outcome is known.",
    )
    parser.add_argument("rows", nargs="+", metavar="ROWS", help="reference rows, one a line")
    parser.add_argument("--out", required=True, metavar="FILE", help="coefficients file to write")
    parser.add_argument("--seed", type=int, default=0, help="seed of all chance (0)")
    parser.add_argument("--epochs", type=int, default=EPOCHS, help=f"rounds of training ({EPOCHS})")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Fit, print the cross-validated scores, write the file."""
    references = read_references(args.rows)
    fitted = {
        "about": "chance of push and joints; see physics/README.md",
        "data": describe_data(args.rows),
        **learn(references, seed=args.seed, epochs=args.epochs),
    }
    out = Path(args.out)
    try:
        out.write_text(as_text(fitted), encoding="utf-8")
    except OSError as error:
        raise PhysicsError(
            f"{out}: cannot be written ({error.strerror}); name a file in a folder that exists"
        ) from None
    print(f"{out}: fitted on {len(references)} rows")
    for title, name in (("cross-validated", "scores"), ("sizes left out", "unseen_sizes")):
        print(f"{title}:")
        for figure, value in fitted[name].items():
            print(f"  {figure} {value if isinstance(value, dict) else format(value, 'g')}")
    return 0
