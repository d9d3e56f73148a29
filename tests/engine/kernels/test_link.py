"""Linking: what a kernel may refer to, and what its digest covers."""

import math
from typing import Any, NamedTuple

import numpy as np
import pytest

from quadriga.engine.kernels.compiler import compile_kernel
from quadriga.engine.kernels.kernel import IntRows, Ints, Shorts, kernel, slot
from quadriga.engine.kernels.link import LinkError, plain, resolve
from quadriga.engine.kernels.struct import Batch, Struct, i64

NUMBER = 5
PAIR = (1, 2)
LIST = [1, 2]


@slot
def hole(x: int) -> int:
    raise NotImplementedError


@kernel
def filler(x: int) -> int:
    return x + NUMBER


@kernel
def other_filler(x: int) -> int:
    return x * 2


@kernel
def driver(x: int) -> int:
    return hole(x) + PAIR[0]


def refuses(function, match):
    with pytest.raises(LinkError, match=match):
        resolve(function, {})


def test_a_slot_is_filled_per_game():
    assert plain(driver, {hole: filler})(1) == 7
    assert plain(driver, {hole: other_filler})(4) == 9


def test_an_empty_slot_is_refused():
    refuses(driver, "slot is empty")


def test_a_function_that_is_not_a_kernel_is_refused():
    refuses(math.sqrt, "not a kernel")


def test_a_module_is_refused():
    @kernel
    def bad(x: int) -> int:
        return math.floor(x)

    refuses(bad, "math, a module")


def test_a_global_list_is_refused():
    @kernel
    def bad(x: int) -> int:
        return LIST[x]

    refuses(bad, "LIST, a list")


def test_a_plain_function_is_refused():
    @kernel
    def bad(x: int) -> int:
        return refuses(x, "")

    refuses(bad, "refuses, a function")


def test_a_closure_is_refused():
    hidden = 3

    @kernel
    def bad(x: int) -> int:
        return x + hidden

    refuses(bad, "closure")


def test_an_inner_function_is_refused():
    @kernel
    def bad(x: int) -> int:
        return sum(y for y in range(x))

    refuses(bad, "inner function")


def test_a_parameter_without_a_type_is_refused():
    @kernel
    def bad(x) -> int:
        return x

    refuses(bad, "without a type: x")


@kernel
def ping(x: int) -> int:
    return pong(x)


@kernel
def pong(x: int) -> int:
    return ping(x)


def test_kernels_that_call_each_other_in_a_circle_are_refused():
    refuses(ping, "calls itself")


def test_the_digest_changes_with_a_constant_a_callee_a_type_and_the_code(monkeypatch):
    before = resolve(driver, {hole: filler}).digest
    assert resolve(driver, {hole: filler}).digest == before
    assert resolve(driver, {hole: other_filler}).digest != before
    monkeypatch.setitem(globals(), "NUMBER", 6)
    assert resolve(driver, {hole: filler}).digest != before
    monkeypatch.setitem(globals(), "NUMBER", 5)
    assert resolve(driver, {hole: filler}).digest == before
    monkeypatch.setitem(driver.__annotations__, "x", float)
    assert resolve(driver, {hole: filler}).digest != before


class Room(Struct):
    count = i64()


class Own(Struct):
    count = i64()
    more = i64()


class Pair(NamedTuple):
    rooms: Batch[Room]
    row: Ints


class Nest(NamedTuple):
    pair: Pair
    rows: IntRows


@kernel
def total(nest: Nest, by: int) -> int:
    nest.pair.rooms[0].count += by
    nest.pair.row[1] = nest.pair.rooms[0].count
    nest.rows[0][1] += by
    return nest.pair.row[0] + nest.rows[0][1]


def nest(kind: type[Struct]) -> Nest:
    arrays: Any = (np.zeros(2, kind.dtype), np.array([5, 0], np.int64))
    return Nest(Pair(*arrays), np.ones((2, 2), np.int64))


@pytest.mark.parametrize("kind", [Room, Own])
@pytest.mark.parametrize("how", [plain, compile_kernel])
def test_a_workspace_is_one_argument_whose_arrays_are_written_in_place(how, kind):
    given = nest(kind)
    run = how(total, {Room: kind})
    assert run(given, 3) == 9
    assert run(given, 3) == 12
    assert given.pair.rooms[0]["count"] == 6  # type: ignore[index]
    assert [given.pair.row[0], given.pair.row[1]] == [5, 6]


def test_the_digest_does_not_change_with_a_docstring():
    scope: dict[str, Any] = {"kernel": kernel}
    for words in ("Return one more.", "Return the number after this one."):
        exec(f'@kernel\ndef more(number: int) -> int:\n    """{words}"""\n    return number + 1', scope)
        scope[words] = resolve(scope["more"], {}).digest
    assert scope["Return one more."] == scope["Return the number after this one."]


def test_the_digest_covers_the_fields_of_a_workspace(monkeypatch):
    before = resolve(total, {}).digest
    assert resolve(total, {Room: Own}).digest != before
    monkeypatch.setitem(Pair.__annotations__, "row", Shorts)
    assert resolve(total, {}).digest != before
    monkeypatch.undo()
    assert resolve(total, {}).digest == before
