"""Levels: names for players by strength."""

from __future__ import annotations

LEVELS = {
    "easy": "random",
    "normal": "greedy",
    "hard": "search:50",
    "master": "search:2000",
}


def named(text: str) -> str:
    """Return the player that a level stands for, or any other text unchanged."""
    return LEVELS.get(text, text)
