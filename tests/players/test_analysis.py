"""The searcher's analysis of every action: the best move first, valid chances, no hidden information."""

from __future__ import annotations

import pytest

from games.ur import positions as ur
from quadriga.engine.game import Game
from quadriga.engine.kernels.rng import Rng, start
from quadriga.engine.match.dice import SeededDice
from quadriga.engine.match.entry import FAMILY
from quadriga.engine.match.match import Match
from quadriga.games import find
from quadriga.lab.solver import solve
from quadriga.players import Considered, Considers, Perspective
from quadriga.players import find as player
from support import IDS, SETUPS, played, some

SOME = [0, 3, 9, 13, 18]
GAMES = pytest.mark.parametrize("setup", [SETUPS[i] for i in SOME], ids=[IDS[i] for i in SOME])


def considering(name: str, game: Game, seed: int) -> Considers:
    """Return a bot that says how it weighs its actions."""
    found = player(name, game, seed)
    assert isinstance(found, Considers)
    return found


@GAMES
def test_the_analysis_begins_with_the_chosen_action(setup):
    bot = player("search:30", find(setup[0]), 4)
    assert isinstance(bot, Considers)
    seen = 0
    for _, position in some(played(setup), 25):
        if position.actor < 0:
            continue
        found = bot.consider(Perspective(position))
        if not found:
            continue
        seen += len(found) > 1
        assert found[0].text == bot.decide(Perspective(position))
        legal = position.legal()
        assert all(each.text in legal for each in found[1:])
        assert found[0].text in legal or any(each.endswith(FAMILY) for each in legal)
        assert all(0 <= each.chance <= 1 for each in found)
        assert len({each.text for each in found}) == len(found)
        chances = [each.chance for each in found[1:]]
        assert chances == sorted(chances, reverse=True)
    assert seen > 1


@GAMES
def test_two_worlds_that_a_seat_cannot_tell_apart_get_the_same_chances(setup):
    game = find(setup[0])
    bot = considering("search:20", game, 4)
    for moment, position in some(played(setup), 15):
        if position.actor < 0:
            continue
        told = []
        for deal in range(3):
            world = position.clone()
            rng = Rng()
            start(rng, deal, moment)
            if deal:
                game.rules.deal(world.t, world.s, world.actor, rng)
            told.append(bot.consider(Perspective(world)))
        assert told[0] == told[1] == told[2]


def test_ur_by_its_network_says_searched_and_leaves_no_move_out():
    match = Match(find("ur"), {}, 2, SeededDice(3))
    while len(match.legal()) < 3:
        match.play(match.legal()[0])
    found = considering("search:20", match.game, 1).consider(Perspective(match))
    assert {each.how for each in found} == {"searched"}
    assert len(found) == len(match.legal())
    assert all(0 < each.chance < 1 and each.tries == 0 for each in found)


def test_chances_are_exact_where_tables_exist(tmp_path, monkeypatch):
    monkeypatch.setenv("QUADRIGA_TABLES", str(tmp_path))
    solve.solve("ben", 2, where=tmp_path)
    match = ur.Match(find("ur"), {"markers": 2}, 2, SeededDice(3))
    while match.s.phase != 3 or len(match.legal()) < 2:
        match.play(match.legal()[0])
    from quadriga.players import exact

    found = considering("search:1", match.game, 1).consider(Perspective(match))
    assert {each.how for each in found} == {"exact"}
    best = exact.best(match.t, match.s)
    assert best is not None
    assert found[0].chance == max(best[1].values())
    assert {each.text: each.chance for each in found} == {
        text: best[1][action] for text, action in match.actions().items()
    }


def test_every_rule_set_is_judged_by_its_network_and_without_it_by_playouts_that_are_counted():
    match = Match(find("ur"), {"rules": "finkel"}, 2, SeededDice(3))
    while len(match.legal()) < 2:
        match.play(match.legal()[0])
    found = considering("search:20", match.game, 1).consider(Perspective(match))
    assert {each.how for each in found} == {"searched"}
    found = considering("search:20+no-net", match.game, 1).consider(Perspective(match))
    assert {each.how for each in found} == {"playouts"}
    assert all(each.tries > 0 for each in found)


def test_playouts_of_the_tree_add_up_to_the_budget():
    match = Match(find("ave-caesar"), {"courses": ["white cw"]}, 3, SeededDice(3))
    found = considering("search:50", match.game, 1).consider(Perspective(match))
    assert sum(each.tries for each in found) == 50


def test_rules_of_thumb_consider_nothing():
    assert not isinstance(player("greedy", find("ur"), 1), Considers)


def test_an_estimate_has_an_error_that_shrinks_with_the_playouts_and_exact_ones_have_none():
    assert Considered("a", 0.5, "exact").error == 0
    assert Considered("a", 0.5, "searched").error > 0
    few, many = (Considered("a", 0.5, "playouts", n).error for n in (25, 2500))
    assert few == pytest.approx(10 * many, rel=0.05)
    assert many == pytest.approx(0.0196, rel=0.01)
    assert (
        Considered("a", 0.0, "playouts", 20).error > 0.05
    )  # that none of 20 was won does not prove that none can be


def test_two_estimates_are_close_within_their_errors():
    best = Considered("a", 0.55, "playouts", 100)
    assert best.is_close_to(best)
    assert best.is_close_to(Considered("b", 0.50, "playouts", 100))
    assert not best.is_close_to(Considered("b", 0.35, "playouts", 100))
    assert not Considered("a", 0.55, "exact").is_close_to(Considered("b", 0.549, "exact"))
