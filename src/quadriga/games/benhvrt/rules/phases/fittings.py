"""Fitting out (BH-5.1, BH-5.3): Drivers and Improvements from the hand to a chariot."""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.benhvrt.actions import FIT
from quadriga.games.benhvrt.deck.operations import DRIVER, IMPROVEMENT
from quadriga.games.benhvrt.rules.chariots import dismiss
from quadriga.games.benhvrt.rules.piles import held, lose_openly
from quadriga.games.benhvrt.state import State, Tables


@kernel
def legal_fits(t: Tables, s: State, seat: int, out: Ints, n: int) -> int:
    """BH-5.3: write Drivers, and Improvements that the chariot does not have, from index n on; return the end."""
    kinds = held(s, seat) & (t.of_type[DRIVER] | t.of_type[IMPROVEMENT])
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        for which in range(t.chariots // t.seats):
            chariot = seat + which * t.seats
            if (s.entered >> chariot) & 1 and not (s.improvements[chariot] >> kind) & 1:
                out[n] = FIT + 2 * kind + which
                n += 1
    return n


@kernel
def fit(t: Tables, s: State, seat: int, action: int) -> None:
    """BH-5.3: fit a card to a chariot. A new Driver replaces the old one, who is discarded."""
    kind = (action - FIT) // 2
    chariot = seat + (action - FIT) % 2 * t.seats
    lose_openly(t, s, seat, kind)
    if t.type[kind] == IMPROVEMENT:
        s.improvements[chariot] |= 1 << kind
        return
    if s.driver[chariot]:
        dismiss(t, s, chariot)
    s.driver[chariot] = kind + 1
