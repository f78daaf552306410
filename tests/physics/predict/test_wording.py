import pytest

from physics.predict.wording import percent


@pytest.mark.parametrize(
    ("share", "words"),
    [(0.0, "under 1 %"), (0.004, "under 1 %"), (0.006, "1 %"), (0.5, "50 %"), (0.994, "99 %"),
     (0.999, "over 99 %")],
)  # fmt: skip
def test_no_share_is_told_as_surer_than_it_is(share, words):
    assert percent(share) == words
