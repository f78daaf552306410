"""Estimation Domino at a table: its commands, times and snapshots around the rules."""
