"""Whose chat is hidden from whom in a room, because one of them has blocked the other."""

from __future__ import annotations

import sqlalchemy as sa

from quadriga.server.rooms.room import Room
from quadriga.server.storage.lobby_schema import BLOCKS
from quadriga.server.storage.people_schema import PLAYERS

# Made once: the columns of an alias refer to each other, so they would wait for the garbage collector.
_BLOCKER, _BLOCKED = PLAYERS.alias(), PLAYERS.alias()
_PAIRS = sa.select(_BLOCKER.c.holder, _BLOCKED.c.holder).where(
    BLOCKS.c.person_id == _BLOCKER.c.person_id, BLOCKS.c.other_id == _BLOCKED.c.person_id
)


async def read_blocks(room: Room) -> None:
    """Read who in a room has blocked whom, and hide the chat of each from the other, also of who is about to enter.

    Do not hold the room: its players would wait for the store.
    """
    here = (_BLOCKER.c.table_id == room.state.id, _BLOCKED.c.table_id == room.state.id)
    presence = room.presence
    presence.block_reads += 1
    number = presence.block_reads
    hidden: dict[str, set[str]] = {}
    for blocker, blocked in await room.log.store.read(_PAIRS.where(*here)):
        hidden.setdefault(blocker, set()).add(blocked)
        hidden.setdefault(blocked, set()).add(blocker)
    if number < presence.known_blocks:
        return  # a read that began later was faster
    presence.known_blocks = number
    for viewer in presence.viewers | presence.arriving:
        holders = hidden.get(viewer.holder or "", set())
        viewer.hidden_seats = frozenset(
            seat for seat, info in enumerate(room.state.seats) if info.kind == "person" and info.holder in holders
        )
