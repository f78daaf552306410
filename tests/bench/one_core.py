"""Import this first: what is measured here is the time of one core, so numpy gets one thread."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
