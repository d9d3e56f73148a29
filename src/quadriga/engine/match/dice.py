"""Who picks the outcomes of chance: fair dice that anyone can check, or seeded ones for reproducible games.

Dice hold no state: outcome number i of a game depends on the seed and on i alone, so a game that is taken
up again, or taken back, meets the same rolls.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from quadriga.engine.errors import OptionError
from quadriga.engine.kernels.rng import Rng, below, start

SEED_BYTES = 32
STREAMS = 1 << 24  # streams that one seeded game has: the first half for its dice
LONGEST_WORD = 200
_BITS = 128


class Outcome(NamedTuple):
    """One thing that chance may do here."""

    text: str
    weight: int
    action: int


class Dice(Protocol):
    """Picks outcomes; `outcomes` come in code-point order of their texts."""

    def pick(self, number: int, outcomes: Sequence[Outcome]) -> Outcome:
        """The outcome of chance event `number` of this game."""
        ...


class FairDice:
    """HMAC-SHA-256 of a secret seed, the players' words and a counter: committed before, checked after."""

    def __init__(self, words: Sequence[str], seed: bytes | None = None) -> None:
        for seat, word in enumerate(words):
            if len(word) > LONGEST_WORD or not word.isprintable():
                raise OptionError("fair.word", seat=seat, most=LONGEST_WORD)
        self.words = list(words)
        self.seed = secrets.token_bytes(SEED_BYTES) if seed is None else seed
        if len(self.seed) != SEED_BYTES:
            raise OptionError("fair.seed", bytes=SEED_BYTES)
        spoken = json.dumps(self.words, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
        self._prefix = b"quadriga/1\0" + spoken + b"\0"

    @property
    def commitment(self) -> str:
        """What is published before the game: the SHA-256 of the seed, in hexadecimal."""
        return hashlib.sha256(self.seed).hexdigest()

    def pick(self, number: int, outcomes: Sequence[Outcome]) -> Outcome:
        """The outcome that the seed, the words and the number give."""
        total = sum([outcome.weight for outcome in outcomes])
        ceiling = (1 << _BITS) // total * total
        attempt = 0
        while (r := self._digest(number, attempt)) >= ceiling:
            attempt += 1
        return _at(outcomes, r % total)

    def _digest(self, number: int, attempt: int) -> int:
        message = self._prefix + number.to_bytes(8, "big") + attempt.to_bytes(4, "big")
        digest = hmac.digest(self.seed, message, "sha256")
        return int.from_bytes(digest[: _BITS // 8], "big")


class SeededDice:
    """Reproducible dice: the same seed and game number give the same game."""

    def __init__(self, seed: int, game: int = 0) -> None:
        self.seed = seed
        self.game = game

    def pick(self, number: int, outcomes: Sequence[Outcome]) -> Outcome:
        """The outcome that the seed, the game number and the event number give."""
        rng = Rng()
        start(rng, self.seed, self.game * STREAMS + number)
        return _at(outcomes, below(rng, sum(outcome.weight for outcome in outcomes)))


def _at(outcomes: Sequence[Outcome], left: int) -> Outcome:
    """The first outcome whose cumulated weight exceeds `left`."""
    for outcome in outcomes:
        left -= outcome.weight
        if left < 0:
            return outcome
    raise ValueError("weights do not add up")
