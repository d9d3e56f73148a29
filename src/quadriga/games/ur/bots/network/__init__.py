"""The networks that evaluate positions of Ur, one for each rule set: files, and the row of numbers for kernels.

`inputs` and `classic_inputs` compute the inputs of a position, `evaluation` evaluates it. `training` trained them.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from quadriga.engine import files
from quadriga.engine.errors import FileError
from quadriga.games.ur.board import RULE_SETS
from quadriga.games.ur.bots.network.evaluation import BITS, CURVE, GROUP_OF, HEAD, LANE, LANES, LEFT, length
from quadriga.games.ur.bots.network.inputs import MOST, input_count

Row = npt.NDArray[np.int64]
PACKAGE = "quadriga.games.ur"
FORMAT = 2
MOST_UNITS = 256
MOST_LEFT = LEFT - 1  # markers of both sides
LARGEST = (1 << (LANE - 1)) // (MOST + 1) - 1  # a weight of the first layer: no sum outgrows its lane


class Learned(msgspec.Struct, frozen=True):
    """A network file: how the network was trained, and its weights in units of 2 ** -12."""

    network: int
    rules: str
    seed: int
    games: int
    rounds: int
    units: int
    second: int  # units of the second layer
    groups: list[int]  # the most markers left, of both sides together, in each group
    weights: list[int]  # group after group, as `network` says
    sha256: str


_LEARNED = msgspec.json.Decoder(Learned)


def digest(weights: list[int]) -> str:
    """Return the checksum of weights."""
    return hashlib.sha256(json.dumps(weights, separators=(",", ":")).encode()).hexdigest()


def no_network() -> Row:
    """Return a row that stands for no network. Positions are then evaluated by steps."""
    return np.zeros(1, np.int64)


def weight_count(inputs: int, units: int, second: int) -> int:
    """Return how many weights one group has: three layers, each with its biases."""
    return (inputs + 1) * units + (units + 2) * second + 1


def pack_lanes(first: Row) -> Row:
    """Pack weights of the first layer, `LANES` in a number, the lowest first, so that adding numbers adds lanes."""
    lanes = first.reshape(-1, LANES)
    return np.asarray(sum(lanes[:, lane] << (LANE * lane) for lane in range(LANES)), np.int64)


def network_row(inputs: int, units: int, second: int, groups: list[int], weights: list[int]) -> Row:
    """Return the network as the row of numbers that kernels take."""
    row = np.zeros(length(inputs, units, second, len(groups)), np.int64)
    row[:GROUP_OF] = units, second, len(groups), inputs
    for left in range(LEFT):
        row[GROUP_OF + left] = next(group for group, most in enumerate(groups) if left <= most)
    at = HEAD
    for each in np.array(weights, np.int64).reshape(len(groups), -1):
        first = (inputs + 1) * units
        for part in (pack_lanes(each[:first]), each[first:]):
            row[at : at + len(part)] = part
            at += len(part)
    for point in range(CURVE + 1):
        row[at + point] = round((1 << 30) / (1 + math.exp(-(point - CURVE // 2) / 64)))
    return row


def from_floats(layers: Sequence[Any]) -> list[int]:
    """Return the weights of one group as integers: weights and biases by layer."""
    one = 1 << BITS
    scales = [one] * (len(layers) - 1) + [one * one]
    parts = [np.asarray(part, np.float64).reshape(-1) * scale for part, scale in zip(layers, scales, strict=True)]
    for part in parts[:2]:
        np.clip(part, -LARGEST, LARGEST, out=part)
    return [int(number) for number in np.rint(np.concatenate(parts))]


def check_content(content: object, path: str) -> Learned:
    """Check the content of a network file; refuse one that is damaged or something else, with the reason."""
    try:
        found = _LEARNED.decode(msgspec.json.encode(content))
    except msgspec.ValidationError:
        raise FileError("network.file", package=PACKAGE, path=path) from None
    sound = found.units in range(LANES, MOST_UNITS, LANES) and 1 <= found.second <= MOST_UNITS
    rising = found.groups == sorted(set(found.groups)) and found.groups[-1:] == [MOST_LEFT]
    if found.network != FORMAT or found.rules not in RULE_SETS or not sound or not rising:
        raise FileError("network.file", package=PACKAGE, path=path)
    inputs = input_count(found.rules)
    count = len(found.groups) * weight_count(inputs, found.units, found.second)
    if len(found.weights) != count or found.sha256 != digest(found.weights):
        raise FileError("network.damaged", package=PACKAGE, path=path)
    first = np.array(found.weights, np.int64).reshape(len(found.groups), -1)[:, : (inputs + 1) * found.units]
    if np.abs(first).max() > LARGEST:
        raise FileError("network.damaged", package=PACKAGE, path=path)
    return found


def read(path: Path | str) -> Learned:
    """Read a network from a file."""
    return check_content(files.read_json(path), str(path))


def file_name(rules: str) -> str:
    """Return the usual name of the file with the network of a rule set."""
    return f"ur-{rules}.json"


@cache
def packaged_network(rules: str) -> Row:
    """Return the network of a rule set that comes with the package, or no network if it has none."""
    place = resources.files(__name__).joinpath("data", file_name(rules))
    if not place.is_file():
        return no_network()
    found = check_content(json.loads(place.read_text("utf-8")), str(place))
    return network_row(input_count(rules), found.units, found.second, found.groups, found.weights)
