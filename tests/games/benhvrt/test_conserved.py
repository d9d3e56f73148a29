"""Money and cards are conserved in random games of every size and series."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.benhvrt.positions import Match
from quadriga.engine.kernels.bits import count
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.engine.kernels.machine import Machine
from quadriga.engine.kernels.rng import Rng, below, start
from quadriga.engine.kernels.slots import CHANCE, OVER, actor, legal, roll, step
from quadriga.engine.kernels.struct import Batch
from quadriga.games import find
from quadriga.games.benhvrt.options import SERIES_BY_NAME
from quadriga.games.benhvrt.rules.chariots import is_occupied
from quadriga.games.benhvrt.rules.piles import known, number, size
from quadriga.games.benhvrt.state import DISCARD, TRACK_WORDS, State, Tables
from soak import count as count_of_examples
from soak import rows

BEN_HVRT = find("ben-hvrt")
MONEY, CARDS, KNOWN, ENDLESS, TAKEN = -1, -2, -3, -4, -5


@kernel
def money(t: Tables, s: State) -> int:
    """Return the sum of all purses, the pot, and open bribes; -1 for a negative purse."""
    total = s.pot
    for seat in range(t.seats):
        if s.purse[seat] < 0:
            return -1
        total += s.purse[seat]
        if not (s.building and s.asked == seat):
            total += s.bribe_money[seat]
    return total


@kernel
def cards(t: Tables, s: State) -> int:
    """Return the number of cards in deck, hands, discards, on chariots, and up for auction."""
    total = 1 if s.lot else 0
    for pile in range(DISCARD + 1):
        total += size(s, pile)
    for chariot in range(t.chariots):
        total += count(s.improvements[chariot])
        if s.driver[chariot]:
            total += 1
    return total


@kernel
def knows_too_much(t: Tables, s: State) -> bool:
    """Return whether a seat is sure of a card in a hand where it is not."""
    for seat in range(t.seats):
        for other in range(t.seats):
            for kind in range(t.kinds):
                if seat != other and known(s, seat, other, kind) > number(s, other, kind):
                    return True
    return False


@kernel
def is_taken_where_chariots_are(t: Tables, s: State) -> bool:
    """Return whether the squares that are taken are those of the chariots on the track."""
    squares = 0
    for word in range(TRACK_WORDS):
        squares += count(s.taken[word])
    for chariot in range(t.chariots):
        if (s.racing >> chariot) & 1 and not is_occupied(s, s.square[chariot]):
            return False
    return squares == count(s.racing)


@kernel
def watched(
    tables: Batch[Tables],
    origin: Batch[State],
    work: Batch[State],
    rngs: Batch[Rng],
    seed: int,
    rarely: int,
    most: int,
    out: Ints,
    weights: Ints,
) -> int:
    """Check a random game at every step; return its length, or a code of what is wrong.

    The last thing on a list, an offer or a bribe where there can be one, is taken up one time in `rarely` only.
    """
    t, s, rng = tables[0], work[0], rngs[0]  # slots are bound to kernels that take these records
    work[0] = origin[0]
    start(rng, seed, 0)
    ducats, pieces = money(t, s), cards(t, s)
    seat = actor(t, s)  # type: ignore[arg-type]
    for length in range(most):
        if seat == OVER:
            return length
        if seat == CHANCE:
            action = roll(t, s, rng, out, weights)  # type: ignore[arg-type]
        else:
            n = legal(t, s, out)  # type: ignore[arg-type]
            if n > 1 and below(rng, rarely):
                n -= 1
            action = out[below(rng, n)]
        step(t, s, action)  # type: ignore[arg-type]
        if money(t, s) != ducats:
            return MONEY
        if cards(t, s) != pieces:
            return CARDS
        if knows_too_much(t, s):
            return KNOWN
        if not is_taken_where_chariots_are(t, s):
            return TAKEN
        seat = actor(t, s)  # type: ignore[arg-type]
    return ENDLESS


def watch(options, seats, seed, rarely=1):
    machine = Machine(BEN_HVRT, compiled=True)
    t, s = machine.structs(*BEN_HVRT.resolve_options(options, seats))
    return machine.link(watched)(
        t, s, machine.states(1), np.zeros(1, Rng.dtype), seed, rarely, 2_000_000, *BEN_HVRT.rules.scratch()
    )


TABLES = [(seats, each) for each in (1, 2) for seats in range(2, 13) if seats * each <= 12]


MATRIX = [(series, *table) for series in SERIES_BY_NAME for table in TABLES]
ONCE = {  # every series and every table
    (list(SERIES_BY_NAME)[n % len(SERIES_BY_NAME)], *TABLES[n % len(TABLES)])
    for n in range(max(len(SERIES_BY_NAME), len(TABLES)))
}


@pytest.mark.parametrize(("series", "seats", "each"), rows(MATRIX, ONCE.__contains__))
def test_purses_pot_and_the_80_cards_are_conserved_for_every_number_of_players_and_every_series(
    series, seats, each
):
    for seed, bribes in enumerate((False, True)):
        options = {"series": series, "bribes": bribes, "chariots": each}
        assert watch(options, seats, seed, rarely=1 + 7 * seed) > 0


SERIES = st.sampled_from([*SERIES_BY_NAME]) | st.lists(st.integers(1, 6), min_size=1, max_size=5)


@settings(max_examples=count_of_examples(20, 1000), deadline=None)
@given(
    series=SERIES,
    double=st.booleans(),
    offers=st.integers(0, 9),
    bribes=st.booleans(),
    penalty=st.booleans(),
    table=st.sampled_from(TABLES),
    seed=st.integers(0, 2**31),
    rarely=st.integers(1, 30),
)
def test_money_and_cards_are_conserved_and_every_game_ends_whatever_the_options(
    series, double, offers, bribes, penalty, table, seed, rarely
):
    seats, each = table
    options = {"series": series, "double": double, "offers": offers, "bribes": bribes, "penalty": penalty}
    options["chariots"] = each
    assert watch(options, seats, seed, rarely) > 0


def test_the_deck_has_80_cards_and_the_money_is_what_was_handed_out():
    for seats, each in TABLES:
        match = Match(BEN_HVRT, {"chariots": each}, seats)
        t, s = match.t, match.s
        assert cards(t, s) == 80
        assert money(t, s) == 100 * t.chariots
