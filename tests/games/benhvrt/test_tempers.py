"""The tempers of Ben Hvrt's bots: different manners of equal strength."""

from __future__ import annotations

import pytest

from games.benhvrt.one_against_three import share_of_one
from games.benhvrt.test_bidding import answers
from quadriga.engine.errors import OptionError
from quadriga.games import find
from quadriga.games.benhvrt.bots.parts import PROUD, TEMPERS, THRIFTY, TRAINING
from quadriga.players import find as player
from quadriga.players.compiled_match import GREEDY, SEARCH, Bot, bot
from quadriga.players.levels import LEVELS, named

BEN = find("ben-hvrt")


def test_every_level_can_have_one_temper_of_its_game():
    for level in LEVELS:
        for temper in TEMPERS:
            player(f"{level}:{temper}", BEN, 1)
    assert named("normal:thrifty", BEN) == "greedy:no-training+thrifty"
    assert bot("normal:thrifty", BEN) == Bot(GREEDY, THRIFTY | TRAINING, 0)
    assert bot("search:50+proud", BEN) == Bot(SEARCH, PROUD, 50)
    assert bot("search:50+no-net+proud", BEN) == Bot(SEARCH, PROUD | 1, 50)


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("normal:angry", "ben-hvrt"),
        ("normal:thrifty", "ur"),
        ("greedy:thrifty+proud", "ben-hvrt"),
        ("search:50+thrifty+proud", "ben-hvrt"),
        ("search:50+thrifty", "ave-caesar"),
    ],
)
def test_other_tempers_are_refused(text, game):
    with pytest.raises(OptionError):
        player(text, find(game), 1)


def test_the_thrifty_one_gives_in_sooner_than_the_proud_one():
    """Two bidders have paid for the first round, and the card is worth little more than a bid of the second."""
    found = [
        answers("Move 3", passes=2, bids=3, seeds=80, bot=f"greedy{temper}")
        for temper in (":thrifty", "", ":proud")
    ]
    assert found[0] < found[1] < found[2]


def test_tempers_are_of_equal_strength():
    """One against three even-tempered ones: 25 % is even, and three standard errors are 5 %."""
    for temper in TEMPERS:
        assert 0.20 < share_of_one(f"normal:{temper}", "normal") < 0.30
