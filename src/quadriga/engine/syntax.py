"""Say in words of the catalogues what a parser of TOML or JSON has found wrong, and where.

Parsers say what is wrong in their message only, and tomllib before Python 3.14 also where. Nothing else in Quadriga
reads messages of a parser. For one that is not known here the error only says where something is wrong.
"""

from __future__ import annotations

import json
import re
import tomllib
from typing import TypedDict

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
_PLACE = re.compile(r"(.*) \(at line (\d+), column (\d+)\)", re.DOTALL)


class Fault(TypedDict):
    """What is wrong, and where, as the parameters of a message. Lines and columns are counted from 1."""

    line: int
    column: int
    reason: FileError


def json_fault(fault: json.JSONDecodeError) -> Fault:
    """Return what is wrong with JSON, and where."""
    return Fault(line=fault.lineno, column=fault.colno, reason=_reason(fault.msg))


def toml_fault(fault: tomllib.TOMLDecodeError, text: str) -> Fault:
    """Return what is wrong with TOML, and where: at the end of the text, if the parser does not say."""
    if hasattr(fault, "lineno") and hasattr(fault, "colno") and hasattr(fault, "msg"):  # since Python 3.14
        return Fault(line=fault.lineno, column=fault.colno, reason=_reason(fault.msg))
    if found := _PLACE.fullmatch(str(fault)):
        return Fault(line=int(found[2]), column=int(found[3]), reason=_reason(found[1]))
    return Fault(line=text.count("\n") + 1, column=len(text) - text.rfind("\n"), reason=_reason(str(fault)))


def _reason(message: str) -> FileError:
    """Return an error that says the same as the message of a parser, in every language."""
    for pattern, code in _REASONS:
        if found := re.match(pattern, message):
            return FileError(code, **({"what": found[1]} if found.re.groups else {}))
    return FileError("syntax.other")
