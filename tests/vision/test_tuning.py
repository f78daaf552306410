"""Numbers of the stages: what an eye is given reaches all of them."""

import ast
import math
from dataclasses import replace
from pathlib import Path

import vision
from physics.row.pose import Pose
from physics.row.tile import Orientation, Tile
from vision.capture.camera import Frame
from vision.geometry.mat import load_mat
from vision.look.eye import Eye
from vision.render.render import render, view_from
from vision.render.scene import Scene, Solid
from vision.tuning.tuning import TUNING

ROOT = Path(vision.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))


def takes_numbers(node: ast.FunctionDef | ast.ClassDef) -> bool:
    if isinstance(node, ast.FunctionDef):
        return any(one.arg == "tuning" for one in (*node.args.args, *node.args.kwonlyargs))
    return any(
        (isinstance(one, ast.FunctionDef) and one.name == "__init__" and takes_numbers(one))
        or (isinstance(one, ast.AnnAssign) and ast.unparse(one.target) == "tuning")
        for one in node.body
    )


def stages_of(path: Path) -> set[str]:
    """Names of what takes numbers in a file."""
    nodes = ast.parse(path.read_text()).body
    kinds = (ast.FunctionDef, ast.ClassDef)
    return {node.name for node in nodes if isinstance(node, kinds) and takes_numbers(node)}


def test_no_stage_forgets_to_hand_its_numbers_down():
    stages = {path: stages_of(path) for path in FILES}
    forgotten = []
    for path in FILES:
        tree = ast.parse(path.read_text())
        names = set(stages[path])
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                source = (ROOT.parent / (node.module or "").replace(".", "/")).with_suffix(".py")
                names |= {one.name for one in node.names} & stages.get(source, set())
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            named = isinstance(call.func, ast.Name) and call.func.id in names
            if named and "tuning" not in ast.unparse(call):
                forgotten.append(f"{path.name}:{call.lineno}")
    assert forgotten == []


def test_an_eye_with_other_numbers_sees_otherwise():
    lens, pose = view_from(math.radians(11), 0.6)
    tile = Tile(5, Pose(200.0, 200.0, 0.3), Orientation.VERTICAL)
    empty, stands = (
        Frame(render(Scene(tiles), lens, pose), 0.0, "drawn") for tiles in ((), (Solid(tile),))
    )
    strict = replace(
        TUNING,
        locate=replace(TUNING.locate, cell_score=1.1),
        late_marks=replace(TUNING.late_marks, cell_score=1.1),
    )
    dull = replace(TUNING, background=replace(TUNING.background, least_step_levels=300.0))

    def values(tuning):
        eye = Eye(lens, load_mat(), tuning=tuning)
        eye.look(empty)
        return [seen.value for seen in eye.look(stands).tiles]

    assert values(TUNING) == [5]
    assert values(strict) == [None]
    assert values(replace(strict, background=dull.background)) == []
