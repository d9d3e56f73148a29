"""When a person wants to be told: quiet hours and a daily digest, in their own time zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

_MS = 1000


def time_zone(name: str) -> ZoneInfo | None:
    """Return a time zone by its name; None if there is none."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # unknown, not a name, or a folder of zones
        return None


def next_time(
    since: int, at: int, zone: str, digest: int | None, quiet_from: int | None, quiet_until: int | None
) -> int:
    """Return when something that happened at `since` may be told, from `at` on; all in milliseconds."""
    local = datetime.fromtimestamp(at / _MS, time_zone(zone) or UTC)
    if digest is not None:
        told = datetime.fromtimestamp(since / _MS, local.tzinfo)
        first = _next_hour(told, digest)
        return at if first <= local else _milliseconds(first)
    if quiet_from is None or quiet_until is None or not _is_between(local.hour, quiet_from, quiet_until):
        return at
    return _milliseconds(_next_hour(local, quiet_until))


def _is_between(hour: int, first: int, after: int) -> bool:
    return first <= hour < after if first <= after else hour >= first or hour < after


def _next_hour(local: datetime, hour: int) -> datetime:
    """Return the next time after one at which a clock on the wall shows an hour."""
    found = local.replace(hour=hour, minute=0, second=0, microsecond=0)
    return found if found > local else found + timedelta(days=1)


def _milliseconds(local: datetime) -> int:
    return int(local.timestamp()) * _MS
