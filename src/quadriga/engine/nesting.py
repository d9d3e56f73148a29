"""Limit the size and nesting of TOML and JSON, since their parsers take quadratic time on deep nesting.

The scan is linear. It skips strings and comments, so brackets and dots inside them do not count.
"""

from __future__ import annotations

import re

MAX_FILE_BYTES = 256 * 1024  # of a deck, track or course file
MAX_LINE_BYTES = 2**20  # of a line of a trace
MAX_DEPTH = 32  # of arrays and tables inside each other, and of the parts of a dotted key

# A string is plain text, then any number of (escape, plain text). Each character can be matched in one way only, so
# backtracking stays linear without possessive groups, which are wrong in Python before 3.11.5.
_JSON = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[\]{}]', re.DOTALL)
_TOML = re.compile(
    r'"""[^"\\]*(?:(?:\\.|""?(?!"))[^"\\]*)*(?:"{3,5}|\Z)'
    r"|'''[^']*(?:''?(?!')[^']*)*(?:'{3,5}|\Z)"
    r'|"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"?'
    r"|'[^'\n]*'?"
    r"|\#[^\n]*"
    r"|[\[\]{}.,=\n]",
    re.DOTALL,
)


def find_too_deep(text: str, *, toml: bool) -> int | None:
    """Return the number of the first line, from 1, that is nested deeper than `MAX_DEPTH`, or None."""
    if max(text.count("[") + text.count("{"), text.count(".") if toml else 0) <= MAX_DEPTH:
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
        if depth > MAX_DEPTH or parts >= MAX_DEPTH:
            return text.count("\n", 0, token.start()) + 1
    return None
