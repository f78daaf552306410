"""The base of every error that this folder raises for people to read."""


class PhysicsError(Exception):
    """`physics` cannot continue; the message says why and what to do."""


class ScenarioError(PhysicsError):
    """A file of rows lacks something a row needs; names file, line and field."""


class ChainError(PhysicsError):
    """These tiles do not make a row that can fall; names the tiles and the numbers."""
