"""Dice pick the outcomes of chance: fair dice that anyone can verify, or seeded dice for reproducible games.

Dice hold no state. Outcome number i of a game depends on the seed and on i alone, so a game that is resumed or
undone gets the same outcomes again.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from quadriga.engine.errors import OptionError
from quadriga.engine.kernels.rng import Rng, below, start

SEED_BYTES = 32
STREAMS = 1 << 24  # random streams per seeded game; the first half is for its dice
MAX_CLIENT_SEED = 200
_BITS = 128
_BLOCK_BYTES = 64  # of SHA-256
_INNER, _OUTER = (int.from_bytes(each * _BLOCK_BYTES, "big") for each in (b"\x36", b"\x5c"))


class Outcome(NamedTuple):
    """A possible outcome of chance."""

    text: str
    weight: int
    action: int


class Dice(Protocol):
    """A way to pick outcomes. `outcomes` are in code-point order of their texts."""

    def pick(self, number: int, outcomes: Sequence[Outcome]) -> Outcome:
        """Return the outcome of chance event `number` of this game."""
        ...


class FairDice:
    """Dice from HMAC-SHA-256 of a secret seed, the players' client seeds and a counter.

    The SHA-256 of the seed is published before the game and the seed after it, so anyone can verify the outcomes.
    """

    def __init__(self, client_seeds: Sequence[str], seed: bytes | None = None) -> None:
        for seat, client_seed in enumerate(client_seeds):
            if len(client_seed) > MAX_CLIENT_SEED or not client_seed.isprintable():
                raise OptionError("fair.word", seat=seat, most=MAX_CLIENT_SEED)
        self.client_seeds = list(client_seeds)
        self.seed = secrets.token_bytes(SEED_BYTES) if seed is None else seed
        if len(self.seed) != SEED_BYTES:
            raise OptionError("fair.seed", bytes=SEED_BYTES)
        encoded = json.dumps(self.client_seeds, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
        self._prefix = b"quadriga/1\0" + encoded + b"\0"
        # HMAC as RFC 2104 defines it. OpenSSL's own looks its algorithms up at every call, which takes longer.
        block = int.from_bytes(self.seed.ljust(_BLOCK_BYTES, b"\0"), "big")
        self._inner_key = (block ^ _INNER).to_bytes(_BLOCK_BYTES, "big")
        self._outer_key = (block ^ _OUTER).to_bytes(_BLOCK_BYTES, "big")

    @property
    def commitment(self) -> str:
        """Return the SHA-256 of the seed in hexadecimal, to be published before the game."""
        return hashlib.sha256(self.seed).hexdigest()

    def pick(self, number: int, outcomes: Sequence[Outcome]) -> Outcome:
        """Return the outcome that the seeds and the number give."""
        total = sum([outcome.weight for outcome in outcomes])
        limit = (1 << _BITS) // total * total  # draws from here on would favour the first outcomes
        attempt = 0
        while (drawn := self._digest(number, attempt)) >= limit:
            attempt += 1
        return _outcome_at(outcomes, drawn % total)

    def _digest(self, number: int, attempt: int) -> int:
        message = self._prefix + number.to_bytes(8, "big") + attempt.to_bytes(4, "big")
        inner = hashlib.sha256(self._inner_key + message).digest()
        digest = hashlib.sha256(self._outer_key + inner).digest()
        return int.from_bytes(digest[: _BITS // 8], "big")


class SeededDice:
    """Reproducible dice: the same seed and game number give the same game."""

    def __init__(self, seed: int, game: int = 0) -> None:
        self.seed = seed
        self.game = game

    def pick(self, number: int, outcomes: Sequence[Outcome]) -> Outcome:
        """Return the outcome that the seed, the game number and the event number give."""
        rng = Rng()
        start(rng, self.seed, self.game * STREAMS + number)
        return _outcome_at(outcomes, below(rng, sum(outcome.weight for outcome in outcomes)))


def _outcome_at(outcomes: Sequence[Outcome], left: int) -> Outcome:
    """Return the first outcome whose cumulated weight exceeds `left`."""
    for outcome in outcomes:
        left -= outcome.weight
        if left < 0:
            return outcome
    raise ValueError("weights do not add up")
