"""Other futures of a match: the same position with new dice, and positions that a seat thinks possible."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from quadriga.engine.kernels.rng import Rng, start
from quadriga.engine.match.arguments import SEEDS, check_seat, check_seed
from quadriga.engine.match.dice import STREAMS, Dice, SeededDice

if TYPE_CHECKING:
    from quadriga.engine.match.match import Match


def give_new_dice(twin: Match, seed: int) -> None:
    """Give a copy dice of its own. They differ from those of the original even if the seed is the same."""
    twin.dice = _new_dice(twin.dice, seed)
    twin.roll()


def make_possible_world(twin: Match, seat: int, seed: int | None) -> None:
    """Turn a copy into a random position that fits what a seat knows, without a past, and with new dice."""
    check_seat(seat, twin.seats, least=0)
    dice = _new_dice(twin.dice, secrets.randbelow(SEEDS) if seed is None else seed)
    rng = Rng()
    start(rng, dice.seed, dice.game * STREAMS + STREAMS // 2)  # the dice have the first half of the streams
    twin.game.rules.deal(twin.t, twin.s, seat, rng)
    twin.start_here()
    twin.dice = dice
    twin.roll()


def _new_dice(dice: Dice | None, seed: int) -> SeededDice:
    """Return dice of a seed, from streams that the old dice do not use."""
    return SeededDice(check_seed(seed), dice.game + 1 if isinstance(dice, SeededDice) else 0)
