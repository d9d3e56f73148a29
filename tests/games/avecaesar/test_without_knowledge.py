"""Drivers without the notes on what seats know play the same games and think the same."""

from __future__ import annotations

import random

import numpy as np
import pytest

from games.avecaesar.positions import Match
from quadriga.engine.kernels import random_games
from quadriga.engine.kernels.machine import Machine
from quadriga.engine.match.dice import SeededDice
from quadriga.games import find
from quadriga.players import search
from soak import rows

GAME = find("ave-caesar")
VARIANTS = [[], ["bottom-card", "crash-and-burn"], ["start-by-place", "dishonour"]]


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "plain"])
@pytest.mark.parametrize("variants", VARIANTS, ids=str)
def test_random_games_are_the_same(variants, compiled):
    options, seats = GAME.resolve_options({"variants": variants}, 5)
    games = 200 if compiled else 3
    both = []
    for knowledge in (True, False):
        machine = Machine(GAME, compiled=compiled, knowledge=knowledge)
        rows = np.zeros((games, 2 + len(GAME.tallies) + seats), np.int64)
        machine.link(random_games.measure)(random_games.allocate(machine, options, seats), 7, 0, games, rows)
        both.append(rows)
    assert (both[0] == both[1]).all()


@pytest.mark.parametrize("variants", rows(VARIANTS, lambda each: each == VARIANTS[1], ids=[*map(str, VARIANTS)]))
def test_a_search_finds_the_same(variants, monkeypatch):
    """The positions of a match keep their notes, so that hands are dealt from what is known."""
    chooser, known, different = random.Random(2), 0, 0
    match = Match(GAME, *GAME.resolve_options({"variants": variants}, 4), SeededDice(5))
    quick = search.Search(GAME, match.t, 4, 60)
    monkeypatch.setattr(search, "machine", lambda game: Machine(game, bindings=search.bindings(game)))
    full = search.Search(GAME, match.t, 4, 60)
    assert quick.machine.bindings != full.machine.bindings
    while known < 15:
        legal = match.legal()
        if len(legal) > 1 and any(match.s.ruled_out[seat] for seat in range(4)):
            known += 1
            found = [each.think(match.s, known, 60) for each in (quick, full)]
            assert found[0] == found[1]
            different += len({quick.think(match.s, seed, 60) for seed in range(3)}) > 1
        match.play(chooser.choice(legal))
    assert different  # the search is no rule of thumb
