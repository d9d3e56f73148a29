"""The worth of cards in Ben Hvrt.

A card is worth the squares that it wins, and a square is worth a part of the pot. The chance to win changes by
about a sixth for every standard deviation of the rolls, which grows as the root of the laps. Squares and Ducats
are counted in tenths.
"""

from __future__ import annotations

from quadriga.engine.errors import OptionError
from quadriga.engine.kernels.bits import count
from quadriga.engine.kernels.kernel import kernel
from quadriga.games.benhvrt.bots.values import (
    BY_HAND_ROW,
    CALMED,
    CHOSEN_ROLL,
    DICE_TWO,
    DRAWN,
    KEPT_SPEED,
    LANE_FREE,
    OF_NATURAL,
    PASSED,
    PASSING,
    SHIELDED,
    SKIMMED,
    SLOWING,
    STARTED,
    UPKEEP,
)
from quadriga.games.benhvrt.deck import OPERATIONS, PER_MOVE
from quadriga.games.benhvrt.deck.operations import CODES, DRIVER, IMPROVEMENT
from quadriga.games.benhvrt.rules.chariots import amount
from quadriga.games.benhvrt.rules.phases.maintenance import upkeep
from quadriga.games.benhvrt.state import State, Tables

ADD = CODES["add"]
SET = CODES["set"]
AGAIN = CODES["again"]
HALT = CODES["halt"]
RETIRE = CODES["retire"]
SLOW_TO = CODES["slow-to"]
CHOOSE = CODES["choose"]
HASTEN = CODES["hasten"]
NEXT_ROLL = CODES["next-roll"]
CANCEL = CODES["cancel"]
DRAWS = CODES["draw"]
POACH = CODES["poach"]
WAGER = CODES["wager"]
WHEN_PASSED = CODES["when-passed"]
WHEN_PASSING = CODES["when-passing"]
NATURAL = CODES["natural"]
SHIELD = CODES["shield"]
START_SPEED = CODES["start-speed"]
KEEP_SPEED = CODES["keep-speed"]
FREE_LANE = CODES["free-lane"]
SUPPLY = CODES["supply"]
CHOOSE_ROLL = CODES["choose-roll"]
TWO_DICE = CODES["two-dice"]
SLOW = CODES["slow"]
SKIM = CODES["skim"]
CALM = CODES["calm"]
HEIRS = CODES["heirs"]

_CARD = 36  # the worth of an unknown card
_ROOT = (17, 10, 14, 17, 20, 22, 24)  # ten times the root of the laps; unknown laps count as three
_PER_CHARIOT = 5  # twice the Ducats that a chariot adds to the pot in a lap: ante, bids and upkeep
_NONE = -1000  # the gain of fitting a card twice
_SHARE = 18  # the worth of a square, in hundredths of Ducats, for a pot of a hundred and one lap


@kernel
def square_price(t: Tables, s: State, pot: int, laps: int) -> int:
    """Return the worth of a square in a race with this pot and number of laps, in hundredths of Ducats."""
    return pot * _SHARE // _ROOT[laps]


@kernel
def price_now(t: Tables, s: State) -> int:
    """Return the worth of a square in this race."""
    return square_price(t, s, max(s.pot, _PER_CHARIOT * s.laps * count(s.entered) // 2), s.laps)


@kernel
def price_later(t: Tables, s: State) -> int:
    """Return the worth of a square in the most valuable of the later races; 0 in the last race."""
    dearest = 0
    for race in range(s.race + 1, t.races):
        laps = t.laps[race]
        pot = _PER_CHARIOT * (laps if laps else 3) * t.chariots // 2
        dearest = max(dearest, square_price(t, s, pot, laps))
    return dearest


@kernel
def squares(t: Tables, s: State, kind: int) -> int:
    """Return the squares that a card wins if it is played once, at the right moment.

    They were measured by giving a player one card more as the last race begins (`benchmarks/worths.py`).
    """
    total = 0
    for i in range(OPERATIONS):
        op = t.op[kind, i]
        one = t.one[kind, i]
        if op == ADD:
            total += 33 * one if one > 0 else -14 * one
        elif op == SET:
            total += 20 * one + 3 if one > 3 else 53
        elif op == AGAIN or op == HALT:
            total += 62
        elif op == RETIRE:
            total += 5
        elif op == SLOW_TO:
            total += 4 * (6 - one)
        elif op == CHOOSE:
            total += 84
        elif op == NEXT_ROLL:
            total += 38 * (one - 4) if one > 4 else 8 * (3 - one)
        elif op == HASTEN:
            total += 28 * one
        elif op == CANCEL:
            total += 85
        elif op == DRAWS:
            total += _CARD * amount(t, s, kind, DRAWS)
        elif op == WAGER:
            total += 53
        elif op == POACH:
            total += 7
    return max(total, 0)


@kernel
def _value(t: Tables, s: State, judged: bool, which: int) -> int:
    """Return a value as the bot judges by it, or as it was measured."""
    return t.values[(s.row if judged else BY_HAND_ROW) + which]


@kernel
def squares_fitted(t: Tables, s: State, kind: int, laps: int, judged: bool) -> int:
    """Return the squares that a Driver or an Improvement wins in a race of this many laps."""
    lap = 0  # eighths of squares in every lap,
    flat = 0  # ... and once in the race
    moves = 26 if t.per[kind] == PER_MOVE else 10  # chances to use it in a lap, in tenths
    for i in range(OPERATIONS):
        op = t.op[kind, i]
        one = t.one[kind, i]
        if op == WHEN_PASSED:
            lap += _value(t, s, judged, PASSED) * one
        elif op == WHEN_PASSING:
            lap -= _value(t, s, judged, PASSING) * one
        elif op == NATURAL:
            lap += _value(t, s, judged, OF_NATURAL) * (t.two[kind, i] - one)
        elif op == SHIELD:
            lap += _value(t, s, judged, SHIELDED)
        elif op == CALM:
            lap += _value(t, s, judged, CALMED)
        elif op == START_SPEED:
            flat += _value(t, s, judged, STARTED) * one
        elif op == KEEP_SPEED:
            lap += _value(t, s, judged, KEPT_SPEED)
        elif op == FREE_LANE:
            lap += _value(t, s, judged, LANE_FREE)
        elif op == SUPPLY:
            flat += _value(t, s, judged, DRAWN) * (one + (t.two[kind, i] * laps + 1) // 2)
        elif op == CHOOSE_ROLL:
            lap += (2 * one - 7) * moves * _value(t, s, judged, CHOSEN_ROLL) if one > 3 else 8
        elif op == TWO_DICE:
            lap += _value(t, s, judged, DICE_TWO) * moves
        elif op == SLOW:
            lap += _value(t, s, judged, SLOWING) * one
        elif op == SKIM:
            lap += _value(t, s, judged, SKIMMED)
    return (lap * laps + flat) // 8


@kernel
def net(t: Tables, s: State, kind: int, judged: bool) -> int:
    """Return the gain of a Driver or an Improvement in this race, less its upkeep."""
    return (
        squares_fitted(t, s, kind, s.laps, judged) * price_now(t, s) // 100
        - _value(t, s, judged, UPKEEP) * upkeep(t, s, kind) // 8
    )


@kernel
def net_later(t: Tables, s: State, kind: int, judged: bool) -> int:
    """Return the gain over the later races, in which the card can be dropped."""
    total = 0
    for race in range(s.race + 1, t.races):
        laps = t.laps[race] if t.laps[race] else 3
        price = square_price(t, s, _PER_CHARIOT * laps * t.chariots // 2, laps)
        cost = t.upkeep[kind] + (t.upkeep_halves[kind] * laps + 1) // 2
        total += max(
            squares_fitted(t, s, kind, laps, judged) * price // 100 - _value(t, s, judged, UPKEEP) * cost // 8, 0
        )
    return total


@kernel
def departure_worth(t: Tables, s: State, kind: int, judged: bool) -> int:
    """Return the worth of the cards that a Driver's owner draws when the Driver leaves."""
    if not t.doing[HEIRS] >> kind & 1:
        return 0
    return _value(t, s, judged, DRAWN) * amount(t, s, kind, HEIRS) * max(price_now(t, s), price_later(t, s)) // 800


@kernel
def gain_on(t: Tables, s: State, chariot: int, kind: int) -> int:
    """Return the gain of fitting a card to a chariot in this race. A new Driver replaces the old one."""
    if t.type[kind] == IMPROVEMENT:
        return _NONE if (s.improvements[chariot] >> kind) & 1 else net(t, s, kind, True)
    now = max(net(t, s, kind, True), departure_worth(t, s, kind, True))
    if s.driver[chariot] == 0:
        return now
    former = s.driver[chariot] - 1
    return (
        now + departure_worth(t, s, former, True) - max(net(t, s, former, True), 0) - net_later(t, s, former, True)
    )


@kernel
def worth_on(t: Tables, s: State, chariot: int, kind: int) -> int:
    """Return the worth of a Driver or an Improvement in hand for one chariot, over this race and the later ones."""
    if t.type[kind] == IMPROVEMENT and (s.improvements[chariot] >> kind) & 1:
        return 0
    total = max(net(t, s, kind, False), 0) + net_later(t, s, kind, False)
    if t.type[kind] == DRIVER and s.driver[chariot]:
        former = s.driver[chariot] - 1
        total -= max(net(t, s, former, False), 0) + net_later(t, s, former, False)
    return max(total, departure_worth(t, s, kind, False) if s.driver[chariot] == 0 else 0)


@kernel
def worth(t: Tables, s: State, seat: int, kind: int) -> int:
    """Return the worth of a card in a player's hand, in tenths of Ducats. All chariots are public."""
    if t.type[kind] == DRIVER or t.type[kind] == IMPROVEMENT:
        most = 0
        for which in range(t.chariots // t.seats):
            most = max(most, worth_on(t, s, seat + which * t.seats, kind))
        return most
    return squares(t, s, kind) * max(price_now(t, s), price_later(t, s)) // 100


def card_worth(t: Tables, s: State, seat: int, card: str) -> float:
    """Return the worth of a card in a player's hand, in Ducats. Raises OptionError if the deck has no such card."""
    known = [each.name for each in t.cards]
    if card not in known:
        raise OptionError("player.card", name=card, known=known)
    return worth(t, s, seat, known.index(card)) / 10
