"""Tiles with printed marks: found, read and placed on the table.

Outlines come from thresholds half-way between the darkest and the lightest neighbour, and from
where tiles were or must be. Each is tried at both heights that a mark can have; at the wrong one it
has the wrong length. A mark counts when its nine cells look like one word and unlike every other,
when its drawing fits, and when it is as long and as wide as printed: a mark on a side, seen aslant,
is not. Of two marks with one value, or in one place, the clearer is kept.

A sticker is only as well placed as the hand that placed it, so two things more tell where the tile
stands. The mark on the narrow wall that looks at the camera tells it along the foot of the tile.
The lower edge of the broad wall, where no sticker is, tells it across the foot and how the tile is
turned. All are weighed by their sigmas, and what contradicts the rest is left out.
"""
