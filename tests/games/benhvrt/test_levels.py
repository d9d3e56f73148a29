"""The ladder of Ben Hvrt's levels: a beginner plays with a purpose, and each step up is felt."""

from __future__ import annotations

from typing import Any

import pytest

from games.benhvrt.one_against_three import share_of_one
from quadriga.engine.match.dice import SeededDice
from quadriga.engine.match.match import Match
from quadriga.games import find
from quadriga.games.benhvrt.state import MOVING
from quadriga.players import Considers, Perspective
from quadriga.players import find as player

BEN = find("ben-hvrt")


@pytest.mark.parametrize(("above", "below"), [("easy", "beginner"), ("normal", "easy")])
def test_one_of_a_level_wins_35_to_45_of_100_games_against_three_of_the_level_below(above, below):
    """Three standard errors are 5 %."""
    assert 0.33 < share_of_one(above, below) < 0.47


def test_beginners_finish_a_race_as_fast_as_normal_bots_nearly():
    """Random bots, which were the easiest before, rolled eight times as often."""

    def rolls(level: str) -> int:
        match = Match(BEN, {"series": [2]}, 4, SeededDice(3))
        bots = [player(level, BEN, 1 + seat) for seat in range(4)]
        while not match.over:
            match.play(bots[match.actor].decide(Perspective(match)))
        return sum(entry.text.startswith("die") for entry in match.entries)

    assert rolls("beginner") < 1.5 * rolls("normal") < rolls("random")


def test_a_search_drives_by_the_rules_of_thumb_and_compares_the_ways_all_the_same():
    match = Match(BEN, {"series": [1]}, 4, SeededDice(3))
    state: Any = match.s
    greedy, search = player("greedy", BEN, 1), player("search:64", BEN, 1)
    assert isinstance(search, Considers)
    compared = 0
    while compared < 5:
        observed = Perspective(match)
        text = greedy.decide(observed)
        if state.task[state.depth - 1] == MOVING and len(match.legal()) > 1:
            assert search.decide(observed) == text
            found = search.consider(observed)
            assert found[0].text == text
            compared += len(found) > 1
        match.play(text)
