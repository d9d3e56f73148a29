"""Perft: the number of lines of k rolls and moves, and of the positions that they lead to.

The golden values are of this engine; for the one-kind rule sets an independent library counts along.
"""

from __future__ import annotations

import pytest

from quadriga.engine.kernels.slots import CHANCE
from quadriga.engine.match.match import Match
from quadriga.games import find

LINES = {
    ("ben", 7): [1, 4, 16, 64, 216, 730, 2464, 8800, 31010, 112125, 403463, 1482633, 5439941],
    ("ben", 2): [1, 4, 16, 64, 216, 730, 2374, 8074, 26474, 88287, 285243, 939927, 3010643],
    ("finkel", 7): [1, 5, 9, 29, 68, 208, 583, 1798, 5481, 17526, 55790, 184767, 610537],
    ("masters", 7): [1, 4, 4, 16, 19, 76, 116, 464, 846, 3384, 6556, 26224, 54979],
    ("blitz", 5): [1, 5, 9, 29, 68, 208, 583, 1798, 5485, 17543, 55914, 185598, 614608],
}
POSITIONS = {
    ("ben", 7): [1, 4, 16, 55, 138, 359, 815, 1960, 3796, 8184, 13802, 27528, 42350],
    ("ben", 2): [1, 4, 16, 55, 138, 359, 787, 1786, 3142, 5912, 8760, 14418, 19338],
    ("finkel", 7): [1, 5, 9, 29, 64, 160, 329, 759, 1358, 2817, 4682, 8832, 13586],
    ("masters", 7): [1, 4, 4, 16, 19, 76, 80, 320, 308, 1232, 1087, 4348, 3353],
    ("blitz", 5): [1, 5, 9, 29, 64, 160, 329, 759, 1362, 2844, 4768, 9052, 14042],
}


def perft(rules: str, markers: int, depth: int) -> tuple[list[int], list[int]]:
    """Return lines and distinct positions after 0 to `depth` rolls and moves."""
    game = find("ur")
    match = Match(game, {"rules": rules, "markers": markers})
    t = match.t
    layer = {match.s.tobytes(): 1}
    lines, positions = [1], [1]
    out, weights = (array.data for array in game.rules.scratch())
    s = match.s
    for _ in range(depth):
        following: dict[bytes, int] = {}
        for position, ways in layer.items():
            s.assign(position)
            actor = game.rules.actor(t, s)
            if actor < CHANCE:
                continue
            n = game.rules.outcomes(t, s, out, weights) if actor == CHANCE else game.rules.legal(t, s, out)
            for action in out[:n].tolist():
                s.assign(position)
                game.rules.step(t, s, action)
                key = s.tobytes()
                following[key] = following.get(key, 0) + ways
        layer = following
        lines.append(sum(layer.values()))
        positions.append(len(layer))
    return lines, positions


@pytest.mark.parametrize("setup", LINES, ids=lambda s: f"{s[0]}-{s[1]}")
def test_perft_tables(setup):
    rules, markers = setup
    lines, positions = perft(rules, markers, len(LINES[setup]) - 1)
    assert lines == LINES[setup]
    assert positions == POSITIONS[setup]


@pytest.mark.parametrize(("rules", "markers"), [("finkel", 7), ("blitz", 5)])
def test_an_independent_library_counts_the_same_lines(rules, markers):
    from games.ur.test_peer import peer_game

    def followed(line: tuple[int, ...]):
        """Return the peer's game after a line: rolls by number, moves by their place in its own list."""
        game = peer_game(rules)
        for choice in line:
            if game.is_waiting_for_move():
                game.make_move(game.find_available_moves()[choice])
            else:
                game.roll_dice(choice)
        return game

    lines: list[tuple[int, ...]] = [()]
    for depth in range(6):
        assert len(lines) == LINES[rules, markers][depth]
        games = [(line, followed(line)) for line in lines]
        lines = [
            (*line, choice)
            for line, game in games
            for choice in range(len(game.find_available_moves()) if game.is_waiting_for_move() else 5)
        ]
    assert len(lines) == LINES[rules, markers][6]
