"""Facts about the server for its host: load, rooms, storage, queues, errors, versions, backups.

A fact is a key of the page's texts (`house.fact.KEY`) and a value. Whoever measures another thing adds it here.
"""

from __future__ import annotations

import os
import platform
import time
from pathlib import Path

import sqlalchemy as sa
from starlette.requests import Request

from quadriga.server import metrics
from quadriga.server.http.request import registry_of
from quadriga.server.moderation.house import as_date
from quadriga.server.protocol.moderation import Fact
from quadriga.server.rooms.registry import Registry
from quadriga.server.storage import backup_times
from quadriga.server.storage.base import now
from quadriga.server.storage.days_schema import DEADLINES
from quadriga.server.storage.moderation_schema import REPORTS
from quadriga.server.storage.notices_schema import OUTBOX
from quadriga.server.storage.people_schema import PEOPLE
from quadriga.server.storage.schema import HEAD, TABLES
from quadriga.version import __version__

_BACKUP_FACTS = {"last-backup": backup_times.MADE, "last-restore-test": backup_times.RESTORED}
_MOST_CODES = 5


async def facts(request: Request) -> list[Fact]:
    """Return what the host's page shows."""
    registry = registry_of(request)
    found = {**_load(request, registry), **await _stored(registry), **_errors(), **await _backups(registry)}
    found["version"] = __version__
    found["python"] = platform.python_version()
    found["store-version"] = HEAD
    return [Fact(key, value) for key, value in found.items()]


def _load(request: Request, registry: Registry) -> dict[str, str]:
    """Return how busy this process is."""
    found = {"since": as_date(round(request.app.state.started * 1000))}
    if hasattr(os, "getloadavg"):
        found["load"] = " ".join(f"{each:.2f}" for each in os.getloadavg())
    found["processor"] = f"{time.process_time():.0f} s"
    if (memory := _memory_mb()) is not None:
        found["memory"] = f"{memory} MB"
    found["tables"] = str(len(registry.rooms))
    found["sockets"] = str(registry.sockets)
    found["pages"] = str(len(request.app.state.lobby.listeners))
    found["present"] = str(request.app.state.lobby.present)
    found["store-fault"] = "–" if registry.store.fault is None else registry.store.fault.code
    return found


def _memory_mb() -> int | None:
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE") // 2**20


async def _stored(registry: Registry) -> dict[str, str]:
    """Return what is in the store, and what waits there."""
    read = registry.store.read
    rooms = dict(await read(sa.select(TABLES.c.status, sa.func.count()).group_by(TABLES.c.status)))
    people = dict(await read(sa.select(PEOPLE.c.role, sa.func.count()).group_by(PEOPLE.c.role)))
    waiting = sa.select(sa.func.count()).select_from(OUTBOX).where(OUTBOX.c.due.is_not(None))
    late = sa.select(sa.func.count()).select_from(DEADLINES).where(DEADLINES.c.due < now())
    reports = sa.select(sa.func.count()).select_from(REPORTS).where(REPORTS.c.status == "open")
    return {
        "store-size": await _size(registry),
        "games-running": str(sum(rooms.get(each, 0) for each in ("playing", "paused"))),
        "games-over": str(sum(rooms.get(each, 0) for each in ("over", "ended"))),
        "guests": str(people.get("guest", 0)),
        "members": str(sum(count for role, count in people.items() if role != "guest")),
        "notices-waiting": str((await read(waiting))[0][0]),
        "deadlines-late": str((await read(late))[0][0]),
        "reports-open": str((await read(reports))[0][0]),
    }


async def _size(registry: Registry) -> str:
    """Return the size of the store on disk."""
    store = registry.settings.store
    if isinstance(store, Path):
        files = (store.with_name(store.name + suffix) for suffix in ("", "-wal"))
        total = sum(each.stat().st_size for each in files if each.exists())
    else:
        rows = await registry.store.read(sa.select(sa.func.pg_database_size(sa.func.current_database())))
        total = int(rows[0][0])
    return f"{total / 2**20:.1f} MB"


def _errors() -> dict[str, str]:
    """Return how many requests and messages this process has refused, and why most often."""
    counts = {
        sample.labels["code"]: int(sample.value)
        for metric in metrics.refusals.collect()
        for sample in metric.samples
        if sample.name.endswith("_total")
    }
    most = sorted(counts.items(), key=lambda each: -each[1])[:_MOST_CODES]
    shown = ", ".join(f"{code} {count}" for code, count in most) or "–"
    return {"faults": str(counts.get("wire.fault", 0)), "refused": f"{sum(counts.values())}", "refusals": shown}


async def _backups(registry: Registry) -> dict[str, str]:
    """Return when the last backup was made, and when a restore was tested; a dash for never."""
    known = await backup_times.read(registry.store)
    return {key: as_date(known[kind] or None) for key, kind in _BACKUP_FACTS.items()}
