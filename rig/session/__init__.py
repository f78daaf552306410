"""A table with its people: commands taken, written down and answered."""
