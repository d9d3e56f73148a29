"""Looks at the shape of a text before a parser does: parsers of TOML and JSON take quadratic time on deep nesting.

The scan is linear and knows strings and comments, so brackets and dots inside them do not count.
"""

from __future__ import annotations

import re

BYTES = 256 * 1024  # of a deck, a track or a course file
LINE_BYTES = 2**20  # of a line of a record
DEPTH = 32  # arrays and tables within each other, and parts of a dotted key

_JSON = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)
_TOML = re.compile(
    r'"""(?:[^"\\]|\\.|"{1,2}+(?!"))*+(?:"{3,5}|\Z)'
    r"|'''(?:[^']|'{1,2}+(?!'))*+(?:'{3,5}|\Z)"
    r'|"(?:[^"\\\n]|\\[^\n])*+"?'
    r"|'[^'\n]*+'?"
    r"|\#[^\n]*+"
    r"|[\[\]{}.,=\n]",
    re.DOTALL,
)


def too_deep(text: str, *, toml: bool) -> int | None:
    """The line, from 1, where a text nests deeper than `DEPTH`; None where it nowhere does."""
    if max(text.count("[") + text.count("{"), text.count(".") if toml else 0) <= DEPTH:
        return None
    depth = parts = 0
    for token in (_TOML if toml else _JSON).finditer(text):
        match token[0]:
            case "[" | "{":
                depth, parts = depth + 1, 0
            case "]" | "}":
                depth, parts = max(depth - 1, 0), 0
            case "." if toml:
                parts += 1
            case "," | "=" | "\n" if toml:
                parts = 0
        if depth > DEPTH or parts >= DEPTH:
            return text.count("\n", 0, token.start()) + 1
    return None
