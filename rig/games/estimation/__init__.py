"""Estimation Domino: one row, secret ballots, and a push that settles who was right."""
