"""Take the name of somebody out of a room: their account is deleted, or a moderator has taken the name away.

The game stays whole and can be verified.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from quadriga.server.bots import choice
from quadriga.server.messages.game_summary import game_summary
from quadriga.server.people.person import Person
from quadriga.server.rooms.registry import Registry
from quadriga.server.rooms.retrying import retried
from quadriga.server.rooms.room import Room
from quadriga.server.seats.names import WATCHING, is_form_of
from quadriga.server.seats.votes import RUNNING
from quadriga.server.state import events
from quadriga.server.state.events import RoomEvent, Sit
from quadriga.server.storage.archive import moving
from quadriga.server.storage.moderation_schema import CHAT_AUTHORS
from quadriga.server.storage.schema import CHAT, LOG, TABLES


class Change(NamedTuple):
    """Names that a moderator has taken away from somebody, and the one that they have now."""

    taken: list[str]
    name: str

    def concerns(self, known: str) -> bool:
        """Return whether a name is one of those, maybe with an ending of the server's."""
        return any(is_form_of(known, each) for each in self.taken)


async def erase_person(registry: Registry, person: Person) -> None:
    """Erase the name and the chat of a person in all rooms in which they have a part."""
    for table_id, holder in await registry.people.history.tables_of(person):
        next_id: str | None = table_id
        while next_id is not None:  # a rematch keeps the name for a seat that was not taken yet
            room = await registry.room(next_id)
            await erase(room, holder)
            next_id = room.state.rematch


@retried
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


@retried
async def erase_name(room: Room, holder: str, change: Change) -> None:
    """Erase the names that a person has or had in a room, and show another one in the chat."""
    async with room.exclusive() as state:
        room_id, seats, store = state.id, sorted(state.seated.get(holder, ())), room.log.store
        await store.transact(lambda connection: _rename_chat(connection, room_id, seats, change))
        room.log.chat[:] = [
            each._replace(name=change.name) if each.seat in seats and change.concerns(each.name) else each
            for each in room.log.chat
        ]
        named = [_shown(each.kind, each.body, holder) for each in await store.events(room_id)]
        named += [state.setup.reserved_names.get(seat) for seat in state.setup.reserved_seats.get(holder, [])]
        if any(each is not None and change.concerns(each) for each in named):
            await store.transact(lambda connection: _erase_names(connection, room_id, holder, change.concerns))
            await room.reload()
            await store.put_summary(game_summary(room.state))


def rename_author(connection: sa.Connection, subject: str, change: Change) -> None:
    """Show another name at all chat messages of somebody, also where they have watched."""
    authors, rows = CHAT_AUTHORS.c, CHAT.c
    same = sa.and_(rows.table_id == authors.table_id, rows.number == authors.number)
    chosen = sa.select(rows.table_id, rows.number, rows.name).join(CHAT_AUTHORS, same)
    for table_id, number, known in connection.execute(chosen.where(authors.subject == subject)).all():
        if change.concerns(known):
            shown = f"{change.name} {WATCHING}" if known.endswith(WATCHING) else change.name
            own = (rows.table_id == table_id, rows.number == number)
            connection.execute(sa.update(CHAT).where(*own).values(name=shown))


def _rename_chat(connection: sa.Connection, room_id: str, seats: list[int], change: Change) -> None:
    own = (CHAT.c.table_id == room_id, CHAT.c.seat.in_(seats))
    for known in connection.execute(sa.select(CHAT.c.name).where(*own).distinct()).scalars().all():
        if change.concerns(known):
            connection.execute(sa.update(CHAT).where(*own, CHAT.c.name == known).values(name=change.name))


def _shown(kind: str, body: bytes, holder: str) -> str | None:
    """Return the name that an event gives to a person, unless it was erased; None for other events."""
    if kind != "sit":
        return None
    sit = events.decode(kind, body)
    return sit.name if isinstance(sit, Sit) and sit.holder == holder and not sit.erased else None


def _erase(connection: sa.Connection, room_id: str, holder: str, seats: list[int]) -> None:
    _erase_names(connection, room_id, holder, lambda known: True)
    connection.execute(sa.delete(CHAT).where(CHAT.c.table_id == room_id, CHAT.c.seat.in_(seats)))


def _erase_names(connection: sa.Connection, room_id: str, holder: str, is_taken: Callable[[str], bool]) -> None:
    """Erase the names of a person from the log of a room, and from its set-up."""
    moving.restore(connection, room_id)
    sits = sa.select(LOG.c.number, LOG.c.body).where(LOG.c.table_id == room_id, LOG.c.kind == "sit")
    for number, body in connection.execute(sits).all():
        known = _shown("sit", bytes(body), holder)
        if known is not None and is_taken(known):
            sit = events.decode("sit", bytes(body))
            _, erased = events.encode(msgspec.structs.replace(sit, name="", erased=True))
            own = (LOG.c.table_id == room_id, LOG.c.number == number)
            connection.execute(sa.update(LOG).where(*own).values(body=erased))
    setup = events.decode_setup(bytes(connection.execute(_setup(room_id)).scalar_one()))
    names = setup.reserved_names
    gone = {seat for seat in setup.reserved_seats.get(holder, []) if seat in names and is_taken(names[seat])}
    if gone:
        kept = {seat: name for seat, name in names.items() if seat not in gone}
        changed = events.encode_setup(msgspec.structs.replace(setup, reserved_names=kept, erased=True))
        connection.execute(sa.update(TABLES).where(TABLES.c.id == room_id).values(setup=changed))


def _setup(room_id: str) -> sa.Select[Any]:
    return sa.select(TABLES.c.setup).where(TABLES.c.id == room_id)
