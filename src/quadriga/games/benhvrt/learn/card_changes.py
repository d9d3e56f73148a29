"""The change that a card or a Driver of Ben Hvrt makes if it is played now and nobody answers it, in numbers."""

from __future__ import annotations

from quadriga.engine.advice import whole_percent
from quadriga.engine.text.catalogues import Message
from quadriga.games.benhvrt.deck import OPERATIONS
from quadriga.games.benhvrt.deck.operations import CHARIOT, CODES, MOVE, PA, PB, RIVAL
from quadriga.games.benhvrt.explain import card_name
from quadriga.games.benhvrt.names import chariot_name
from quadriga.games.benhvrt.rules import cards
from quadriga.games.benhvrt.rules.chariots import FASTEST, amount, fitted, owner, strength
from quadriga.games.benhvrt.rules.piles import size
from quadriga.games.benhvrt.state import DECK, State, Tables

CHOOSE_ROLL = CODES["choose-roll"]
TWO_DICE = CODES["two-dice"]
SLOW = CODES["slow"]
SKIM = CODES["skim"]
DIE = range(1, 7)


def _message(id: str, **parameters: object) -> Message:
    return Message(id, parameters)


def speed_after(roll: int) -> int:
    """BH-6.5: return the Speed after a move with this roll."""
    return min(max(roll, 1), FASTEST)


def squares_with(s: State, chariot: int, roll: int) -> int:
    """BH-6.3: return the squares that a chariot may drive with a roll."""
    return max(s.speed[chariot] + roll, 0)


def changes_of_card(t: Tables, s: State, seat: int, kind: int, way: int) -> list[Message]:
    """Return what a Move or Event card changes, operation by operation."""
    top = s.depth - 1
    window, target = s.window[top], s.target[top]
    chariot = way if t.takes[kind] in (CHARIOT, RIVAL) else cards.window_chariot(s, window, target)
    is_calmed = t.type[kind] == MOVE and not s.calmed and seat != owner(t, s.mover)
    if is_calmed and fitted(t, s, s.mover, cards.CALM):
        return [_message("ben-hvrt.coach.calmed", card=card_name(t, s.driver[s.mover] - 1))]
    found = []
    for place in range(OPERATIONS):
        if t.op[kind, place]:
            found += _change(t, s, seat, kind, t.op[kind, place], t.one[kind, place], chariot, way)
    return found


def _change(
    t: Tables, s: State, seat: int, kind: int, operation: int, number: int, chariot: int, way: int
) -> list[Message]:
    """Return what one operation changes."""
    name = chariot_name(t, chariot, reader=seat)
    match operation:
        case cards.ADD:
            return [_roll(t, s, seat, s.roll + number)]
        case cards.SET:
            return [_roll(t, s, seat, number)]
        case cards.AGAIN:
            faces = [cards.counts_as(t, s, s.mover, face) for face in DIE]
            more = sum(face > s.roll for face in faces) / len(DIE)
            less = sum(face < s.roll for face in faces) / len(DIE)
            return [_message("ben-hvrt.coach.again", n=s.roll, more=whole_percent(more), less=whole_percent(less))]
        case cards.CHOOSE:
            return [_next_roll(t, s, seat, chariot, way)]
        case cards.NEXT_ROLL:
            return [_next_roll(t, s, seat, chariot, number)]
        case cards.SLOW_TO:
            return [_speed(t, s, seat, chariot, speed_after(number))]
        case cards.HASTEN:
            return [_speed(t, s, seat, chariot, speed_after(s.speed[chariot] + number))]
        case cards.HALT:
            return [_message("ben-hvrt.coach.halt", chariot=name, n=s.steps)] if s.steps else []
        case cards.SHIFTS:
            return [_message("ben-hvrt.coach.shift", chariot=name, n=number)]
        case cards.RETIRE:
            return [_retire(t, s, seat, chariot)] if s.driver[chariot] else []
        case cards.DRAWS:
            return [_message("ben-hvrt.coach.draw", n=min(amount(t, s, kind, cards.DRAWS), size(s, DECK)))]
        case cards.WAGER:
            return [_message("ben-hvrt.coach.wager", n=number, chariot=name)]
        case cards.POACH:
            return _poach(t, s, way)
        case cards.CANCEL:
            return [_message("ben-hvrt.coach.cancel", card=card_name(t, s.kind[s.depth - 2]))]
    return []


def changes_of_driver(t: Tables, s: State, seat: int, kind: int) -> list[Message]:
    """Return what a Driver's choice changes."""
    operation, number = t.op[kind, 0], strength(t, kind, t.op[kind, 0])
    match operation:
        case _ if operation == CHOOSE_ROLL:
            return [_next_roll(t, s, seat, s.mover, number)]
        case _ if operation == TWO_DICE:
            best = sum(max(one, two) for one in DIE for two in DIE) / len(DIE) ** 2
            return [_message("ben-hvrt.coach.two-dice", n=_tenths(best), usual=_tenths(sum(DIE) / len(DIE)))]
        case _ if operation == SLOW:
            target = s.target[s.depth - 1]
            return [_speed(t, s, seat, target, speed_after(s.speed[target] - number))]
        case _ if operation == SKIM:
            gained = t.two[kind, 0] if s.pot >= t.two[kind, 0] else 0
            return [_roll(t, s, seat, s.roll - number), _message("ben-hvrt.coach.skim", n=gained)]
    return []


def _tenths(value: float) -> Message:
    whole, tenth = divmod(round(10 * value), 10)
    return Message("share.decimal", {"whole": whole, "tenth": tenth})


def _roll(t: Tables, s: State, seat: int, roll: int) -> Message:
    """Return what another roll of the mover means: squares now, and Speed afterwards."""
    squares = squares_with(s, s.mover, roll) - squares_with(s, s.mover, s.roll)
    kind = "ben-hvrt.coach.roll-same"
    if squares:
        kind = "ben-hvrt.coach.roll-more" if squares > 0 else "ben-hvrt.coach.roll-less"
    name = chariot_name(t, s.mover, reader=seat)
    return _message(kind, chariot=name, old=s.roll, new=roll, n=abs(squares), speed=speed_after(roll))


def _next_roll(t: Tables, s: State, seat: int, chariot: int, face: int) -> Message:
    roll = cards.counts_as(t, s, chariot, face)
    name = chariot_name(t, chariot, reader=seat)
    return _message("ben-hvrt.coach.next-roll", chariot=name, new=roll, n=squares_with(s, chariot, roll))


def _speed(t: Tables, s: State, seat: int, chariot: int, speed: int) -> Message:
    name = chariot_name(t, chariot, reader=seat)
    return _message(
        "ben-hvrt.coach.speed", chariot=name, old=s.speed[chariot], new=speed, n=abs(speed - s.speed[chariot])
    )


def _retire(t: Tables, s: State, seat: int, chariot: int) -> Message:
    name = chariot_name(t, chariot, reader=seat)
    if fitted(t, s, chariot, cards.STUBBORN) and not s.shaken >> chariot & 1:
        return _message("ben-hvrt.coach.stubborn", chariot=name, card=card_name(t, s.driver[chariot] - 1))
    return _message("ben-hvrt.coach.retire", chariot=name, card=card_name(t, s.driver[chariot] - 1))


def _poach(t: Tables, s: State, way: int) -> list[Message]:
    top = s.depth - 1
    theirs = {PB: s.target[top], PA: s.mover}.get(s.window[top], way // 2)
    driver = s.driver[theirs] - 1
    return [_message("ben-hvrt.coach.poach", card=card_name(t, driver), n=t.price[driver])] if driver >= 0 else []
