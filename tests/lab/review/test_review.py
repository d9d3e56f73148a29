"""Reviews: exact where tables exist, losses are never negative, luck and skill add up."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from quadriga.engine.match.dice import SeededDice
from quadriga.engine.match.match import Match
from quadriga.games import find
from quadriga.lab.review import chart
from quadriga.lab.review.review import SLIP, review
from quadriga.lab.solver import solve
from quadriga.players import Perspective
from quadriga.players import find as player


def game_of(id, options, seats, kinds, seed=6):
    game = find(id)
    match = Match(game, options, seats, SeededDice(seed))
    bots = [player(kind, game, seat) for seat, kind in enumerate(kinds)]
    while not match.over:
        match.play(bots[match.actor].decide(Perspective(match)))
    return match


def test_luck_and_skill_of_two_add_up_and_exact_moves_are_marked(tmp_path, monkeypatch):
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
        assert own.adjusted == pytest.approx(own.result - own.luck)
        assert own.adjusted_error == other.adjusted_error > 0
    assert review(match, playouts=60) == found


def test_with_exact_tables_the_best_move_loses_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("QUADRIGA_TABLES", str(tmp_path))
    solve.solve("ben", 2, where=tmp_path)
    found = review(game_of("ur", {"markers": 2}, 2, ["search:1", "random"]), playouts=10)
    exactly = [move for move in found.moves if move.exact]
    assert sum(move.lost for move in exactly if move.seat == 0) == 0
    assert sum(move.lost for move in exactly if move.seat == 1) > 0.1
    black, white = found.sides
    assert black.adjusted > 0.5 > white.adjusted
    assert (black.adjusted_error == 0) == (len(exactly) == len(found.moves))


def test_a_race_of_three_is_reviewed_and_drawn():
    match = game_of("ave-caesar", {"courses": ["white cw"]}, 3, ["greedy", "random", "random"])
    found = review(match, playouts=100)
    assert found.exact == 0
    assert {move.seat for move in found.moves} == {0, 1, 2}
    assert found.sides[1].lost > 0.05
    names = ["a", "b & c", "<d>"]
    drawn = ElementTree.fromstring(chart.chart_file(found, names, "x", "x.svg"))
    labels = {text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")}
    assert {"1. a", "2. b & c", "3. <d>"} <= labels


def test_offers_and_bribes_that_were_made_are_judged_and_others_are_marked():
    bots = ["greedy", "random", "random"]
    for seed in range(6):
        match = game_of("ben-hvrt", {"series": [1], "bribes": True, "offers": 9}, 3, bots, seed)
        made = {n: entry for n, entry in enumerate(match.entries, 1) if len(entry.actions) > 1}
        if {entry.text.split()[0] for entry in made.values()} == {"offer", "bribe"}:
            break
    found = review(match, playouts=8)
    judged = {move.number: move for move in found.moves}
    assert set(made) <= set(judged)
    for number, entry in made.items():
        assert judged[number].text == entry.text
        assert judged[number].unjudged
        assert 0 <= judged[number].lost <= 1
    answers = {n for n, entry in enumerate(match.entries, 1) if entry.legal == ("accept", "decline")}
    assert answers <= set(judged)
    assert all(len(move.chances) == 3 for move in found.moves)
    assert any(not move.unjudged for move in found.moves)
    by_number = {move.number: move for move in found.moves}
    joined = 0
    for move in found.moves:  # the steps of one move: nothing is lost twice
        after = by_number.get(move.number + 1)
        if after is not None and after.seat == move.seat:
            joined += 1
            assert move.after >= after.before
            assert move.chances[move.seat] == move.after
            assert all(0 <= chance <= 1 for chance in move.chances)
    assert joined > 5


def test_a_loss_counts_only_beyond_the_error_of_the_estimate():
    match = game_of("ave-caesar", {"courses": ["white cw"]}, 3, ["greedy", "random", "random"])
    found = review(match, playouts=40)
    assert all(move.error > 0 or move.after in (0, 1) or move.exact for move in found.moves[:10])
    lossy = [move for move in found.moves if move.lost]
    assert 0 < len(lossy) < len(found.moves)
    for move in found.moves:
        assert move.lost == 0 or move.lost > move.lost_error
        assert move.before == pytest.approx(move.after + move.lost)
        assert move.lost > 0 or move.best == move.text
    wider, closer = (review(match, playouts=n).error for n in (10, 160))
    assert closer == pytest.approx(wider / 4, rel=0.3)  # a sixteenth of the playouts, four times the error


def test_the_sides_count_their_mistakes_and_the_loss_of_a_move():
    found = review(game_of("ave-caesar", {"courses": ["white cw"]}, 3, ["greedy", "random", "random"]), playouts=40)
    for side in found.sides:
        own = [move for move in found.moves if move.seat == side.seat]
        assert side.slips == sum(move.lost >= SLIP for move in own)
        assert side.average == pytest.approx(sum(move.lost for move in own) / len(own))
    assert sum(side.slips for side in found.sides)


def test_the_curve_of_a_finished_game_ends_at_its_result():
    match = game_of("ur", {"rules": "blitz", "markers": 2}, 2, ["greedy", "random"])
    found = review(match, playouts=5)
    assert found.entries == len(match.entries)
    curves = chart.points(found, ["a", "b"])
    for side in found.sides:
        own = [point for point in curves if point["seat"] == side.seat]
        assert own[0]["chance"] == side.start
        assert own[-1] == {"name": "ab"[side.seat], "seat": side.seat, "number": found.entries} | {
            "chance": side.result,
            "lost": 0.0,
        }


def test_an_interrupt_keeps_the_moves_judged_so_far():
    match = game_of("ur", {"rules": "blitz", "markers": 2}, 2, ["greedy", "random"])
    whole = review(match, playouts=5)

    def stop(done, total):
        if done > total // 2:
            raise KeyboardInterrupt

    part = review(match, playouts=5, progress=stop)
    assert part.interrupted
    assert not whole.interrupted
    assert 0 < len(part.moves) < len(whole.moves)
    assert part.moves == whole.moves[: len(part.moves)]
    assert [side.result for side in part.sides] == part.moves[-1].chances
