"""Rematches: the set-up of the next table, where every person has a reserved seat and every bot its own."""

from __future__ import annotations

import msgspec

from quadriga.server.bots import choice
from quadriga.server.rooms.retrying import retried
from quadriga.server.rooms.room import Room
from quadriga.server.state.events import Setup, Sit
from quadriga.server.state.room_state import RoomState


def table_of(old: RoomState, host: str, seed: str, bot_seed: int) -> tuple[Setup, list[Sit]]:
    """Return the set-up of a rematch, and the bots that have a seat in it from the beginning."""
    reserved: dict[str, list[int]] = {}
    names: dict[int, str] = {}
    sits = []
    for seat, info in enumerate(old.seats):
        if info.kind == "person":
            reserved.setdefault(info.holder, []).append(seat)
            names[seat] = info.name
        else:
            kind = info.bot or choice.default(old.setup.game)
            sits.append(Sit(seat, "bot", kind, "", kind))
    setup = msgspec.structs.replace(
        old.setup,
        version=old.game.version,
        seed=seed,
        bot_seed=bot_seed,
        host=host,
        rematch_of=old.id,
        days=old.days,
        reserved_seats=reserved,
        reserved_names=names,
        tournament=None,
    )
    return setup, sits


@retried
async def begin_if_full(room: Room) -> None:
    """Begin the game of a rematch as soon as every seat is taken; in other rooms the host begins."""
    async with room.exclusive() as state:
        is_full = all(info.kind != "open" for info in state.seats)
        if state.setup.rematch_of is not None and state.status == "waiting" and is_full:
            await room.begin()
