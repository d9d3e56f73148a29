"""The C programs beside which the engine is measured play the very same games."""

from __future__ import annotations

import shutil

import pytest

import programs
import twins
from soak import only_in_soak


@pytest.fixture(autouse=True)
def _compiler():
    if not (shutil.which("gcc") or shutil.which("cc")):
        programs.missing("C compiler", "xcode-select --install")


@pytest.mark.parametrize("row", ["ben", "ave_caesar", only_in_soak("ben_hvrt"), "ben_hvrt_series"])
def test_a_c_program_adds_up_the_same_figures(row, monkeypatch):
    compared = []

    def noted(what, *works):
        compared.append(what)
        return works

    monkeypatch.setattr(twins, "compared", noted)
    list(getattr(twins, row)())
    assert len(compared) == 1


def test_a_c_program_that_plays_other_games_is_refused(monkeypatch):
    monkeypatch.setattr(twins, "POT", 41)
    mine = twins.ours("ben-hvrt", {"series": [twins.RACE_LAPS]}, 4, twins.on_the_grid)
    monkeypatch.setattr(twins, "POT", 40)
    monkeypatch.setattr(twins, "ours", lambda *arguments: mine)
    with pytest.raises(AssertionError, match="plays other games"):
        list(twins.ben_hvrt())
