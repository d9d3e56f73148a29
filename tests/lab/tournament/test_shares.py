"""Simulated tournaments: our pairings against random seating."""

from __future__ import annotations

import pytest

from quadriga.lab.tournament.simulate import simulate


@pytest.mark.parametrize(("players", "seats"), [(24, 2), (24, 4), (30, 6)])
def test_pairings_avoid_repeats_and_share_out_starts(players, seats):
    paired, at_random = simulate("swiss", players, seats, 5, 8, seed=1, start=2.0).qualities
    assert paired.repeats < at_random.repeats
    assert paired.starts < 0.6 * at_random.starts
    assert paired.byes <= 1


def test_a_simulation_is_reproducible():
    assert simulate("knockout", 9, 2, 0, 3, seed=5) == simulate("knockout", 9, 2, 0, 3, seed=5)
