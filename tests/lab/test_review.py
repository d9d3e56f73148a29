"""Reviews: exact where tables reach, what is lost is never negative, luck and skill add up, charts are SVG."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from quadriga.engine.dice import SeededDice
from quadriga.engine.match import Match
from quadriga.games import find
from quadriga.lab import solve
from quadriga.lab.chart import chart
from quadriga.lab.review import review
from quadriga.players import Perspective
from quadriga.players import find as player


def game_of(id, options, seats, kinds):
    game = find(id)
    match = Match(game, options, seats, SeededDice(6))
    bots = [player(kind, game, seat) for seat, kind in enumerate(kinds)]
    while not match.over:
        match.play(bots[match.actor].decide(Perspective(match)))
    return match


def test_luck_and_skill_of_two_add_up_and_exact_moves_are_said_to_be(tmp_path, monkeypatch):
    monkeypatch.setenv("QUADRIGA_TABLES", str(tmp_path))
    solve.solve("ben", 2, where=tmp_path)
    match = game_of("ur", {"markers": 3}, 2, ["greedy", "random"])
    found = review(match, playouts=60)
    assert 0 < found.exact < len(found.moves)
    assert all(move.lost >= 0 and 0 <= move.after <= move.before <= 1 for move in found.moves)
    black, white = found.sides
    assert black.result + white.result == pytest.approx(1)
    assert black.start + white.start == pytest.approx(1)
    for own, other in ((black, white), (white, black)):
        assert own.result == pytest.approx(own.start + own.luck - own.lost + other.lost)
    assert review(match, playouts=60) == found


def test_with_exact_tables_the_best_move_loses_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("QUADRIGA_TABLES", str(tmp_path))
    solve.solve("ben", 2, where=tmp_path)
    found = review(game_of("ur", {"markers": 2}, 2, ["search:1", "random"]), playouts=10)
    exactly = [move for move in found.moves if move.exact]
    assert sum(move.lost for move in exactly if move.seat == 0) == 0
    assert sum(move.lost for move in exactly if move.seat == 1) > 0.1


def test_a_race_of_three_is_reviewed_and_drawn():
    match = game_of("ave-caesar", {"courses": ["white cw"]}, 3, ["greedy", "random", "random"])
    found = review(match, playouts=100)
    assert found.exact == 0
    assert {move.seat for move in found.moves} == {0, 1, 2}
    assert found.sides[1].lost > 0.05
    picture = ElementTree.fromstring(chart(found, ["a", "b & c", "<d>"], "x"))
    assert len(picture.findall(".//{http://www.w3.org/2000/svg}path")) == 5 + 3
