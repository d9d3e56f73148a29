"""Print results and errors: JSON for programs, tables and texts for people."""

from __future__ import annotations

import contextlib
import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # rich loads slowly, so only commands that print tables import it
    from rich.console import Console


def print_json(content: Any) -> None:
    """Print one line of JSON."""
    import msgspec

    print(json.dumps(msgspec.to_builtins(content), ensure_ascii=False))


def print_error(sentence: str, code: str = "", as_json: bool = False) -> None:
    """Print a sentence in one line on standard error; for programs as JSON, with a code."""
    line = " ".join(sentence.split())
    error = json.dumps({"error": {"code": code, "message": line}}, ensure_ascii=False)
    with contextlib.suppress(OSError):  # there is nowhere left to report that to
        print(error if as_json else f"quadriga: {line}", file=sys.stderr, flush=True)


def print_notice(sentence: str) -> None:
    """Print a sentence for people on standard error."""
    print(sentence, file=sys.stderr, flush=True)


def console() -> Console:
    """Return a console on standard output that does not colour numbers and paths by itself."""
    from rich.console import Console

    return Console(highlight=False)
