"""What the pages need of a session, and nothing more."""

from collections.abc import Callable, Mapping
from typing import Any, Literal, Protocol

Role = Literal["phone", "table"]
"""Which page asks: a phone sees its own seat, the big screen sees no secret at all."""

Json = dict[str, Any]


class Session(Protocol):
    """One table: it alone decides, remembers and says who may see what.

    A `device` is the hash of the token in a browser's cookie. The session knows which seat a
    device has; `None` or a device it never met is a guest.
    """

    def submit(self, device: str, command: Mapping[str, Any]) -> Json:
        """Decide one command and write it down before answering.

        Returns:
            `{"ok": True, "v": int, ...}`, or `{"ok": False, "reason", "message", "v"}`.
            A command id that was answered before gets the same answer with `"dup": True`.
        """

    def view(self, device: str | None, role: Role) -> Json:
        """Everything that this viewer may know, ready for JSON; its version is under `"v"`."""

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call back, from any thread, whenever a newer view exists; gives the way to stop it."""

    def connected(self, device: str, on: bool) -> None:
        """Hear that the first phone page of a device opened, or that its last one went."""

    def picture(self, number: int) -> bytes | None:
        """A JPEG kept as evidence, or None."""

    def make_host(self, device: str) -> None:
        """Give a device the host's rights; the host secret was right."""
