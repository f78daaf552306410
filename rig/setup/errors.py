"""Errors that more than one part of set-up raises."""

from rig.errors import RigError


class NotThere(RigError):
    """A device cannot be opened; the text says what to do."""
