"""Where the counts of Ben Hvrt stand in the row of a game: the blocks in their order, and where an index begins."""

from __future__ import annotations

from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.benhvrt.state import Tables
from quadriga.games.benhvrt.study.counts import (
    BID_COUNTS,
    CARD_COUNTS,
    CARD_FIELDS,
    CHARIOT_COUNTS,
    CHARIOT_FIELDS,
    LOT_COUNTS,
    LOT_FIELDS,
    PLAYED_COUNTS,
    RACE_COUNTS,
    RACE_FIELDS,
    SEAT_COUNTS,
    SEAT_FIELDS,
    SQUARE_COUNTS,
    most_lots,
)

ALL_BLOCKS = (
    SEAT_COUNTS,
    CHARIOT_COUNTS,
    CARD_COUNTS,
    LOT_COUNTS,
    SQUARE_COUNTS,
    RACE_COUNTS,
    BID_COUNTS,
    PLAYED_COUNTS,
)
SEATS = 1 + ALL_BLOCKS.index(SEAT_COUNTS)
CHARIOTS = 1 + ALL_BLOCKS.index(CHARIOT_COUNTS)
CARDS = 1 + ALL_BLOCKS.index(CARD_COUNTS)
LOTS = 1 + ALL_BLOCKS.index(LOT_COUNTS)
SQUARES = 1 + ALL_BLOCKS.index(SQUARE_COUNTS)
RACES = 1 + ALL_BLOCKS.index(RACE_COUNTS)
LOT_BIDS = 1 + ALL_BLOCKS.index(BID_COUNTS)
PLAYED = 1 + ALL_BLOCKS.index(PLAYED_COUNTS)


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
    return at[LOTS] + (race * most_lots(t) + lot) * LOT_FIELDS


@kernel
def race_at(at: Ints, race: int) -> int:
    """Return where the counts of a race begin."""
    return at[RACES] + race * RACE_FIELDS
