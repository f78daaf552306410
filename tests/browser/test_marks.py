"""The marks of the seats as a browser draws them."""

import pytest

from tests.tools.marks import SILHOUETTES, differing

pytestmark = pytest.mark.browser


def test_all_marks_have_another_shape_even_at_sixteen_pixels(stage):
    """Circle and square, the nearest, differ in 18 %; the four newer ones in over 40 %."""
    parts = differing(stage().evaluate(SILHOUETTES, 16))
    assert len(parts) == 45 and min(parts.values()) >= 0.15
    newer = {"moon", "bolt", "bow", "chevron"}
    assert min(part for pair, part in parts.items() if newer & set(pair)) >= 0.4
