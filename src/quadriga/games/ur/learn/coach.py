"""The coach of Ur, in numbers: steps to go, the risk of every move, exact chances to win."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from quadriga.engine.advice import Advice, percent_with_tenths, whole_percent
from quadriga.engine.text.catalogues import Message
from quadriga.games.ur.names import place_name
from quadriga.games.ur.risk import risk, riskiest
from quadriga.games.ur.rules.turn import actor, at_home, legal, step
from quadriga.games.ur.state import DONE, MOVE, ROLL, State, Tables
from quadriga.games.ur.view import markers_of

_MOST_MOVES = 64


def coach(t: Tables, s: State, seat: int, chances: Mapping[int, float]) -> Advice:
    """Return the advice for a seat. `chances` are its exact win probabilities after each move, if known."""
    actions: dict[int, list[Message]] = {}
    if actor(t, s) == seat:
        out: Any = np.zeros(_MOST_MOVES, np.int64).data
        for action in out[: legal(t, s, out)].tolist():
            actions[action] = _about_move(t, s, seat, action, chances.get(action))
    return Advice(_about_position(t, s, seat, chances), actions)


def steps_to_go(t: Tables, s: State, seat: int) -> int:
    """Return how many steps all markers of a seat have to go until they are off."""
    return t.off * at_home(t, s, seat) + sum(t.off - marker.step for marker in markers_of(t, s, seat))


def _message(id: str, **parameters: object) -> Message:
    return Message(id, parameters)


def _about_position(t: Tables, s: State, seat: int, chances: Mapping[int, float]) -> list[Message]:
    found = [_message("ur.coach.race", mine=steps_to_go(t, s, seat), theirs=steps_to_go(t, s, seat ^ 1))]
    if s.phase == MOVE and s.turn == seat:
        passed = s.copy()
        passed.phase, passed.turn, passed.roll = ROLL, seat ^ 1, 0
        place, chance = riskiest(t, passed, seat)
        if chance > 0:
            found.append(
                _message("ur.coach.threat", place=place_name(t, seat, place), chance=whole_percent(chance))
            )
    if chances:
        found.append(_message("ur.coach.solved", chance=percent_with_tenths(max(chances.values()))))
    return found


def _about_move(t: Tables, s: State, seat: int, action: int, chance: float | None) -> list[Message]:
    after = s.copy()
    step(t, after, action)
    to = (action >> 2) + (action & 3) + 1
    found = []
    if to == t.off:
        found.append(_message("ur.coach.off"))
    elif after.phase == ROLL and after.turn == seat:
        found.append(_message("ur.coach.again"))
    elif after.phase == ROLL:
        captured = risk(t, after, seat, to)
        found.append(
            _message("ur.coach.risk", chance=whole_percent(captured)) if captured else _message("ur.coach.safe")
        )
    if chance is not None and after.phase != DONE:
        found.append(_message("ur.coach.wins", chance=percent_with_tenths(chance)))
    return found
