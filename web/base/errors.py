"""The base of every error that this folder raises for people to read."""

from typing import Any


class WebError(Exception):
    """`web` cannot continue; the message says why and what to do, in English.

    Attributes:
        key: that by which a terminal says it in its own language, after `setup.`; "" where only
            English has words.
        of: values for the places of those words.
    """

    def __init__(self, message: str, key: str = "", **of: Any) -> None:
        super().__init__(message)
        self.key = key
        self.of = of


class Denied(WebError):
    """A request is refused; nothing has changed.

    Attributes:
        status: the HTTP status.
        reason: a short key that pages translate.
        message: one English sentence for a person.
        retry_after_s: seconds after which it is worth trying again, or None.
    """

    def __init__(
        self, status: int, reason: str, message: str, retry_after_s: float | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason
        self.message = message
        self.retry_after_s = retry_after_s

    def as_reply(self) -> dict[str, object]:
        """The JSON that a page gets."""
        return {"ok": False, "reason": self.reason, "message": self.message}
