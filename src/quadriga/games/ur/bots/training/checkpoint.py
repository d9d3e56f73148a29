"""Save and restore checkpoints of training, each in one file with a checksum."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from quadriga.engine import files
from quadriga.engine.errors import FileError

FORMAT = 2
Floats = npt.NDArray[np.float32]


class TrainingPlan(msgspec.Struct, frozen=True):
    """The setup of training. Training does not continue from a checkpoint of another plan."""

    rules: str
    seed: int
    games: int
    rounds: int
    markers: int
    solved: int  # the most markers a side with which positions have exact targets
    units: int
    second: int
    groups: list[int]


class Heading(msgspec.Struct, frozen=True):
    """The first line of a checkpoint. The checksum is that of the heading without it, and of the numbers."""

    format: int = msgspec.field(name="draft")
    plan: TrainingPlan
    done: int  # rounds
    steps: list[int]  # of learning, for each group
    sha256: str = ""


def checkpoint_path(path: Path | str) -> Path:
    """Return the path of the checkpoint of a network."""
    return Path(path).with_name(Path(path).name + ".part")


_HEADING = msgspec.json.Decoder(Heading)


def _with_checksum(heading: Heading, numbers: bytes) -> Heading:
    plain = msgspec.structs.replace(heading, sha256="")
    digest = hashlib.sha256(msgspec.json.encode(plain) + numbers).hexdigest()
    return msgspec.structs.replace(heading, sha256=digest)


def save(path: Path, heading: Heading, parts: Sequence[Floats]) -> None:
    """Write a checkpoint atomically."""
    numbers = b"".join(part.astype("<f4", copy=False).tobytes() for part in parts)
    files.write_bytes(path, msgspec.json.encode(_with_checksum(heading, numbers)) + b"\n" + numbers)


def restore(path: Path, plan: TrainingPlan, parts: Sequence[Floats]) -> Heading | None:
    """Fill in the parts from a checkpoint and return its heading, or None if there is no file.

    Raises FileError if the file is damaged or belongs to another plan.
    """
    if not path.exists():
        return None
    with files.file_errors(path, "file.read"):
        content = path.read_bytes()
    line, _, numbers = content.partition(b"\n")
    try:
        heading = _HEADING.decode(line)
    except msgspec.DecodeError:
        raise FileError("train.draft", path=str(path)) from None
    if heading.format != FORMAT or heading != _with_checksum(heading, numbers):
        raise FileError("train.draft", path=str(path))
    if heading.plan != plan or len(numbers) != 4 * sum(part.size for part in parts):
        raise FileError("train.plan", path=str(path))
    at = 0
    for part in parts:
        part[...] = np.frombuffer(numbers, "<f4", part.size, at).reshape(part.shape)
        at += 4 * part.size
    return heading
