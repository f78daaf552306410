"""The empty table: where a frame differs from it, and what is no tile: light, shadows, hands.

A shadow keeps the colour of the table and has a soft outline. A black tile on a dark table may be
as dark as a shadow, but its colour differs. Under a hard lamp shadows have crisp outlines too; the
shadows of marked tiles tell where the lamps are, and so where the shadow of every other tile falls.

A hand is wider than any tile, or wide and reaching in over the mat; while it is in view only marks
are reported. The empty table can be learned from pictures of it: whatever lies on it then belongs
to it. Otherwise the first frame need not be empty, and what stands out from a smooth table is
filled in. Where more differs than tiles explain, the search is given up.
"""
