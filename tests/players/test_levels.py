"""The ladder of levels: each is above the one below, and easy bots play with a purpose."""

from __future__ import annotations

from itertools import pairwise

import pytest

from quadriga.games import find
from quadriga.lab.arena.arena import compete
from quadriga.players.compiled_match import CompiledMatch, bot
from quadriga.players.levels import LEVELS
from support import there

THUMBED = LEVELS[:3]  # those that play by rules of thumb are fast enough to be measured here
FINISHED = 1


def share(game, options, names, games):
    """Return the share of first places of the first of these players."""
    resolved, seats = game.resolve_options(options, len(names))
    found = compete(game, resolved, seats, names, games=games, seed=3, workers=1, early=False)
    return next(there(each.wins).share for each in found.standings if each.player == names[0])


@pytest.mark.parametrize(("lower", "higher"), list(pairwise(THUMBED)))
def test_a_level_of_ur_wins_about_two_games_of_three_against_the_one_below(lower, higher):
    assert 0.57 < share(find("ur"), {}, [higher, lower], 2000) < 0.7


@pytest.mark.parametrize(("lower", "higher"), list(pairwise(THUMBED)))
def test_a_level_of_ave_caesar_wins_two_games_of_five_against_three_of_the_one_below(lower, higher):
    assert 0.35 < share(find("ave-caesar"), {}, [higher, lower, lower, lower], 1000) < 0.45


@pytest.mark.parametrize(("course", "seats"), [("white cw", 4), ("yellow cw", 6)])
def test_easy_bots_of_ave_caesar_finish_their_races(course, seats):
    game = find("ave-caesar")
    match = CompiledMatch(game, game.resolve_options({"courses": [course]}, seats)[0], seats)
    easy = bot("easy", game)
    assert easy is not None
    finished = 0
    for race in range(200):
        match.play([easy] * seats, 5, race, 1)
        finished += int((match.final["status"][0][:seats] == FINISHED).sum())
    assert finished > 0.95 * 200 * seats  # bots that move at random: a quarter to a half
