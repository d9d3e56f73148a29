"""The strength of one bot of Ben Hvrt against three others."""

from __future__ import annotations

from quadriga.games import find
from quadriga.players.compiled_match import CompiledMatch, bot

BEN = find("ben-hvrt")


def share_of_one(above: str, below: str, games: int = 200) -> float:
    """Return the share of wins of one bot against three others, over games from each of four seats."""
    match = CompiledMatch(BEN, *BEN.resolve_options({}, 4))
    one, other = bot(above, BEN), bot(below, BEN)
    assert one is not None
    assert other is not None
    won = 0.0
    for seat in range(4):
        rows, _ = match.play([one if each == seat else other for each in range(4)], 1, 0, games)
        best = rows == rows.max(axis=1, keepdims=True)
        won += float((best[:, seat] / best.sum(axis=1)).sum())
    return won / (4 * games)
