"""Turns: at a table one thing happens at a time, and what could not be written never happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quadriga.table.ledger import Ledger

if TYPE_CHECKING:
    from quadriga.table.room import Room


class Turn:
    """`async with room.turn() as ledger`."""

    __slots__ = ("_room",)

    def __init__(self, room: Room) -> None:
        self._room = room

    async def __aenter__(self) -> Ledger:
        await self._room.lock.acquire()
        return self._room.ledger

    async def __aexit__(self, kind: object, fault: BaseException | None, trace: object) -> None:
        try:
            if fault is not None:
                await self._room.mend(fault)
        finally:
            self._room.lock.release()
