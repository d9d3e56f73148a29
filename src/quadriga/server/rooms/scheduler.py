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
        room.window_timer.abandon_overtaken()
        state = room.state
        if state.status != "playing" or state.session is None or not room.presence.viewers:
            return
        if room.store.fault is not None or not room.is_driver:
            return  # `Room.storage_changed` or `Room.drive` schedules again
        actor = state.session.actor
        left_ms = room.clocks.left_ms
        if actor >= 0 and state.seats[actor].played_by_bot:
            room.spawn(self._bot_move(actor, state.session.batches))
        elif beat is not None and actor in beat.asked:
            if beat.waits_for != beat.due_at:
                beat.waits_for = beat.due_at
                room.spawn(self._end_beat(beat, beat.due_at))
        elif left_ms is not None:
            seat, batches = room.clocks.seat, state.session.batches
            room.later("clock", left_ms / 1000, lambda: self._bot_move(seat, batches, out_of_time=True))
        elif state.waits_for_undo and not state.is_rolled_by_hand:
            batches = state.session.batches
            name = f"undo {batches}"  # a change of something else does not make it wait longer
            if not room.has_timer(name):
                room.later(
                    name, room.settings.undo_grace, lambda: self._bot_move(NOBODY, batches, out_of_time=True)
                )
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
            if (
                not room.presence.viewers
                or not room.is_driver
                or (not out_of_time and not state.seats[seat].played_by_bot)
            ):
                return
            if session.actor == CHANCE:
                await room.submit(Submission("roll", NOBODY, by="bot"))
            elif text:
                await room.submit(Submission("act", seat, text, by="bot"))

    async def _end_beat(self, beat: Beat, due_at: float) -> None:
        """Make the answer of the asked seat when it is due: a card, or a pass also if its client has not answered.

        The passes of the seats after it follow in the same batch (`Room._follow`).
        """
        room = self._room
        await room.time_source.until(due_at)
        async with room.exclusive():
            if room.window_timer.current() is not beat or beat.waits_for != due_at or not room.is_driver:
                if beat.waits_for == due_at:
                    beat.waits_for = None
                return
            beat.waits_for = None
            seat = room.session.actor
            if seat not in beat.asked:
                return  # its answer was made when this task was about to
            asked, beat.is_over = beat.asked[seat], True
            by = "table" if asked.answer is None else "person"
            await room.submit(
                Submission("act", seat, asked.answer or "pass", by=by, ref=next(iter(asked.refs), None))
            )
