"""The draw: a chain of secrets, of which one is published with each round.

The chain ends in a hash that is published before anybody enters. Each link is the SHA-256 of the next one: whoever
knows a link can check it against the one before, and nobody can tell the next. All that is left to chance in a
pairing is decided by its link.
"""

from __future__ import annotations

import hashlib
import secrets
from functools import lru_cache

LINKS = 4096  # the most pairings of a tournament
SEED_BYTES = 32


def new_seed() -> bytes:
    """Return the secret end of a new chain."""
    return secrets.token_bytes(SEED_BYTES)


@lru_cache(maxsize=64)
def _chain(seed: bytes) -> tuple[bytes, ...]:
    links = [seed]
    for _ in range(LINKS):
        links.append(hashlib.sha256(links[-1]).digest())
    return tuple(reversed(links))


def link(seed: bytes, number: int) -> bytes:
    """Return a link: number 0 is published at the beginning, number 1 with the first pairing."""
    return _chain(seed)[number]


def follows(before: bytes, after: bytes) -> bool:
    """Return whether a link is the next one after another."""
    return hashlib.sha256(after).digest() == before


def lot(key: bytes, *numbers: int) -> int:
    """Return the lot of a player, or of several who might meet: a number below 2**64."""
    text = b"quadriga/tournament/1\0" + key + ",".join(map(str, numbers)).encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:8], "big")
