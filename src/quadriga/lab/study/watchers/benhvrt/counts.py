"""The parts of a row of counts for Ben Hvrt, and where each count is."""

from __future__ import annotations

from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.benhvrt.state import DEPTH, Tables

SEATS = 1  # parts of a row: by race and seat,
CHARIOTS = 2  # ... by race and chariot,
CARDS = 3  # ... by race, seat and kind of card,
LOTS = 4  # ... by race and auction card,
SQUARES = 5  # ... by square,
RACES = 6  # ... by race,
LOT_BIDS = 7  # ... by seat: the bids for the card for sale,
PLAYED = 8  # ... by frame of the stack: the cards that are being played

TURN = 0  # counts of a seat in a race
ENTERED = 1
BEFORE = 2
ANTE = 3
BOUGHT = 4
BIDS = 5
UPKEEP = 6
PRIZES = 7
AFTER = 8
OFFERS = 9
SWAPS = 10
BRIBES = 11
BRIBED = 12
BRIBES_EARNED = 13
SEAT_FIELDS = 14

GRID = 0  # counts of a chariot in a race
PLACE = 1
DRIVER = 2  # kind + 1
IMPROVEMENTS = 3
CHARIOT_FIELDS = 4

HELD = 0  # counts of a card
DEALT = 1
CARD_BOUGHT = 2
PAID = 3
BID = 4
TRADED = 5
FITTED = 6
CARD_UPKEEP = 7
CARD_PLAYED = 8
VETOED = 9
CARD_FIELDS = 10

LOT_CARD = 0  # counts of an auction card: kind + 1,
AUCTIONEER = 1
BUYER = 2  # ... seat + 1, 0 for nobody,
BY_PRICE = 3  # ... 1 if the auctioneer bought it at its price
PRICE = 4
OTHERS = 5
LOT_FIELDS = 6

LANDINGS = 0  # counts of a square
STANDS = 1
BLOCKS = 2
OVERTAKES = 3
SQUARE_FIELDS = 4

LAPS = 0  # counts of a race
LOT_COUNT = 1
RACE_FIELDS = 2

WHO = 0  # of a card that is being played: seat + 1,
KIND = 1  # ... kind,
CANCELLED = 2  # ... 1 if another card has cancelled it
RACE_PLAYED = 3  # ... the number of the race
PLAYED_FIELDS = 4


def parts(t: Tables) -> list[tuple[int, ...]]:
    """Return the shapes of the parts of a row."""
    races, seats = t.races, t.seats
    return [
        (races, seats, SEAT_FIELDS),
        (races, t.chariots, CHARIOT_FIELDS),
        (races, seats, t.kinds, CARD_FIELDS),
        (races, _most_lots(t), LOT_FIELDS),
        (t.squares, SQUARE_FIELDS),
        (races, RACE_FIELDS),
        (seats,),
        (DEPTH, PLAYED_FIELDS),
    ]


@kernel
def _most_lots(t: Tables) -> int:
    """Return the most auction cards in a race: one per chariot and lap, at most six laps."""
    return 6 * t.chariots


@kernel
def seat_at(t: Tables, at: Ints, race: int, seat: int) -> int:
    """Return where the counts of a seat in a race begin."""
    return at[SEATS] + (race * t.seats + seat) * SEAT_FIELDS


@kernel
def chariot_at(t: Tables, at: Ints, race: int, chariot: int) -> int:
    """Return where the counts of a chariot in a race begin."""
    return at[CHARIOTS] + (race * t.chariots + chariot) * CHARIOT_FIELDS


@kernel
def card_at(t: Tables, at: Ints, race: int, seat: int, kind: int) -> int:
    """Return where the counts of a card begin, for a seat in a race."""
    return at[CARDS] + ((race * t.seats + seat) * t.kinds + kind) * CARD_FIELDS


@kernel
def lot_at(t: Tables, at: Ints, race: int, lot: int) -> int:
    """Return where the counts of an auction card begin; the first of a race is 0."""
    return at[LOTS] + (race * _most_lots(t) + lot) * LOT_FIELDS


@kernel
def race_at(at: Ints, race: int) -> int:
    """Return where the counts of a race begin."""
    return at[RACES] + race * RACE_FIELDS
