"""The steps of set-up and how each of them stands: pure functions of known facts."""
