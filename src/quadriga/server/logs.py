"""The log: short lines, and only so many of a kind in a minute, so that nobody can flood it."""

from __future__ import annotations

import logging
import sys
import time

LOGGER = logging.getLogger("quadriga.server")
_MINUTE = 60.0
_LONGEST = 300  # letters of a line
_KINDS = 200  # that are remembered


def safe(text: str, most: int = _LONGEST) -> str:
    """A text as one short line: control characters escaped, and cut where it is too long."""
    short = text if len(text) <= most else text[: most - 1] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "replace").decode() for c in short)


class Rations(logging.Filter):
    """Lets so many lines of a kind through in a minute, then one that says how many there were."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most
        self._kinds: dict[tuple[str, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is printed; a line of a kind is one that is made by the same call."""
        kind = (record.pathname, str(record.lineno))
        began, count = self._kinds.get(kind, (record.created, 0))
        before = 0
        if record.created - began >= _MINUTE or record.created < began:
            before = max(0, count - self._most)
            began, count = record.created, 0
        if len(self._kinds) >= _KINDS and kind not in self._kinds:
            self._kinds.pop(next(iter(self._kinds)))
        self._kinds[kind] = (began, count + 1)
        if count >= self._most:
            return False
        record.suppressed = before
        record.last = count + 1 == self._most
        return True


class Short(logging.Formatter):
    """One line each; the trace of a fault of ours follows it."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        parts = [time.strftime("%H:%M:%S", time.localtime(record.created)), record.levelname.lower()]
        parts.append(safe(record.getMessage()))
        fault = record.exc_info[1] if record.exc_info else None
        if fault is not None:
            parts.append(safe(f"({type(fault).__name__}: {fault})"))
        if suppressed := getattr(record, "suppressed", 0):
            parts.append(f"(and {suppressed} more before)")
        if getattr(record, "last", False):
            parts.append("(more of these in this minute are not shown)")
        line = " ".join(parts)
        if record.exc_info and record.name == LOGGER.name and fault is not None:
            line += "\n" + self.formatException(record.exc_info)
        return line


def set_up(most: int) -> None:
    """Send all that is logged to standard error, rationed."""
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(Rations(most))
    handler.setFormatter(Short())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
