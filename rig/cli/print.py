"""domino-rig print: sheets for the table, exact to the millimetre."""

from argparse import Namespace
from pathlib import Path

from physics.row.tile import TileSpec
from rig.cli.speech import speech
from vision.print.paper import BadSheet
from vision.print.sheets import draw, paper_of, save


def run(args: Namespace) -> int:
    """Write the sheets and say what to do with them."""
    say = speech(args.language)
    for option, given, what in (
        ("--mat", args.mat, "mat"),
        ("--marks", args.marks, "marks"),
        ("--tile", args.tile, "marks"),
    ):
        if given is not None and args.what != what:
            raise BadSheet(f"{option} is for `print {what}`; leave it out to print {args.what}")
    paper = paper_of(args.paper)
    out = args.out or Path(f"domino-{args.what}-{paper.name}.pdf")
    if out.suffix.lower() not in ("", ".pdf"):
        raise BadSheet(f"--out {out}: expected a name that ends in .pdf")
    tile = TileSpec(*args.tile) if args.tile else None
    sheets = draw(args.what, paper, say, args.mat, args.marks, tile)
    save(out, args.what, sheets)
    print(say("print.done", file=out, paper=paper.name, count=len(sheets)))
    return 0
