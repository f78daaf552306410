"""The base of every error that this folder raises for people to read."""


class PhysicsError(Exception):
    """Something in `physics` cannot go on; the message says what and what to do."""


class ScenarioError(PhysicsError):
    """A file of rows does not say what a row needs; names file, line and field."""


class ChainError(PhysicsError):
    """These tiles are no row that can fall; names the tiles and the numbers."""
