"""Rules of thumb for the windows of Ben Hvrt: keep a card for the right moment and the most valuable race."""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.benhvrt.actions import BRIBE, DIGIT, NAME, PASS, PLAY, TO, USE, WAYS
from quadriga.games.benhvrt.bots.parts import BRIBES, PROUD
from quadriga.games.benhvrt.bots.steps import best_of, concern
from quadriga.games.benhvrt.bots.worth import (
    ADD,
    AGAIN,
    CARD,
    CHOOSE,
    CHOOSE_ROLL,
    DRAWS,
    HALT,
    HASTEN,
    NEXT_ROLL,
    PIP,
    POACH,
    RETIRE,
    SET,
    SKIM,
    SLOW_TO,
    TWO_DICE,
    WAGER,
    price_later,
    price_now,
    squares,
)
from quadriga.games.benhvrt.deck import OPERATIONS
from quadriga.games.benhvrt.deck.operations import CHARIOT, MOVE, PAIR, RE, RO
from quadriga.games.benhvrt.rules.bribes import CHOOSE_CARD, CHOOSE_SEAT
from quadriga.games.benhvrt.rules.cards import window_chariot
from quadriga.games.benhvrt.rules.chariots import FASTEST, foremost, is_racing, owner, strength, to_finish
from quadriga.games.benhvrt.state import State, Tables

_NOTHING = -1
_BRIBE = 4  # the least gain of a bribe for each of the two, in tenths of Ducats
_TENS = (1000, 100, 10, 1)
_MEAN = 70  # twice the mean of a die, in tenths
_LATE = 20  # steps to the finish from which on cards are less often kept for a better moment,
_LAST = 12  # ... and hardly at all
_FINISH = 30  # the worth of finishing now, in tenths of squares
_HURT = 30  # the loss from which on a card is answered, in tenths of squares,
_HURT_PROUD = 20  # ... by the proud one


@kernel
def in_window(t: Tables, s: State, top: int, out: Ints, n: int, without: int) -> int:
    """Return the play that wins most beyond the later worth of the card; else pass."""
    bribes = without & BRIBES == 0
    if s.building:
        return _next_piece(t, s, top, out)
    me = s.asked
    window = s.window[top]
    if window == RE:
        return out[1] if _should_answer(t, s, me, top, _HURT_PROUD if without & PROUD else _HURT) else PASS
    best = PASS
    most = 0
    may_bribe = False
    for i in range(1, n):
        action = out[i]
        if action == BRIBE:
            may_bribe = True
        elif action >= PLAY:
            gain = _play_gain(t, s, me, top, (action - PLAY) // WAYS, (action - PLAY) % WAYS, bribes)
            if gain > most:
                most = gain
                best = action
        elif _should_use(t, s, me, top, action - USE) and most == 0:
            best = action
            most = 1
    if best == PASS and may_bribe and bribes and plan(t, s, top) != _NOTHING:
        return BRIBE
    return best


@kernel
def _play_gain(t: Tables, s: State, me: int, top: int, kind: int, arg: int, bribes: bool) -> int:
    """Return the gain of playing a card now instead of keeping it, in tenths of Ducats; 0 at the wrong moment."""
    gain = _effect(t, s, me, top, kind, arg)
    paid = 10 * _bribes_for(t, s, me, kind, arg) if bribes else 0
    if paid:
        return _gain(t, s, me, top, kind, arg) + paid - _worth_kept(t, s, me, kind)
    if gain <= 0 or gain < _squares_left(t, s, me, kind):
        return 0
    return gain * price_now(t, s) // 100 - squares(t, s, kind) * price_later(t, s) // 100


@kernel
def _squares_left(t: Tables, s: State, seat: int, kind: int) -> int:
    """Return the squares that a card can still win in this race, in tenths: fewer towards its end."""
    left = best_of(t, s, seat)
    if left > _LATE:
        return squares(t, s, kind)
    return squares(t, s, kind) * (4 if left > _LAST else 2) // 10


@kernel
def _worth_kept(t: Tables, s: State, seat: int, kind: int) -> int:
    """Return the worth of a card to a player who does not play it now, in tenths of Ducats."""
    return max(_squares_left(t, s, seat, kind) * price_now(t, s), squares(t, s, kind) * price_later(t, s)) // 100


@kernel
def _gain(t: Tables, s: State, seat: int, top: int, kind: int, arg: int) -> int:
    """Return the gain of a card in tenths of Ducats. If a rival loses, other players share the gain."""
    others = s.window[top] == RO and owner(t, s.mover) != seat
    return _effect(t, s, seat, top, kind, arg) * price_now(t, s) // (200 if others else 100)


@kernel
def _bribes_for(t: Tables, s: State, me: int, kind: int, arg: int) -> int:
    """Return the Ducats that other players have offered for this play."""
    total = 0
    for seat in range(t.seats):
        if s.bribe_card[seat] == kind + 1 and s.bribe_to[seat] == me and seat != me:
            if s.bribe_chariot[seat] == 0 or s.bribe_chariot[seat] == arg + 1:
                total += s.bribe_money[seat]
    return total


@kernel
def _effect(t: Tables, s: State, me: int, top: int, kind: int, arg: int) -> int:
    """Return the squares that a card wins a player now, in tenths."""
    total = 0
    chariot = _acted_on(t, s, top, kind, arg)
    for i in range(OPERATIONS):
        op = t.op[kind, i]
        one = t.one[kind, i]
        if op == ADD or op == SET or op == AGAIN:
            total += _on_roll(t, s, me, op, one)
        elif op == HALT:
            total += (10 * s.steps + 30) * concern(t, s, me, s.mover) // 10 if owner(t, s.mover) != me else -100
        elif op == RETIRE:
            total += 10 * concern(t, s, me, chariot) // 6 if s.driver[chariot] else 0
        elif op == SLOW_TO:
            total += 10 * (s.speed[chariot] - one) * concern(t, s, me, chariot) // 10
        elif op == CHOOSE:
            total += _on_choice(t, s, me, arg, chariot)
        elif op == HASTEN:
            change = 10 * (min(max(s.speed[chariot] + one, 1), FASTEST) - s.speed[chariot])
            total += change if owner(t, chariot) == me else -change * concern(t, s, me, chariot) // 10
        elif op == NEXT_ROLL:
            total += _on_next_roll(t, s, me, one, chariot)
        elif op == DRAWS:
            total += 4 * CARD
        elif op == WAGER:
            total += 20 if arg == foremost(t, s, _others(t, s, me)) else 0
    return total


@kernel
def _acted_on(t: Tables, s: State, top: int, kind: int, arg: int) -> int:
    """Return the chariot that a card acts on: its argument, or else the chariot that the window is about."""
    return arg if t.takes[kind] == CHARIOT else window_chariot(s, s.window[top], s.target[top])


@kernel
def _on_choice(t: Tables, s: State, me: int, face: int, chariot: int) -> int:
    """Return the gain of choosing a roll."""
    natural = s.next_roll[chariot]
    change = PIP * face - (PIP * natural if natural else _MEAN)
    return change if owner(t, chariot) == me else -change * concern(t, s, me, chariot) // 10


@kernel
def _others(t: Tables, s: State, me: int) -> int:
    """Return the racing chariots of all other players, as bits."""
    mine = 1 << me
    if t.chariots > t.seats:
        mine |= 1 << (me + t.seats)
    return s.racing & ~mine


@kernel
def _roll_squares(t: Tables, s: State, roll: int) -> int:
    """Return the squares of a roll, in tenths: the allowance up to the finish, and the Speed afterwards."""
    allowance = min(max(s.speed[s.mover] + roll, 0), to_finish(t, s, s.mover))
    return 10 * allowance + 10 * min(max(roll, 1), FASTEST)


@kernel
def _on_roll(t: Tables, s: State, me: int, op: int, one: int) -> int:
    """Return the gain of changing the current roll."""
    roll = s.roll
    if op == AGAIN:
        change = _MEAN - PIP * s.roll
    else:
        roll = s.roll + one if op == ADD else one
        change = _roll_squares(t, s, roll) - _roll_squares(t, s, s.roll)
    left = to_finish(t, s, s.mover)
    home = s.speed[s.mover] + s.roll >= left
    if op != AGAIN and (s.speed[s.mover] + roll >= left) != home:
        change += -_FINISH if home else _FINISH
    if owner(t, s.mover) == me:
        return 0 if home and change > 0 else change
    return -change * concern(t, s, me, s.mover) // 10


@kernel
def _on_next_roll(t: Tables, s: State, me: int, face: int, chariot: int) -> int:
    """Return the gain of an omen, which sets the next roll."""
    now = s.next_roll[chariot]
    change = PIP * face - (PIP * now if now else _MEAN)
    if owner(t, chariot) == me:
        return change if to_finish(t, s, chariot) > s.speed[chariot] else 0
    if chariot != foremost(t, s, _others(t, s, me)):
        return -change // 10
    return -change * concern(t, s, me, chariot) // 10


@kernel
def _should_use(t: Tables, s: State, me: int, top: int, kind: int) -> bool:
    """Return whether to use a Driver's ability. It costs nothing, so use it whenever it helps."""
    op = t.op[kind, 0]
    now = s.next_roll[s.mover]
    number = strength(t, kind, op)
    if op == CHOOSE_ROLL:
        return number > (now if now else 3)
    if op == TWO_DICE:
        return now == 0
    if op == SKIM:
        left = to_finish(t, s, s.mover)
        return s.pot >= t.two[kind, 0] and s.speed[s.mover] + s.roll - number >= left
    return concern(t, s, me, s.target[top]) > 0 and s.speed[s.target[top]] > 1


@kernel
def _should_answer(t: Tables, s: State, me: int, top: int, hurt: int) -> bool:
    """Return whether to answer the last card: if it hurts this much, or if it stops the player's own card."""
    played = top - 1
    kind = s.kind[played]
    way = s.way[played]
    if t.takes[kind] == PAIR:
        return (t.doing[POACH] >> kind) & 1 == 1 and owner(t, way // 2) == me
    if s.window[played] == RE:
        return s.seat[played - 2] == me and squares(t, s, s.kind[played - 2]) >= hurt
    chariot = _acted_on(t, s, played, kind, way)
    harm = -_effect(t, s, me, played, kind, way) if not t.doing[DRAWS] >> kind & 1 else 0
    if (t.doing[SLOW_TO] | t.doing[RETIRE]) >> kind & 1:
        harm = hurt if owner(t, chariot) == me else 0
    if t.doing[HALT] >> kind & 1:
        harm = 10 * s.steps + 30 if owner(t, s.mover) == me else 0
    return harm >= hurt


@kernel
def plan(t: Tables, s: State, top: int) -> int:
    """Return a bribe that helps both: seat, card and Ducats in one number.

    The card changes the player's own roll, and the seat is known to hold it. The price makes up for the worth of
    the card to its holder, and for their loss by helping.
    """
    me = s.asked
    best = _NOTHING
    most = _BRIBE - 1
    if s.window[top] != RO or owner(t, s.mover) != me:
        return best
    for other in range(t.seats):
        kinds = 0
        if other != me and is_racing(t, s, other):
            kinds = (s.know[me, 2 * other] | s.know[me, 2 * other + 1]) & t.of_type[MOVE]
        while kinds:
            kind = lowest(kinds)
            kinds &= kinds - 1
            mine = _gain(t, s, me, top, kind, 0)
            price = (_worth_kept(t, s, other, kind) - _gain(t, s, other, top, kind, 0) + _BRIBE + 9) // 10
            if 0 < price <= s.purse[me] and mine - 10 * price > most:
                most = mine - 10 * price
                best = other | kind << 8 | price << 16
    return best


@kernel
def _next_piece(t: Tables, s: State, top: int, out: Ints) -> int:
    """Return the next piece of the planned bribe."""
    planned = plan(t, s, top)
    if planned == _NOTHING:
        return out[0]
    if s.building == CHOOSE_SEAT:
        return TO + (planned & 255)
    if s.building == CHOOSE_CARD:
        return NAME + (planned >> 8 & 255)
    return DIGIT + (planned >> 16 & 255) // _TENS[s.digits] % 10
