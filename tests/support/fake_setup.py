"""What is set up at the tests' table: nothing, told as the real one tells it."""

from typing import Any


class FakeSetup:
    """A desk without devices behind it; notes what it was asked for."""

    def __init__(self) -> None:
        self.wishes: list[dict[str, Any]] = []
        self.heard: list[tuple[tuple[str, ...], str]] = []

    def view(self, findings, visitor):
        self.heard.append((findings, visitor))
        return {"at": "network", "steps": []}

    def do(self, wish):
        self.wishes.append(dict(wish))
        if wish.get("do") == "dance":
            return {"ok": False, "reason": "refused.unknown", "of": {}, "message": "No."}
        return {"ok": True}

    def picture(self):
        return b"\xff\xd8 what the camera sees"

    def preview(self, number):
        return b"\xff\xd8 a preview" if number == 0 else None

    def evidence(self):
        return None

    def sheet(self, what, paper, say):
        return b"%PDF-1.4" if (what, paper) == ("mat", "A4") else None
