"""A room in memory: its state, and the one path of every change.

`submit` makes a move: check, apply, append to the log, broadcast. `change` does the same for every other event.
Nothing is broadcast before it is on disk. The parts of a room do not know it: they are given what they need, and
return what follows.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from quadriga.engine.game import NOBODY
from quadriga.server.bots.timing import TimeSource
from quadriga.server.messages import room_summary
from quadriga.server.orders import answers, contents
from quadriga.server.protocol.errors import RoomError, not_playing
from quadriga.server.protocol.parts import Table
from quadriga.server.protocol.server_messages import Done
from quadriga.server.protocol.texts import storage
from quadriga.server.rooms import decisions, scheduler, submission
from quadriga.server.rooms.absence import Absence
from quadriga.server.rooms.broadcast import Broadcaster
from quadriga.server.rooms.clocks import Clocks
from quadriga.server.rooms.lock import ExclusiveAccess
from quadriga.server.rooms.log import RoomLog
from quadriga.server.rooms.moment import Moment
from quadriga.server.rooms.skips import Skips
from quadriga.server.rooms.submission import Submission
from quadriga.server.rooms.tasks import Tasks
from quadriga.server.rooms.window_timer import Asked, WindowTimer
from quadriga.server.seats.presence import Presence
from quadriga.server.seats.viewers import Viewer
from quadriga.server.seats.votes import VoteCount
from quadriga.server.settings import Settings
from quadriga.server.state.events import (
    NEWER,
    AskWhen,
    BotControl,
    Deal,
    LoggedMove,
    Moves,
    OrderEnded,
    React,
    RoomEvent,
    Sit,
    Start,
    WindowAnswer,
)
from quadriga.server.state.game_event import GameEvent
from quadriga.server.state.game_session import GameSession
from quadriga.server.state.room_state import RoomState


class Room:
    """One room, live. Methods that say "hold the room" are called within `async with room.exclusive()`."""

    def __init__(self, state: RoomState, log: RoomLog, settings: Settings) -> None:
        self.settings, self.log = settings, log
        self.lock = asyncio.Lock()
        self.tasks = Tasks()
        self.time_source = TimeSource()
        self.presence = Presence(settings.long_gone)
        self.skips = Skips()
        self.absence = Absence(self.presence, settings.grace)
        self.broadcaster = Broadcaster(self.presence, self.skips, self.time_source.now())
        self.window_timer = WindowTimer(
            self.presence, settings.window_beat, settings.window_hold, self.skips, state
        )
        self.is_leader = True  # whether this process makes the moves of bots and clocks: see `cluster`
        self.is_unread = False  # true while the log is to be read again
        self.on_close: Callable[[], None] | None = None
        self.on_newer: Callable[[], None] = lambda: None  # called when a newer version has written to the log
        self._adopt(state)

    def _adopt(self, state: RoomState) -> None:
        self.state = self.window_timer.state = state
        self.votes = VoteCount(state.seats, state.open_votes, self.presence, lambda: state.days is not None)
        self.clocks = Clocks(state)
        self.log.note_stored(state)
        self.presence.expect(state.setup.host)
        self.update_seats()

    @property
    def session(self) -> GameSession:
        """The game in progress; raises RoomError before the start."""
        if self.state.session is None:
            raise not_playing(self.state.status)
        return self.state.session

    def asked(self, seat: int) -> Asked | None:
        """Return what a timed window asks a seat now; None if it does not."""
        return self.window_timer.asked(seat, self.time_source.now())

    # Exclusive access, and the log.

    @property
    def is_stale(self) -> bool:
        """True while the state in memory may differ from the log."""
        return self.is_unread or self.state.is_ahead

    def exclusive(self) -> ExclusiveAccess:
        """Hold the room exclusively; reload it from the log if a write fails."""
        return ExclusiveAccess(self)

    async def reload(self, is_quiet: bool = False) -> None:
        """Read the state from the log again, and send it to everybody. Hold the room's lock.

        With `is_quiet` viewers are sent only what is new for them: another process has written to the log, and a
        message for an event that is hidden from them would reveal it.
        """
        self.is_unread = True
        try:
            state = await self.log.load(self.state.id)
        except RoomError as error:
            if error.code == NEWER:
                self.on_newer()
            raise
        if state is None:
            return
        known = self.log.known_numbers
        self._adopt(state)
        self.is_unread = False
        moment = self.moment()
        for viewer in self.presence.viewers:
            after = known[viewer.seat + 1] if is_quiet and known else None
            self.broadcaster.show(moment, viewer, after, only_changes=is_quiet)
        self.broadcast_room(only_changes=is_quiet)
        self._schedule(moment)
        self.set_absence_timers()

    async def read_chat(self) -> bool:
        """Send everybody the chat messages that other processes have stored; return whether there are any."""
        found = await self.log.read_chat(self.state.id)
        self.broadcaster.post(found)
        return bool(found)

    async def storage_changed(self) -> None:
        """Tell everybody whether anything can be stored; go on when it can again."""
        for viewer in self.presence.viewers:
            viewer.send_message(storage(self.log.fault))
        if self.log.fault is None:
            async with self.exclusive():
                self.clocks = Clocks(self.state)  # no clock is charged for the wait
                self.publish()
            self.set_absence_timers()

    # Moves.

    def check_playing(self) -> GameSession:
        """Return the game if it can be played on; raise RoomError if not."""
        if self.state.status != "playing":
            raise not_playing(self.state.status)
        self.log.check_writable()
        return self.session

    async def submit(self, move: Submission) -> int | None:
        """Make a move of a person, a bot or the server; return the seat's number after it. Hold the room.

        Return None for an answer in a timed window that does not count yet: it is made when it is due, and
        acknowledged then. A move whose reference is in the log already is not made again.
        """
        state = self.state
        if not state.has_played(move.seat, move.ref):
            session, before = self.check_playing(), self._seen()
            submission.check(move, before)
            asked = before.asked(move.seat)
            holds = asked is not None and asked.ends_at > before.now and asked.holds
            spent = submission.spent(move, before)
            if submission.keep(move, before):
                if spent or move.text != "pass" or holds or not self.is_leader:  # else the leader makes the pass
                    await self._append(WindowAnswer(move.seat, move.text, move.ref), spent)
                self.publish()  # it may be the last one that the window waits for
                return None
            played, deadline = len(session.match.entries), state.deadline
            event, game_events, carried_out = submission.make(move, before, self.window_timer)
            undone_by = move.seat if move.kind == "undo" else None
            await self._append(event, [*spent, *answers.endings(state, carried_out, undone_by)])
            seats = {entry.seat for entry in session.match.entries[played:]}
            senders = [] if before.beat is None else before.beat.take_senders(seats)
            self.publish(game_events, move.received_at, announce=state.deadline is not deadline)
            for seat, ref, viewer in senders:
                viewer.send_message(Done(ref, session.numbers[seat + 1]))
        return self.session.numbers[move.seat + 1]

    async def _append(self, event: RoomEvent, spent: Sequence[Deal | React | OrderEnded]) -> None:
        """Append an event that is applied already, and end the announcements and orders that it fulfils."""
        ended = contents.ended_by(self.state, spent)
        for each in spent:
            self.state.apply(each)
        await self.log.append(self.state, [event, *spent])
        for each in spent:
            if not isinstance(each, OrderEnded):
                self.broadcaster.show_stops(self.state, each.seat)
        for seat, found in ended.items():
            self.broadcaster.show_orders(self.state, seat, found)

    async def pass_window(self, seat: int) -> None:
        """Pass for a person who does not want to be asked any more in the open window. Hold the room."""
        if (asked := self.asked(seat)) is not None:
            asked.answer = asked.answer or "pass"
            self.broadcast()
        elif self.session.actor == seat and self.session.window is not None:
            await self.submit(Submission("act", seat, "pass", by="table"))

    # What follows from a change.

    def _seen(self) -> Moment:
        """Return the present moment, with the window that is open."""
        now = self.time_source.now()
        return Moment(self.state, self.clocks, self.window_timer.current(now), now)

    def moment(self) -> Moment:
        """Start the clock of the seat that decides now; return the moment with that clock and the open window."""
        self.clocks.start()
        return self._seen()

    def publish(
        self, game_events: Sequence[GameEvent] = (), received_at: float | None = None, announce: bool = False
    ) -> None:
        """Broadcast the position after a change, and schedule the next move of a bot or a clock. Hold the room.

        With `announce` everybody is sent the public state of the room, too.
        """
        moment = self.moment()
        self.broadcaster.broadcast(moment, game_events, received_at)
        if announce or (game_events and self.state.over):
            self.broadcast_room()
        if game_events:
            self.broadcaster.show_lapsed_skips(self.state)
        self._schedule(moment)

    def broadcast(self, game_events: Sequence[GameEvent] = (), is_own: bool = True) -> None:
        """Send events to every viewer that is shown any of them: see `Broadcaster.broadcast`."""
        self.broadcaster.broadcast(self.moment(), game_events, is_own=is_own)
        if game_events and self.state.over:
            self.broadcast_room()

    def show(self, viewer: Viewer, after: int | None = None) -> None:
        """Send a viewer the remembered events after a number; failing that, the whole view."""
        self.broadcaster.show(self.moment(), viewer, after)

    def summary(self) -> Table:
        """Return the public state of the room."""
        beat_ms = self.window_timer.public_beat_ms if self.state.game.windows else None
        return room_summary.table(self.state, self.presence, self.votes, self.settings.grace, beat_ms)

    def broadcast_room(self, only_changes: bool = False) -> None:
        """Send every viewer the public state of the room; with `only_changes`, if it is not what was sent last."""
        self.broadcaster.broadcast_room(self.summary(), only_changes)

    def update_seats(self) -> None:
        """Give every viewer the seats that its owner has now. One that has lost its seat looks from another."""
        for info in self.state.seats:
            if info.kind == "person":
                self.presence.expect(info.holder)
        for viewer in self.broadcaster.update_seats(self.state):
            self.show(viewer)

    def lead(self) -> None:
        """Make the moves of bots and clocks from now on."""
        if not self.is_leader:
            self.is_leader = True
            self.schedule()
            self.set_absence_timers()

    def go_on_alone(self) -> None:
        """Make the moves of bots in a game that goes on without viewers, when the last one has left."""
        if not self.presence.viewers and self.state.goes_on_alone and not self.is_stale:
            self.schedule()

    @property
    def _leads(self) -> bool:
        """True if this process makes moves of bots and clocks: it has the lease, viewers, and a working store."""
        return self._has_lead and self.log.fault is None

    @property
    def _has_lead(self) -> bool:
        """True if no other process makes the moves: in some games also if nobody is here or elsewhere."""
        presence = self.presence
        if presence.viewers:
            return self.is_leader
        return self.state.goes_on_alone and not presence.elsewhere and not presence.watching_elsewhere

    def schedule(self) -> None:
        """Start the next move that no person makes, if there is one. Called after every change."""
        self._schedule(self.moment())

    def _schedule(self, moment: Moment) -> None:
        self.broadcaster.notify_shared_devices(moment.state)
        self.window_timer.abandon_overtaken()
        due = scheduler.next_move(moment, self.settings, self.window_timer) if self._leads else None
        if due is None:
            return
        if not due.timer:
            self.tasks.spawn(self._make(due.move))
        else:
            start = self.tasks.later if due.restarts else self.tasks.once
            start(due.timer, due.delay_s, lambda: self._make(due.move))

    async def _make(
        self, work: scheduler.BotMove | scheduler.BeatEnd | scheduler.OrderMove | scheduler.DaysAnswer
    ) -> None:
        """Make a move that no person makes, when it is due and if it still is."""
        last_event_at = self.broadcaster.last_public_event_at
        tick = self.settings.tick if self.presence.viewers else None  # without viewers a bot answers at once
        text = await work.wait(self.time_source, last_event_at, tick)
        async with self.exclusive():
            if (move := work.submission(self._seen(), text, self._has_lead)) is not None:
                await self.submit(move)

    # Other changes.

    async def change(self, *changes: RoomEvent, announce: bool = True) -> None:
        """Apply events other than moves, append them to the log, and broadcast the room. Hold the room.

        `announce` is false for events that concern nobody else.
        """
        self.log.check_writable()
        for event in changes:
            self.state.apply(event)
        await self.log.append(self.state, changes)
        if any(isinstance(event, Sit | BotControl | Deal | AskWhen) for event in changes):
            self.window_timer.people_changed(self.time_source.now())
        if any(isinstance(event, Sit) for event in changes):
            self.update_seats()
            self.set_absence_timers()
        self.publish(announce=announce)

    async def begin(self, played: Sequence[LoggedMove] = ()) -> None:
        """Fix the client seeds and begin the game, perhaps with moves of another room. Hold the room."""
        self.log.check_writable()
        state = self.state
        seeds = [info.client_seed for info in state.seats]
        start = Start(seeds, all_windows=True, version=state.game.version, options=state.open_options)
        state.apply(start)
        if played:  # may be thousands, and nobody else knows of this room yet
            await asyncio.to_thread(state.play_again, played)
        moves = [*played, *submission.follow(state, self.window_timer, self.time_source.now())[0]]
        game_events = state.end_batch(NOBODY, None)
        await self.log.append(state, [start, Moves(moves)] if moves else [start])
        moment = self.moment()
        self.broadcaster.show_all(moment, game_events)
        self.broadcaster.count_public(moment, game_events)
        self.broadcast_room()
        self._schedule(moment)

    async def carry_out_votes(self) -> None:
        """Carry out every vote that is decided, and broadcast the others. Hold the room."""
        while (decided := self.votes.decided()) is not None:
            if decided[0] in decisions.CHARGED:
                self.clocks.charge()
            await self.change(*decisions.changes(self.state, *decided))
        self.set_absence_timers()
        self.broadcast_room()

    # Absent people.

    def set_absence_timers(self) -> None:
        """Set the timers for absent people. Called whenever people come, go, or change seats."""
        if self.log.fault is None and self.absence.returns(self.state):
            self.tasks.spawn(self._take_back())
        wait_s = self.absence.next_takeover_s(self.state) if self._leads else None
        if wait_s is not None:
            self.tasks.later("grace", wait_s, self._hand_to_bots)
        self._set_vote_timer()

    async def _take_back(self) -> None:
        async with self.exclusive():
            if self.log.fault is None and (events := self.absence.returns(self.state)):
                await self.change(*events)

    async def _hand_to_bots(self) -> None:
        async with self.exclusive():
            events = self.absence.takeovers(self.state)
            if events and self.presence.viewers and self.is_leader:
                await self.change(*events)
        self.set_absence_timers()

    def _set_vote_timer(self) -> None:
        wait_s = self.absence.next_recount_s(self.state, self.votes)
        if wait_s is not None and self.is_leader and self.presence.viewers:
            self.tasks.later("votes", wait_s, self._recount)

    async def _recount(self) -> None:
        async with self.exclusive():
            if self.is_leader:
                await self.carry_out_votes()
        self._set_vote_timer()

    def close(self) -> None:
        """End all tasks and subscriptions. They refer to the room: without them its memory is free at once."""
        self.tasks.cancel()
        self.on_newer = lambda: None
        if self.on_close is not None:
            self.on_close()
            self.on_close = None
