"""Strategies for the content of files: anything, and a good file with a change."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from quadriga.engine.errors import QuadrigaError
from quadriga.engine.text.catalogues import LANGUAGES

NUMBERS = st.one_of(st.integers(-8, 130), st.integers(), st.booleans(), st.floats())
TEXTS = st.one_of(st.text(max_size=12), st.sampled_from(["", "n", "n/2", "2n", "-", "Move", "Driver", "RO", "lap"]))
ANYTHING = st.recursive(
    st.one_of(st.none(), NUMBERS, TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXTS, inner, max_size=4)),
    max_leaves=8,
)


def spoken(fault: QuadrigaError) -> str:
    """Return the English text of an error, which has one in both languages."""
    assert fault.code
    sentences = [fault.text(language) for language in LANGUAGES]
    assert all(sentence.strip() for sentence in sentences)
    return sentences[0]


def reason(fault: QuadrigaError) -> str:
    """Return the code of the reason that an error names."""
    found = fault.parameters["reason"]
    assert isinstance(found, QuadrigaError)
    return found.code


def changed(document: Any, path: list[Any], value: object) -> Any:
    """Return a copy of a document with another value, or none, at a place."""
    document = copy.deepcopy(document)
    inner = document
    for key in path[:-1]:
        inner = inner[key]
    if value is ...:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return document


def places(document: object) -> list[list[object]]:
    """Yield every place in a document."""
    found: list[list[object]] = []
    if isinstance(document, dict | list):
        items = document.items() if isinstance(document, dict) else enumerate(document)
        for key, inner in items:
            found += [[key], *([key, *rest] for rest in places(inner))]
    return found


@st.composite
def edited(draw: st.DrawFn, text: str) -> str:
    """Draw a text with a deleted, typed or copied part, like a typing error."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        typed = draw(st.one_of(st.text(max_size=4), st.sampled_from(['"', "]", "[[card]]\n", "= 9", "\n", "0"])))
        text = text[:start] + typed + text[end:]
    return text


def written(folder: Path, name: str, content: bytes) -> str:
    """Write a file with this content."""
    path = folder / name
    path.write_bytes(content)
    return str(path)
