"""Logging: short lines, and a limited number of each kind per minute, so that nobody can flood the log."""

from __future__ import annotations

import logging
import sys
import time

LOGGER = logging.getLogger("quadriga.server")
_MINUTE_S = 60.0
_MOST_CHARACTERS = 300  # of a line
_MOST_KINDS = 200  # of lines that are counted
_FAULTS_OF_CLIENTS = {  # lines of uvicorn
    "ASGI callable returned without completing handshake.",  # of each socket that is refused while draining
    "Invalid UTF-8 sequence received from client.",  # and closed
}


def safe(text: str, most: int = _MOST_CHARACTERS) -> str:
    """Return a text as one short line with control characters escaped."""
    short = text if len(text) <= most else text[: most - 1] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "replace").decode() for c in short)


class RateLimit(logging.Filter):
    """Let a limited number of lines of a kind through per minute; the next one says how many were left out."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most
        self._kinds: dict[tuple[str, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a line is printed. Lines of a kind come from the same call in the source."""
        if record.msg in _FAULTS_OF_CLIENTS:
            return False
        kind = (record.pathname, str(record.lineno))
        began, count = self._kinds.get(kind, (record.created, 0))
        before = 0
        if record.created - began >= _MINUTE_S or record.created < began:
            before = max(0, count - self._most)
            began, count = record.created, 0
        if len(self._kinds) >= _MOST_KINDS and kind not in self._kinds:
            self._kinds.pop(next(iter(self._kinds)))
        self._kinds[kind] = (began, count + 1)
        if count >= self._most:
            return False
        record.suppressed = before
        record.last = count + 1 == self._most
        return True


class ShortFormatter(logging.Formatter):
    """Format a record as one line; the traceback of a fault of the server follows it."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
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
    """Send everything that is logged to standard error, at most `most` lines of a kind per minute."""
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(RateLimit(most))
    handler.setFormatter(ShortFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
