"""Dominoes at a table, and the words in which programs play it without one."""
