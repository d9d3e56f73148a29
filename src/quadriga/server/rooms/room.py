"""A room in memory: its state, and the one path of every change.

`submit` makes a move: check, apply, append to the log, broadcast. `change` does the same for every other event.
Nothing is broadcast before it is on disk.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from quadriga.engine.errors import QuadrigaError
from quadriga.engine.game import NOBODY
from quadriga.engine.kernels.slots import CHANCE, OVER
from quadriga.server.bots import choice, kernel_warmup
from quadriga.server.protocol.errors import RoomError, StaleError, StorageError, not_playing
from quadriga.server.protocol.texts import storage
from quadriga.server.rooms.absence import AbsenceWatch
from quadriga.server.rooms.audience import Audience
from quadriga.server.rooms.broadcast import Broadcaster
from quadriga.server.rooms.clocks import Clocks
from quadriga.server.rooms.lock import ExclusiveAccess, RoomLock
from quadriga.server.rooms.pubsub import Channel
from quadriga.server.rooms.scheduler import Scheduler
from quadriga.server.rooms.submission import Submission
from quadriga.server.seats.votes import VoteCount
from quadriga.server.settings import Settings
from quadriga.server.state import events, loading, snapshot
from quadriga.server.state.events import LoggedMove, Moves, RoomEvent, Sit, Start, Status, Undo
from quadriga.server.state.game_event import GameEvent
from quadriga.server.state.game_session import GameSession
from quadriga.server.state.room_state import RoomState
from quadriga.server.storage.base import ChatMessage, Storage

_STATUS_AFTER = {"pause": "paused", "resume": "playing", "end": "ended"}  # by the kind of vote


class Room(Broadcaster):
    """One room, live. Methods that say "hold the room" are called within `async with room.exclusive()`."""

    def __init__(
        self, state: RoomState, chat: list[ChatMessage], store: Storage, channel: Channel, settings: Settings
    ) -> None:
        super().__init__(settings)
        self.store, self.channel = store, channel
        self.chat = chat
        self.lock = RoomLock()
        self.is_stale = False  # true while the state in memory may differ from the log
        self.scheduler = Scheduler(self)
        self.absence = AbsenceWatch(self)
        self.audience = Audience(self)
        self._adopt(state)
        channel.subscribe(state.id, self._published)

    def _adopt(self, state: RoomState) -> None:
        self.state = state
        self.votes = VoteCount(state.seats, state.open_votes, self.presence)
        self.clocks = Clocks(state)
        self._stored_status = state.status
        self.presence.expect(state.setup.host)
        self.audience.update_seats()

    @property
    def session(self) -> GameSession:
        """The game in progress; raises RoomError before the start."""
        if self.state.session is None:
            raise not_playing(self.state.status)
        return self.state.session

    def is_person(self, seat: int) -> bool:
        """Return whether a person decides for a seat."""
        return seat >= 0 and not self.state.seats[seat].played_by_bot

    # Exclusive access, and the log.

    def exclusive(self) -> ExclusiveAccess:
        """Hold the room exclusively; reload it from the log if a write fails."""
        return ExclusiveAccess(self)

    async def recover(self, error: BaseException) -> None:
        """Reload the room after an error that may have left the state ahead of the log."""
        if isinstance(error, asyncio.CancelledError):
            await asyncio.shield(self.reload())
        elif isinstance(error, StorageError) or not isinstance(error, QuadrigaError):
            await self.reload()
            if isinstance(error, StaleError):
                raise RoomError("table.again", 503) from None

    async def reload(self) -> None:
        """Read the state from the log again, and send it to everybody. Hold the room's lock."""
        self.is_stale = True
        state = await loading.load(self.store, self.state.id)
        if state is None:
            return
        self._adopt(state)
        self.is_stale = False
        self.show_all()
        self.broadcast_room()
        self.scheduler.schedule()

    def _published(self, number: int) -> None:
        if number >= self.state.next:
            self.spawn(self._catch_up())

    async def _catch_up(self) -> None:
        """Apply and broadcast the events that another process has written."""
        async with self.exclusive() as state:
            for line in await self.store.events(state.id, state.next - 1):
                state.next, state.hash = line.number + 1, line.hash
                game_events = state.apply(events.decode(line.kind, line.body))
                self._stored_status = state.status
                self._broadcast(game_events)
            self.audience.update_seats()
            self.broadcast_room()

    async def _append(self, log: Sequence[RoomEvent]) -> None:
        """Append events, which are applied already, to the log; return when they are on disk."""
        state = self.state
        lines = [state.next_event(event) for event in log]
        status = state.status if state.status != self._stored_status else None
        taken = state.snapshot() if snapshot.is_due(lines[0].number, lines[-1].number) else None
        await self.store.append(state.id, lines, status, taken)
        self.is_stale = False
        self._stored_status = state.status
        self.channel.publish(state.id, state.next - 1)

    def check_writable(self) -> None:
        """Raise RoomError while nothing can be stored."""
        fault = self.store.fault
        if fault is not None:
            raise RoomError(fault.code, fault.status, **fault.parameters)

    async def storage_changed(self) -> None:
        """Tell everybody whether anything can be stored; go on when it can again."""
        for viewer in self.presence.viewers:
            viewer.send_message(storage(self.store.fault))
        if self.store.fault is None:
            async with self.exclusive():
                self.clocks = Clocks(self.state)  # no clock is charged for the wait
                self.scheduler.schedule()
            self.absence.watch()

    # Moves.

    def check_playing(self) -> GameSession:
        """Return the game if it can be played on; raise RoomError if not."""
        if self.state.status != "playing":
            raise not_playing(self.state.status)
        self.check_writable()
        return self.session

    async def submit(self, move: Submission) -> int | None:
        """Make a move of a person, a bot or the server; return the seat's number after it. Hold the room.

        Return None for a pass in a timed window: it is made when the window ends, and acknowledged then. A move
        whose reference is in the log already is not made again.
        """
        if not self.state.has_played(move.seat, move.ref):
            self._check(move)
            if self._keeps_pass(move):
                return None
            event, game_events = self._apply(move)
            await self._append([event])
            self._broadcast(game_events, move.received_at)
        return self.session.numbers[move.seat + 1]

    def _check(self, move: Submission) -> None:
        """Raise RoomError if the move cannot be made now. The match checks that the action is legal."""
        session = self.check_playing()
        if move.number is not None:
            if self.state.seats[move.seat].bot_controlled:
                raise RoomError("act.covered")
            if move.number > session.numbers[move.seat + 1]:
                raise RoomError("act.future", number=session.numbers[move.seat + 1])
        if move.kind == "act" and session.actor != move.seat:
            raise RoomError("act.not-asked")
        if move.kind == "roll" and move.by == "person":
            if self.state.setup.rolls != "hand" or session.roller != move.seat:
                raise RoomError("act.no-roll")
        if move.kind == "undo" and not session.may_undo(move.seat):
            raise RoomError("act.no-undo")

    def _keeps_pass(self, move: Submission) -> bool:
        """Keep a client's pass in a timed window until the time is over; return whether it was one."""
        if move.kind != "act" or move.number is None:
            return False
        beat = self.window_timer.current()
        return beat is not None and beat.takes_pass(move.number, move.text, move.ref, move.viewer)

    def _apply(self, move: Submission) -> tuple[RoomEvent, list[GameEvent]]:
        """Make the move and those that follow by themselves; return the event for the log and the game events."""
        state, session = self.state, self.session
        seat = move.seat if move.by == "person" else NOBODY
        moves: list[LoggedMove] = []
        match move.kind:
            case "act":
                moves.append(session.act(move.text, move.by))
            case "roll":
                moves.append(session.roll())
            case "undo":
                session.undo(seat)
        self.is_stale = True  # until it is written
        self.clocks.charge()
        if move.kind == "undo":
            return Undo(seat, move.ref), state.end_batch(seat, move.ref)
        if not session.is_compiled:
            kernel_warmup.of(state.game).count_move(session)
        moves += self._follow()
        game_events = state.end_batch(seat, move.ref)
        return Moves(moves, move.ref, seat, state.left if self.clocks.is_active else None), game_events

    def _follow(self) -> list[LoggedMove]:
        """Make the moves that nobody decides: outcomes of chance, and passes for people who are not asked."""
        session = self.session
        moves: list[LoggedMove] = []
        while (actor := session.actor) != OVER:
            if actor == CHANCE:
                if self.state.setup.rolls == "hand" and self.is_person(session.roller):
                    break
                moves.append(session.roll())
            elif self.is_person(actor) and self._passes_by_itself(actor):
                moves.append(session.act("pass", "table"))
            else:
                break
        return moves

    def _passes_by_itself(self, seat: int) -> bool:
        """Return whether the server passes for a person in the open window without asking them.

        It does if they have turned the window off, or if they can only pass and nobody could notice.
        """
        session = self.session
        if session.window is None or session.window in self.state.seats[seat].asked_windows:
            return session.window is not None and session.can_only_pass and self.window_timer.is_unobserved(seat)
        return True

    async def pass_window(self, seat: int) -> None:
        """Pass for a person who has turned off the window in which they are asked. Hold the room."""
        if (beat := self.window_timer.current()) is not None:
            beat.has_passed = True
        else:
            await self.submit(Submission("act", seat, "pass", by="table"))

    def _broadcast(self, game_events: Sequence[GameEvent], received_at: float | None = None) -> None:
        """Send the events to every viewer, and schedule the next move of a bot or a clock."""
        self.broadcast(game_events, received_at)
        self.scheduler.schedule()

    # Other changes.

    async def change(self, *changes: RoomEvent, announce: bool = True) -> None:
        """Apply events other than moves, append them to the log, and broadcast the room. Hold the room.

        `announce` is false for events that concern nobody else.
        """
        self.check_writable()
        for event in changes:
            self.state.apply(event)
        await self._append(changes)
        if not announce:
            return
        if any(isinstance(event, Sit) for event in changes):
            self.audience.update_seats()
            self.absence.watch()
        self.broadcast_room()
        self.scheduler.schedule()

    async def begin(self) -> None:
        """Fix the client seeds and begin the game. Hold the room."""
        self.check_writable()
        state = self.state
        seeds = [info.client_seed for info in state.seats]
        start = Start(seeds, all_windows=True, version=state.game.version)
        state.apply(start)
        moves = self._follow()
        game_events = state.end_batch(NOBODY, None)
        await self._append([start, Moves(moves)] if moves else [start])
        self.show_all()
        self.count_public(game_events)
        self.broadcast_room()
        self.scheduler.schedule()

    async def carry_out_votes(self) -> None:
        """Carry out every vote that is decided, and broadcast the others. Hold the room."""
        while (decided := self.votes.decided()) is not None:
            kind, seat = decided
            if seat is not None:  # a removed person's seat goes to the game's default bot
                bot = choice.default(self.state.setup.game)
                await self.change(Sit(seat, "bot", bot, "", bot, self.state.seats[seat].client_seed))
                continue
            self.clocks.charge()
            await self.change(Status(_STATUS_AFTER[kind]))
            if kind != "pause":
                self.show_all()
        self.broadcast_room()

    def close(self) -> None:
        """End all tasks, and listen to the channel no more."""
        self.channel.unsubscribe(self.state.id, self._published)
        self.cancel_tasks()
