"""The coach: what matters to a seat before its decision, in numbers, from no more than the seat knows."""

from __future__ import annotations

from typing import NamedTuple

from quadriga.engine.errors import FileError
from quadriga.engine.kernels.rng import Rng, start
from quadriga.engine.match.match import Match
from quadriga.engine.text.catalogues import Message
from quadriga.players import exact


class Coaching(NamedTuple):
    """Messages about the position and, by the text of an action, about what each legal action leads to."""

    position: list[Message]
    actions: dict[str, list[Message]]


def coaching(match: Match, seat: int) -> Coaching:
    """Return the coach's messages to a seat. It may read large tables: call it outside of an event loop.

    The game's coach is given a determinization of the position, made with a fixed seed. So two positions that
    the seat cannot tell apart give the same messages.
    """
    game, world = match.game, match.s.copy()
    rng = Rng()
    start(rng, 0, 0)
    game.rules.deal(match.t, world, seat, rng)
    is_asked = match.actor == seat
    coach = None if game.teaching is None else game.teaching.coach
    if coach is None:
        return Coaching([], {})
    said = coach(match.t, world, seat, _exact_chances(match) if is_asked else {})
    texts = {action: text for text, action in match.actions().items()} if is_asked else {}
    return Coaching(said.position, {texts[action]: found for action, found in said.actions.items() if found})


def _exact_chances(match: Match) -> dict[int, float]:
    """Return the exact win probability of each action; empty if no table has the position, or one is damaged."""
    if not match.game.is_solvable:
        return {}
    try:
        solved = exact.best(match.t, match.s)
    except FileError:
        return {}
    return {} if solved is None else solved[1]
