"""Count how the house is laid: folders, circles, layers, names, sizes.

    python -m tests.tools.house                 every figure, with the one that is kept
    python -m tests.tools.house --where LIVE    what the figures with LIVE in their name count
    python -m tests.tools.house --keep          write down what has become better

No figure may be worse than the one kept in tests/data/house.json; tests/test_house.py sees to it.
--keep only ever writes better ones. Where a worse one is right, write it there by hand and say in
the commit why.
"""

import argparse
import ast
import json
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tests.tools.loose_numbers import loose_numbers, unnamed_numbers

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "tests" / "data" / "house.json"
PACKAGES = ("physics", "vision", "rig", "web")
LONG_LINES = 400
SHOWN = 12
FOR_ALL_GAMES = ("interface", "registry", "shuffle", "dealing", "phrase")
KNOW_NO_GAME = (
    "rig.session",
    "rig.history",
    "rig.players",
    "rig.row",
    "rig.virtual",
    "rig.machine",
    "rig.setup",
    "web",
)
Imports = ast.Import | ast.ImportFrom


class Module:
    """One file of Python, read once."""

    def __init__(self, root: Path, path: Path) -> None:
        self.path = path.relative_to(root)
        self.name = ".".join(self.path.with_suffix("").parts).removesuffix(".__init__")
        self.text = path.read_text()
        self._nodes: dict[type, list[ast.AST]] = defaultdict(list)
        for node in ast.walk(ast.parse(self.text)):
            self._nodes[type(node)].append(node)

    def all(self, *kinds: type) -> Iterator[ast.AST]:
        for kind in kinds:
            yield from self._nodes[kind]

    def at(self, node: ast.AST) -> str:
        return f"{self.path}:{getattr(node, 'lineno', 0)}"

    def imported(self, node: ast.AST, modules: Iterable[str]) -> set[str]:
        """Name the modules of the house that an import is about."""
        if isinstance(node, ast.Import):
            return {alias.name for alias in node.names if alias.name in modules}
        assert isinstance(node, ast.ImportFrom)
        start = self.name.split(".")[: -node.level or None] if node.level else []
        base = ".".join([*start, *([node.module] if node.module else [])])
        inner = {f"{base}.{alias.name}" for alias in node.names}
        found = {one for one in inner if one in modules}
        return found | ({base} if base in modules and found != inner else set())


class House:
    """The four packages as they stand in a folder."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        files = (path for package in PACKAGES for path in sorted((root / package).rglob("*.py")))
        self.modules = {module.name: module for module in (Module(root, path) for path in files)}

    @cached_property
    def imports(self) -> dict[str, set[str]]:
        """Which modules a module imports, for types too."""
        return {
            name: set().union(
                *(m.imported(n, self.modules) for n in m.all(ast.Import, ast.ImportFrom))
            )
            - {name}
            for name, m in self.modules.items()
        }

    @cached_property
    def live_fields(self) -> frozenset[str]:
        """The fields of what the session may forget."""
        for module in self.modules.values():
            for node in module.all(ast.ClassDef):
                if node.name.lstrip("_") == "Live" and module.name.startswith("rig.session"):
                    fields = (one.target for one in node.body if isinstance(one, ast.AnnAssign))
                    return frozenset(one.id for one in fields if isinstance(one, ast.Name))
        raise SystemExit("house: no class Live in rig/session; tell tests/tools/house.py its name")


def files_side_by_side(house: House) -> list[str]:
    """Files of the fullest folder, rig/cli apart."""
    rooms: dict[Path, list[str]] = defaultdict(list)
    for module in house.modules.values():
        if module.path.stem != "__init__" and module.path.parent != Path("rig/cli"):
            rooms[module.path.parent].append(str(module.path))
    return max(rooms.values(), key=len)


def circles(house: House) -> list[list[str]]:
    """Circles of imports, types counted."""
    index: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        index[name] = lowest[name] = len(index)
        stack.append(name)
        for other in house.imports[name]:
            if other not in index:
                visit(other)
                lowest[name] = min(lowest[name], lowest[other])
            elif other in stack:
                lowest[name] = min(lowest[name], index[other])
        if lowest[name] == index[name]:
            at = stack.index(name)
            found.append(sorted(stack[at:]))
            del stack[at:]

    usual = sys.getrecursionlimit()  # others in this process rely on it
    sys.setrecursionlimit(max(usual, 10 * len(house.modules)))
    try:
        for name in house.imports:
            if name not in index:
                visit(name)
    finally:
        sys.setrecursionlimit(usual)
    return [one for one in found if len(one) > 1]


def modules_in_circles(house: House) -> list[str]:
    """Modules in circles of imports, types counted."""
    return sorted(name for one in circles(house) for name in one)


def type_checking_imports(house: House) -> list[str]:
    """Imports under TYPE_CHECKING."""
    return [
        module.at(inner)
        for module in house.modules.values()
        for node in module.all(ast.If)
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
        for inner in ast.walk(node)
        if isinstance(inner, Imports)
    ]


def contracts(house: House) -> list[str]:
    """Contracts that import-linter keeps."""
    with (house.root / "pyproject.toml").open("rb") as file:
        return [one["name"] for one in tomllib.load(file)["tool"]["importlinter"]["contracts"]]


def imports_of_a_game(house: House) -> list[str]:
    """Imports of one game where no game should be known."""

    def is_game(name: str) -> bool:
        inner = name.removeprefix("rig.games.")
        return inner != name and inner.partition(".")[0] not in FOR_ALL_GAMES

    return [
        module.at(node)
        for module in house.modules.values()
        if any(f"{module.name}.".startswith(f"{room}.") for room in KNOW_NO_GAME)
        for node in module.all(ast.Import, ast.ImportFrom)
        if any(is_game(name) for name in module.imported(node, house.modules))
    ]


_DEVICE = re.compile(r"(?<!\w)[A-Z]\w*(Camera|Pusher)\b")


def devices_recognised(house: House) -> list[str]:
    """Places that recognise a camera or a pusher by its class."""
    found = []
    for module in house.modules.values():
        for node in module.all(ast.Call):
            named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id
            if named in ("isinstance", "issubclass") and _DEVICE.search(ast.unparse(node.args[1])):
                found.append(module.at(node))
        for node in module.all(ast.MatchClass):
            if isinstance(node, ast.MatchClass) and _DEVICE.search(ast.unparse(node.cls)):
                found.append(module.at(node))
    return found


def writers_of_live(house: House) -> list[str]:
    """Modules that change what the session may forget."""

    def writes(call: ast.Call) -> bool:
        name = ast.unparse(call.func).rpartition(".")[2]
        given = {keyword.arg for keyword in call.keywords}
        if name == "update":
            return bool(given) and given <= house.live_fields
        if name == "replace" and call.args:
            first = ast.unparse(call.args[0]).rpartition(".")[2]
            return first.lstrip("_") == "live" or (first == "now" and given <= house.live_fields)
        return name.lstrip("_") == "Live"

    return [
        str(module.path)
        for module in house.modules.values()
        if any(isinstance(node, ast.Call) and writes(node) for node in module.all(ast.Call))
    ]


def _more_than_one(places: Iterable[tuple[str, str]]) -> list[str]:
    """Names with more than one place; each game has words of its own, as the port asks."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, place in places:
        found[name].add(place)
    return [
        f"{k}: {', '.join(sorted(v))}"
        for k, v in sorted(found.items())
        if len(v) > 1 and not _in_games_apart(v)
    ]


def _in_games_apart(places: Iterable[str]) -> bool:
    folders = [_IN_A_GAME.match(place) for place in places]
    games = [found[1] for found in folders if found]
    return len(games) == len(set(games)) == len(folders)


_IN_A_GAME = re.compile(r"rig/games/(\w+)/")


def classes_of_one_name(house: House) -> list[str]:
    """Public class names that stand for two things."""
    return _more_than_one(
        (node.name, str(module.path))
        for module in house.modules.values()
        for node in module.all(ast.ClassDef)
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )


def modules_of_one_name(house: House) -> list[str]:
    """Module names that stand in two places."""
    return _more_than_one(
        (module.path.stem, str(module.path))
        for module in house.modules.values()
        if module.path.stem != "__init__"
    )


def long_files(house: House) -> list[str]:
    """Files of Python, CSS and JavaScript over 400 lines."""
    lines = {str(m.path): m.text.count("\n") for m in house.modules.values()}
    for kind in ("*.css", "*.js"):
        for path in (house.root / "web" / "static").rglob(kind):
            if "vendor" not in path.parts:
                lines[str(path.relative_to(house.root))] = path.read_text().count("\n")
    return [f"{path}: {n}" for path, n in sorted(lines.items()) if n > LONG_LINES]


def lines_of_python(house: House) -> list[str]:
    """Lines of Python in the four packages."""
    return [line for module in house.modules.values() for line in module.text.splitlines()]


def longest_readme(house: House) -> list[str]:
    """Lines of the longest README of a folder."""
    readmes = [house.root / folder / "README.md" for folder in (*PACKAGES, "firmware")]
    return max((one.read_text().splitlines() for one in readmes if one.exists()), key=len)


def told(house: House) -> list[str]:
    """Functions that are called `told`."""
    return [
        module.at(node)
        for module in house.modules.values()
        for node in module.all(ast.FunctionDef, ast.AsyncFunctionDef)
        if getattr(node, "name", "").strip("_") == "told"
    ]


def constants_of_vision(house: House) -> list[str]:
    """Numbers in vision that are constants of a module."""
    return [str(one) for one in loose_numbers(house.root / "vision")]


def numbers_in_functions_of_vision(house: House) -> list[str]:
    """Numbers in vision in the middle of a function."""
    return [str(one) for one in unnamed_numbers(house.root / "vision")]


def _files_of_a_vote(house: House) -> list[str]:
    """Files that a vote enters on the thread of its request."""
    from tests.support.walks import files_of_a_vote

    return files_of_a_vote()


def _files_of_a_view(house: House) -> list[str]:
    """Files that one view enters."""
    from tests.support.walks import files_of_a_view

    return files_of_a_view()


def _files_of_a_turn(house: House) -> list[str]:
    """Files that one turn enters, from a frame to chips."""
    from tests.support.walks import files_of_a_turn

    return files_of_a_turn()


@dataclass(frozen=True)
class Figure:
    """One count, and whether more of it is better."""

    count: Callable[[House], Sequence[object]]
    more: bool = False

    @property
    def name(self) -> str:
        return (self.count.__doc__ or "").strip().rstrip(".")

    def worse(self, now: int, kept: int) -> bool:
        return now < kept if self.more else now > kept


READ = (
    Figure(files_side_by_side),
    Figure(circles),
    Figure(modules_in_circles),
    Figure(type_checking_imports),
    Figure(contracts, more=True),
    Figure(imports_of_a_game),
    Figure(devices_recognised),
    Figure(writers_of_live),
    Figure(classes_of_one_name),
    Figure(modules_of_one_name),
    Figure(long_files),
    Figure(lines_of_python),
    Figure(longest_readme),
    Figure(told),
    Figure(constants_of_vision),
    Figure(numbers_in_functions_of_vision),
)
"""What is read off the source."""

TURN, VOTE, VIEW = Figure(_files_of_a_turn), Figure(_files_of_a_vote), Figure(_files_of_a_view)
WALKED = (TURN, VOTE, VIEW)
"""What is seen by going through it; tests/test_one_turn.py counts the turn."""


def kept() -> dict[str, int]:
    """The figures than which none may be worse; what is not among them may grow."""
    return dict(json.loads(KEPT.read_text()))


def no_worse(figure: Figure, counted: Sequence[object]) -> None:
    """Make sure that a figure is no worse than the one kept.

    Raises:
        AssertionError: it is; with both numbers, and what it counts.
    """
    limit, now = kept().get(figure.name), len(counted)
    if limit is None or not figure.worse(now, limit):
        return
    raise AssertionError(
        f"{figure.name}: {limit} kept, {now} now.\n"
        + "".join(f"  {one}\n" for one in counted[:SHOWN])
        + (f"  and {now - SHOWN} more\n" if now > SHOWN else "")
        + "Mend it, or say in the commit why the figure in tests/data/house.json has to change."
    )


def main(words: Sequence[str] | None = None) -> None:
    """Print the figures, or what they count."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.house", description=__doc__)
    parser.add_argument("--where", metavar="WORD", help="list what these figures count")
    parser.add_argument("--keep", action="store_true", help="write down what is better now")
    given = parser.parse_args(words)
    house, limits = House(), kept()
    for figure in READ + WALKED:
        if given.where and given.where.lower() not in figure.name.lower():
            continue
        counted = figure.count(house)
        now, limit = len(counted), limits.get(figure.name)
        mark = (
            ""
            if limit is None or now == limit
            else " worse"
            if figure.worse(now, limit)
            else " better"
        )
        print(f"{now:6}  {figure.name}" + (f" (kept: {limit}{mark})" if limit is not None else ""))
        if given.where:
            print(*(f"        {one}" for one in counted), sep="\n")
        if limit is not None and not figure.worse(now, limit):
            limits[figure.name] = now
    if given.keep:
        KEPT.write_text(json.dumps(limits, indent=2) + "\n")


if __name__ == "__main__":
    main()
