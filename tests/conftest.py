"""What holds for all tests."""

import gc
import os
import signal

import pytest
from hypothesis import HealthCheck, settings

# The tests run side by side and their matrices are small: threads would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")

# Journals wait for the disk at every command. They are written to memory where a file system is in
# it that has room for them, and from which what is built may be loaded.
MEMORY = "/dev/shm"
ROOM_BYTES = 2 << 30
if os.access(MEMORY, os.W_OK):
    there = os.statvfs(MEMORY)
    if there.f_bavail * there.f_frsize > ROOM_BYTES and not there.f_flag & os.ST_NOEXEC:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", MEMORY)

# What commands say to people is looked at in English, whatever this machine speaks.
os.environ["LC_ALL"] = "C.UTF-8"

# A shell that starts the tests in the background has its children ignore Ctrl+C, and nohup has them
# ignore a closed terminal; both are tested.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# A busy machine is no fault of what is tested.
patient = settings(settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("patient", patient)
settings.load_profile("patient")


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Collect thousands of tests, all of which stay, without looking for garbage among them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


class OnlyExamples:
    """Collects examples in docstrings only from modules that have some, and never from tests.

    Otherwise pytest would load every module and search it, only to find none.
    """

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self, file_path):
        found = yield
        if found and (file_path.name.startswith("test_") or b">>>" not in file_path.read_bytes()):
            return [each for each in found if type(each).__name__ != "DoctestModule"]
        return found


def pytest_configure(config):
    """Register the hook for the packages, too: here by itself it would serve tests only."""
    config.pluginmanager.register(OnlyExamples())
