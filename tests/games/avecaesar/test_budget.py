"""The steps in the cards against those that a race needs: counted from public information alone."""

from __future__ import annotations

import random

import pytest

from quadriga.engine.game import NOBODY
from quadriga.engine.kernels.rng import Rng, start
from quadriga.engine.match.dice import SeededDice
from quadriga.engine.match.match import Match
from quadriga.games import find
from quadriga.games.avecaesar.board import POINTS
from quadriga.games.avecaesar.budget import budget
from quadriga.games.avecaesar.state import CUT

GAME = find("ave-caesar")
SETUPS = [(["white cw"], [], 4), (["red ccw"], ["bottom-card"], 5), (["blue cw", "white ccw"], ["dishonour"], 3)]


def positions(courses, variants, seats, seed=3):
    """Yield the positions of a random game."""
    rng = random.Random(seed)
    match = Match(GAME, {"courses": courses, "variants": variants}, seats, SeededDice(seed))
    while not match.over:
        yield match
        match.play(rng.choice(match.legal()))


@pytest.mark.parametrize("setup", SETUPS, ids=["plain", "bottom-card", "two races"])
def test_the_budget_is_what_is_left_of_84_points_less_the_shortest_way(setup):
    racing = done = 0
    for match in positions(*setup):
        for chariot in match.view(NOBODY).chariots:
            if match.s.phase == CUT or chariot.status != "racing":
                done += 1
                assert chariot.budget is None
                continue
            racing += 1
            played = sum(value * count for value, count in enumerate(chariot.played, 1))
            assert chariot.budget.left == POINTS - played
            assert chariot.budget.needed == chariot.to_go
            assert chariot.budget.spare == chariot.budget.left - chariot.budget.needed
    assert racing > 100
    assert done


def test_at_the_start_the_spare_steps_are_those_of_the_course():
    assert {chariot.budget.spare for chariot in next(positions(["white cw"], [], 4)).view(0).chariots} == {4}
    assert {chariot.budget.spare for chariot in next(positions(["red cw"], [], 6)).view(0).chariots} == {6}


@pytest.mark.parametrize("setup", SETUPS, ids=["plain", "bottom-card", "two races"])
def test_two_worlds_that_differ_in_hidden_cards_have_the_same_budgets(setup):
    rng, differ = Rng(), 0
    for moment, match in enumerate(positions(*setup)):
        for seat in range(NOBODY, match.seats):
            other = match.s.copy()
            start(rng, 5, moment)
            GAME.rules.deal(match.t, other, seat, rng)
            differ += other.tobytes() != match.s.tobytes()
            for each in range(match.seats):
                assert budget(match.t, other, each) == budget(match.t, match.s, each)
    assert differ > 100
