"""The parts of the rules of thumb that a bot can be told to leave out, and its tempers, as bits."""

from __future__ import annotations

PARTS = ("bids", "trades", "fitting", "windows", "bribes", "lanes", "contests", "training")
BIDS = 1
TRADES = 2
FITTING = 4
WINDOWS = 8
BRIBES = 16
LANES = 32
CONTESTS = 64
TRAINING = 128  # without it: values by hand

TEMPERS = ("thrifty", "proud", "trader")
THRIFTY = 1 << 16
PROUD = 2 << 16
TRADER = 4 << 16
