"""Deals among players during a race: bribes (BH-7.5), and who is asked for nothing else (BH-7.9)."""

from __future__ import annotations

from quadriga.engine.parts.reactions import Deals
from quadriga.games.benhvrt.rules.bribes import can_bribe
from quadriga.games.benhvrt.rules.windows import can_react
from quadriga.games.benhvrt.state import WINDOW, State, Tables


def _allowed(t: Tables) -> bool:
    """BH-7.5: return whether bribes are allowed."""
    return bool(t.bribes)


def _possible(t: Tables, s: State) -> bool:
    """BH-7.5: return whether the actor may bribe somebody now."""
    top = s.depth - 1
    return s.task[top] == WINDOW and not s.building and can_bribe(t, s, s.asked, s.window[top])


def _alone(t: Tables, s: State) -> bool:
    """BH-7.9: return whether the actor is asked only because they could bribe somebody."""
    return _possible(t, s) and not can_react(t, s, s.depth - 1, s.asked)


DEALS = Deals(allowed=_allowed, possible=_possible, alone=_alone)
