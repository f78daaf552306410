"""What the pages need of a session, and nothing more."""

from collections.abc import Callable, Hashable, Mapping
from typing import Any, Literal, Protocol

from rig.config import Config
from rig.journal import Journal
from rig.session.host import SeatTicket

Role = Literal["phone", "table"]
"""Which page asks: a phone sees its own seat, the big screen sees no secret at all."""

Json = dict[str, Any]


class SessionPort(Protocol):
    """One table: only the session decides, remembers and says who may see what.

    A `device` is the hash of the token in a browser's cookie. The session knows which seat a
    device has; `None` or an unknown device is a guest.
    """

    @property
    def config(self) -> Config:
        """The table's settings."""

    @property
    def journal(self) -> Journal:
        """The table's journal; the pages only read it, to look back."""

    @property
    def told_v(self) -> int:
        """How many events of it may be told by now."""

    def submit(self, device: str, command: Mapping[str, Any], code: str = "") -> Json:
        """Decide one command and write it down before answering.

        Args:
            device: who sends it.
            command: what it is.
            code: the new join code if the command puts a phone out; then the answer has
                `"put_out": True`.

        Returns:
            `{"ok": True, "v": int, ...}`, or `{"ok": False, "reason", "message", "v"}`.
            A command id that was answered before gets the same answer with `"dup": True`.
        """

    def refused(self, device: str, kind: str) -> Json | None:
        """Why a device may never send such a command; None if it may. Does not wait."""

    def may_stop(self, device: str) -> bool:
        """Whether a device may stop the machine; does not wait."""

    def stop(self) -> str:
        """Stop the machine now, without a lock or the disk.

        Returns:
            What is known about it: `acknowledged`, `sent` (not acknowledged) or `not_sent`.
        """

    def note_stop(self, device: str) -> Json:
        """Record in the journal that a device has stopped the machine; answers like `submit`."""

    def view(self, device: str | None, role: Role) -> Json:
        """Everything this viewer may know, ready for JSON; `"v"` is its version."""

    def you(self, device: str) -> Json:
        """Who a device is, as in its view's `"you"`: role, seat and host's rights."""

    def audience(self, device: str | None, role: Role) -> Hashable:
        """Everything about a viewer that its view depends on; equal audiences see the same."""

    def view_of(self, audience: Any) -> Json:
        """The view of an audience that `audience` gave."""

    def now_ms(self) -> float:
        """The table's clock in milliseconds since 1970, for phones to set theirs by."""

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call back, from any thread, when there is a newer view; returns how to unsubscribe."""

    def notify(self) -> None:
        """Tell all who have subscribed that there is a newer view."""

    def connected(self, device: str, on: bool) -> None:
        """Note that a device's first phone page was opened, or its last one closed."""

    def screen(self, screen: str, visible: bool, number: int = 0, what: str = "") -> None:
        """Note whether a table screen can be seen, and that a scene on it began or ended."""

    def sounds(self, screen: str, on: bool) -> None:
        """Note whether a table screen lets the table be heard."""

    def speaks(self, device: str, language: str) -> None:
        """Note which language a device speaks; the table's is that of the host's."""

    def picture(self, number: int) -> bytes | None:
        """A JPEG kept as evidence, or None."""

    def at_hand(self, number: int) -> bool:
        """Whether a picture can be had without the disk."""

    def picture_now(self) -> bytes | None:
        """What the camera sees now as JPEG, with what is wrong drawn into it, or None."""

    def photo_reader(self) -> Callable[[bytes], Json] | None:
        """What reads a photo by hand, for any process; None where none is wanted."""

    def photographed(self, device: str, told: Json) -> Json:
        """Take what that has read of a row after its push; answers like `submit`."""

    def phone_at(self, seat: str) -> str | None:
        """The device that has a seat now, None if none has."""

    def is_good(self, ticket: SeatTicket) -> bool:
        """Whether a seat would be handed over for a ticket now; does not wait."""

    def hand_over(self, seat: str, device: str, ticket: SeatTicket) -> Json:
        """Give a seat to a device that has shown its ticket; answers like `submit`."""

    def make_host(self, device: str) -> Json:
        """Make a device host, after the caller has checked its secret; answers like `submit`."""


class Setup(Protocol):
    """Set-up at a table with devices: opens them, and remembers which steps are done."""

    def view(self, findings: tuple[str, ...], visitor: str) -> Json:
        """All that the page shows, given what the network doctor says."""

    def do(self, wish: Mapping[str, Any]) -> Json:
        """Do what somebody asks for, or queue it: `{"ok": True, ...}` or why not."""

    def picture(self) -> bytes | None:
        """What the camera sees, as JPEG."""

    def preview(self, number: int) -> bytes | None:
        """What a listed camera sees, as JPEG."""

    def evidence(self) -> bytes | None:
        """The picture of the test row's verdict, as JPEG."""

    def sheet(self, what: str, paper: str, say: Callable[..., str]) -> bytes | None:
        """A PDF to print, in the words of `say`; None if there is no such sheet or paper."""
