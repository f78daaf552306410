"""The camera over the mat, and boxes as it sees them: what relates pixels to millimetres.

The camera's pose follows from all markers of the mat: lines are fitted to their sides, the corners
are where these meet, `solvePnP` and Levenberg-Marquardt do the rest, twice without outliers. White
paper makes black markers look smaller by the same amount everywhere; that is measured and taken
out. Enough markers on two sides must be seen to tell the top of a tile well enough anywhere on the
work area. A larger residual means that the camera file or the mat is not what it should be. Without
a camera file the focal length is estimated from the frames, and heights are only as good as that
guess.
"""
