"""The numbers that somebody with another camera, table or set of tiles may have to set.

Unless a class says otherwise, its numbers were chosen on the tables for tuning, with
`domino-rig see --score`: see "Eye" in `tests/bench/RESULTS.md`.
"""
