"""Pools of ratings: a game, and tables of about the same size."""

from __future__ import annotations

_SIZES = ((1, 1), (2, 2), (3, 4), (5, 6), (7, 12))


def pool_of(game: str, seats: int) -> str:
    """Return the pool of a game with so many seats, for example `ur/2` or `ben-hvrt/3-4`."""
    for least, most in _SIZES:
        if seats <= most:
            return f"{game}/{least}" if least == most else f"{game}/{least}-{most}"
    return f"{game}/{_SIZES[-1][1] + 1}+"


def game_of(pool: str) -> str:
    """Return the game of a pool."""
    return pool.rpartition("/")[0]


def sizes_of(pool: str) -> tuple[int, int]:
    """Return the least and the most seats of a pool."""
    least, _, most = pool.rpartition("/")[2].rstrip("+").partition("-")
    return int(least), int(most or least)
