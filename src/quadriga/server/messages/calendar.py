"""Calendar files (RFC 5545): one event, in UTC, so that every calendar shows it in its own time zone."""

from __future__ import annotations

from datetime import UTC, datetime

_LINE_OCTETS = 75
_LENGTH_MS = 2 * 3_600_000


def event(*, uid: str, at: int, stamp: int, title: str, text: str, url: str) -> bytes:
    """Return a calendar with one event; times are milliseconds since 1970."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Quadriga//Game nights//EN",
        "METHOD:PUBLISH",
        "BEGIN:VEVENT",
        f"UID:{uid}",
        f"DTSTAMP:{_time(stamp)}",
        f"DTSTART:{_time(at)}",
        f"DTEND:{_time(at + _LENGTH_MS)}",
        f"SUMMARY:{_escaped(title)}",
        f"DESCRIPTION:{_escaped(text)}",
        f"URL:{url}",
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return b"".join(_folded(line) + b"\r\n" for line in lines)


def _time(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y%m%dT%H%M%SZ")


def _escaped(text: str) -> str:
    for plain, written in (
        ("\\", "\\\\"),
        (";", "\\;"),
        (",", "\\,"),
        ("\r\n", "\\n"),
        ("\n", "\\n"),
        ("\r", "\\n"),
    ):
        text = text.replace(plain, written)
    return text


def _folded(line: str) -> bytes:
    """Return a line in pieces of at most 75 octets, none of which ends within a character."""
    pieces, piece = [], b""
    for character in line:
        octets = character.encode()
        if len(piece) + len(octets) > _LINE_OCTETS:
            pieces.append(piece)
            piece = b" "
        piece += octets
    return b"\r\n".join([*pieces, piece])
