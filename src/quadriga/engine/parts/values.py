"""Numbers by which the rules of thumb of a game judge, and which training finds (`quadriga train`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources

import msgspec


class ValuesFile(msgspec.Struct, frozen=True):
    """A file with values: how they were found, and the numbers by name."""

    game: str
    seed: int
    games: int
    rounds: int
    values: dict[str, int]


@dataclass(frozen=True, kw_only=True)
class Values:
    """The values of a game's rules of thumb. Its tables have a field `values`, in which kernels read them."""

    names: tuple[str, ...]
    by_hand: tuple[int, ...]
    """The values from which training begins. None of them is 0: training multiplies them."""

    learned: tuple[int, ...]
    """The values that the bots use."""

    setups: Sequence[tuple[Mapping[str, object], int, int]]
    """What training plays: options, seats and how many of the games, as a weight."""


_FILE = msgspec.json.Decoder(ValuesFile)


def packaged_values(package: str, file: str, names: Sequence[str]) -> tuple[int, ...]:
    """Return the values of a file in a package, in the order of their names."""
    found = _FILE.decode(resources.files(package).joinpath(file).read_bytes()).values
    return tuple(found[name] for name in names)
