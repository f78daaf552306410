"""The module behind the virtual pusher is what the core's source says."""

import subprocess
from pathlib import Path

import rig

FIRMWARE = Path(__file__).parents[2] / "firmware"


def test_the_module_in_the_package_is_built_from_this_source(tmp_path):
    subprocess.run(["make", "-s", "-C", str(FIRMWARE), "wasm", f"BUILD={tmp_path}"], check=True)
    built = (tmp_path / "pusher.wasm").read_bytes()
    kept = (Path(rig.__file__).parent / "pusher" / "pusher.wasm").read_bytes()
    assert built == kept, "make -C firmware wasm, then copy build/pusher.wasm into rig/pusher/"
