"""The chance that a marker of Ur is captured before its next turn."""

from __future__ import annotations

import numpy as np

from quadriga.games.ur.rules.turn import legal, outcomes, step
from quadriga.games.ur.state import DONE, MOVE, ROLL, State, Tables
from quadriga.games.ur.view import markers_of

_ROLLS = 3  # of the other side in a row; more free turns than that are not followed


def risk(t: Tables, s: State, seat: int, place: int) -> float:
    """Return the chance that the other side can capture the marker on a step before `seat` moves again.

    The position is one before a roll. If `seat` itself is to roll, nothing can happen before its next turn.
    """
    return _risk(t, s, seat, place, _ROLLS, {}) if s.turn != seat else 0.0


def riskiest(t: Tables, s: State, seat: int) -> tuple[int, float]:
    """Return the step whose marker is most likely to be captured, and that chance; step 0 if none can be."""
    found = [(risk(t, s, seat, marker.step), marker.step) for marker in markers_of(t, s, seat)]
    chance, place = max(found, default=(0.0, 0))
    return (place, chance) if chance > 0 else (0, 0.0)


def _stands(t: Tables, s: State, seat: int, place: int) -> bool:
    return any(marker.step == place for marker in markers_of(t, s, seat))


def _risk(t: Tables, s: State, seat: int, place: int, rolls: int, known: dict[tuple[bytes, int], float]) -> float:
    """Return the chance over the next so many rolls of the other side, which plays to capture this marker."""
    if not _stands(t, s, seat, place):
        return 1.0
    if rolls == 0 or s.turn == seat or s.phase == DONE:
        return 0.0
    key = s.tobytes(), rolls
    if key not in known:
        faces, weights = np.zeros(5, np.int64), np.zeros(5, np.int64)
        n = outcomes(t, s, faces.data, weights.data)
        chances = [_risk_of_roll(t, s, seat, place, int(face), rolls, known) for face in faces[:n]]
        known[key] = float(np.dot(chances, weights[:n]) / weights[:n].sum())
    return known[key]


def _risk_of_roll(
    t: Tables, s: State, seat: int, place: int, face: int, rolls: int, known: dict[tuple[bytes, int], float]
) -> float:
    rolled = s.copy()
    step(t, rolled, face)
    if rolled.phase != MOVE:
        return 0.0  # the turn is lost
    moves = np.zeros(32, np.int64)
    best = 0.0
    for action in moves[: legal(t, rolled, moves.data)].tolist():
        after = rolled.copy()
        step(t, after, action)
        if after.phase == ROLL:
            best = max(best, _risk(t, after, seat, place, rolls - 1, known))
    return best
