"""Dominoes: one engine for a family of games, each a bundle of options."""
