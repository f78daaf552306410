"""What holds for all tests."""

import os

# The tests run side by side and their matrices are small: threads would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
