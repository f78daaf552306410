"""The pretend table as a camera would see it."""
