"""What holds for all tests."""

import os
import signal

# The tests run side by side and their matrices are small: threads would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A shell that starts the tests in the background has its children ignore Ctrl+C, which is tested.
signal.signal(signal.SIGINT, signal.default_int_handler)
