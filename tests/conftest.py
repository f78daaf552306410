"""What holds for all tests."""

import os
import signal

from hypothesis import HealthCheck, settings

# The tests run side by side and their matrices are small: threads would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A shell that starts the tests in the background has its children ignore Ctrl+C, and nohup has them
# ignore a closed terminal; both are tested.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# A busy machine is no fault of what is tested.
patient = settings(settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("patient", patient)
settings.load_profile("patient")
