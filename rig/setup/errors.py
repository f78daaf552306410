"""Errors of setting up that more than one part raises."""

from rig.errors import RigError


class NotThere(RigError):
    """A device cannot be had; the text says what to do."""
