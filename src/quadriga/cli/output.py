"""Print results and errors: JSON for programs, tables and texts for people."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # rich loads slowly, so only commands that print tables import it
    from rich.console import Console


def print_json(content: Any) -> None:
    """Print one line of JSON."""
    import msgspec

    print(json.dumps(msgspec.to_builtins(content), ensure_ascii=False))


def print_error(sentence: str) -> None:
    """Print a sentence in one line on standard error."""
    print("quadriga: " + " ".join(sentence.split()), file=sys.stderr)


def console() -> Console:
    """Return a console on standard output that does not colour numbers and paths by itself."""
    from rich.console import Console

    return Console(highlight=False)
