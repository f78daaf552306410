"""The empty table: where a frame differs from it, and what is no tile: light, shadows, hands.

A shadow keeps the colour of the table and has a soft outline. A black tile on a dark table may be
as dark as a shadow, but its colour differs. Under a hard lamp shadows have crisp outlines too; the
shadows of marked tiles tell where the lamps are, and so where the shadow of every other tile falls.

A hand is wide and reaches in over the edge of the picture; while it is in view only marks are
reported. Something as wide that does not reach in, or a rectangle larger than any tile, is a thing.
A stripe of sun, or the shadow of a mug, may reach in as an arm does, but the grain of the table can
still be seen in it; a sleeve hides it, even one of the colour of the table.

The empty table can be learned from pictures of it: whatever lies on it then belongs to it.
Otherwise the first frame need not be empty, and what stands out from a smooth table is filled in.
Where more differs than tiles explain, the search is given up.
"""
