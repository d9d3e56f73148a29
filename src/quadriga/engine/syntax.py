"""Say in words of the catalogues what a parser of TOML or JSON has found wrong."""

from __future__ import annotations

import re

from quadriga.engine.errors import FileError

# The beginning of a parser's message, and the code of our words for it. A group is what is missing or not allowed.
_REASONS = [
    (
        r"Illegal character '\\n'|Unterminated string|Expected \"'|Expected '\"|Invalid control character",
        "syntax.quote",
    ),
    (r"(?:Illegal|Found invalid) character (.+)", "syntax.character"),
    (r"Expected newline or end|Extra data", "syntax.more"),
    (r"Expected ('[^']+')", "syntax.missing"),
    (r"Expecting ('[^']+') delimiter", "syntax.missing"),
    (r"Expecting property name|Invalid initial character for a key|Invalid statement", "syntax.name"),
    (r"Invalid value|Expecting value|Invalid date", "syntax.value"),
    (r"Illegal trailing comma", "syntax.comma"),
    (r"Unclosed array|Unclosed inline table", "syntax.bracket"),
    (r"Cannot |Duplicate inline table key", "syntax.twice"),
    (r"Unescaped|Invalid \\|Invalid hex|Escaped character", "syntax.backslash"),
]


def reason(message: str) -> FileError:
    """Return an error that says the same as the message of a parser, in every language."""
    for pattern, code in _REASONS:
        if found := re.match(pattern, message):
            return FileError(code, **({"what": found[1]} if found.re.groups else {}))
    return FileError("syntax.other")
