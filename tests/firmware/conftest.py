"""Cores and chips for the tests of the firmware."""

import functools
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support import chip
from tests.support.hostcore import Core, build_core


@functools.cache
def _can_fuzz():
    if not shutil.which("clang"):
        return False
    told = subprocess.run(["clang", "-print-runtime-dir"], capture_output=True, text=True)
    return any(Path(told.stdout.strip()).glob("*fuzzer*"))


def pytest_ignore_collect(collection_path):
    """Leave out what nothing here can build; under CI, tests/debian.sh has seen to the tools."""
    tools = {
        "test_differential.py": chip.TOOLS,
        "test_hands.py": chip.TOOLS,
        "test_image.py": chip.TOOLS,
        "test_pty.py": chip.TOOLS,
        "test_fuzz.py": _can_fuzz(),
        "test_wasm.py": shutil.which("clang") and shutil.which("wasm-ld"),
    }
    return None if shutil.which("cc") and tools.get(collection_path.name, True) else True


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    return chip.build(tmp_path_factory.mktemp("chip"))


@pytest.fixture(scope="session")
def core_library(tmp_path_factory):
    return build_core(tmp_path_factory.mktemp("core"))


@pytest.fixture
def boot(core_library):
    """Start a core; all are ended with the test."""
    cores = []

    def start(away=False):
        cores.append(Core(core_library, away))
        return cores[-1]

    yield start
    for core in cores:
        core.close()


@pytest.fixture
def core(boot):
    return boot()
