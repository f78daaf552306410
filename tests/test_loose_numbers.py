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
