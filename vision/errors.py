"""The base of every error that this folder raises for people to read."""


class VisionError(Exception):
    """Something in `vision` cannot go on; the message says what and what to do."""
