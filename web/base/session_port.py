"""What the pages need of a session, and nothing more."""

from collections.abc import Callable, Hashable, Mapping
from typing import Any, Literal, Protocol

from rig.journal import Journal

Role = Literal["phone", "table"]
"""Which page asks: a phone sees its own seat, the big screen sees no secret at all."""

Json = dict[str, Any]


class Session(Protocol):
    """One table: it alone decides, remembers and says who may see what.

    A `device` is the hash of the token in a browser's cookie. The session knows which seat a
    device has; `None` or a device it never met is a guest.
    """

    @property
    def journal(self) -> Journal:
        """Where everything is written; the pages only ever read it, to look back."""

    def submit(self, device: str, command: Mapping[str, Any], code: str = "") -> Json:
        """Decide one command and write it down before answering.

        Args:
            device: who sends it.
            command: what it is.
            code: the join code from then on, if it puts a phone out; then the answer has
                `"put_out": True`.

        Returns:
            `{"ok": True, "v": int, ...}`, or `{"ok": False, "reason", "message", "v"}`.
            A command id that was answered before gets the same answer with `"dup": True`.
        """

    def refused(self, device: str, kind: str) -> Json | None:
        """Why a device may not ask for such a thing at all, None if it may; waits for nothing."""

    def may_stop(self, device: str) -> bool:
        """Whether a device may stop the machine; waits for nothing."""

    def stop(self) -> str:
        """Stop the machine now: no lock, no disk.

        Returns:
            What is known of it: `acknowledged`, `sent` (nobody said so) or `not_sent`.
        """

    def note_stop(self, device: str) -> Json:
        """Write down that a device has stopped the machine; answers as `submit` does."""

    def view(self, device: str | None, role: Role) -> Json:
        """Everything that this viewer may know, ready for JSON; its version is under `"v"`."""

    def you(self, device: str) -> Json:
        """Who a device is, as its view has it under `"you"`: role, seat and host's rights."""

    def audience(self, device: str | None, role: Role) -> Hashable:
        """All that a view depends on of its viewer: whoever has the same audience sees the same."""

    def view_of(self, audience: Any) -> Json:
        """The view of an audience that `audience` gave."""

    def now_ms(self) -> float:
        """The table's clock in milliseconds since 1970, for phones to set theirs by."""

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call back, from any thread, whenever a newer view exists; gives the way to stop it."""

    def connected(self, device: str, on: bool) -> None:
        """Hear that the first phone page of a device opened, or that its last one went."""

    def picture(self, number: int) -> bytes | None:
        """A JPEG kept as evidence, or None."""

    def at_hand(self, number: int) -> bool:
        """Whether a picture is there without the disk."""

    def picture_now(self) -> bytes | None:
        """What the camera sees now as JPEG, with what is wrong drawn into it, or None."""

    def hand_over(self, seat: str, device: str) -> Json:
        """Give a seat to a device that showed a ticket for it; answers as `submit` does."""

    def make_host(self, device: str) -> None:
        """Give a device the host's rights; the host secret was right."""


class Setup(Protocol):
    """What is set up at a table with devices: it alone opens them, and remembers how far it is."""

    def told(self, findings: tuple[str, ...], visitor: str) -> Json:
        """All that the page shows, given what the network doctor says."""

    def do(self, wish: Mapping[str, Any]) -> Json:
        """Do what somebody asks for, or put it in line: `{"ok": True, ...}` or why not."""

    def picture(self) -> bytes | None:
        """What the camera sees, as JPEG."""

    def preview(self, number: int) -> bytes | None:
        """What a listed camera sees, as JPEG."""

    def evidence(self) -> bytes | None:
        """The picture of the test row's verdict, as JPEG."""

    def sheet(self, what: str, paper: str) -> bytes | None:
        """A PDF to print; None where there is no such sheet or paper."""
