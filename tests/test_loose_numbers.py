import pytest

from tests.tools.loose_numbers import loose_numbers, unnamed_numbers

CODE = """
from dataclasses import dataclass

NEAR_MM, FAR_MM = 3.5, 7.5
HALF = 0.5
CODE = 0x1234
FACES = ((4, 5), (6, 7))


@dataclass(frozen=True)
class Tuning:
    step_mm: float = 0.7


def reach(points, far=9.5):
    return points.reshape(-1, 7)[:5] * 1.3 ** 3 + FAR_MM * 0.5
"""


def test_numbers_that_nobody_can_set_are_counted(tmp_path):
    (tmp_path / "stage.py").write_text(CODE)
    loose = [one.words.split(" = ")[0] for one in loose_numbers(tmp_path)]
    assert loose == ["NEAR_MM", "FAR_MM"]


def test_numbers_in_the_middle_of_a_function_are_counted_apart(tmp_path):
    (tmp_path / "stage.py").write_text(CODE)
    assert [one.line for one in unnamed_numbers(tmp_path)] == [16]


@pytest.mark.parametrize(
    ("structure", "choice"),
    [
        ("round(x * 1.3, 4)", "round(x * 1.3, 4) > 5"),
        ("np.round(x, 3)", "np.floor(x, 3)"),
        ("(x >> 12) | (x << 30)", "x >> 12 > 30"),
        ("np.broadcast_to(x, (3, 7))", "np.clip(x, 3, 7)"),
        ("int(x).to_bytes(4)", "int(x).to_words(4)"),
        ("np.random.default_rng([x, 71])", "np.random.default_rng([x, 71]).normal(71)"),
        ("x[128] + 127 < 256 - x", "x < 129"),
        ("f'{7 * x:.3f} %'", "'%s %%' % (7 * x)"),
        ("np.zeros((9, 9))", "np.ones((9, 9))"),
    ],
)
def test_what_is_no_choice_is_not_counted_and_what_stands_beside_it_is(structure, choice, tmp_path):
    def counted(code):
        (tmp_path / "stage.py").write_text(f"def stage(x):\n    return {code}\n")
        return len(unnamed_numbers(tmp_path))

    expected = counted("x * 1.3") if "1.3" in structure else 0
    assert counted(structure) == expected < counted(choice)
