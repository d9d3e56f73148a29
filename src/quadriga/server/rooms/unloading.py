"""Which rooms can be unloaded: those that nobody has looked at for some time, and in which nothing is going on."""

from __future__ import annotations

import time

from quadriga.server.rooms.room import Room

_DAYS_IDLE_S = 10.0  # that an empty table of a game by days stays in memory, at most


def is_idle(room: Room, idle_s: float) -> bool:
    """Return whether a room has been without viewers for some time. Bots may move on without them."""
    since, is_by_days = room.presence.empty_since, room.state.days is not None
    if since is None or room.presence.arriving or (room.state.goes_on_alone and room.tasks.running):
        return False
    return time.monotonic() - since > (min(_DAYS_IDLE_S, idle_s) if is_by_days else idle_s)


def is_quiet(room: Room) -> bool:
    """Return whether nobody looks at a room, and nothing is going on in it."""
    is_busy = room.lock.locked() or room.tasks.running or room.tasks.timers
    return room.presence.empty_since is not None and not room.presence.arriving and not is_busy
