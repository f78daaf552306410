"""Set-up as the web pages see it, with plain values, and the sheets to print."""

import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from physics.row.tile import TileSpec
from rig.setup.errors import NotSo
from rig.setup.plan.facts import Network, as_json
from rig.setup.setup_view import view_of
from rig.setup.wishes import fulfil
from rig.setup.workshop import Workshop
from vision.errors import VisionError
from vision.marks.sticker import STANDARD_MARKS
from vision.print.paper import Say
from vision.print.sheets import draw, paper_of, save

SHEETS = {"mat": "mat", "marks": "marks", "tag": "pusher-tag", "board": "charuco"}
"""What is printed, by the name of its address."""
_MOST = 12


class Desk:
    """The workshop's interface for pages: plain values go in and out.

    Args:
        shop: the workshop.
    """

    def __init__(self, shop: Workshop) -> None:
        self.shop = shop
        self._lock = threading.Lock()
        self._drawn: dict[tuple[str, str, TileSpec, str, Say], bytes] = {}

    def view(self, findings: tuple[str, ...], visitor: str) -> dict[str, Any]:
        """Give all that the page shows.

        Args:
            findings: what the network doctor says.
            visitor: the phone that got through, "" for none.
        """
        return view_of(self.shop, Network(findings, visitor))

    def do(self, wish: Mapping[str, Any]) -> dict[str, Any]:
        """Do what somebody asks for, or say why not; answers like a session."""
        try:
            return {"ok": True, **fulfil(self.shop, wish)}
        except NotSo as error:
            said = {"reason": error.key, "of": as_json(error.of), "detail": error.detail}
            return {"ok": False, **said, "message": str(error)}

    def picture(self) -> bytes | None:
        """What the camera sees, as JPEG."""
        return self.shop.picture()

    def preview(self, number: int) -> bytes | None:
        """What a listed camera sees, as JPEG."""
        return self.shop.preview(number)

    def evidence(self) -> bytes | None:
        """The picture of the test row's verdict, as JPEG."""
        return self.shop.evidence()

    def sheet(self, what: str, paper: str, say: Say) -> bytes | None:
        """A PDF to print; None where there is no such sheet or paper.

        The marks are those for the tiles of the settings.
        """
        if what not in SHEETS:
            return None
        tile, marks = self.shop.config.tiles, self.shop.config.camera.marks
        key = (what, paper, tile, marks, say)
        with self._lock:
            if key in self._drawn:
                return self._drawn[key]
            try:
                own = what == "marks" and not marks and tile != TileSpec()
                file = Path(marks) if marks not in ("", STANDARD_MARKS) else None
                spec = tile if own else None
                sheets = draw(SHEETS[what], paper_of(paper), say, marks=file, tile=spec)
                with tempfile.TemporaryDirectory(prefix="domino-rig-") as folder:
                    path = Path(folder) / f"{what}.pdf"
                    save(path, SHEETS[what], sheets)
                    data = path.read_bytes()
            except VisionError:
                return None
            if len(self._drawn) >= _MOST:
                self._drawn.clear()
            self._drawn[key] = data
            return data
