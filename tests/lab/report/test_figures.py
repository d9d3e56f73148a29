"""Every figure in a report can be computed again from the Parquet files of its study."""

from __future__ import annotations

import math

import pytest

from lab.report.recount import recount
from lab.report.small import comparison, figures, report, small
from soak import SOAK

GAMES = ("ur", "ave-caesar", "ben-hvrt")
FEWEST = {"ur": 70, "ave-caesar": 300, "ben-hvrt": 200}


@pytest.mark.parametrize("game", GAMES)
def test_every_figure_is_that_of_the_rows(game):
    (found,) = figures(report(game))["studies"]
    assert len(found) > FEWEST[game]
    # Computing all of them again takes long in a large report: `make test` does every third.
    for id, figure in list(found.items())[:: 1 if SOAK or game == "ur" else 3]:
        value, low, high, units = recount(small(game), game, id, list(found))
        assert figure["value"] == pytest.approx(value, abs=1e-9), id
        assert figure["games"] == units, id
        half = (high - low) / 2
        if not math.isnan(half):
            assert figure["low"] == pytest.approx(low, abs=0.02 * half + 1e-9), id
            assert figure["high"] == pytest.approx(high, abs=0.02 * half + 1e-9), id


def test_the_tables_of_a_report_show_its_figures():
    text = report("ur").read_text("utf-8")
    (found,) = figures(report("ur"))["studies"]
    captures = found["ur.captures"]
    shown = f"<td>{captures['value']:.2f}</td><td>{captures['low']:.2f} to {captures['high']:.2f}</td>"
    assert shown in text
    assert shown.replace(".", ",").replace(" to ", " à ") in text


def test_a_comparison_shows_the_figures_of_both_studies():
    found = figures(comparison())
    first, second = found["studies"]
    alone = figures(report("ur"))["studies"][0]
    assert [id for id in first if ".share." not in id] == [id for id in alone if ".share." not in id]
    # The parts of histograms suit both studies: `test_comparisons.py` counts them again.
    assert all(first[id] == alone[id] for id in first if ".share." not in id)
    text = comparison().read_text("utf-8")
    gap = second["length.mean"]["value"] - first["length.mean"]["value"]
    digits = 1 if abs(gap) >= 10 else 2
    assert f"<td>{'+' if gap > 0 else '−'}{abs(gap):.{digits}f} (" in text
