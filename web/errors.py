"""The base of every error that this folder raises for people to read."""


class WebError(Exception):
    """Something in `web` cannot go on; the message says what and what to do."""
