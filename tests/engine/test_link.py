"""Linking: what a kernel may refer to, and what its digest covers."""

import math

import pytest

from quadriga.engine.kernel import kernel, slot
from quadriga.engine.link import LinkError, plain, resolve

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


def test_what_is_not_a_kernel_is_refused():
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
