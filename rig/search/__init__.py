"""Bots for games with hidden hands: they know what their seat has seen, and nothing else."""
