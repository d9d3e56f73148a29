"""Which reaction windows concern a player: their own roll, cards that hurt them, rivals whom they could stop.

A person who wants few questions is asked in these windows only, and asks for the others themselves. Without a look
at the hand the answer follows from public information, so that a question, or its absence, tells nothing (BH-7.4).
"""

from __future__ import annotations

from collections.abc import Iterator

from quadriga.games.benhvrt.deck import OPERATIONS
from quadriga.games.benhvrt.deck.operations import BM, CHARIOT, CODES, PA, PAIR, PB, RE, RO
from quadriga.games.benhvrt.rules.cards import is_playable, window_chariot
from quadriga.games.benhvrt.rules.chariots import FASTEST, foremost, owner, to_finish
from quadriga.games.benhvrt.rules.piles import held, number
from quadriga.games.benhvrt.rules.windows import can_use
from quadriga.games.benhvrt.state import WINDOW, State, Tables

_ADD, _SET, _AGAIN = CODES["add"], CODES["set"], CODES["again"]
_HALT, _SHIFT, _RETIRE = CODES["halt"], CODES["shift"], CODES["retire"]
_SLOW_TO, _HASTEN = CODES["slow-to"], CODES["hasten"]
_CHOOSE, _NEXT_ROLL = CODES["choose"], CODES["next-roll"]
_CANCEL, _DRAW, _POACH, _WAGER = CODES["cancel"], CODES["draw"], CODES["poach"], CODES["wager"]
_GOOD_ROLL = 4  # from this on a roll helps the chariot that gets it


def concerns(t: Tables, s: State, knows_hand: bool, last: int | None) -> bool:
    """Return whether the open window concerns the seat that it asks.

    With `knows_hand` the seat's own roll counts only if its cards could better it, and a rival only if they could
    stop them. Otherwise the hand is not looked at. Who has played on a rival's roll is asked again only if somebody
    acts after that: `last` is the seat since whose action everybody has passed.
    """
    top = s.depth - 1
    window = s.window[top]
    if s.task[top] != WINDOW or s.building or _is_bribed(t, s):
        return True
    if window == RE:
        return _harm(t, s, top - 1) > 0
    if window == BM:
        return _matters_between_moves(t, s, knows_hand)
    if window == RO and owner(t, s.mover) != s.asked:
        return last != s.asked and _threatens_by_roll(t, s, knows_hand)
    if not knows_hand or can_use(t, s, s.asked, window):
        return True
    if window == PB:
        return any(_costs(t, s, s.target[top], *each) for each in _playable(t, s, PB, s.target[top]))
    return window == PA or any(_betters(t, s, *each) for each in _playable(t, s, window))


def is_hurt(t: Tables, s: State) -> bool:
    """Return whether the card that can be answered now hurts the seat that is asked."""
    top = s.depth - 1
    return s.task[top] == WINDOW and s.window[top] == RE and _harm(t, s, top - 1) > 0


def finishing_rival(t: Tables, s: State) -> int | None:
    """Return the rival's chariot that is about to finish, by its roll or by the best one, in RO and BM; or None."""
    top = s.depth - 1
    if s.task[top] != WINDOW or s.window[top] not in (RO, BM):
        return None
    chariot, roll = s.mover, s.roll
    if s.window[top] == BM:
        chariot = foremost(t, s, s.racing & ~s.moved or s.racing)
        roll = s.next_roll[chariot] or FASTEST
    is_rival = owner(t, chariot) != s.asked
    return chariot if is_rival and to_finish(t, s, chariot) <= max(s.speed[chariot] + roll, 0) else None


def _costs(t: Tables, s: State, rival: int, operation: int, value: int, copies: int) -> bool:
    """Return whether an operation costs a passed rival more than one Speed, or something else."""
    if operation in (_SLOW_TO, _HASTEN):
        after = value if operation == _SLOW_TO else s.speed[rival] + value
        return s.speed[rival] - max(after, 1) > 1
    return True


def _betters(t: Tables, s: State, operation: int, value: int, copies: int) -> bool:
    """Return whether an operation could better the seat's own roll or Speed, and the chariot is not home anyway."""
    roll, speed = s.roll or s.next_roll[s.mover] or 1, s.speed[s.mover]
    if to_finish(t, s, s.mover) <= speed + roll:
        return False
    if operation in (_ADD, _HASTEN):
        return value > 0 and (operation == _ADD or speed < FASTEST)
    if operation in (_SET, _NEXT_ROLL):
        return value > roll
    return operation != _AGAIN or roll < FASTEST


def _is_bribed(t: Tables, s: State) -> bool:
    """Return whether somebody offers the seat money for a card (BH-7.5)."""
    return any(s.bribe_card[seat] and s.bribe_to[seat] == s.asked for seat in range(t.seats) if seat != s.asked)


def _own(t: Tables, s: State) -> list[int]:
    """Return the seat's own chariots on the track."""
    return [each for each in range(t.chariots) if s.racing >> each & 1 and owner(t, each) == s.asked]


def _threatens(t: Tables, s: State, rival: int, allowance: int) -> bool:
    """Return whether a rival's chariot with this allowance finishes, or comes level with an own one or past it."""
    left = to_finish(t, s, rival)
    if left <= allowance:
        return True
    return any(left - allowance <= to_finish(t, s, each) < left for each in _own(t, s))


def _threatens_by_roll(t: Tables, s: State, knows_hand: bool) -> bool:
    """Return whether the mover's roll lets them finish or pass the seat, and its cards could prevent it."""
    speed = s.speed[s.mover]
    if not _threatens(t, s, s.mover, max(speed + s.roll, 0)):
        return False
    if not knows_hand:
        return True
    lowest, taken_off = s.roll, 0
    for operation, value, copies in _playable(t, s, RO):
        if operation == _SET:
            lowest = min(lowest, value)
        elif operation == _AGAIN:
            lowest = min(lowest, 1)
        elif operation == _ADD and value < 0:
            taken_off -= value * copies
    return not _threatens(t, s, s.mover, max(speed + lowest - taken_off, 0))


def _matters_between_moves(t: Tables, s: State, knows_hand: bool) -> bool:
    """Return whether the next move is the seat's own or lets a rival finish or pass, or the race begins."""
    waiting = s.racing & ~s.moved or s.racing
    following = foremost(t, s, waiting)
    cards = list(_playable(t, s, BM)) if knows_hand else []
    if not s.begun and (not knows_hand or any(operation == _WAGER for operation, *_ in cards)):
        return True
    if owner(t, following) == s.asked:
        return not knows_hand or any(_helps(operation, value) for operation, value, _ in cards)
    speed, best = s.speed[following], s.next_roll[following] or FASTEST
    if not _threatens(t, s, following, speed + best):
        return False
    if not knows_hand:
        return True
    roll = best
    for operation, value, copies in cards:
        if operation == _SHIFT:
            return True
        if operation == _NEXT_ROLL:
            roll = min(roll, value)
        elif operation == _SLOW_TO:
            speed = min(speed, value)
        elif operation == _HASTEN and value < 0:
            speed = max(speed + value * copies, 1)
    return not _threatens(t, s, following, speed + roll)


def _helps(operation: int, value: int) -> bool:
    """Return whether an operation between moves helps a player whose own move is next."""
    if operation == _NEXT_ROLL:
        return value >= _GOOD_ROLL
    return operation in (_DRAW, _SHIFT, _POACH) or (operation == _HASTEN and value > 0)


def _playable(t: Tables, s: State, window: int, target: int = 0) -> Iterator[tuple[int, int, int]]:
    """Yield the operations of cards that the seat can play in a window: code, number, and copies of the card."""
    kinds = held(s, s.asked) & t.in_window[window]
    for kind in range(t.kinds):
        if kinds >> kind & 1 and is_playable(t, s, s.asked, kind, window, target):
            for place in range(OPERATIONS):
                if t.op[kind, place]:
                    yield t.op[kind, place], t.one[kind, place], number(s, s.asked, kind)


def _harm(t: Tables, s: State, played: int) -> int:
    """Return 1 if a played card hurts the seat, -1 if it is its own or helps it, else 0."""
    if s.seat[played] == s.asked:
        return -1
    kind = s.kind[played]
    operations = [(t.op[kind, place], t.one[kind, place]) for place in range(OPERATIONS) if t.op[kind, place]]
    if any(operation == _CANCEL for operation, _ in operations):
        return -_harm(t, s, played - 2)  # the card that it answers
    return max((_harm_of(t, s, played, operation, value) for operation, value in operations), default=0)


def _harm_of(t: Tables, s: State, played: int, operation: int, value: int) -> int:
    """Return 1 if an operation of a played card hurts the seat, -1 if it helps it, else 0."""
    kind, way = s.kind[played], s.way[played]
    chariot = window_chariot(s, s.window[played], s.target[played])
    if t.takes[kind] == CHARIOT:
        chariot = way
    elif t.takes[kind] == PAIR:
        chariot = way // 2
    is_own = owner(t, chariot) == s.asked
    if operation in (_HALT, _SHIFT, _POACH):
        return 1 if is_own else 0
    if operation == _RETIRE:
        return 1 if is_own and s.driver[chariot] else 0
    if operation in (_ADD, _SET, _AGAIN):
        return _harm_of_roll(t, s, operation, value)
    speed, roll = s.speed[chariot], s.next_roll[chariot] or FASTEST
    if operation in (_NEXT_ROLL, _CHOOSE):
        roll = way if operation == _CHOOSE else value
        if is_own:
            return 1 if roll < (s.next_roll[chariot] or _GOOD_ROLL) else -1
        return 1 if s.next_roll[chariot] < roll and _threatens(t, s, chariot, speed + roll) else 0
    if operation in (_SLOW_TO, _HASTEN):
        after = value if operation == _SLOW_TO else min(max(speed + value, 1), FASTEST)
        if is_own:
            return (after < speed) - (after > speed)
        return 1 if after > speed and _threatens(t, s, chariot, after + roll) else 0
    return 0


def _harm_of_roll(t: Tables, s: State, operation: int, value: int) -> int:
    """Return 1 if a change of the roll hurts the seat: a lower own one, or a rival who comes home or past by it."""
    after = {_ADD: s.roll + value, _SET: value}.get(operation, FASTEST)
    if owner(t, s.mover) == s.asked:
        return 1 if operation == _AGAIN else (after < s.roll) - (after > s.roll)
    before = _threatens(t, s, s.mover, max(s.speed[s.mover] + s.roll, 0))
    return 1 if after > s.roll and not before and _threatens(t, s, s.mover, max(s.speed[s.mover] + after, 0)) else 0
