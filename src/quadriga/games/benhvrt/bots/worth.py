"""The worth of cards in Ben Hvrt.

A card is worth the squares that it wins, and a square is worth a part of the pot. The chance to win changes by
about a sixth for every standard deviation of the rolls, which grows as the root of the laps. Squares and Ducats
are counted in tenths.
"""

from __future__ import annotations

from quadriga.engine.errors import OptionError
from quadriga.engine.kernels.bits import count
from quadriga.engine.kernels.kernel import kernel
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

PIP = 20  # the worth of one more on a roll: a square now, and one by the next move's Speed
CARD = 18  # the worth of an unknown card
SPENT = 7  # the cost of a Ducat paid into the pot, in tenths: some of it comes back
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
    """Return the squares that a card wins if it is played once, at the right moment."""
    total = 0
    for i in range(OPERATIONS):
        op = t.op[kind, i]
        one = t.one[kind, i]
        if op == ADD:
            total += 17 * one if one > 0 else -7 * one
        elif op == SET:
            total += 10 * (one + 1) if one > 3 else 10 * (4 - one) + 5
        elif op == AGAIN or op == HALT:
            total += 40
        elif op == RETIRE:
            total += 3
        elif op == SLOW_TO:
            total += 2 * (6 - one)
        elif op == CHOOSE:
            total += 45
        elif op == NEXT_ROLL:
            total += PIP * (one - 4) if one > 4 else 7 * (3 - one)
        elif op == HASTEN:
            total += 18 * one
        elif op == CANCEL:
            total += 20
        elif op == DRAWS:
            total += CARD * amount(t, s, kind, DRAWS)
        elif op == WAGER:
            total += 30
        elif op == POACH:
            total += 5
    return max(total, 0)


@kernel
def squares_fitted(t: Tables, s: State, kind: int, laps: int) -> int:
    """Return the squares that a Driver or an Improvement wins in a race of this many laps."""
    lap = 0  # squares in every lap,
    flat = 0  # ... and once in the race
    moves = 26 if t.per[kind] == PER_MOVE else 10  # chances to use it in a lap, in tenths
    for i in range(OPERATIONS):
        op = t.op[kind, i]
        one = t.one[kind, i]
        if op == WHEN_PASSED:
            lap += 9 * one
        elif op == WHEN_PASSING:
            lap -= 3 * one
        elif op == NATURAL:
            lap += 8 * (t.two[kind, i] - one)
        elif op == SHIELD or op == CALM:
            lap += 6
        elif op == START_SPEED:
            flat += 15 * one
        elif op == KEEP_SPEED:
            lap += 20
        elif op == FREE_LANE:
            lap += 12
        elif op == SUPPLY:
            flat += CARD * (one + (t.two[kind, i] * laps + 1) // 2)
        elif op == CHOOSE_ROLL:
            lap += (2 * one - 7) * moves if one > 3 else 1
        elif op == TWO_DICE:
            lap += 2 * moves
        elif op == SLOW:
            lap += 2 * one
        elif op == SKIM:
            lap += 5
    return lap * laps + flat


@kernel
def net(t: Tables, s: State, kind: int) -> int:
    """Return the gain of a Driver or an Improvement in this race, less its upkeep."""
    return squares_fitted(t, s, kind, s.laps) * price_now(t, s) // 100 - SPENT * upkeep(t, s, kind)


@kernel
def net_later(t: Tables, s: State, kind: int) -> int:
    """Return the gain over the later races, in which the card can be dropped."""
    total = 0
    for race in range(s.race + 1, t.races):
        laps = t.laps[race] if t.laps[race] else 3
        price = square_price(t, s, _PER_CHARIOT * laps * t.chariots // 2, laps)
        cost = t.upkeep[kind] + (t.upkeep_halves[kind] * laps + 1) // 2
        total += max(squares_fitted(t, s, kind, laps) * price // 100 - SPENT * cost, 0)
    return total


@kernel
def departure_worth(t: Tables, s: State, kind: int) -> int:
    """Return the worth of the cards that a Driver's owner draws when the Driver leaves."""
    if not t.doing[HEIRS] >> kind & 1:
        return 0
    return CARD * amount(t, s, kind, HEIRS) * max(price_now(t, s), price_later(t, s)) // 100


@kernel
def gain_on(t: Tables, s: State, chariot: int, kind: int) -> int:
    """Return the gain of fitting a card to a chariot in this race. A new Driver replaces the old one."""
    if t.type[kind] == IMPROVEMENT:
        return _NONE if (s.improvements[chariot] >> kind) & 1 else net(t, s, kind)
    now = max(net(t, s, kind), departure_worth(t, s, kind))
    if s.driver[chariot] == 0:
        return now
    former = s.driver[chariot] - 1
    return now + departure_worth(t, s, former) - max(net(t, s, former), 0) - net_later(t, s, former)


@kernel
def worth_on(t: Tables, s: State, chariot: int, kind: int) -> int:
    """Return the worth of a Driver or an Improvement in hand for one chariot, over this race and the later ones."""
    if t.type[kind] == IMPROVEMENT and (s.improvements[chariot] >> kind) & 1:
        return 0
    total = max(net(t, s, kind), 0) + net_later(t, s, kind)
    if t.type[kind] == DRIVER and s.driver[chariot]:
        former = s.driver[chariot] - 1
        total -= max(net(t, s, former), 0) + net_later(t, s, former)
    return max(total, departure_worth(t, s, kind) if s.driver[chariot] == 0 else 0)


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
