"""`has_hidden_effects`: where a game says no, an action has the same effects in all worlds the actor allows."""

from __future__ import annotations

import pytest

from quadriga.engine.kernels.rng import Rng, start
from quadriga.engine.match.dice import SeededDice
from quadriga.engine.match.entry import FAMILY
from quadriga.engine.match.match import Match
from quadriga.games import find
from quadriga.players import Perspective, RandomPlayer
from soak import count
from support import IDS, SETUPS

_DECISIONS = 400  # of a set-up, at the most


@pytest.mark.parametrize("setup", SETUPS, ids=IDS)
def test_effects_that_hide_nothing_are_the_same_in_every_world(setup):
    id, options, seats = setup
    game, rng = find(id), Rng()
    compared = decisions = 0
    for seed in range(count(1, 20)):
        match = Match(game, options, seats, SeededDice(seed))
        if game.reactions is not None:
            game.reactions.ask_all(match.t, True)  # as the server plays
        bot = RandomPlayer(game, "", seed)
        while not match.over and decisions < count(_DECISIONS, 10**6):
            decisions += 1
            world = match.s.copy()
            start(rng, decisions, seed)
            game.rules.deal(match.t, world, match.actor, rng)
            for text, action in match.actions().items():
                is_hidden = game.display.may_depend_on_hidden(match.t, match.s, action)
                assert game.display.may_depend_on_hidden(match.t, world, action) == is_hidden
                if not is_hidden and not text.endswith(FAMILY):
                    compared += 1
                    assert game.display.explain(match.t, world, (action,)) == game.display.explain(
                        match.t, match.s, (action,)
                    )
            match.play(bot.decide(Perspective(match)))
    assert compared > 20 or id in ("ur", "nim", "highcard")  # which leave it at the default, or have few actions


def test_effects_do_depend_on_hands_where_ave_caesar_says_so():
    game, rng, differing = find("ave-caesar"), Rng(), 0
    for seed in range(20):
        match = Match(game, {"courses": ["yellow cw"]}, 6, SeededDice(seed))
        bot = RandomPlayer(game, "", seed)
        while not match.over:
            for action in match.actions().values():
                if game.display.may_depend_on_hidden(match.t, match.s, action):
                    world = match.s.copy()
                    start(rng, len(match.entries), seed)
                    game.rules.deal(match.t, world, match.actor, rng)
                    before, after = (game.display.explain(match.t, each, (action,)) for each in (match.s, world))
                    differing += before != after
            match.play(bot.decide(Perspective(match)))
        if differing:
            return
    raise AssertionError("no effect ever depended on a hidden hand")
