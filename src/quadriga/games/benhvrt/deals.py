"""Deals among players during a race: bribes (BH-7.5), and who is asked for nothing else (BH-7.9)."""

from __future__ import annotations

from quadriga.engine.match.entry import FAMILY
from quadriga.engine.parts.reactions import Deals
from quadriga.games.benhvrt.actions import PLAY, TO, WAYS
from quadriga.games.benhvrt.deck.operations import BM, RO
from quadriga.games.benhvrt.rules.bribes import can_bribe, earns
from quadriga.games.benhvrt.rules.windows import can_react
from quadriga.games.benhvrt.state import WINDOW, State, Tables


def _allowed(t: Tables) -> bool:
    """BH-7.5: return whether bribes are allowed."""
    return bool(t.bribes)


def _alone(t: Tables, s: State) -> bool:
    """BH-7.9: return whether the actor is asked only because they could bribe somebody."""
    top = s.depth - 1
    if s.task[top] != WINDOW or s.building or not can_bribe(t, s, s.asked, s.window[top]):
        return False
    return not can_react(t, s, top, s.asked)


def payments(t: Tables, s: State, seat: int, action: int) -> list[tuple[int, int]]:
    """BH-7.5: return the seats whose bribes a seat earns by playing a card, each with the money."""
    top = s.depth - 1
    if not PLAY <= action < TO or s.task[top] != WINDOW or s.window[top] not in (RO, BM):
        return []
    kind, way = divmod(action - PLAY, WAYS)
    return [(payer, int(s.bribe_money[payer])) for payer in range(t.seats) if earns(s, payer, seat, kind, way)]


DEALS = Deals(allowed=_allowed, family=f"bribe{FAMILY}", alone=_alone, payments=payments)
