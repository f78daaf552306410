"""The sheets to print, exact to the millimetre.

Shapes are outlines and not images. Print at 100 % (actual size) on matte paper, with a laser
printer for the marks, and measure the ruler that is on every sheet: from 0 to 100 must be 100.0 mm.
A mat that is a little off can be used all the same: `domino-rig calibrate survey --ruler MM`. Then
cut along the thin lines.

| sheets | A4 | A3 | letter |
|---|---|---|---|
| `mat`: six strips, and a plan of how they lie | 3 | 2 | 4, strips in two pieces with a flap |
| `marks`: four stickers for each of eleven tiles | 1 | 1 | 1 |
| `charuco`: the board of 225 x 175 mm | 1 | 1 | 1 |
| `pusher-tag`: one to use, one to spare | 1 | 1 | 1 |

On A4 a strip is as long as the paper. Tiles of another size have marks of another size, by the rule
in `marks/sticker.py`; the `Eye` has to be given the same marks.
"""
