"""The base of every error that this folder raises for people to read."""


class RigError(Exception):
    """Something in `rig` cannot go on; the message says what and what to do."""
