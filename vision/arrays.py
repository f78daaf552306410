"""The arrays that pass between the stages: their kinds, named once."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int32]
Numbers = NDArray[np.int64]
Gray = NDArray[np.uint8]
"""A grey image, shape (rows, columns)."""
Image = NDArray[np.uint8]
"""A colour image, BGR, shape (rows, columns, 3)."""

NEIGHBOURS = np.ones((3, 3), np.uint8)
"""A pixel and the eight round it, as a window."""
SIGMA_OF_MEDIAN = 1.48
"""One sigma of normal noise, as a multiple of the median of how far it is off."""
