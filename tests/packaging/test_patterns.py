"""Regular expressions that every supported Python reads alike."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from re import _parser
from typing import Any

from support import SOURCES

FAULTY = {_parser.POSSESSIVE_REPEAT, _parser.ATOMIC_GROUP}  # before Python 3.11.5


def patterns() -> Iterator[tuple[str, str]]:
    """Return every literal first argument of a function of `re`, with its place."""
    for file in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            match node:
                case ast.Call(ast.Attribute(ast.Name("re")), [ast.Constant(str(text)), *_]):
                    yield f"{file.relative_to(SOURCES)}:{node.lineno}", text


def operations(parsed: Any) -> Iterator[Any]:
    for operation, argument in parsed:
        yield operation
        waiting = [argument]
        while waiting:
            each = waiting.pop()
            if isinstance(each, _parser.SubPattern):
                yield from operations(each)
            elif isinstance(each, (tuple, list)):
                waiting.extend(each)


def is_faulty(text: str) -> bool:
    return not FAULTY.isdisjoint(operations(_parser.parse(text)))


def test_the_check_sees_possessive_and_atomic_groups():
    assert is_faulty("x(a|b*+)")
    assert is_faulty("(?:y(?>z))*")
    assert not is_faulty(r"\++(?:a|b)*?")


def test_no_pattern_has_a_possessive_or_atomic_group():
    found = list(patterns())
    assert len(found) > 20
    assert [place for place, text in found if is_faulty(text)] == []
