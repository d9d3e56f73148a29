"""What was learned by self-play: the network that judges positions of Ben's Ur, and its file."""

from __future__ import annotations

import hashlib
import json
import math
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from quadriga.engine import files
from quadriga.engine.errors import FileError
from quadriga.players.learned.network import BITS, CURVE, HEAD, INPUTS, length

Row = npt.NDArray[np.int64]
FORMAT = 1
MOST_UNITS = 256


class Learned(msgspec.Struct, frozen=True):
    """A network on disk: how it was trained, and its weights, in units of 2 ** -10."""

    network: int
    rules: str
    seed: int
    games: int
    units: int
    weights: list[int]  # inputs by units, biases of the units, weights of the units, the last bias
    sha256: str


def digest(weights: list[int]) -> str:
    """The checksum of weights."""
    return hashlib.sha256(json.dumps(weights, separators=(",", ":")).encode()).hexdigest()


def nothing() -> Row:
    """The row of no network: positions are judged by steps."""
    return np.zeros(1, np.int64)


def laid(units: int, weights: list[int]) -> Row:
    """The row that kernels take."""
    row = np.zeros(length(units), np.int64)
    row[0] = units
    row[HEAD : HEAD + len(weights)] = weights
    curve = HEAD + INPUTS * units + 2 * units + 1
    for point in range(CURVE + 1):
        row[curve + point] = round((1 << 30) / (1 + math.exp(-(point - CURVE // 2) / 64)))
    return row


def from_floats(first: Any, bias: Any, second: Any, last: float) -> list[int]:
    """Weights as whole numbers."""
    one = 1 << BITS
    parts = [np.asarray(first).reshape(-1) * one, np.asarray(bias) * one, np.asarray(second) * one]
    return [int(number) for number in np.rint(np.concatenate([*parts, [last * one * one]]))]


def checked(content: object, path: str) -> Learned:
    """A network from a file; one that is damaged or something else is refused with the reason."""
    try:
        found = msgspec.convert(content, Learned)
    except msgspec.ValidationError:
        raise FileError("network.file", path=path) from None
    size = INPUTS * found.units + 2 * found.units + 1
    if found.network != FORMAT or found.rules != "ben" or not 1 <= found.units <= MOST_UNITS:
        raise FileError("network.file", path=path)
    if len(found.weights) != size or found.sha256 != digest(found.weights):
        raise FileError("network.damaged", path=path)
    return found


def read(path: Path | str) -> Learned:
    """A network of somebody's own."""
    return checked(files.read_json(path), str(path))


@cache
def own() -> Row:
    """The network that comes with the game; no network where none does."""
    place = resources.files(__name__).joinpath("data", "ur-ben.json")
    if not place.is_file():
        return nothing()
    found = checked(json.loads(place.read_text("utf-8")), str(place))
    return laid(found.units, found.weights)
