"""The numbers that somebody with another camera, table or set of tiles may have to set.

Those of a class that does not say what chose them were chosen on the tables that thresholds were
set on, with `domino-rig see --score`: see "Eye" in `tests/bench/RESULTS.md`.
"""
