"""Object code: the same results as other compiled code, ready without Numba."""

from __future__ import annotations

import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest

from quadriga.engine.kernels import compiler, object_code
from quadriga.engine.kernels.compiler import compile_kernel, load_object
from quadriga.engine.kernels.disk_cache import DiskCache
from quadriga.engine.kernels.kernel import FlagRows, Ints, Shorts, kernel
from quadriga.engine.kernels.link import resolve
from quadriga.engine.kernels.rng import Rng, below, start
from quadriga.engine.kernels.struct import Batch

pytestmark = pytest.mark.skipif(not compiler.is_available(), reason="there is no compiler")
SECOND_RUN = """
import sys
from quadriga.games import find
from quadriga.lab.simulate import simulate
game = find("ur")
print(simulate(game, *game.resolve_options({}, 2), games=100, seed=1).wins, "numba" in sys.modules)
"""


class Arrays(NamedTuple):
    """Arrays of every kind that entry points of the lab take."""

    rngs: Batch[Rng]
    numbers: Ints
    short: Shorts
    flags: FlagRows


@kernel
def fill(arrays: Arrays, seed: int, count: int) -> int:
    """Write random numbers into all arrays; return the last."""
    start(arrays.rngs[0], seed, 0)
    last = -1
    for i in range(count):
        last = below(arrays.rngs[0], 100)
        arrays.numbers[i] = last
        arrays.short[i] = -last
        arrays.flags[i][1] = 1
    return last


def arrays() -> Arrays:
    made = np.zeros(1, Rng.dtype), np.zeros(9, np.int64), np.zeros(9, np.int16), np.zeros((9, 3), np.int8)
    return Arrays(*made)  # type: ignore[arg-type]


@pytest.fixture
def disk(tmp_path):
    return DiskCache(tmp_path)


def test_object_code_computes_the_same_as_other_compiled_code(disk):
    loaded, usual = load_object(fill, {}, disk=disk), compile_kernel(fill, {}, disk=disk)
    assert loaded is not None
    one, two = arrays(), arrays()
    assert loaded(one, 2**40, 7) == usual(two, 2**40, 7)
    assert [np.asarray(each).tobytes() for each in one] == [np.asarray(each).tobytes() for each in two]


def test_arrays_of_another_kind_are_refused(disk):
    loaded = load_object(fill, {}, disk=disk)
    assert loaded is not None
    for wrong in (np.zeros(9, np.int32), np.zeros((9, 1), np.int64), np.zeros(18, np.int64)[::2]):
        with pytest.raises(TypeError):
            loaded(arrays()._replace(numbers=wrong), 1, 7)


def test_a_damaged_file_is_compiled_again(disk):
    assert load_object(fill, {}, disk=disk) is not None
    node = resolve(fill, {})
    path = disk.path(object_code.file_name(node), object_code.key(node, compiler.HOW))
    path.write_bytes(path.read_bytes()[:-1])
    loaded = load_object(fill, {}, disk=disk)
    assert loaded is not None
    assert loaded(arrays(), 1, 0) == -1
    assert disk.read(object_code.file_name(node), object_code.key(node, compiler.HOW)) is not None


def test_what_cannot_be_passed_is_left_to_numba(disk):
    @kernel
    def half(x: float) -> float:
        """Return a half of a number."""
        return x / 2

    assert load_object(half, {}, disk=disk) is None


def test_a_second_simulation_does_without_numba():
    command = [sys.executable, "-c", SECOND_RUN]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(2)]
    assert runs[1].stdout.endswith("False\n")
    assert runs[0].stdout.rpartition(" ")[0] == runs[1].stdout.rpartition(" ")[0]
