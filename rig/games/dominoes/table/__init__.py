"""Dominoes at a table, in plain words for programs, and as bots think about it."""
