"""The base of every error that this folder raises for people to read."""


class PhysicsError(Exception):
    """Something in `physics` cannot go on; the message says what and what to do."""
