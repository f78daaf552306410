import numpy as np
import pytest

from physics.calibrate.posterior import Posterior
from physics.calibrate.posterior_plot import plotted, require_plot
from physics.calibrate.surrogate import spread_evenly, values_at
from physics.errors import PhysicsError
from physics.predict.learned_table import LearnedTable, Trust
from physics.row.push import Friction
from physics.row.table_values import Values


def known():
    places = spread_evenly(200, 5, np.random.default_rng(1))
    draws = np.array(
        [
            [v.tile_tile, v.tile_table, v.stroke, v.placement, v.contact]
            for v in values_at(places, Friction())
        ]
    )
    weights = np.exp(-((places[:, 0] - 1.0) ** 2) / 0.5)
    trust = Trust(40, -0.8, -0.6, 0.15, 0.1)
    table = LearnedTable(
        Values(0.4), Values(0.3, 0.4, 0.7, 0.5, -0.8), Values(0.5, 0.7, 1.4, 2.0, 0.8), trust, ()
    )
    return Posterior(draws, weights / weights.sum(), table)


def test_every_value_has_a_panel_with_its_name_and_unit():
    text = plotted(known(), "svg").decode()
    for label in (
        "friction between tiles", "friction with the table", "stroke (real / set)",
        "placement error (real / told)", "contact (log-odds of a joint)",
        "Brier score of pushes left out", "90 % interval", "40 pushes",
    ):  # fmt: skip
        assert f"<!-- {label}" in text or label in text


def test_a_picture_of_an_unknown_kind_is_refused_before_anything_is_drawn():
    with pytest.raises(PhysicsError, match=r"table\.doc: expected a name that ends with \.png"):
        require_plot("table.doc")
