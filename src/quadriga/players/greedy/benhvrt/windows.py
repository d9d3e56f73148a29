"""Rules of thumb for the windows of Ben Hvrt: hold a card for its moment, and for the dearest race."""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.benhvrt.actions import BRIBE, DIGIT, NAME, PASS, PLAY, TO, USE, WAYS
from quadriga.games.benhvrt.deck import OPERATIONS
from quadriga.games.benhvrt.operations import CHARIOT, MOVE, PAIR, RE, RO
from quadriga.games.benhvrt.rules.bribes import CHOOSE_CARD, CHOOSE_SEAT
from quadriga.games.benhvrt.rules.cards import at_hand_in
from quadriga.games.benhvrt.rules.chariots import FASTEST, foremost, is_racing, owner, strength
from quadriga.games.benhvrt.state import State, Tables
from quadriga.players.greedy.benhvrt.steps import best_of, concern, to_finish
from quadriga.players.greedy.benhvrt.worth import (
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

_NOTHING = -1
_BRIBE = 4  # what a bribe is to bring, in tenths of Ducats, to each of the two
_TENS = (1000, 100, 10, 1)
_MEAN = 70  # twice the mean of a die, in tenths
_LATE = 20  # steps to the finish from which on cards are no longer held for a better moment
_LAST = 12  # ... and from which on there is hardly another
_FINISH = 30  # squares, in tenths, that finishing now is worth
_HURT = 30  # squares, in tenths, from which on a card is answered


@kernel
def in_window(t: Tables, s: State, top: int, out: Ints, n: int, bribes: bool) -> int:
    """The play that wins most beyond what the card would be worth later; else pass."""
    if s.building:
        return _piece(t, s, top, out)
    me = s.asked
    window = s.window[top]
    if window == RE:
        return out[1] if _answers(t, s, me, top) else PASS
    best = PASS
    most = 0
    may_bribe = False
    for i in range(1, n):
        action = out[i]
        if action == BRIBE:
            may_bribe = True
        elif action >= PLAY:
            gain = _play(t, s, me, top, (action - PLAY) // WAYS, (action - PLAY) % WAYS, bribes)
            if gain > most:
                most = gain
                best = action
        elif _uses(t, s, me, top, action - USE) and most == 0:
            best = action
            most = 1
    if best == PASS and may_bribe and bribes and plan(t, s, top) != _NOTHING:
        return BRIBE
    return best


@kernel
def _play(t: Tables, s: State, me: int, top: int, kind: int, arg: int, bribes: bool) -> int:
    """What playing a card now wins beyond keeping it, in tenths of Ducats; nothing unless the moment is right."""
    gain = _effect(t, s, me, top, kind, arg)
    paid = 10 * _bribe_for(t, s, me, kind, arg) if bribes else 0
    if paid:
        return _won(t, s, me, top, kind, arg) + paid - _kept(t, s, me, kind)
    if gain <= 0 or gain < _usual(t, s, me, kind):
        return 0
    return gain * price_now(t, s) // 100 - squares(t, s, kind) * price_later(t, s) // 100


@kernel
def _usual(t: Tables, s: State, seat: int, kind: int) -> int:
    """The squares that a card is still to win a player in this race: fewer, the less of it there is."""
    left = best_of(t, s, seat)
    if left > _LATE:
        return squares(t, s, kind)
    return squares(t, s, kind) * (4 if left > _LAST else 2) // 10


@kernel
def _kept(t: Tables, s: State, seat: int, kind: int) -> int:
    """What a card is worth to a player who does not play it now, in tenths of Ducats."""
    return max(_usual(t, s, seat, kind) * price_now(t, s), squares(t, s, kind) * price_later(t, s)) // 100


@kernel
def _won(t: Tables, s: State, seat: int, top: int, kind: int, arg: int) -> int:
    """What a card wins a player in tenths of Ducats: of what a rival loses, others have their part."""
    others = s.window[top] == RO and owner(t, s.mover) != seat
    return _effect(t, s, seat, top, kind, arg) * price_now(t, s) // (200 if others else 100)


@kernel
def _bribe_for(t: Tables, s: State, me: int, kind: int, arg: int) -> int:
    """The Ducats that others have laid down for this play."""
    total = 0
    for seat in range(t.seats):
        if s.bribe_card[seat] == kind + 1 and s.bribe_to[seat] == me and seat != me:
            if s.bribe_chariot[seat] == 0 or s.bribe_chariot[seat] == arg + 1:
                total += s.bribe_money[seat]
    return total


@kernel
def _effect(t: Tables, s: State, me: int, top: int, kind: int, arg: int) -> int:
    """The squares that a card wins a player, here and now, in tenths."""
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
            total += 10 * concern(t, s, me, chariot) // 6
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
    """The chariot that a card acts on: the one it was told, else the one that its window is about."""
    return arg if t.takes[kind] == CHARIOT else at_hand_in(s, s.window[top], s.target[top])


@kernel
def _on_choice(t: Tables, s: State, me: int, face: int, chariot: int) -> int:
    """What it wins a player to choose a roll."""
    natural = s.next_roll[chariot]
    change = PIP * face - (PIP * natural if natural else _MEAN)
    return change if owner(t, chariot) == me else -change * concern(t, s, me, chariot) // 10


@kernel
def _others(t: Tables, s: State, me: int) -> int:
    """The racing chariots of everybody else, as bits."""
    mine = 1 << me
    if t.chariots > t.seats:
        mine |= 1 << (me + t.seats)
    return s.racing & ~mine


@kernel
def _roll_squares(t: Tables, s: State, roll: int) -> int:
    """The squares of a roll, in tenths: the allowance as far as it is needed, and the Speed that it leaves."""
    allowance = min(max(s.speed[s.mover] + roll, 0), to_finish(t, s, s.mover))
    return 10 * allowance + 10 * min(max(roll, 1), FASTEST)


@kernel
def _on_roll(t: Tables, s: State, me: int, op: int, one: int) -> int:
    """What changing the roll that lies there wins a player."""
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
    """What an omen wins a player."""
    now = s.next_roll[chariot]
    change = PIP * face - (PIP * now if now else _MEAN)
    if owner(t, chariot) == me:
        return change if to_finish(t, s, chariot) > s.speed[chariot] else 0
    if chariot != foremost(t, s, _others(t, s, me)):
        return -change // 10
    return -change * concern(t, s, me, chariot) // 10


@kernel
def _uses(t: Tables, s: State, me: int, top: int, kind: int) -> bool:
    """Whether to use a Driver: he costs nothing, so whenever it helps."""
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
def _answers(t: Tables, s: State, me: int, top: int) -> bool:
    """Whether to answer the card just played: if it hurts, or if it stops a card of one's own."""
    played = top - 1
    kind = s.kind[played]
    way = s.way[played]
    if t.takes[kind] == PAIR:
        return (t.doing[POACH] >> kind) & 1 == 1 and owner(t, way // 2) == me
    if s.window[played] == RE:
        return s.seat[played - 2] == me and squares(t, s, s.kind[played - 2]) >= _HURT
    chariot = _acted_on(t, s, played, kind, way)
    harm = -_effect(t, s, me, played, kind, way) if not t.doing[DRAWS] >> kind & 1 else 0
    if (t.doing[SLOW_TO] | t.doing[RETIRE]) >> kind & 1:
        harm = _HURT if owner(t, chariot) == me else 0
    if t.doing[HALT] >> kind & 1:
        harm = 10 * s.steps + 30 if owner(t, s.mover) == me else 0
    return harm >= _HURT


@kernel
def plan(t: Tables, s: State, top: int) -> int:
    """A bribe that helps both, for a card on one's own roll that somebody is known to hold; in one number.

    It pays what makes him play: what the card is worth to him, and what he loses by helping.
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
            mine = _won(t, s, me, top, kind, 0)
            price = (_kept(t, s, other, kind) - _won(t, s, other, top, kind, 0) + _BRIBE + 9) // 10
            if 0 < price <= s.purse[me] and mine - 10 * price > most:
                most = mine - 10 * price
                best = other | kind << 8 | price << 16
    return best


@kernel
def _piece(t: Tables, s: State, top: int, out: Ints) -> int:
    """The next piece of the planned bribe."""
    planned = plan(t, s, top)
    if planned == _NOTHING:
        return out[0]
    if s.building == CHOOSE_SEAT:
        return TO + (planned & 255)
    if s.building == CHOOSE_CARD:
        return NAME + (planned >> 8 & 255)
    return DIGIT + (planned >> 16 & 255) // _TENS[s.digits] % 10
