"""How strong an opponent is to be, in words."""

from __future__ import annotations

LEVELS = {
    "easy": "random",
    "normal": "greedy",
    "hard": "search:50",
    "master": "search:2000",
}


def named(text: str) -> str:
    """The player that a level stands for; any other text as it is."""
    return LEVELS.get(text, text)
