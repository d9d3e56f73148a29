"""Helpers for tests: every game in a few set-ups, and random matches."""

from __future__ import annotations

from pathlib import Path

from quadriga.engine.dice import SeededDice
from quadriga.engine.match import Match
from quadriga.games import find
from quadriga.lab.traces import random_match

TRACES = Path(__file__).parent / "traces"

SETUPS = [
    ("ur", {}, 2),
    ("ur", {"markers": 1}, 2),
    ("ur", {"markers": 2, "loop": "other"}, 2),
    ("ur", {"rules": "finkel"}, 2),
    ("ur", {"rules": "masters"}, 2),
    ("ur", {"rules": "blitz"}, 2),
    ("highcard", {}, 2),
    ("highcard", {"cards": 9}, 4),
]
IDS = [f"{game}-{seats}-{'-'.join(map(str, options.values()))}" for game, options, seats in SETUPS]


def played(setup: tuple[str, dict[str, object], int], number: int = 0, seed: int = 1) -> Match:
    """A whole random game."""
    id, options, seats = setup
    game = find(id)
    settled, _ = game.settle(options, seats)
    return random_match(game, settled, seats, seed, number, SeededDice(seed, number))
