"""Count the numbers of a package that nobody can see and set from outside.

    python -m tests.tools.loose_numbers [FOLDER ...] [-v]

A number is at home as a field of a frozen dataclass: it has a name, a unit, a reason, and somebody
else can give another one. Two kinds are not, and are counted apart:

- **loose**: a constant of a module that is made of numbers written there, such as `LEAST_MM = 3.0`,
  `NEAR_RAD = math.radians(4)` or both names of `A, B = 1.5, 0.3`. Each name counts once.
- **unnamed**: a number in the middle of a function.

Not counted is what is no choice:

- structure: 0, 1, -1, 2 and 0.5; the last, the middle ones and the count of the levels of a
  byte (255, 127, 128, 256); turns of 90, 180 and 360 degrees; powers of ten; an index, a slice,
  an exponent, by how many bits or decimals a number is shifted or rounded, the seed of chance,
  and arguments that are shapes, axes or sizes of a buffer;
- a constant in which there is nothing but such numbers, and tables of whole numbers in two levels
  (which corners make a face);
- codes that somebody else gave, which are written in hexadecimal;
- numbers in words, and those from which an f-string works out its words (`{100 * share:.0f} %`);
- numbers in a default of a parameter and in a field of any class: they have a name.

A window full of ones is no buffer: how wide it is is a choice.
"""

import argparse
import ast
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
STRUCTURE = frozenset({0, 1, 2, 0.5, 127, 128, 255, 256, 90, 180, 360})
SHAPES = frozenset(
    {"reshape", "broadcast_to", "zeros", "full", "empty", "eye", "transpose", "repeat", "to_bytes"}
)
SEEDED = frozenset({"default_rng"})
SHIFTED = (ast.Pow, ast.LShift, ast.RShift)
BUFFERS = frozenset({"axis", "maxsize", "maxlen", "minlength", "timeout", "dtype", "shape"})
CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]*")


@dataclass(frozen=True)
class Loose:
    """A number that is not at home, and where it stands."""

    path: Path
    line: int
    words: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.words}"


def loose_numbers(folder: Path) -> list[Loose]:
    """Constants of modules that are made of numbers, in all files under a folder."""
    return [one for path in sorted(folder.rglob("*.py")) for one in _constants(path)]


def unnamed_numbers(folder: Path) -> list[Loose]:
    """Numbers in the middle of functions, in all files under a folder."""
    return [one for path in sorted(folder.rglob("*.py")) for one in _in_functions(path)]


def _constants(path: Path) -> Iterator[Loose]:
    text = path.read_text()
    for node in ast.parse(text).body:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        numbers = [one for one in _open(node.value) if _is_choice(one, text)]
        if not numbers or _is_table(node.value):
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for name in (one for target in targets for one in ast.walk(target)):
            if isinstance(name, ast.Name) and CONSTANT.fullmatch(name.id):
                yield Loose(path, node.lineno, f"{name.id} = {ast.unparse(node.value)}")


def _in_functions(path: Path) -> Iterator[Loose]:
    text = path.read_text()
    lines = text.splitlines()
    functions = [one for one in ast.walk(ast.parse(text)) if isinstance(one, ast.FunctionDef)]
    seen: set[tuple[int, int]] = set()
    for function in functions:
        for statement in function.body:
            for node in _open(statement):
                if _is_choice(node, text) and (node.lineno, node.col_offset) not in seen:
                    seen.add((node.lineno, node.col_offset))
                    yield Loose(path, node.lineno, lines[node.lineno - 1].strip())


def _open(node: ast.AST) -> Iterator[ast.AST]:
    """All parts of a statement, without those in which numbers are structure."""
    yield node
    for name, value in ast.iter_fields(node):
        if isinstance(node, ast.Subscript) and name == "slice":
            continue
        if isinstance(node, ast.BinOp) and isinstance(node.op, SHIFTED) and name == "right":
            continue
        if isinstance(node, ast.JoinedStr):
            continue
        if isinstance(node, ast.keyword) and node.arg in BUFFERS:
            continue
        if isinstance(node, ast.FunctionDef) and name == "args":
            continue
        parts = value if isinstance(value, list) else [value]
        if isinstance(node, ast.Call) and name == "args":
            called = _called(node)
            parts = [] if called in SHAPES | SEEDED else parts[: 1 if called == "round" else None]
        for part in parts:
            if isinstance(part, ast.AST):
                yield from _open(part)


def _called(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2]


def _is_choice(node: ast.AST, text: str) -> bool:
    """Whether a node is a number that somebody chose."""
    if not isinstance(node, ast.Constant) or isinstance(node.value, bool):
        return False
    if not isinstance(node.value, int | float) or node.value in STRUCTURE:
        return False
    written = ast.get_source_segment(text, node) or ""
    power = node.value > 0 and math.log10(node.value).is_integer() and node.value not in (10, 100)
    return not (written.lower().startswith("0x") or power)


def _is_table(node: ast.expr) -> bool:
    """Whether an expression is a table of whole numbers in two levels."""
    parts = [one for one in ast.walk(node) if isinstance(one, ast.Tuple | ast.List)]
    numbers = [one.value for one in ast.walk(node) if isinstance(one, ast.Constant)]
    return len(parts) > 2 and all(isinstance(number, int) for number in numbers)


def main() -> None:
    """Print how many there are."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", default=["physics", "vision", "rig", "web"])
    parser.add_argument("-v", "--verbose", action="store_true", help="print each place")
    asked = parser.parse_args()
    for name in asked.folders:
        loose, unnamed = loose_numbers(ROOT / name), unnamed_numbers(ROOT / name)
        for one in (*loose, *unnamed) if asked.verbose else ():
            print(one)
        print(f"{name}: {len(loose)} loose, {len(unnamed)} unnamed")


if __name__ == "__main__":
    main()
