"""A room in memory: its state, and the one path of every change.

`submit` makes a move: check, apply, append to the log, broadcast. `change` does the same for every other event.
Nothing is broadcast before it is on disk.
"""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Sequence

from quadriga.engine.errors import QuadrigaError
from quadriga.engine.game import NOBODY
from quadriga.engine.kernels.slots import CHANCE, OVER
from quadriga.engine.match.match import Match
from quadriga.server import metrics
from quadriga.server.bots import choice
from quadriga.server.protocol.errors import RoomError, StaleError, StorageError, not_playing
from quadriga.server.protocol.server_messages import Done
from quadriga.server.protocol.texts import storage
from quadriga.server.rooms.absence import AbsenceWatch
from quadriga.server.rooms.audience import Audience
from quadriga.server.rooms.broadcast import Broadcaster
from quadriga.server.rooms.clocks import Clocks
from quadriga.server.rooms.lock import ExclusiveAccess
from quadriga.server.rooms.processes.follower import Follower
from quadriga.server.rooms.processes.pubsub import Channel
from quadriga.server.rooms.scheduler import Scheduler
from quadriga.server.rooms.submission import Submission
from quadriga.server.rooms.window_timer import Beat
from quadriga.server.seats.votes import VoteCount
from quadriga.server.settings import Settings
from quadriga.server.state import loading, snapshot
from quadriga.server.state.events import (
    BotControl,
    CoachAgreed,
    Deal,
    LoggedMove,
    Moves,
    RoomEvent,
    Sit,
    Start,
    Status,
    Undo,
    WindowAnswer,
)
from quadriga.server.state.game_event import GameEvent
from quadriga.server.state.game_session import GameSession
from quadriga.server.state.room_state import RoomState
from quadriga.server.storage.base import ChatMessage, Storage, Visitors

_STATUS_AFTER = {"pause": "paused", "resume": "playing", "end": "ended"}  # by the kind of vote


class Room(Broadcaster):
    """One room, live. Methods that say "hold the room" are called within `async with room.exclusive()`."""

    def __init__(
        self, state: RoomState, chat: list[ChatMessage], store: Storage, channel: Channel, settings: Settings
    ) -> None:
        super().__init__(settings)
        self.store, self.channel = store, channel
        self.chat = chat
        self.lock = asyncio.Lock()
        self.is_stale = False  # true while the state in memory may differ from the log
        self.is_driver = True  # whether this process makes the moves of bots and clocks: see `cluster`
        own = weakref.proxy(self)  # without a cycle, the memory of a closed room is free at once
        self.scheduler = Scheduler(own)
        self.absence = AbsenceWatch(own)
        self.audience = Audience(own)
        self.follower = Follower(own)
        self._adopt(state)
        channel.subscribe(state.id, self.follower.published)

    def _adopt(self, state: RoomState) -> None:
        self.state = state
        self.votes = VoteCount(state.seats, state.open_votes, self.presence)
        self.clocks = Clocks(state)
        self.note_stored()
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
        elif isinstance(error, StaleError):
            metrics.stale.inc()
            await self.reload(is_quiet=True)
            await self.follower.follow_chat()
            raise RoomError("table.again", 503) from None
        elif isinstance(error, StorageError) or not isinstance(error, QuadrigaError):
            await self.reload()

    async def reload(self, is_quiet: bool = False) -> None:
        """Read the state from the log again, and send it to everybody. Hold the room's lock.

        With `is_quiet` viewers are sent only what is new for them: another process has written to the log, and a
        message for an event that is hidden from them would reveal it.
        """
        self.is_stale = True
        state = await loading.load(self.store, self.state.id)
        if state is None:
            return
        known = self._known_numbers
        self._adopt(state)
        self.is_stale = False
        for viewer in self.presence.viewers:
            self.show(viewer, known[viewer.seat + 1] if is_quiet and known else None, only_changes=is_quiet)
        self.broadcast_room(only_changes=is_quiet)
        self.scheduler.schedule()
        self.absence.watch()

    def note_stored(self) -> None:
        """Remember that the state is what the log says, and what the viewers know of it."""
        self._stored_status = self.state.status
        self._known_numbers = [] if self.state.session is None else self.state.session.numbers

    @property
    def last_chat(self) -> int:
        """The number of the last chat message."""
        return self.chat[-1].number if self.chat else 0

    def drive(self) -> None:
        """Make the moves of bots and clocks from now on."""
        if not self.is_driver:
            self.is_driver = True
            self.scheduler.schedule()
            self.absence.watch()

    def set_elsewhere(self, visitors: Visitors) -> None:
        """Note who is in this room at other processes."""
        if self.presence.set_elsewhere(visitors.holders, visitors.watching):
            self.audience.broadcast_soon()
            self.absence.watch()

    async def _append(self, log: Sequence[RoomEvent]) -> None:
        """Append events, which are applied already, to the log; return when they are on disk."""
        state = self.state
        lines = [state.next_event(event) for event in log]
        status = state.status if state.status != self._stored_status else None
        taken = state.snapshot() if snapshot.is_due(lines[0].number, lines[-1].number) else None
        await self.store.append(state.id, lines, status, taken)
        self.is_stale = False
        self.note_stored()
        self.channel.publish(state.id, state.next - 1, self.last_chat)

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
                self.broadcast()
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

        Return None for an answer in a timed window that does not count yet: it is made when it is due, and
        acknowledged then. A move whose reference is in the log already is not made again.
        """
        if not self.state.has_played(move.seat, move.ref):
            self._check(move)
            beat = self.window_timer.current()
            asked = None if beat is None else beat.asked.get(move.seat)
            holds = asked is not None and asked.ends_at > self.time_source.now() and asked.holds
            spent = self._spent_deal(move, self.session.match if asked is None else asked.match)
            if beat is not None and self._keeps_answer(beat, move):
                if spent or move.text != "pass" or holds or not self.is_driver:  # else the driver makes the pass
                    await self._append_with(spent, WindowAnswer(move.seat, move.text, move.ref))
                self.broadcast()
                self.scheduler.schedule()  # it may be the last one that the window waits for
                return None
            before = len(self.session.match.entries)
            event, game_events = self._apply(move, beat)
            await self._append_with(spent, event)
            made = {entry.seat for entry in self.session.match.entries[before:]}
            answers = [] if beat is None else beat.take_senders(made)
            self._broadcast(game_events, move.received_at)
            for seat, ref, viewer in answers:
                viewer.send_message(Done(ref, self.session.numbers[seat + 1]))
        return self.session.numbers[move.seat + 1]

    async def _append_with(self, spent: list[Deal], event: RoomEvent) -> None:
        """Append an event that is applied already, and end the announcements that it fulfils."""
        for each in spent:
            self.state.apply(each)
        await self._append([event, *spent])
        for each in spent:
            self.show_stops(each.seat)

    def _spent_deal(self, move: Submission, match: Match) -> list[Deal]:
        """Return the event that ends a seat's announcement: an answer where it could deal, whatever it is."""
        is_answer = move.kind == "act" and move.by == "person" and self.state.seats[move.seat].announces_deal
        return [Deal(move.seat, False)] if is_answer and self.session.deal in match.actions() else []

    def _check(self, move: Submission) -> None:
        """Raise RoomError if the move cannot be made now. The match checks that the action is legal."""
        session = self.check_playing()
        if move.number is not None:
            if self.state.seats[move.seat].bot_controlled:
                raise RoomError("act.covered")
            if move.number > session.numbers[move.seat + 1]:
                raise RoomError("act.future", number=session.numbers[move.seat + 1])
        if move.kind == "act" and session.actor != move.seat and self.window_timer.asked(move.seat) is None:
            raise RoomError("act.not-asked")
        if move.kind == "roll" and move.by == "person":
            if self.state.setup.rolls != "hand" or session.roller != move.seat:
                raise RoomError("act.no-roll")
        if move.kind == "undo" and not session.may_undo(move.seat):
            raise RoomError("act.no-undo")

    def _keeps_answer(self, beat: Beat, move: Submission) -> bool:
        """Keep a client's answer in a timed window until it is due; return False if it counts at once."""
        if move.kind != "act" or move.number is None or move.seat not in beat.asked:
            return False
        return beat.keeps(move.seat, move.number, move.text, move.ref, move.viewer, self.time_source.now())

    def _apply(self, move: Submission, beat: Beat | None) -> tuple[RoomEvent, list[GameEvent]]:
        """Make the move and those that follow by themselves; return the event for the log and the game events.

        `beat` is that of the window in which the move is made.
        """
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
        moves += self._follow()
        answers = [] if beat is None else beat.answers_of(moves)
        for answer in answers:
            state.remember(*answer)
        released = [] if beat is None or beat.is_open(session) else sorted(beat.asked)
        game_events = state.end_batch(seat, move.ref, released)
        left = state.left if self.clocks.is_active else None
        return Moves(moves, move.ref, seat, left, answers, released), game_events

    def _follow(self) -> list[LoggedMove]:
        """Make the moves that nobody decides: outcomes of chance, and passes for people who are not asked."""
        session = self.session
        moves: list[LoggedMove] = []
        while (actor := session.actor) != OVER:
            if actor == CHANCE:
                if self.state.waits_for_undo or self.state.is_rolled_by_hand:
                    break
                moves.append(session.roll())
            elif self.is_person(actor) and (by := self._passes_by_itself(actor)):
                moves.append(session.act("pass", by))
            else:
                break
            self.skips.update(session)
        return moves

    def _passes_by_itself(self, seat: int) -> str:
        """Return who passes for a person in the open window without asking them (again); "" if nobody does.

        In a timed window an answer is due when the time is over. Else they are asked for a deal that they have
        announced. The server passes if they do not want to be asked, if they are asked only for a deal, which is
        public, or if they have nothing else to play and nobody could notice.
        """
        session, timer = self.session, self.window_timer
        if session.window is None:
            return ""
        beat = timer.current()
        if beat is not None and (asked := beat.asked.get(seat)) is not None:
            is_pass = asked.answer in (None, "pass") and beat.is_over
            return ("person" if asked.answer else "table") if is_pass else ""
        if session.can_deal and self.state.seats[seat].announces_deal:
            return ""
        is_asked_always = self.state.setup.beat == 0
        needs_no_answer = session.has_nothing_to_play and not is_asked_always and timer.is_unobserved(seat)
        is_silent = needs_no_answer or session.is_asked_to_deal or timer.is_quiet(seat, session.window)
        return "table" if is_silent else ""

    async def pass_window(self, seat: int) -> None:
        """Pass for a person who does not want to be asked any more in the open window. Hold the room."""
        if (asked := self.window_timer.asked(seat)) is not None:
            asked.answer = asked.answer or "pass"
            self.broadcast()
        elif self.session.actor == seat and self.session.window is not None:
            await self.submit(Submission("act", seat, "pass", by="table"))

    def _broadcast(self, game_events: Sequence[GameEvent], received_at: float | None = None) -> None:
        """Send the events to every viewer, and schedule the next move of a bot or a clock."""
        self.broadcast(game_events, received_at)
        self.show_lapsed_skips()
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
        if any(isinstance(event, Sit | BotControl | Deal) for event in changes):
            self.window_timer.people_changed()
        if any(isinstance(event, Sit) for event in changes):
            self.audience.update_seats()
            self.absence.watch()
        self.broadcast()
        if announce:
            self.broadcast_room()
        self.scheduler.schedule()

    async def begin(self) -> None:
        """Fix the client seeds and begin the game. Hold the room."""
        self.check_writable()
        state = self.state
        seeds = [info.client_seed for info in state.seats]
        start = Start(seeds, all_windows=True, version=state.game.version, options=state.open_options)
        state.apply(start)
        moves = self._follow()
        game_events = state.end_batch(NOBODY, None)
        await self._append([start, Moves(moves)] if moves else [start])
        self.show_all(game_events)
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
            if kind == "coach":
                await self.change(CoachAgreed(True))
                continue
            self.clocks.charge()
            await self.change(Status(_STATUS_AFTER[kind]))
        self.broadcast_room()

    def close(self) -> None:
        """End all tasks, and listen to the channel no more."""
        self.channel.unsubscribe(self.state.id, self.follower.published)
        self.cancel_tasks()
