"""The short way of an act: from the frame that it comes in to everybody told, with no task and no queue between.

What cannot be done at once (something else is under way at the table, the act is refused, the client floods) and
all else that a client says goes the long way through the queue, in the order of coming: `sockets` listens there.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

import msgspec

from quadriga.engine.errors import QuadrigaError
from quadriga.engine.game import NOBODY
from quadriga.server.limits import Bucket
from quadriga.server.protocol import fields, messages
from quadriga.server.protocol.errors import RoomError
from quadriga.server.rooms.played_game import GameEvent
from quadriga.server.rooms.room import Room
from quadriga.server.rooms.tasks import LOGGER
from quadriga.server.rooms.viewers import Viewer, mine

Refuse = Callable[[Room, Viewer, str | None, QuadrigaError], None]


class FastPath:
    """Hears what one client says before it is put into the queue."""

    def __init__(self, room: Room, viewer: Viewer, bucket: Bucket, refuse: Refuse) -> None:
        self.room, self.viewer, self.bucket = room, viewer, bucket
        self.idle = False  # whether the long way waits for the client
        self.excess = 0  # messages too many, since the last that was not
        self._refuse = refuse
        self._acting = False
        self._done = asyncio.Event()

    async def finished(self) -> None:
        """Wait until an act that was taken is done: what a client says is answered in order."""
        while self._acting:
            self._done.clear()
            await self._done.wait()

    def _finish(self) -> None:
        self._acting = False
        self._done.set()
        self.room.arrived = None
        self.room.lock.release()

    def hear(self, raw: bytes) -> bool:
        """Whether an act was taken; where it was not, nothing has happened."""
        room, viewer = self.room, self.viewer
        if not self.idle or viewer.close_code is not None or len(raw) > fields.MESSAGE_BYTES:
            return False
        try:
            said: messages.Message = messages.MESSAGES.decode(raw)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return False
        if not isinstance(said, messages.Act):
            return False
        seat = mine(viewer, said.seat)
        if seat == NOBODY or not room.may_act_now(seat, said.number, said.action, said.ref):
            return False
        if not self.bucket.take():
            return False
        room.lock.acquire_now()  # `may_act_now` has seen that it is free
        self._acting = True
        self.excess = 0
        room.arrived = time.perf_counter()
        try:
            writing, game_events = room.act_now(seat, said.action, said.ref)
        except Exception as fault:
            self._mend(fault, said.ref)
            return True

        def written(done: asyncio.Future[None]) -> None:
            fault = asyncio.CancelledError() if done.cancelled() else done.exception()
            if fault is None:
                self._told(seat, said.ref, game_events)
            else:
                self._mend(fault, said.ref)

        writing.add_done_callback(written)
        return True

    def _told(self, seat: int, ref: str | None, game_events: Sequence[GameEvent]) -> None:
        """It is on disk: everybody hears of it."""
        room, viewer = self.room, self.viewer
        viewer.hold()  # what has come of it, and that it is done
        try:
            number = room.acted(seat, game_events)
            viewer.send_message(messages.Done(ref, number))
            viewer.release()
        except Exception as fault:
            viewer.release()
            self._mend(fault, ref)
        else:
            self._finish()

    def _mend(self, fault: BaseException, ref: str | None) -> None:
        """It went wrong; whatever comes of the mending, even if it is ended before it begins, the turn ends."""
        self.room.spawn(self._mended(fault, ref)).add_done_callback(lambda _: self._finish())

    async def _mended(self, fault: BaseException, ref: str | None) -> None:
        """The table is what its log says."""
        refused: QuadrigaError = RoomError("wire.fault", 500)
        try:
            await self.room.recover(fault)
            if isinstance(fault, QuadrigaError):
                raise fault
            LOGGER.error("table %s: %r", self.room.state.id, fault, exc_info=fault)
        except QuadrigaError as found:
            refused = found
        except Exception:
            LOGGER.exception("table %s", self.room.state.id)
        self._refuse(self.room, self.viewer, ref, refused)
