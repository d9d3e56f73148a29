"""The reasons why a card of Ave Caesar cannot be played now, each with its rule."""

from __future__ import annotations

import numpy as np

from quadriga.engine.parts.display import Note, Reasons
from quadriga.engine.text.catalogues import Message
from quadriga.games.avecaesar.board import LONGEST
from quadriga.games.avecaesar.rules.cards import number, values
from quadriga.games.avecaesar.rules.moves import MOST_LEGAL, SPAN, fitting_values, moving_values
from quadriga.games.avecaesar.rules.paths import keeping, may_enter, onward, owes_coin, taken
from quadriga.games.avecaesar.rules.six import leads
from quadriga.games.avecaesar.rules.turn import legal, seat_to_act
from quadriga.games.avecaesar.state import BOTTOM, CUT, DEAL, DONE, MOVE, RACING, VALUES, WRECKED, State, Tables


def why_illegal(t: Tables, s: State, seat: int) -> Reasons:
    """Return the reason for every value in a seat's hand that it cannot play now."""
    held = [value for value in range(1, VALUES + 1) if number(s.hand[seat], value)]
    free: set[int] = set()
    if s.phase == MOVE and seat_to_act(s) == seat:
        out = np.zeros(MOST_LEGAL, np.int64)
        free = {action // SPAN + 1 for action in out[: legal(t, s, out.data)].tolist()}
    elif s.phase == BOTTOM and seat_to_act(s) == seat:
        free = set(held)  # AC-V2: any card can go under the deck
    return {str(value): [_reason(t, s, seat, value)] for value in held if value not in free}


def _note(rule: str, id: str, **parameters: object) -> Note:
    return Note(rule, Message(f"ave-caesar.why.not.{id}", parameters))


def _reason(t: Tables, s: State, seat: int, card: int) -> Note:
    if s.phase == DONE:
        return _note("AC-6.2", "over")
    if s.phase in (CUT, DEAL):
        return _note("AC-2.2", "before")
    if s.status[seat] != RACING:
        return _note("AC-3.1", "left")
    if seat_to_act(s) != seat and waits(t, s, seat):
        return _note("AC-5.4", "wait")
    if seat_to_act(s) != seat:
        return _note("AC-3.1", "turn", seat=seat_to_act(s) + 1)
    if s.phase != MOVE:
        return _note("AC-3.1", "drawing")
    if card == LONGEST and s.begun and not s.free and leads(t, s, seat):
        return _note("AC-4.1", "six")
    return _blocked_reason(t, s, seat, card)


def _blocked_reason(t: Tables, s: State, seat: int, card: int) -> Note:
    """Return the chariots in the way (AC-3.2). If there are none, every move would lose the alley (AC-5.4).

    At least one step is possible, because a player without one misses the turn.
    """
    here, barring, enter = s.space[seat], taken(t, s, seat), may_enter(s, seat)
    layer, met = 1, 0
    for driven in range(card):
        ahead = onward(t, s.race, here, layer, 0, enter)
        met |= ahead & barring
        layer = ahead & ~barring
        if layer == 0:
            return _note("AC-3.2", "short", n=driven, card=card, seats=_seats_on(t, s, seat, met))
    return _note("AC-5.4", "alley")


def waits(t: Tables, s: State, seat: int) -> bool:
    """AC-5.4: return whether a seat must wait now: a card in its hand fits, and none can be played."""
    if not owes_coin(s, seat):
        return False
    held, kept = values(s.hand[seat]), keeping(t, s, seat)
    if s.begun and leads(t, s, seat):
        held &= ~(1 << LONGEST)  # AC-4.1
    return fitting_values(t, s, seat, held, kept) != 0 and moving_values(t, s, seat, held, kept, 1) == 0


def _seats_on(t: Tables, s: State, seat: int, met: int) -> list[int]:
    """Return the seats, counted from 1, whose chariots or wrecks stand on the given spaces ahead."""
    size = t.spaces[s.race]
    return [
        other + 1
        for other in range(t.seats)
        if other != seat
        and s.status[other] in (RACING, WRECKED)
        and (met >> ((s.space[other] - s.space[seat]) % size)) & 1
    ]
