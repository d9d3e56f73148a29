"""Rules of thumb for the windows of Ben Hvrt: keep a card for the right moment and the most valuable race."""

from __future__ import annotations

from quadriga.engine.kernels.bits import count, lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.benhvrt.actions import BRIBE, DIGIT, NAME, PASS, PLAY, TO, USE, WAYS
from quadriga.games.benhvrt.bots.parts import BRIBES, PROUD
from quadriga.games.benhvrt.bots.steps import best_of, concern, rank_of_seat
from quadriga.games.benhvrt.bots.values import (
    ANSWER,
    DRAW,
    FINISH,
    HALTED,
    HALTED_STEP,
    HASTENED,
    KEEP_ADD,
    KEEP_AGAIN,
    KEEP_ALL,
    KEEP_CANCEL,
    KEEP_CHOOSE,
    KEEP_DRAW,
    KEEP_HALT,
    KEEP_HAND,
    KEEP_HASTEN,
    KEEP_LAST,
    KEEP_LATE,
    KEEP_LATER,
    KEEP_OMEN_HIGH,
    KEEP_OMEN_LOW,
    KEEP_POACH,
    KEEP_RETIRE,
    KEEP_SET_HIGH,
    KEEP_SET_LOW,
    KEEP_SLOW_TO,
    KEEP_SUBTRACT,
    KEEP_WAGER,
    LAST_CHANCE,
    LATE,
    MINE_FIRST,
    NO_ROLL,
    OTHER_OMEN,
    PIP,
    RETIRED,
    SLOWED_TO,
    SPEED,
    WAGERED,
    value,
)
from quadriga.games.benhvrt.bots.worth import (
    ADD,
    AGAIN,
    CANCEL,
    CHOOSE,
    CHOOSE_ROLL,
    DRAWS,
    HALT,
    HASTEN,
    NEXT_ROLL,
    POACH,
    RETIRE,
    SET,
    SKIM,
    SLOW_TO,
    TWO_DICE,
    WAGER,
    price_later,
    price_now,
)
from quadriga.games.benhvrt.deck import OPERATIONS
from quadriga.games.benhvrt.deck.operations import CHARIOT, MOVE, PAIR, RE, RO
from quadriga.games.benhvrt.rules.bribes import CHOOSE_CARD, CHOOSE_SEAT
from quadriga.games.benhvrt.rules.cards import window_chariot
from quadriga.games.benhvrt.rules.chariots import FASTEST, amount, foremost, is_racing, owner, strength, to_finish
from quadriga.games.benhvrt.state import State, Tables

_NOTHING = -1
_BRIBE = 4  # the least gain of a bribe for each of the two, in tenths of Ducats
_TENS = (1000, 100, 10, 1)
_PROUD = 5  # eighths of the loss from which on others answer that the proud one answers


@kernel
def in_window(t: Tables, s: State, top: int, out: Ints, n: int, without: int) -> int:
    """Return the play that wins most beyond the later worth of the card; else pass."""
    bribes = without & BRIBES == 0
    if s.building:
        return _next_piece(t, s, top, out)
    me = s.asked
    window = s.window[top]
    if window == RE:
        return (
            out[1]
            if _should_answer(t, s, me, top, value(t, s, ANSWER) * (_PROUD if without & PROUD else 8) // 64)
            else PASS
        )
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
    gain = _effect(t, s, me, top, kind, arg) * value(t, s, MINE_FIRST + rank_of_seat(t, s, me)) // 64
    paid = 10 * _bribes_for(t, s, me, kind, arg) if bribes else 0
    if paid:
        return _gain(t, s, me, top, kind, arg) + paid - _worth_kept(t, s, me, kind)
    if gain <= 0 or 8 * gain < value(t, s, KEEP_ALL) * _squares_left(t, s, me, kind):
        return 0
    later = _kept_squares(t, s, kind) * price_later(t, s) * value(t, s, KEEP_LATER) // 8
    return (gain * price_now(t, s) - later) // 100


@kernel
def _squares_left(t: Tables, s: State, seat: int, kind: int) -> int:
    """Return the squares that a card can still win in this race, in tenths: fewer late in it, or in a full hand."""
    left = 8 * best_of(t, s, seat)
    further = count(s.pile[seat, 0]) + 2 * count(s.pile[seat, 1]) + 4 * count(s.pile[seat, 2]) - 1
    kept = _kept_squares(t, s, kind) * 64 // (64 + value(t, s, KEEP_HAND) * further)
    if left > value(t, s, LATE):
        return kept
    return kept * value(t, s, KEEP_LATE if left > value(t, s, LAST_CHANCE) else KEEP_LAST) // 80


@kernel
def _kept_squares(t: Tables, s: State, kind: int) -> int:
    """Return the gain for which a card is played and not kept for a better moment, in tenths of squares."""
    total = 0
    for i in range(OPERATIONS):
        op = t.op[kind, i]
        one = t.one[kind, i]
        if op == ADD:
            total += value(t, s, KEEP_ADD) * one if one > 0 else -value(t, s, KEEP_SUBTRACT) * one
        elif op == SET:
            total += (
                value(t, s, KEEP_SET_HIGH) * (one + 1)
                if one > 3
                else value(t, s, KEEP_SET_LOW) * (9 - 2 * one) // 2
            )
        elif op == AGAIN:
            total += value(t, s, KEEP_AGAIN)
        elif op == HALT:
            total += value(t, s, KEEP_HALT)
        elif op == RETIRE:
            total += value(t, s, KEEP_RETIRE)
        elif op == SLOW_TO:
            total += value(t, s, KEEP_SLOW_TO) * (6 - one)
        elif op == CHOOSE:
            total += value(t, s, KEEP_CHOOSE)
        elif op == NEXT_ROLL:
            total += value(t, s, KEEP_OMEN_HIGH) * (one - 4) if one > 4 else value(t, s, KEEP_OMEN_LOW) * (3 - one)
        elif op == HASTEN:
            total += value(t, s, KEEP_HASTEN) * one
        elif op == CANCEL:
            total += value(t, s, KEEP_CANCEL)
        elif op == DRAWS:
            total += value(t, s, KEEP_DRAW) * amount(t, s, kind, DRAWS)
        elif op == WAGER:
            total += value(t, s, KEEP_WAGER)
        elif op == POACH:
            total += value(t, s, KEEP_POACH)
    return max(total, 0) // 8


@kernel
def _worth_kept(t: Tables, s: State, seat: int, kind: int) -> int:
    """Return the worth of a card to a player who does not play it now, in tenths of Ducats."""
    now = value(t, s, KEEP_ALL) * _squares_left(t, s, seat, kind) * price_now(t, s) // 8
    later = value(t, s, KEEP_LATER) * _kept_squares(t, s, kind) * price_later(t, s) // 8
    return max(now, later) // 100


@kernel
def _gain(t: Tables, s: State, seat: int, top: int, kind: int, arg: int) -> int:
    """Return the gain of a card in tenths of Ducats. If a rival loses, other players share the gain."""
    others = s.window[top] == RO and owner(t, s.mover) != seat
    gain = _effect(t, s, seat, top, kind, arg) * value(t, s, MINE_FIRST + rank_of_seat(t, s, seat)) // 64
    return gain * price_now(t, s) // (200 if others else 100)


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
            total += (
                (value(t, s, HALTED_STEP) * s.steps + value(t, s, HALTED)) * concern(t, s, me, s.mover) // 640
                if owner(t, s.mover) != me
                else -100
            )
        elif op == RETIRE:
            total += value(t, s, RETIRED) * concern(t, s, me, chariot) // 640 if s.driver[chariot] else 0
        elif op == SLOW_TO:
            total += value(t, s, SLOWED_TO) * (s.speed[chariot] - one) * concern(t, s, me, chariot) // 640
        elif op == CHOOSE:
            total += _on_choice(t, s, me, arg, chariot)
        elif op == HASTEN:
            change = value(t, s, HASTENED) * (min(max(s.speed[chariot] + one, 1), FASTEST) - s.speed[chariot]) // 8
            total += change if owner(t, chariot) == me else -change * concern(t, s, me, chariot) // 80
        elif op == NEXT_ROLL:
            total += _on_next_roll(t, s, me, one, chariot)
        elif op == DRAWS:
            total += value(t, s, DRAW) // 8
        elif op == WAGER:
            total += value(t, s, WAGERED) // 8 if arg == foremost(t, s, _others(t, s, me)) else 0
    return total


@kernel
def _acted_on(t: Tables, s: State, top: int, kind: int, arg: int) -> int:
    """Return the chariot that a card acts on: its argument, or else the chariot that the window is about."""
    return arg if t.takes[kind] == CHARIOT else window_chariot(s, s.window[top], s.target[top])


@kernel
def _change_of_roll(t: Tables, s: State, now: int, face: int) -> int:
    """Return the gain of setting a roll, in tenths of squares; 0 stands for a roll that is not set yet."""
    return (value(t, s, PIP) * face - (value(t, s, PIP) * now if now else value(t, s, NO_ROLL))) // 8


@kernel
def _on_choice(t: Tables, s: State, me: int, face: int, chariot: int) -> int:
    """Return the gain of choosing a roll."""
    natural = s.next_roll[chariot]
    change = _change_of_roll(t, s, natural, face)
    return change if owner(t, chariot) == me else -change * concern(t, s, me, chariot) // 80


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
    return 10 * allowance + value(t, s, SPEED) * min(max(roll, 1), FASTEST) // 8


@kernel
def _on_roll(t: Tables, s: State, me: int, op: int, one: int) -> int:
    """Return the gain of changing the current roll."""
    roll = s.roll
    if op == AGAIN:
        change = (value(t, s, NO_ROLL) - value(t, s, PIP) * s.roll) // 8
    else:
        roll = s.roll + one if op == ADD else one
        change = _roll_squares(t, s, roll) - _roll_squares(t, s, s.roll)
    left = to_finish(t, s, s.mover)
    home = s.speed[s.mover] + s.roll >= left
    if op != AGAIN and (s.speed[s.mover] + roll >= left) != home:
        change += (-value(t, s, FINISH) if home else value(t, s, FINISH)) // 8
    if owner(t, s.mover) == me:
        return 0 if home and change > 0 else change
    return -change * concern(t, s, me, s.mover) // 80


@kernel
def _on_next_roll(t: Tables, s: State, me: int, face: int, chariot: int) -> int:
    """Return the gain of an omen, which sets the next roll."""
    now = s.next_roll[chariot]
    change = _change_of_roll(t, s, now, face)
    if owner(t, chariot) == me:
        return change if to_finish(t, s, chariot) > s.speed[chariot] else 0
    if chariot != foremost(t, s, _others(t, s, me)):
        return -change * value(t, s, OTHER_OMEN) // 80
    return -change * concern(t, s, me, chariot) // 80


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
        return s.seat[played - 2] == me and _kept_squares(t, s, s.kind[played - 2]) >= hurt
    chariot = _acted_on(t, s, played, kind, way)
    harm = -_effect(t, s, me, played, kind, way) if not t.doing[DRAWS] >> kind & 1 else 0
    if (t.doing[SLOW_TO] | t.doing[RETIRE]) >> kind & 1:
        harm = hurt if owner(t, chariot) == me else 0
    if t.doing[HALT] >> kind & 1:
        harm = (value(t, s, HALTED_STEP) * s.steps + value(t, s, HALTED)) // 8 if owner(t, s.mover) == me else 0
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
