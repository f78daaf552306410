"""domino-rig print: sheets for the table, exact to the millimetre."""

import argparse
from pathlib import Path
from typing import Any

from physics.tile import TileSpec
from vision.printing import WHAT, draw, paper_of, save
from vision.sheet import PAPERS, BadSheet


def add(subparsers: Any) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "print",
        help="sheets to print: mat, marks, calibration board, pusher tag",
        description="Write sheets as PDF, exact to the millimetre. "
        + " ".join(f"{name}: {words}." for name, words in WHAT.items()),
    )
    parser.add_argument("what", metavar="WHAT", choices=WHAT, help=", ".join(WHAT))
    parser.add_argument("--paper", default="A4", metavar="SIZE", help=f"{', '.join(PAPERS)} (A4)")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="PDF to write (domino-WHAT-SIZE.pdf)"
    )
    parser.add_argument("--mat", type=Path, metavar="FILE", help="mat file of one's own")
    tiles = parser.add_mutually_exclusive_group()
    tiles.add_argument("--marks", type=Path, metavar="FILE", help="marks file of one's own")
    tiles.add_argument(
        "--tile", type=_tile, metavar="LxWxT", help="tiles of another size, mm (48x24x7.5)"
    )
    parser.set_defaults(run=run)


def _tile(text: str) -> TileSpec:
    try:
        length, width, thickness = (float(side) for side in text.lower().split("x"))
    except ValueError:
        length = width = thickness = 0.0
    if not 200.0 >= length >= width >= thickness > 0.0:
        raise argparse.ArgumentTypeError(
            f"expected length x width x thickness in mm such as 48x24x7.5, got {text}"
        )
    return TileSpec(length, width, thickness)


def run(args: argparse.Namespace) -> int:
    """Write the sheets and say what to do with them."""
    for option, given, what in (
        ("--mat", args.mat, "mat"),
        ("--marks", args.marks, "marks"),
        ("--tile", args.tile, "marks"),
    ):
        if given is not None and args.what != what:
            raise BadSheet(f"{option} is for `print {what}`; leave it out to print {args.what}")
    paper = paper_of(args.paper)
    out = args.out or Path(f"domino-{args.what}-{paper.name}.pdf")
    sheets = draw(args.what, paper, args.mat, args.marks, args.tile)
    save(out, args.what, sheets)
    pages = f"{len(sheets)} sheets" if len(sheets) != 1 else "1 sheet"
    print(
        f"{out}: {pages} of {paper.name} paper. Print at 100 % (actual size), then measure the "
        "ruler: 0 to 100 must be 100.0 mm."
    )
    return 0
