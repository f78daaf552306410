"""Players without people: bots in seats, and phones that are programs."""
