"""Estimation Domino told and played without people: rounds, exported pushes, bots."""
