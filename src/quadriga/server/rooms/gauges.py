"""The gauges of rooms and seats in memory."""

from __future__ import annotations

from quadriga.server import metrics
from quadriga.server.rooms.registry import Registry


def count(registry: Registry) -> None:
    """Bring the gauges of rooms and seats up to date."""
    rooms = registry.rooms.values()
    metrics.leases.set(sum(room.is_leader and bool(room.presence.viewers) for room in rooms))
    metrics.tables.clear()
    metrics.seats.clear()
    for room in rooms:
        metrics.tables.labels(room.state.status).inc()
        for info in room.state.seats:
            metrics.seats.labels("covered" if info.bot_controlled else info.kind).inc()
