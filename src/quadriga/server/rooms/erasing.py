"""Take the name of somebody who deletes their account out of a room. Its game stays whole and can be verified."""

from __future__ import annotations

from typing import Any

import msgspec
import sqlalchemy as sa

from quadriga.server.bots import choice
from quadriga.server.messages.game_summary import game_summary
from quadriga.server.rooms.room import Room
from quadriga.server.seats.votes import RUNNING
from quadriga.server.state import events
from quadriga.server.state.events import RoomEvent, Sit
from quadriga.server.storage.schema import CHAT, LOG, TABLES


async def erase(room: Room, holder: str) -> None:
    """Erase the name and the chat of a person in a room. A bot plays on for them."""
    async with room.exclusive() as state:
        leaving: list[RoomEvent] = []
        for seat in state.seats_of(holder):
            if state.status == "waiting":
                leaving.append(Sit(seat, "open"))
            elif state.status in RUNNING:
                bot = choice.default(state.setup.game)
                leaving.append(Sit(seat, "bot", bot, "", bot, state.seats[seat].client_seed))
        if leaving:
            await room.change(*leaving)
        seats = sorted(state.seated.get(holder, ()))
        room_id = state.id
        await room.log.store.transact(lambda connection: _erase(connection, room_id, holder, seats))
        room.log.chat[:] = [message for message in room.log.chat if message.seat not in seats]
        await room.reload()
        await room.log.store.put_summary(game_summary(room.state))


def _erase(connection: sa.Connection, room_id: str, holder: str, seats: list[int]) -> None:
    sits = sa.select(LOG.c.number, LOG.c.body).where(LOG.c.table_id == room_id, LOG.c.kind == "sit")
    for number, body in connection.execute(sits).all():
        sit = events.decode("sit", bytes(body))
        if isinstance(sit, Sit) and sit.holder == holder and not sit.erased:
            _, erased = events.encode(msgspec.structs.replace(sit, name="", erased=True))
            own = (LOG.c.table_id == room_id, LOG.c.number == number)
            connection.execute(sa.update(LOG).where(*own).values(body=erased))
    setup = events.decode_setup(bytes(connection.execute(_setup(room_id)).scalar_one()))
    reserved = setup.reserved_seats.get(holder, [])
    if any(seat in setup.reserved_names for seat in reserved):
        names = {seat: name for seat, name in setup.reserved_names.items() if seat not in reserved}
        changed = events.encode_setup(msgspec.structs.replace(setup, reserved_names=names, erased=True))
        connection.execute(sa.update(TABLES).where(TABLES.c.id == room_id).values(setup=changed))
    connection.execute(sa.delete(CHAT).where(CHAT.c.table_id == room_id, CHAT.c.seat.in_(seats)))


def _setup(room_id: str) -> sa.Select[Any]:
    return sa.select(TABLES.c.setup).where(TABLES.c.id == room_id)
