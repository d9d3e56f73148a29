"""A room: one table in memory, with whoever looks at it. What happens is on disk before anyone is told."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from quadriga.engine.errors import QuadrigaError
from quadriga.engine.game import NOBODY
from quadriga.engine.kernels.slots import CHANCE, OVER
from quadriga.engine.match.match import FAMILY
from quadriga.server.bots import kernel_warmup
from quadriga.server.bots.timing import thought
from quadriga.server.protocol.errors import RoomError, StaleError, StorageError, not_playing
from quadriga.server.protocol.texts import storage
from quadriga.server.rooms import snapshot
from quadriga.server.rooms.broadcast import Broadcaster
from quadriga.server.rooms.clocks import Clocks
from quadriga.server.rooms.event_log import CLOSED, DECODERS, Cover, Moves, RoomEvent, RoomState, Sit, Start, Undo
from quadriga.server.rooms.lock import ExclusiveAccess, RoomLock
from quadriga.server.rooms.played_game import Done, GameEvent, GameSession
from quadriga.server.rooms.pubsub import Channel
from quadriga.server.rooms.viewers import Viewer
from quadriga.server.rooms.window_beat import Beat
from quadriga.server.seats import verdicts
from quadriga.server.seats.ballots import RUNNING
from quadriga.server.seats.votes import Votes
from quadriga.server.settings import Settings
from quadriga.server.storage.base import ChatMessage, LoadedRoom, Storage
from quadriga.server.storage.chain import damaged

_SOON = 0.05  # seconds


class Room(Broadcaster):
    """One table, live."""

    def __init__(
        self, state: RoomState, talk: list[ChatMessage], store: Storage, channel: Channel, settings: Settings
    ) -> None:
        super().__init__(settings)
        self.store, self.channel = store, channel
        self.talk = talk
        self.lock = RoomLock()
        self.is_stale = False  # whether the game in memory may not be what is in the log
        self._adopt(state)
        channel.subscribe(state.id, self._heard)

    def _adopt(self, state: RoomState) -> None:
        self.state = state
        self.votes = Votes(state, self.presence)
        self.clocks = Clocks(state)
        self._kept_status = state.status
        self.presence.missed(state.setup.host)
        self._reseat()

    @property
    def play(self) -> GameSession:
        """The game, which has begun."""
        if self.state.play is None:
            raise not_playing(self.state.status)
        return self.state.play

    def close(self) -> None:
        """Let go of everything."""
        self.channel.unsubscribe(self.state.id, self._heard)
        self.cancel_tasks()

    # One thing at a time.

    def turn(self) -> ExclusiveAccess:
        """Everything that reads or changes the table happens in here; what could not be written never happened."""
        return ExclusiveAccess(self)

    async def recover(self, fault: BaseException) -> None:
        """After a turn that went wrong."""
        if isinstance(fault, asyncio.CancelledError):
            await asyncio.shield(self.reload())
        elif isinstance(fault, StorageError) or not isinstance(fault, QuadrigaError):
            await self.reload()
            if isinstance(fault, StaleError):
                raise RoomError("table.again", 503) from None

    async def _write(self, bodies: Sequence[RoomEvent]) -> None:
        await self._put_down(bodies)
        self._written()

    def _put_down(self, bodies: Sequence[RoomEvent]) -> asyncio.Future[None]:
        """Give lines to the store; when they are on disk, `_written` is to be called."""
        state = self.state
        lines = [state.next_event(body) for body in bodies]
        status = state.status if state.status != self._kept_status else None
        taken = state.snapshot() if snapshot.due(lines[0].number, lines[-1].number) else None
        return asyncio.ensure_future(self.store.append(state.id, lines, status, taken))

    def _written(self) -> None:
        """The last line is on disk."""
        self.is_stale = False
        self._kept_status = self.state.status
        self.channel.publish(self.state.id, self.state.next - 1)

    async def change(self, *bodies: RoomEvent) -> None:
        """Write lines that change the table, apply them, and tell everybody. Within `turn`."""
        self.check_writable()
        for body in bodies:
            self.state.apply(body)
        await self._write(bodies)
        if any(isinstance(body, Sit) for body in bodies):
            self._reseat()
            self.watch_grace()
        self.broadcast_room()
        self.go_on()

    def _reseat(self) -> None:
        """Give every socket the seats that its owner has now; it looks from no other from here on."""
        for info in self.state.seats:
            if info.kind == "person":
                self.presence.missed(info.holder)
        for viewer in self.presence.viewers:
            seats = [] if viewer.holder is None else self.state.seats_of(viewer.holder)
            if seats != viewer.seats:
                moved = viewer.take(seats)
                viewer.send_message(self.seats_told(viewer))
                if moved:
                    self.show(viewer)

    async def note(self, body: RoomEvent) -> None:
        """Write and apply a line that is nobody else's business. Within `turn`."""
        self.check_writable()
        self.state.apply(body)
        await self._write([body])

    async def reload(self) -> None:
        """Take the truth from the log again: memory is ahead of it or behind it. Within the turnstile."""
        self.is_stale = True
        state = await loaded(self.store, self.state.id)
        if state is None:
            return
        self._adopt(state)
        self.is_stale = False
        for viewer in self.presence.viewers:
            self.show(viewer)
        self.broadcast_room()
        self.go_on()

    def _heard(self, number: int) -> None:
        if number >= self.state.next:
            self.spawn(self._catch_up())

    async def _catch_up(self) -> None:
        """Another process has written: read what follows."""
        async with self.turn() as state:
            for line in await self.store.events(state.id, state.next - 1):
                state.next, state.hash = line.number + 1, line.hash
                game_events = state.apply(DECODERS[line.kind].decode(line.body))
                self._kept_status = state.status
                self._tell(game_events)
            self._reseat()
            self.broadcast_room()

    # Moves.

    async def begin(self) -> None:
        """Fix the words, and let the game begin. Within `turn`."""
        self.check_writable()
        state = self.state
        start = Start([info.word for info in state.seats], all_windows=True, version=state.game.version)
        state.apply(start)
        done = self._follow()
        game_events = state.settled(NOBODY, None)
        await self._write([start, Moves(done)] if done else [start])
        for viewer in self.presence.viewers:
            self.show(viewer)
        self.noticed(game_events)
        self.broadcast_room()
        self.go_on()

    def check_goes_on(self) -> GameSession:
        """The game, if it can be played on."""
        if self.state.status != "playing":
            raise not_playing(self.state.status)
        self.check_writable()
        return self.play

    def check_writable(self) -> None:
        """Refuse what would have to be stored while nothing can be."""
        fault = self.store.fault
        if fault is not None:
            raise RoomError(fault.code, fault.status, **fault.parameters)

    async def storage_changed(self) -> None:
        """Tell everybody whether anything can be stored; when it can again, go on."""
        for viewer in self.presence.viewers:
            viewer.send_message(storage(self.store.fault))
        if self.store.fault is None:
            async with self.turn():
                self.clocks = Clocks(self.state)  # nobody is charged for the wait
                self.go_on()
            self.watch_grace()

    async def act(
        self, seat: int, number: int, text: str, ref: str | None, viewer: Viewer | None = None
    ) -> int | None:
        """Do what a person wants; return their number after it. Within `turn`.

        A pass in a window with a beat is done when the beat is over: then `viewer` is told, and None is returned.
        """
        play = self.check_goes_on()
        self._check(seat, number)
        if play.actor != seat:
            raise RoomError("act.not-asked")
        beat = self.beats.set()
        if beat is not None and beat.takes_pass(number, text, ref, viewer):
            return None
        await self._settle([play.act(text, "person")], seat, ref)
        return play.numbers[seat + 1]

    def may_act_now(self, seat: int, number: int, text: str, ref: str | None) -> bool:
        """Whether an action can be done at once: nothing else is under way here, and there is nothing to refuse."""
        state, play = self.state, self.state.play
        return (
            not self.lock.locked()
            and not self.is_stale
            and self.store.fault is None
            and play is not None
            and play.actor == seat
            and self.beats.set() is None
            and state.status == "playing"
            and not state.seats[seat].bot_controlled
            and number <= play.numbers[seat + 1]
            and text in play.match.actions()
            and not text.endswith(FAMILY)
            and not state.played(seat, ref)
        )

    def act_now(self, seat: int, text: str, ref: str | None) -> tuple[asyncio.Future[None], list[GameEvent]]:
        """Such an action: what is being written, and what is to be told when that is done. Within the turnstile."""
        return self._settled([self.play.act(text, "person")], seat, ref)

    def acted(self, seat: int, game_events: Sequence[GameEvent]) -> int:
        """It is on disk: tell it; returns the seat's number after it."""
        self._written()
        self._tell(game_events)
        return self.play.numbers[seat + 1]

    async def roll(self, seat: int, number: int, ref: str | None) -> int:
        """A person throws his dice. Within `turn`."""
        play = self.check_goes_on()
        self._check(seat, number)
        if self.state.setup.rolls != "hand" or play.roller != seat:
            raise RoomError("act.no-roll")
        await self._settle([play.chance()], seat, ref)
        return play.numbers[seat + 1]

    async def undo(self, seat: int, number: int, ref: str | None) -> int:
        """A person takes his last move back. Within `turn`."""
        play = self.check_goes_on()
        self._check(seat, number)
        if not play.may_undo(seat):
            raise RoomError("act.no-undo")
        self.is_stale = True  # until it is written
        self.clocks.charge()
        play.undo(seat)
        game_events = self.state.settled(seat, ref)
        await self._write([Undo(seat, ref)])
        self._tell(game_events)
        return play.numbers[seat + 1]

    async def pass_on(self, seat: int) -> None:
        """Somebody wants to be asked no more in a window that he is asked in. Within `turn`."""
        if (beat := self.beats.set()) is not None:
            beat.has_passed = True
            return
        await self._settle([self.play.act("pass", "table")], NOBODY, None)

    def _check(self, seat: int, number: int) -> None:
        info = self.state.seats[seat]
        if info.bot_controlled:
            raise RoomError("act.covered")
        if number > self.play.numbers[seat + 1]:
            raise RoomError("act.future", number=self.play.numbers[seat + 1])

    async def _settle(self, done: list[Done], seat: int, ref: str | None) -> None:
        """Let follow what follows, write it, and tell it."""
        writing, game_events = self._settled(done, seat, ref)
        await writing
        self._written()
        self._tell(game_events)

    def _settled(
        self, done: list[Done], seat: int, ref: str | None
    ) -> tuple[asyncio.Future[None], list[GameEvent]]:
        """Let follow what follows, and give it to the store."""
        self.is_stale = True  # until it is written
        if not self.play.is_compiled:
            kernel_warmup.of(self.state.game).moved(self.play)
        self.clocks.charge()
        done += self._follow()
        game_events = self.state.settled(seat, ref)
        timed = self.state.left if self.clocks.active else None
        return self._put_down([Moves(done, ref, seat, timed)]), game_events

    def _follow(self) -> list[Done]:
        """Let happen what happens by itself: chance, and passes of people who are not to be asked in a window."""
        play = self.play
        done: list[Done] = []
        while (actor := play.actor) != OVER:
            if actor == CHANCE:
                if self.state.setup.rolls == "hand" and self._person(play.roller):
                    break
                done.append(play.chance())
            elif self._person(actor) and self._passes_by_itself(actor):
                done.append(play.act("pass", "table"))
            else:
                break
        return done

    def _passes_by_itself(self, seat: int) -> bool:
        """Whether a person has set no stop for the window, or can only pass and nobody is there to notice."""
        play = self.play
        if play.window is None or play.window in self.state.seats[seat].stops:
            return play.window is not None and play.can_only_pass and self.beats.is_alone(seat)
        return True

    def _person(self, seat: int) -> bool:
        return seat >= 0 and not self.state.seats[seat].played_by_bot

    # Going on.

    def _tell(self, game_events: Sequence[GameEvent]) -> None:
        """Tell everybody what has happened, and see how it goes on."""
        self.tell(game_events)
        self.go_on()

    def go_on(self) -> None:
        """See who is to do something now, and whether a bot or a clock is to see to it."""
        self.notify_shared_devices()
        self.clocks.set()
        beat = self.beats.set()
        state = self.state
        if state.status != "playing" or state.play is None or not self.presence.viewers:
            return
        if self.store.fault is not None:
            return  # until something can be stored again: `storage_changed`
        actor = state.play.actor
        rest = self.clocks.rest
        if actor >= 0 and state.seats[actor].played_by_bot:
            self.spawn(self._bot_turn(actor, state.play.batches, pause=True))
        elif beat is not None:
            if not beat.is_timed:
                beat.is_timed = True
                self.spawn(self._end_beat(beat))
        elif rest is not None:
            seat, mark = self.clocks.seat, state.play.batches
            self.later("clock", rest / 1000, lambda: self._bot_turn(seat, mark, pause=False))
        elif actor == CHANCE and not self._person(state.play.roller):
            self.spawn(self._bot_turn(NOBODY, state.play.batches, pause=False))

    async def _bot_turn(self, seat: int, mark: int, pause: bool) -> None:
        """A bot decides, or throws for who does not; it answers in windows at fixed moments, whatever it holds."""
        state, play = self.state, self.play
        text = ""
        if play.actor == seat and seat >= 0:
            text = await thought(
                self.time_source, state, seat, self._stirred, self.settings.tick if pause else None
            )
        async with self.turn():
            if state is not self.state or play.batches != mark or state.status != "playing":
                return
            if not self.presence.viewers or (pause and not state.seats[seat].played_by_bot):
                return
            if play.actor == CHANCE:
                await self._settle([play.chance()], NOBODY, None)
            elif text:
                await self._settle([play.act(text, "bot")], NOBODY, None)

    async def _end_beat(self, beat: Beat) -> None:
        """Pass for the seat that is asked when its beat is over, whether it has said so or nothing."""
        await self.time_source.until(beat.ends_at)
        async with self.turn():
            if self.beats.set() is not beat:
                return
            by, ref = ("person" if beat.has_passed else "table"), beat.ref
            await self._settle([self.play.act("pass", by)], beat.seat if ref is not None else NOBODY, ref)
            beat.acknowledge()

    # Coming and going.

    async def enter(self, viewer: Viewer, after: int | None) -> None:
        """Somebody opens a socket: greeted outside, shown here. Within `turn`."""
        self.presence.come(viewer)
        back = [seat for seat in viewer.seats if self.state.seats[seat].bot_controlled]
        self.show(viewer, after)
        if back and not self.state.over and self.store.fault is None:
            await self.change(*(Cover(seat, False) for seat in back))
        else:
            self.broadcast_room_soon()
            self.go_on()
        self.watch_grace()

    def broadcast_room_soon(self) -> None:
        """Tell everybody of the table, but once for all who come and go at about the same time."""
        if not self.awaits("table"):
            self.later("table", _SOON, self._tell_table_now)

    async def _tell_table_now(self) -> None:
        async with self.turn():  # what is being written is not told
            self.broadcast_room()

    def leave(self, viewer: Viewer) -> None:
        """Somebody's socket is closed."""
        self.presence.go(viewer)
        self.broadcast_room_soon()
        self.watch_grace()

    def watch_grace(self) -> None:
        """See to it that bots play for those who stay away."""
        waits = []
        for info in self.state.seats:
            if info.kind == "person" and not info.bot_controlled:
                gone = self.presence.away(info.holder)
                if gone is not None:
                    waits.append(max(0.0, self.settings.grace - gone))
        if waits and self.store.fault is None and self.state.status == "playing" and self.presence.viewers:
            self.later("grace", min(waits) + 0.01, self._cover_gone)
        self._watch_long_gone()

    def _watch_long_gone(self) -> None:
        """Count open votes again when somebody has been away for long."""
        state, presence = self.state, self.presence
        holders = {info.holder for info in state.seats if info.kind == "person"} | {state.setup.host}
        away = [seconds for each in holders if (seconds := presence.away(each)) is not None]
        waits = [presence.long_gone - seconds for seconds in away if seconds < presence.long_gone]
        if self.votes.decided() is not None:  # somebody was away for long while nobody was here
            waits.append(0.0)
        if waits and state.status in RUNNING and presence.viewers:
            self.later("votes", min(waits) + 0.01, self._recount)

    async def _recount(self) -> None:
        async with self.turn():
            await verdicts.settle(self)
        self._watch_long_gone()

    async def _cover_gone(self) -> None:
        async with self.turn() as state:
            gone = [seat for seat in range(state.seat_count) if self._gone(seat)]
            if gone and state.status == "playing" and self.presence.viewers:
                await self.change(*(Cover(seat, True) for seat in gone))
        self.watch_grace()

    def _gone(self, seat: int) -> bool:
        info = self.state.seats[seat]
        away = self.presence.away(info.holder) if info.kind == "person" and not info.bot_controlled else None
        return away is not None and away >= self.settings.grace


async def loaded(store: Storage, id: str) -> RoomState | None:
    """A table from its log, by the shortcut of a snapshot where there is a good one; None where there is none."""
    stored = await store.load(id)
    return None if stored is None else await asyncio.to_thread(replayed, stored)


def replayed(stored: LoadedRoom) -> RoomState:
    """Replay the log of a room; raise TableError where its status is not what was written."""
    kept = stored.row
    state = RoomState.read(kept.id, kept.setup, stored.events, stored.snapshots, kept.status)
    state.hash = stored.head.hash  # a log may be empty, and a closed room's is not played
    if state.status not in (kept.status, CLOSED):
        raise damaged(RoomError("damage.status", found=kept.status, events=state.status))
    return state
