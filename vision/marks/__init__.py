"""Tiles with printed marks: found, read and placed on the table."""
