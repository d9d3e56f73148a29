"""Absent people: after a grace period a bot takes over their seat, and later their vote does not count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quadriga.server.seats.votes import RUNNING
from quadriga.server.state.events import BotControl

if TYPE_CHECKING:
    from quadriga.server.rooms.room import Room

_MARGIN_S = 0.01  # so that a timer does not fire just before the moment it waits for


class AbsenceWatch:
    """The timers for the absent people of a room."""

    def __init__(self, room: Room) -> None:
        self._room = room

    def watch(self) -> None:
        """Set the timers. Called whenever people come, go, or change seats."""
        room = self._room
        if self._present_after_all():
            room.spawn(self._take_back())
        waits = [
            max(0.0, room.settings.grace - away)
            for info in room.state.seats
            if info.kind == "person" and not info.bot_controlled
            if (away := room.presence.away(info.holder)) is not None
        ]
        if (
            waits
            and room.is_driver
            and room.store.fault is None
            and room.state.status == "playing"
            and room.presence.viewers
        ):
            room.later("grace", min(waits) + _MARGIN_S, self._hand_to_bots)
        self._watch_votes()

    async def _hand_to_bots(self) -> None:
        room = self._room
        async with room.exclusive() as state:
            absent = [seat for seat in range(state.seat_count) if self._is_absent(seat)]
            if absent and state.status == "playing" and room.presence.viewers and room.is_driver:
                await room.change(*(BotControl(seat, True, absent=True) for seat in absent))
        self.watch()

    def _present_after_all(self) -> list[int]:
        """Return the seats that another process gave to bots because it did not know that their people are here."""
        room = self._room
        if room.state.over or room.store.fault is not None:
            return []
        here = {viewer.holder for viewer in room.presence.viewers}
        seats = enumerate(room.state.seats)
        return [seat for seat, info in seats if info.bot_controlled and info.is_absent and info.holder in here]

    async def _take_back(self) -> None:
        room = self._room
        async with room.exclusive():
            if seats := self._present_after_all():
                await room.change(*(BotControl(seat, False) for seat in seats))

    def _is_absent(self, seat: int) -> bool:
        """Return whether the grace period of a seat is over."""
        room = self._room
        info = room.state.seats[seat]
        away = room.presence.away(info.holder) if info.kind == "person" and not info.bot_controlled else None
        return away is not None and away >= room.settings.grace

    def _watch_votes(self) -> None:
        """Count the open votes again at the moment when a person becomes long gone."""
        room, state, presence = self._room, self._room.state, self._room.presence
        holders = {info.holder for info in state.seats if info.kind == "person"} | {state.setup.host}
        away = [seconds for each in holders if (seconds := presence.away(each)) is not None]
        waits = [presence.long_gone - seconds for seconds in away if seconds < presence.long_gone]
        if room.votes.decided() is not None:  # decided by an absence while nobody was here
            waits.append(0.0)
        if waits and room.is_driver and state.status in RUNNING and presence.viewers:
            room.later("votes", min(waits) + _MARGIN_S, self._recount)

    async def _recount(self) -> None:
        async with self._room.exclusive():
            if self._room.is_driver:
                await self._room.carry_out_votes()
        self._watch_votes()
