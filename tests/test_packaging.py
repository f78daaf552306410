"""The installed command is ours, and the tree holds nothing that must not be in it."""

import importlib
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", ["physics", "vision", "rig", "web"])
def test_the_packages_that_load_are_ours(name):
    module = importlib.import_module(name)
    assert Path(module.__file__).parent == ROOT / name


def test_the_distribution_has_its_command():
    (script,) = metadata.entry_points(group="console_scripts", name="domino-rig")
    assert script.value == "rig.cli.main:main"


@pytest.mark.parametrize(
    "module",
    [
        "physics.pose",
        "physics.tile",
        "physics.chain",
        "physics.check",
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
        files = re.findall(r"([a-z_]+)\.py", block)
        assert files
        assert [f for f in files if not (ROOT / package / f"{f}.py").exists()] == []


def test_links_of_the_readmes_lead_somewhere():
    for readme in [ROOT / "README.md", *ROOT.glob("*/README.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", readme.read_text()):
            assert (readme.parent / target).exists(), f"{readme}: {target}"
