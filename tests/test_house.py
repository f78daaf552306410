"""The house keeps its shape: figures only get better, contracts notice what they forbid."""

import json
from copy import deepcopy
from itertools import combinations, cycle, permutations, product
from pathlib import Path

import grimp
import pytest
from importlinter.application.use_cases import read_user_options
from importlinter.configuration import configure
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.independence import IndependenceContract
from importlinter.contracts.layers import LayersContract

from tests.tools import house

configure()
LINTER = read_user_options(str(Path(__file__).parents[1] / "pyproject.toml"))
KINDS = {
    "layers": LayersContract,
    "forbidden": ForbiddenContract,
    "independence": IndependenceContract,
}


@pytest.fixture(scope="module")
def as_it_stands():
    return house.House()


@pytest.mark.parametrize("figure", house.READ, ids=lambda figure: figure.count.__name__)
def test_no_figure_of_the_source_is_worse_than_the_one_kept(figure, as_it_stands):
    house.no_worse(figure, figure.count(as_it_stands))


@pytest.mark.parametrize("figure", [house.VOTE, house.VIEW], ids=["vote", "view"])
def test_neither_a_vote_nor_a_view_enters_more_files_than_it_did(figure):
    house.no_worse(figure, figure.count(None))


def test_what_is_kept_is_counted():
    assert set(house.kept()) <= {figure.name for figure in house.READ + house.WALKED}


@pytest.fixture
def planted(tmp_path):
    """A house of few lines with one fault of every kind."""
    files = {
        "physics/row/one.py": "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from physics.row.two import Thing\n",
        "physics/row/two.py": "import physics.row.one\n\n\nclass Thing: ...\n",
        "physics/row/__init__.py": "",
        "vision/three.py": "def f(x):\n    return isinstance(x, (int, NoPusher))\n",
        "vision/one.py": "class Thing: ...\n\n\nclass _Own: ...\n",
        "rig/cli/a.py": "class _Own: ...\n",
        "rig/cli/b.py": "",
        "rig/cli/c.py": "",
        "rig/games/interface.py": "",
        "rig/games/whist/rules.py": "",
        "rig/games/whist/deal.py": "import rig.games.whist.rules\n",
        "rig/session/live.py": "class Live:\n    fault: str\n    away: str\n",
        "rig/session/session.py": "from rig.games import interface\n"
        "from rig.games.whist import rules\n\n\ndef told(live):\n    return replace(live, x=1)\n",
        "rig/machine.py": "def f(s, d):\n    s.update(fault='')\n    d.update(other=1)\n",
        "web/routes.py": "match x:\n    case VirtualCamera():\n        ...\n",
        "web/static/core/a.css": "\n" * 401,
        "web/static/vendor/b.js": "\n" * 401,
        "web/README.md": "a\nb\nc\n",
        "rig/README.md": "a\n",
        "pyproject.toml": '[tool.importlinter]\n[[tool.importlinter.contracts]]\nname = "a"\n',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return house.House(tmp_path)


@pytest.mark.parametrize(
    ("count", "found"),
    [
        (house.files_side_by_side, ["physics/row/one.py", "physics/row/two.py"]),
        (house.circles, [["physics.row.one", "physics.row.two"]]),
        (house.modules_in_circles, ["physics.row.one", "physics.row.two"]),
        (house.type_checking_imports, ["physics/row/one.py:3"]),
        (house.contracts, ["a"]),
        (house.imports_of_a_game, ["rig/session/session.py:2"]),
        (house.devices_recognised, ["vision/three.py:2", "web/routes.py:2"]),
        (house.writers_of_live, ["rig/machine.py", "rig/session/session.py"]),
        (house.classes_of_one_name, ["Thing: physics/row/two.py, vision/one.py"]),
        (house.modules_of_one_name, ["one: physics/row/one.py, vision/one.py"]),
        (house.long_files, ["web/static/core/a.css: 401"]),
        (house.longest_readme, ["a", "b", "c"]),
        (house.told, ["rig/session/session.py:5"]),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_fault_is_counted_where_it_is(count, found, planted):
    assert count(planted) == found


def test_a_worse_figure_is_told_with_both_numbers_and_what_it_counts(tmp_path, monkeypatch):
    fewer, more = house.Figure(house.told), house.Figure(house.contracts, more=True)
    (tmp_path / "kept.json").write_text(json.dumps({fewer.name: 2, more.name: 2}))
    monkeypatch.setattr(house, "KEPT", tmp_path / "kept.json")
    with pytest.raises(AssertionError, match=r"2 kept, 3 now.\n  a.py:1\n  b.py:1\n"):
        house.no_worse(fewer, ["a.py:1", "b.py:1", "c.py:1"])
    with pytest.raises(AssertionError, match="2 kept, 1 now"):
        house.no_worse(more, ["a"])
    house.no_worse(fewer, ["a.py:1", "b.py:1"])
    house.no_worse(more, ["a", "b", "c"])
    house.no_worse(house.Figure(house.lines_of_python), 10**6 * ["x"])


@pytest.fixture(scope="module")
def imports():
    roots = LINTER.session_options["root_packages"]
    return grimp.build_graph(*roots, include_external_packages=True, cache_dir=None)


def contract_of(options):
    kind, session = KINDS[options["type"]], LINTER.session_options
    return kind(name=options["name"], session_options=session, contract_options=options)


def forbidden_imports(options):
    """Imports of which the contract must notice each: importer and imported."""
    if options["type"] == "forbidden":
        sources, targets = options["source_modules"], options["forbidden_modules"]
        many, few = sorted((sources, targets), key=len, reverse=True)
        pairs = zip(many, cycle(few), strict=False)
        yield from pairs if many is sources else ((b, a) for a, b in pairs)
    elif options["type"] == "independence":
        yield from permutations(options["modules"], 2)
    else:
        layers = [(layer, layer.replace("|", ":").split(":")) for layer in options["layers"]]
        for container in options.get("containers", [""]):
            prefix = f"{container}." if container else ""
            names = [[f"{prefix}{name.strip(' ()')}" for name in inside] for _, inside in layers]
            for higher, lower in combinations(names, 2):
                yield from product(lower, higher)
            for (layer, _), inside in zip(layers, names, strict=True):
                if "|" in layer:
                    yield from permutations(inside, 2)


@pytest.mark.parametrize("options", LINTER.contracts_options, ids=lambda options: options["name"])
def test_a_contract_notices_every_import_that_it_forbids(options, imports):
    contract = contract_of(options)
    assert contract.check(deepcopy(imports), verbose=False).kept
    unnoticed = []
    for importer, imported in forbidden_imports(options):
        graph = deepcopy(imports)
        if imported not in graph.modules:
            graph.add_module(imported, is_squashed=True)
        graph.add_import(importer=importer, imported=imported)
        if contract.check(graph, verbose=False).kept:
            unnoticed.append(f"{importer} -> {imported}")
    assert unnoticed == []
