"""The base of every error that this folder raises for people to read."""


class RigError(Exception):
    """Something in `rig` cannot go on; the message says what and what to do."""


class NotPossible(RigError):
    """A command of the table that cannot be carried out; nothing has changed.

    Attributes:
        reason: a key for the page.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
