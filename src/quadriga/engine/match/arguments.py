"""Check the arguments that callers give: seeds and seats."""

from __future__ import annotations

from quadriga.engine.errors import OptionError
from quadriga.engine.game import NOBODY

SEEDS = 2**62
"""Seeds are whole numbers below this."""


def check_seed(seed: object) -> int:
    """Return a seed. Raises OptionError for anything that is none."""
    if type(seed) is not int or not 0 <= seed < SEEDS:
        raise OptionError("option.value", name="seed", value=seed, allowed="0..2**62-1")
    return seed


def check_seat(seat: object, seats: int, least: int = NOBODY) -> int:
    """Return a seat of a match, by default also NOBODY, a spectator. Raises OptionError for anything else."""
    if type(seat) is not int or not least <= seat < seats:
        raise OptionError("option.value", name="seat", value=seat, allowed=f"{least}..{seats - 1}")
    return seat
