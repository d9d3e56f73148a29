"""What a parser has found wrong is said in the catalogues' words, with the place, on every version of Python."""

from __future__ import annotations

import json
import tomllib

import pytest

from quadriga.engine import syntax


def found_in_toml(text: str) -> syntax.Fault:
    with pytest.raises(tomllib.TOMLDecodeError) as fault:
        tomllib.loads(text)
    return syntax.toml_fault(fault.value, text)


def found_in_json(text: str) -> syntax.Fault:
    with pytest.raises(json.JSONDecodeError) as fault:
        json.loads(text)
    return syntax.json_fault(fault.value)


@pytest.mark.parametrize(
    ("text", "line", "column", "code"),
    [
        ('a = 1\nb = "x\n', 2, 7, "syntax.quote"),
        ("a = 1\nb = \n", 2, 5, "syntax.value"),
        ("a = 1 2", 1, 7, "syntax.more"),
        ("a = [1\n", 2, 1, "syntax.bracket"),
        ("a = 1\na = 2", 2, 6, "syntax.twice"),
        ("a b", 1, 3, "syntax.missing"),
        ("= 1", 1, 1, "syntax.name"),
        ('a = "\\q"', 1, 8, "syntax.backslash"),
    ],
)
def test_toml(text: str, line: int, column: int, code: str):
    found = found_in_toml(text)
    assert (found["line"], found["column"], found["reason"].code) == (line, column, code)


@pytest.mark.parametrize(
    ("text", "line", "column", "code"),
    [
        ('{"a": "x', 1, 7, "syntax.quote"),
        ('{"a": 1,\n "b": }', 2, 7, "syntax.value"),
        ("{} {}", 1, 4, "syntax.more"),
        ('{"a" 1}', 1, 6, "syntax.missing"),
        ("{a: 1}", 1, 2, "syntax.name"),
        ('{"a": "\\q"}', 1, 8, "syntax.backslash"),
    ],
)
def test_json(text: str, line: int, column: int, code: str):
    found = found_in_json(text)
    assert (found["line"], found["column"], found["reason"].code) == (line, column, code)


def test_the_attributes_of_an_error_come_before_its_message():
    """As of Python 3.14, whose errors have them."""
    fault = tomllib.TOMLDecodeError("Invalid value (in other words)")
    vars(fault).update(msg="Invalid value", lineno=3, colno=9)
    found = syntax.toml_fault(fault, "a = 1")
    assert (found["line"], found["column"], found["reason"].code) == (3, 9, "syntax.value")


def test_a_message_that_nobody_knows_has_a_place_and_no_reason():
    found = syntax.toml_fault(tomllib.TOMLDecodeError("Something new"), "a = 1\nbc")
    assert (found["line"], found["column"], found["reason"].code) == (2, 3, "syntax.other")
