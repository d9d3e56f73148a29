"""The scheduler of a room: it lets bots, clocks and timed windows make their moves.

All of them call `Room.submit`, as the messages of people do. A room without viewers pauses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from quadriga.engine.game import NOBODY
from quadriga.engine.kernels.slots import CHANCE
from quadriga.server.bots.timing import choose_in_time
from quadriga.server.rooms.submission import Submission
from quadriga.server.rooms.window_timer import Beat

if TYPE_CHECKING:
    from quadriga.server.rooms.room import Room


class Scheduler:
    """Starts the next move that no person makes."""

    def __init__(self, room: Room) -> None:
        self._room = room

    def schedule(self) -> None:
        """Start the bot, the clock or the beat of the seat that decides now. Called after every change."""
        room = self._room
        room.notify_shared_devices()
        room.clocks.start()
        beat = room.window_timer.current()
        state = room.state
        if state.status != "playing" or state.session is None or not room.presence.viewers:
            return
        if room.store.fault is not None:
            return  # `Room.storage_changed` schedules again when the store works
        actor = state.session.actor
        left_ms = room.clocks.left_ms
        if actor >= 0 and state.seats[actor].played_by_bot:
            room.spawn(self._bot_move(actor, state.session.batches))
        elif beat is not None:
            if not beat.has_task:
                beat.has_task = True
                room.spawn(self._end_beat(beat))
        elif left_ms is not None:
            seat, batches = room.clocks.seat, state.session.batches
            room.later("clock", left_ms / 1000, lambda: self._bot_move(seat, batches, out_of_time=True))
        elif actor == CHANCE and not room.is_person(state.session.roller):
            room.spawn(self._bot_move(NOBODY, state.session.batches, out_of_time=True))

    async def _bot_move(self, seat: int, batches: int, out_of_time: bool = False) -> None:
        """Let a bot decide for a seat, or roll for it.

        A bot waits for the pace of the room, and in windows it answers at fixed moments, whatever its hand. For a
        person whose clock has run out it answers at once.
        """
        room = self._room
        state, session = room.state, room.session
        text = ""
        if session.actor == seat and seat >= 0:
            tick = None if out_of_time else room.settings.tick
            text = await choose_in_time(room.time_source, state, seat, room.last_public_event_at, tick)
        async with room.exclusive():
            if state is not room.state or session.batches != batches or state.status != "playing":
                return
            if not room.presence.viewers or (not out_of_time and not state.seats[seat].played_by_bot):
                return
            if session.actor == CHANCE:
                await room.submit(Submission("roll", NOBODY, by="bot"))
            elif text:
                await room.submit(Submission("act", seat, text, by="bot"))

    async def _end_beat(self, beat: Beat) -> None:
        """Pass for the asked seat when its beat is over, whether its client has passed or not answered."""
        room = self._room
        await room.time_source.until(beat.ends_at)
        async with room.exclusive():
            if room.window_timer.current() is not beat:
                return
            by = "person" if beat.has_passed else "table"
            await room.submit(Submission("act", beat.seat, "pass", by=by, ref=beat.ref))
            beat.acknowledge()
