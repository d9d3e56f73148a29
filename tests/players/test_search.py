"""The searcher: legal, deterministic, blind to hidden information, equal in both modes, better than greedy."""

from __future__ import annotations

import numpy as np
import pytest

from quadriga.engine.errors import OptionError
from quadriga.engine.kernels.bits import root
from quadriga.engine.kernels.rng import Rng, start
from quadriga.engine.match.dice import SeededDice
from quadriga.engine.match.match import Match
from quadriga.games import find
from quadriga.players import Perspective, SearchPlayer
from quadriga.players import find as player
from quadriga.players.compiled_match import GREEDY, SEARCH, Bot, CompiledMatch
from quadriga.players.search import Search
from quadriga.players.search.parameters import budget
from quadriga.players.search.playout import ONE, prospects, utilities
from soak import count, only_in_soak
from support import IDS, SETUPS, played

SOME = [2, 5, 11, 13, 18]
GAMES = pytest.mark.parametrize("setup", [SETUPS[i] for i in SOME], ids=[IDS[i] for i in SOME])


def matches(setup, **how):
    game = find(setup[0])
    return CompiledMatch(game, *game.resolve_options(setup[1], setup[2]), **how)


@GAMES
def test_a_game_of_searchers_is_legal_to_its_end_and_the_same_for_a_seed(setup):
    def moves(seed):
        game = find(setup[0])
        match = Match(game, setup[1], setup[2], SeededDice(7))
        bots = [player("search:6", game, seed)] + [player("greedy", game, seed)] * (setup[2] - 1)
        while not match.over:
            match.play(bots[match.actor].decide(Perspective(match)))
        return [entry.text for entry in match.entries]

    assert moves(1) == moves(1)


@GAMES
def test_compiled_and_plain_search_alike(setup):
    bots = [Bot(SEARCH, 0, 2), *[Bot(GREEDY, 0, 0)] * (setup[2] - 1)]
    small = (setup[0], {**setup[1], **({"series": [1]} if setup[0] == "ben-hvrt" else {})}, setup[2])
    fast, decisions = matches(small).play(bots, 3, 0, 1)
    plain, counted = matches(small, compiled=False).play(bots, 3, 0, 1)
    assert (fast == plain).all()
    assert decisions == counted


@GAMES
def test_two_worlds_that_a_seat_cannot_tell_apart_get_the_same_decision(setup):
    game = find(setup[0])
    positions = [p.clone() for p in played(setup).positions() if p.actor >= 0 and len(p.legal()) > 1]
    search = Search(game, positions[0].t, setup[2], 40)
    for moment, position in enumerate(positions[:: max(len(positions) // 40, 1)]):
        chosen = set()
        for deal in range(4):
            world = position.s.copy()
            rng = Rng()
            start(rng, deal, moment)
            if deal:
                game.rules.deal(position.t, world, position.actor, rng)
            chosen.add(search.think(world, moment, 40))
        assert len(chosen) == 1


@pytest.mark.parametrize(
    ("setup", "playouts", "games"),
    [
        only_in_soak(("ur", {}, 2), 50, 100, id="ur"),
        only_in_soak(("ur", {"rules": "finkel"}, 2), 100, 150, id="finkel"),
        (("ave-caesar", {"courses": ["white cw"]}, 3), 50, count(20, 40)),
        (("ben-hvrt", {"series": [2]}, 4), 200, count(12, 25)),
    ],
    ids=[None, None, "ave-caesar", "ben-hvrt"],
)
def test_search_beats_greedy_on_equal_seats(setup, playouts, games):
    seats, here = setup[2], matches(setup)
    won = 0.0
    for seat in range(seats):
        bots = [Bot(GREEDY, 0, 0)] * seats
        bots[seat] = Bot(SEARCH, 0, playouts)
        rows, _ = here.play(bots, 1, seat * games, games)
        best = rows == rows.max(axis=1, keepdims=True)
        won += float((best[:, seat] / best.sum(axis=1)).sum())
    assert won / (games * seats) > 1.08 / seats


def test_it_decides_with_a_limit_of_time_too():
    for setup in (SETUPS[0], SETUPS[6]):
        game = find(setup[0])
        match = Match(game, setup[1], setup[2], SeededDice(7))
        assert SearchPlayer(game, "0.05s").decide(Perspective(match)) in match.legal()


@pytest.mark.parametrize("text", ["0", "-5", "x", "1e3", "0s", "700s", "2000001", "٣"])
def test_an_invalid_budget_is_refused_with_valid_ones(text):
    with pytest.raises(OptionError) as fault:
        budget(text)
    assert "0.01s..600s" in fault.value.text("en")
    assert fault.value.text("fr") != fault.value.text("en")
    assert budget("") == (500, 0.0)
    assert budget("1_000") == (1000, 0.0)
    assert budget("1.5s") == (0, 1.5)


def test_a_win_is_worth_most_and_seats_left_behind_something():
    won = np.zeros(3, np.int64).data
    utilities(np.array([6, 4, 4], np.int64).data, won)
    assert won.tolist() == [ONE, ONE // 8, ONE // 8]
    utilities(np.array([5, 5, 5], np.int64).data, won)
    assert len(set(won.tolist())) == 1


def test_before_the_end_a_lead_counts_up_to_what_is_enough():
    won, final = (np.zeros(3, np.int64).data for _ in range(2))

    def worth(points, lead, into=won):
        prospects(np.array(points, np.int64).data, lead, into)
        return into.tolist()

    assert worth([9, 5, 1], 4) == [ONE, ONE // 4, 0]
    assert worth([90, 5, 1], 4) == worth([9, 5, 1], 4)
    assert worth([7, 5, 1], 4)[0] < ONE  # not all is won yet, and the second is not lost
    assert worth([7, 5, 1], 4)[1] > ONE // 4
    assert worth([5, 9, 1], 8) > worth([4, 9, 1], 8)  # somebody behind still gains by a point
    utilities(np.array([7, 5, 1], np.int64).data, final)
    assert worth([7, 5, 1], 0) == final.tolist()
    two = np.zeros(2, np.int64).data
    assert sum(worth([30, 17], 20, two)) == pytest.approx(ONE, abs=4)


def test_the_whole_part_of_a_root():
    assert [root(n) for n in (0, 1, 2, 3, 4, 8, 9, 15, 16, 10**12, 10**12 - 1)] == [
        *(0, 1, 1, 1, 2, 2, 3, 3, 4, 10**6, 10**6 - 1)
    ]
