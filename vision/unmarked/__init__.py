"""Tiles that no mark gives away.

The upper face of a tile that stands or lies is a rectangle of known size in a known plane. Its
four sides are searched in views of the table from above, turned step by step. The best are fitted
as boxes to all edges in sight. How likely each is to be a tile is told by all that is seen of it:
its edges, its colours beside the table's, its shadows, and how it suits the row. The likeliest are
taken one after the other. Where something broad is left, boxes that lean are tried too. Between
known tiles of a row, and at its ends, boxes are tried even where shadows explain all that differs.
At last all boxes are moved together until steps of brightness lie on their edges. What then stands
where fingers had no room beside a neighbour is given up: it is the dark strip between two tiles.

A row that fell onto itself is laid down in mind from how it stood: each tile tips about its front
lower edge until it meets the one ahead, down the row, up, or both ways from some tile. All are then
moved together. A row laid down is believed if boxes by themselves explain fewer tiles, and if not
many more would then lie there than fell.

What is known of the row lowers or raises how likely a box must be. Tiles that stood do not vanish:
if fewer lie there than fell, more are looked for near where they stood, whatever they look like. If
one tile was probably put down and none is found, the likeliest box is told; and so is one in a gap
much wider than the others, in a row put up at once on a table seen empty. While the row stands, a
box that seems to lie beside it must be far likelier than others.

From look to look, tiles over which the picture is as it was are kept. An unmarked tile over which
it has changed is tried where it stood, and searched for only if its edges are not there.
"""
