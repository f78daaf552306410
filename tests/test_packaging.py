"""The installed command is ours, and the tree holds nothing that must not be in it."""

import importlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("physics", "vision", "rig", "web")
READ_ONLY = {".md", ".jpg", ".svg", ".webp"}
"""Endings of what is there to be read, and not installed; the icons of the pages are."""


@pytest.mark.parametrize("name", PACKAGES)
def test_the_packages_that_load_are_ours(name):
    module = importlib.import_module(name)
    assert Path(module.__file__).parent == ROOT / name


def test_the_distribution_has_its_command():
    (script,) = metadata.entry_points(group="console_scripts", name="domino-rig")
    assert script.value == "rig.cli.main:main"


@pytest.mark.parametrize(
    "module",
    [
        "physics.row.pose",
        "physics.row.tile",
        "physics.row.chain",
        "physics.row.row_rules",
        "rig.games.estimation.decide",
    ],
)
def test_importing_the_vocabulary_loads_nothing_heavy(module):
    script = (
        f"import sys, {module}\n"
        "heavy = {'numpy', 'cv2', 'pymunk', 'flask', 'serial'} & set(sys.modules)\n"
        "sys.exit(f'loads {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_pins_are_names_and_versions_alone():
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", pin) for pin in pins), pins


def test_everything_the_project_asks_for_is_pinned():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = list(project["dependencies"])
    for extra in project["optional-dependencies"].values():
        wanted += extra
    names = {re.split(r"[><=\[;]", each)[0].strip().lower() for each in wanted}
    pins = (ROOT / "constraints.txt").read_text().lower()
    assert [n for n in names if f"\n{n}==" not in f"\n{pins}"] == []


def test_the_drawing_of_the_architecture_names_what_there_is():
    text = (ROOT / "README.md").read_text()
    drawing = text[text.index("```mermaid") :].split("```", 2)[1]
    for package in ("web", "rig", "vision", "physics"):
        block = drawing[drawing.index(f"subgraph {package} ") :].split("\n  end", 1)[0]
        named = re.findall(r"([a-z_/]+(?:\.py|/))", block)
        assert named
        assert [name for name in named if not (ROOT / package / name).exists()] == []


def files_in(folder, *below):
    """Give the files of a tree as paths from it, without what tools have left there."""
    return {
        path.relative_to(folder).as_posix()
        for one in below
        for path in (folder / one).rglob("*")
        if path.is_file() and path.suffix != ".pyc" and "firmware/build" not in path.as_posix()
    }


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build the source package, and the installed one from it; give both, unpacked."""
    folder = tmp_path_factory.mktemp("built")
    tree = folder / "tree"
    leave = shutil.ignore_patterns(
        ".git", ".venv*", ".*_cache", ".hypothesis", "__pycache__", "build", "dist", "*.egg-info"
    )
    shutil.copytree(ROOT, tree, ignore=leave)
    build = (
        "from setuptools import build_meta as b; import sys; getattr(b, sys.argv[1])(sys.argv[2])"
    )

    def make(what, where):
        words = [sys.executable, "-c", build, what, str(folder)]
        done = subprocess.run(words, cwd=where, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    make("build_sdist", tree)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        # Python before 3.11.4 knows no filters; the package is our own.
        packed.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    source = folder / archive.name.removesuffix(".tar.gz")
    make("build_wheel", source)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder / "installed")
    return source, folder / "installed"


def test_the_source_package_has_all_that_it_takes_to_build_and_test(built):
    source, _ = built
    there = files_in(ROOT, *PACKAGES, "firmware", "tests")
    assert there - files_in(source, *PACKAGES, "firmware", "tests") == set()
    for name in ("CHANGELOG.md", "LICENSE", "Makefile", "README.md", "constraints.txt"):
        assert (source / name).read_bytes() == (ROOT / name).read_bytes()


def test_links_of_the_source_packages_readmes_lead_somewhere(built):
    source, _ = built
    for readme in source.rglob("*.md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", readme.read_text()):
            assert (readme.parent / target).exists(), f"{readme}: {target}"


def test_the_installed_package_has_all_that_runs_and_nothing_else(built):
    _, installed = built
    info = next(installed.glob("*.dist-info")).name
    assert {path.name for path in installed.iterdir()} == {*PACKAGES, info}
    needed = {
        path
        for path in files_in(ROOT, *PACKAGES)
        if Path(path).suffix not in READ_ONLY or path.startswith("web/static/")
    }
    assert files_in(installed, *PACKAGES) == needed


def test_the_package_says_what_it_is(built):
    _, installed = built
    told = message_from_bytes(next(installed.glob("*.dist-info/METADATA")).read_bytes())
    assert told["Name"] == "domino-rig"
    assert told["License-Expression"] == "MIT"
    assert told["Requires-Python"] == ">=3.11"
    assert "Private :: Do Not Upload" in told.get_all("Classifier")
    assert {"LICENSE"} < set(told.get_all("License-File"))


def test_the_installed_package_sees_predicts_and_moves_without_its_tree(built, tmp_path):
    _, installed = built
    frame = ROOT / "tests" / "data" / "frames" / "practice_s01_f2.jpg"
    row = tmp_path / "row.jsonl"
    with (ROOT / "tests" / "data" / "rows-60.jsonl").open() as rows:
        row.write_text(next(rows))
    script = (
        "import itertools, rig.cli.main as command, web\n"
        "from rig.pusher.wasm_board import Board\n"
        "from rig.pusher.flash import read_image\n"
        "from importlib.resources import files\n"
        f"assert all(one.__file__.startswith({str(installed)!r}) for one in (command, web))\n"
        "assert Board(itertools.count(1)).state == 'SAFE'\n"
        "assert read_image(files('rig.pusher').joinpath('pusher.hex').read_text())\n"
        f"assert command.main(['see', {str(frame)!r}]) == 0\n"
        f"assert command.main(['predict', {str(row)!r}]) == 0\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_every_lowest_version_can_be_asked_for_by_name():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    bounds = [*project["dependencies"], *(each for extra in extras.values() for each in extra)]
    assert [each for each in bounds if not re.fullmatch(r"[\w-]+>=[\d.]+", each)] == []
    lowest = {}
    for each in bounds:
        name, version = each.split(">=")
        assert lowest.setdefault(name, version) == version
