"""The market (BH-5.1 to BH-5.3): in turn each player fits out, plays, trades, or is ready."""

from __future__ import annotations

from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.benhvrt.actions import ACCEPT, OFFER, PLAY, READY, WAYS
from quadriga.games.benhvrt.deck.operations import AU
from quadriga.games.benhvrt.rules.cards import legal_plays, play_card
from quadriga.games.benhvrt.rules.chariots import takes_part
from quadriga.games.benhvrt.rules.phases.fittings import fit, legal_fits
from quadriga.games.benhvrt.rules.phases.offers import (
    ANSWER,
    CHOOSE_SEAT,
    build_offer,
    clear_offer,
    legal_answer,
    legal_offer,
    swap,
)
from quadriga.games.benhvrt.rules.stack import pop
from quadriga.games.benhvrt.state import State, Tables

NEXT_PLAYER = 0
ACTING = 1


@kernel
def run_market(t: Tables, s: State, top: int) -> None:
    """Ask the next player who is not ready, or close the market."""
    if s.at[top] == NEXT_PLAYER:
        for _ in range(t.seats):
            seat = s.seat[top]
            if takes_part(t, s, seat) and not (s.ready >> seat) & 1:
                s.at[top] = ACTING
                s.priority = seat
                return
            s.seat[top] = (seat + 1) % t.seats
        _close(t, s)
    else:
        s.asked = s.offer_to if s.at[top] == ANSWER else s.seat[top]


@kernel
def _close(t: Tables, s: State) -> None:
    """End the market."""
    s.ready = 0
    s.priority = 0
    for seat in range(t.seats):
        s.offers_made[seat] = 0
    pop(s)


@kernel
def _can_offer(t: Tables, s: State, seat: int) -> bool:
    """BH-5.2: return whether a player may make another offer, and another player is in this race."""
    if s.offers_made[seat] >= t.offers:
        return False
    for other in range(t.seats):
        if other != seat and takes_part(t, s, other):
            return True
    return False


@kernel
def legal_market(t: Tables, s: State, top: int, out: Ints) -> int:
    """BH-5.1: write the actions of a player in the market; return how many."""
    if s.at[top] == ANSWER:
        return legal_answer(t, s, out)
    if s.at[top] >= CHOOSE_SEAT:
        return legal_offer(t, s, top, out)
    seat = s.seat[top]
    out[0] = READY
    n = 1
    if _can_offer(t, s, seat):
        out[n] = OFFER
        n += 1
    n = legal_fits(t, s, seat, out, n)
    return legal_plays(t, s, seat, AU, 0, out, n)


@kernel
def answer_market(t: Tables, s: State, top: int, action: int) -> None:
    """Apply an action in the market."""
    seat = s.seat[top]
    at = s.at[top]
    if at == ANSWER:
        if action == ACCEPT:
            swap(t, s, seat)
        clear_offer(s)
        _next_player(t, s, top)
    elif at >= CHOOSE_SEAT:
        build_offer(t, s, top, action)
    elif action == OFFER:
        s.at[top] = CHOOSE_SEAT
    else:
        _next_player(t, s, top)
        if action == READY:
            s.ready |= 1 << seat
        elif action >= PLAY:
            play_card(t, s, seat, (action - PLAY) // WAYS, (action - PLAY) % WAYS, AU, 0)
        else:
            fit(t, s, seat, action)


@kernel
def _next_player(t: Tables, s: State, top: int) -> None:
    """Pass the turn to the next player."""
    s.at[top] = NEXT_PLAYER
    s.seat[top] = (s.seat[top] + 1) % t.seats
