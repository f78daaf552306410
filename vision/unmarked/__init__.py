"""Tiles that no mark gives away, and all else that differs from the empty table."""
