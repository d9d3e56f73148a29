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
from quadriga.server.protocol.errors import StaleError, StorageError, TableError, standing
from quadriga.server.protocol.texts import storage
from quadriga.server.rooms import snapshot
from quadriga.server.rooms.broadcast import Telling
from quadriga.server.rooms.clocks import Clocks
from quadriga.server.rooms.event_log import CLOSED, DECODERS, Body, Cover, Ledger, Moves, Sit, Start, Undo
from quadriga.server.rooms.lock import Turn, Turnstile
from quadriga.server.rooms.played_game import Done, Happening, Play
from quadriga.server.rooms.pubsub import Channel
from quadriga.server.rooms.viewers import Viewer
from quadriga.server.rooms.window_beat import Beat
from quadriga.server.seats import verdicts
from quadriga.server.seats.ballots import RUNNING
from quadriga.server.seats.votes import Polls
from quadriga.server.settings import Settings
from quadriga.server.storage.base import Store, Stored, Talk
from quadriga.server.storage.chain import damaged

_SOON = 0.05  # seconds


class Room(Telling):
    """One table, live."""

    def __init__(
        self, ledger: Ledger, talk: list[Talk], store: Store, channel: Channel, settings: Settings
    ) -> None:
        super().__init__(settings)
        self.store, self.channel = store, channel
        self.talk = talk
        self.lock = Turnstile()
        self.astray = False  # whether the game in memory may not be what is in the log
        self._adopt(ledger)
        channel.subscribe(ledger.id, self._heard)

    def _adopt(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.polls = Polls(ledger, self.attendance)
        self.clocks = Clocks(ledger)
        self._kept_status = ledger.status
        self.attendance.missed(ledger.setup.host)
        self._reseat()

    @property
    def play(self) -> Play:
        """The game, which has begun."""
        if self.ledger.play is None:
            raise standing(self.ledger.status)
        return self.ledger.play

    def close(self) -> None:
        """Let go of everything."""
        self.channel.unsubscribe(self.ledger.id, self._heard)
        self.drop_errands()

    # One thing at a time.

    def turn(self) -> Turn:
        """Everything that reads or changes the table happens in here; what could not be written never happened."""
        return Turn(self)

    async def mend(self, fault: BaseException) -> None:
        """After a turn that went wrong."""
        if isinstance(fault, asyncio.CancelledError):
            await asyncio.shield(self.reload())
        elif isinstance(fault, StorageError) or not isinstance(fault, QuadrigaError):
            await self.reload()
            if isinstance(fault, StaleError):
                raise TableError("table.again", 503) from None

    async def _write(self, bodies: Sequence[Body]) -> None:
        await self._put_down(bodies)
        self._written()

    def _put_down(self, bodies: Sequence[Body]) -> asyncio.Future[None]:
        """Give lines to the store; when they are on disk, `_written` is to be called."""
        ledger = self.ledger
        lines = [ledger.line(body) for body in bodies]
        status = ledger.status if ledger.status != self._kept_status else None
        taken = ledger.snapshot() if snapshot.due(lines[0].number, lines[-1].number) else None
        return asyncio.ensure_future(self.store.append(ledger.id, lines, status, taken))

    def _written(self) -> None:
        """The last line is on disk."""
        self.astray = False
        self._kept_status = self.ledger.status
        self.channel.publish(self.ledger.id, self.ledger.next - 1)

    async def change(self, *bodies: Body) -> None:
        """Write lines that change the table, apply them, and tell everybody. Within `turn`."""
        self.check_writable()
        for body in bodies:
            self.ledger.apply(body)
        await self._write(bodies)
        if any(isinstance(body, Sit) for body in bodies):
            self._reseat()
            self.watch_grace()
        self.tell_table()
        self.go_on()

    def _reseat(self) -> None:
        """Give every socket the seats that its owner has now; it looks from no other from here on."""
        for chair in self.ledger.chairs:
            if chair.kind == "person":
                self.attendance.missed(chair.holder)
        for viewer in self.attendance.viewers:
            seats = [] if viewer.holder is None else self.ledger.seats_of(viewer.holder)
            if seats != viewer.seats:
                moved = viewer.take(seats)
                viewer.tell({"type": "seats", **self.seats_told(viewer)})
                if moved:
                    self.show(viewer)

    async def note(self, body: Body) -> None:
        """Write and apply a line that is nobody else's business. Within `turn`."""
        self.check_writable()
        self.ledger.apply(body)
        await self._write([body])

    async def reload(self) -> None:
        """Take the truth from the log again: memory is ahead of it or behind it. Within the turnstile."""
        self.astray = True
        ledger = await loaded(self.store, self.ledger.id)
        if ledger is None:
            return
        self._adopt(ledger)
        self.astray = False
        for viewer in self.attendance.viewers:
            self.show(viewer)
        self.tell_table()
        self.go_on()

    def _heard(self, number: int) -> None:
        if number >= self.ledger.next:
            self.spawn(self._catch_up())

    async def _catch_up(self) -> None:
        """Another process has written: read what follows."""
        async with self.turn() as ledger:
            for line in await self.store.lines(ledger.id, ledger.next - 1):
                ledger.next, ledger.hash = line.number + 1, line.hash
                happenings = ledger.apply(DECODERS[line.kind].decode(line.body))
                self._kept_status = ledger.status
                self._tell(happenings)
            self._reseat()
            self.tell_table()

    # Moves.

    async def begin(self) -> None:
        """Fix the words, and let the game begin. Within `turn`."""
        self.check_writable()
        ledger = self.ledger
        start = Start([chair.word for chair in ledger.chairs], all_windows=True, version=ledger.game.version)
        ledger.apply(start)
        done = self._follow()
        happenings = ledger.settled(NOBODY, None)
        await self._write([start, Moves(done)] if done else [start])
        for viewer in self.attendance.viewers:
            self.show(viewer)
        self.noticed(happenings)
        self.tell_table()
        self.go_on()

    def check_goes_on(self) -> Play:
        """The game, if it can be played on."""
        if self.ledger.status != "playing":
            raise standing(self.ledger.status)
        self.check_writable()
        return self.play

    def check_writable(self) -> None:
        """Refuse what would have to be stored while nothing can be."""
        fault = self.store.fault
        if fault is not None:
            raise TableError(fault.code, fault.status, **fault.parameters)

    async def storage_changed(self) -> None:
        """Tell everybody whether anything can be stored; when it can again, go on."""
        for viewer in self.attendance.viewers:
            viewer.tell(storage(self.store.fault))
        if self.store.fault is None:
            async with self.turn():
                self.clocks = Clocks(self.ledger)  # nobody is charged for the wait
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
            raise TableError("act.not-asked")
        beat = self.beats.set()
        if beat is not None and beat.takes_pass(number, text, ref, viewer):
            return None
        await self._settle([play.act(text, "person")], seat, ref)
        return play.numbers[seat + 1]

    def may_act_now(self, seat: int, number: int, text: str, ref: str | None) -> bool:
        """Whether an action can be done at once: nothing else is under way here, and there is nothing to refuse."""
        ledger, play = self.ledger, self.ledger.play
        return (
            not self.lock.locked()
            and not self.astray
            and self.store.fault is None
            and play is not None
            and play.actor == seat
            and self.beats.set() is None
            and ledger.status == "playing"
            and not ledger.chairs[seat].covered
            and number <= play.numbers[seat + 1]
            and text in play.match.actions()
            and not text.endswith(FAMILY)
            and not ledger.played(seat, ref)
        )

    def act_now(self, seat: int, text: str, ref: str | None) -> tuple[asyncio.Future[None], list[Happening]]:
        """Such an action: what is being written, and what is to be told when that is done. Within the turnstile."""
        return self._settled([self.play.act(text, "person")], seat, ref)

    def acted(self, seat: int, happenings: Sequence[Happening]) -> int:
        """It is on disk: tell it; returns the seat's number after it."""
        self._written()
        self._tell(happenings)
        return self.play.numbers[seat + 1]

    async def roll(self, seat: int, number: int, ref: str | None) -> int:
        """A person throws his dice. Within `turn`."""
        play = self.check_goes_on()
        self._check(seat, number)
        if self.ledger.setup.rolls != "hand" or play.roller != seat:
            raise TableError("act.no-roll")
        await self._settle([play.chance()], seat, ref)
        return play.numbers[seat + 1]

    async def undo(self, seat: int, number: int, ref: str | None) -> int:
        """A person takes his last move back. Within `turn`."""
        play = self.check_goes_on()
        self._check(seat, number)
        if not play.may_undo(seat):
            raise TableError("act.no-undo")
        self.astray = True  # until it is written
        self.clocks.charge()
        play.undo(seat)
        happenings = self.ledger.settled(seat, ref)
        await self._write([Undo(seat, ref)])
        self._tell(happenings)
        return play.numbers[seat + 1]

    async def pass_on(self, seat: int) -> None:
        """Somebody wants to be asked no more in a window that he is asked in. Within `turn`."""
        if (beat := self.beats.set()) is not None:
            beat.has_passed = True
            return
        await self._settle([self.play.act("pass", "table")], NOBODY, None)

    def _check(self, seat: int, number: int) -> None:
        chair = self.ledger.chairs[seat]
        if chair.covered:
            raise TableError("act.covered")
        if number > self.play.numbers[seat + 1]:
            raise TableError("act.future", number=self.play.numbers[seat + 1])

    async def _settle(self, done: list[Done], seat: int, ref: str | None) -> None:
        """Let follow what follows, write it, and tell it."""
        writing, happenings = self._settled(done, seat, ref)
        await writing
        self._written()
        self._tell(happenings)

    def _settled(
        self, done: list[Done], seat: int, ref: str | None
    ) -> tuple[asyncio.Future[None], list[Happening]]:
        """Let follow what follows, and give it to the store."""
        self.astray = True  # until it is written
        if not self.play.hastened:
            kernel_warmup.of(self.ledger.game).moved(self.play)
        self.clocks.charge()
        done += self._follow()
        happenings = self.ledger.settled(seat, ref)
        timed = self.ledger.left if self.clocks.active else None
        return self._put_down([Moves(done, ref, seat, timed)]), happenings

    def _follow(self) -> list[Done]:
        """Let happen what happens by itself: chance, and passes of people who are not to be asked in a window."""
        play = self.play
        done: list[Done] = []
        while (actor := play.actor) != OVER:
            if actor == CHANCE:
                if self.ledger.setup.rolls == "hand" and self._person(play.roller):
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
        if play.window is None or play.window in self.ledger.chairs[seat].stops:
            return play.window is not None and play.can_only_pass and self.beats.is_alone(seat)
        return True

    def _person(self, seat: int) -> bool:
        return seat >= 0 and not self.ledger.chairs[seat].played_by_bot

    # Going on.

    def _tell(self, happenings: Sequence[Happening]) -> None:
        """Tell everybody what has happened, and see how it goes on."""
        self.tell(happenings)
        self.go_on()

    def go_on(self) -> None:
        """See who is to do something now, and whether a bot or a clock is to see to it."""
        self.tell_wanted()
        self.clocks.set()
        beat = self.beats.set()
        ledger = self.ledger
        if ledger.status != "playing" or ledger.play is None or not self.attendance.viewers:
            return
        if self.store.fault is not None:
            return  # until something can be stored again: `storage_changed`
        actor = ledger.play.actor
        rest = self.clocks.rest
        if actor >= 0 and ledger.chairs[actor].played_by_bot:
            self.spawn(self._bot_turn(actor, ledger.play.batches, pause=True))
        elif beat is not None:
            if not beat.is_timed:
                beat.is_timed = True
                self.spawn(self._end_beat(beat))
        elif rest is not None:
            seat, mark = self.clocks.seat, ledger.play.batches
            self.later("clock", rest / 1000, lambda: self._bot_turn(seat, mark, pause=False))
        elif actor == CHANCE and not self._person(ledger.play.roller):
            self.spawn(self._bot_turn(NOBODY, ledger.play.batches, pause=False))

    async def _bot_turn(self, seat: int, mark: int, pause: bool) -> None:
        """A bot decides, or throws for who does not; it answers in windows at fixed moments, whatever it holds."""
        ledger, play = self.ledger, self.play
        text = ""
        if play.actor == seat and seat >= 0:
            text = await thought(self.moments, ledger, seat, self._stirred, self.settings.tick if pause else None)
        async with self.turn():
            if ledger is not self.ledger or play.batches != mark or ledger.status != "playing":
                return
            if not self.attendance.viewers or (pause and not ledger.chairs[seat].played_by_bot):
                return
            if play.actor == CHANCE:
                await self._settle([play.chance()], NOBODY, None)
            elif text:
                await self._settle([play.act(text, "bot")], NOBODY, None)

    async def _end_beat(self, beat: Beat) -> None:
        """Pass for the seat that is asked when its beat is over, whether it has said so or nothing."""
        await self.moments.until(beat.ends_at)
        async with self.turn():
            if self.beats.set() is not beat:
                return
            by, ref = ("person" if beat.has_passed else "table"), beat.ref
            await self._settle([self.play.act("pass", by)], beat.seat if ref is not None else NOBODY, ref)
            beat.acknowledge()

    # Coming and going.

    async def enter(self, viewer: Viewer, after: int | None) -> None:
        """Somebody opens a socket: greeted outside, shown here. Within `turn`."""
        self.attendance.come(viewer)
        back = [seat for seat in viewer.seats if self.ledger.chairs[seat].covered]
        self.show(viewer, after)
        if back and not self.ledger.over and self.store.fault is None:
            await self.change(*(Cover(seat, False) for seat in back))
        else:
            self.tell_table_soon()
            self.go_on()
        self.watch_grace()

    def tell_table_soon(self) -> None:
        """Tell everybody of the table, but once for all who come and go at about the same time."""
        if not self.awaits("table"):
            self.later("table", _SOON, self._tell_table_now)

    async def _tell_table_now(self) -> None:
        async with self.turn():  # what is being written is not told
            self.tell_table()

    def leave(self, viewer: Viewer) -> None:
        """Somebody's socket is closed."""
        self.attendance.go(viewer)
        self.tell_table_soon()
        self.watch_grace()

    def watch_grace(self) -> None:
        """See to it that bots play for those who stay away."""
        waits = []
        for chair in self.ledger.chairs:
            if chair.kind == "person" and not chair.covered:
                gone = self.attendance.away(chair.holder)
                if gone is not None:
                    waits.append(max(0.0, self.settings.grace - gone))
        if waits and self.store.fault is None and self.ledger.status == "playing" and self.attendance.viewers:
            self.later("grace", min(waits) + 0.01, self._cover_gone)
        self._watch_long_gone()

    def _watch_long_gone(self) -> None:
        """Count open votes again when somebody has been away for long."""
        ledger, attendance = self.ledger, self.attendance
        holders = {chair.holder for chair in ledger.chairs if chair.kind == "person"} | {ledger.setup.host}
        away = [seconds for each in holders if (seconds := attendance.away(each)) is not None]
        waits = [attendance.long_gone - seconds for seconds in away if seconds < attendance.long_gone]
        if self.polls.decided() is not None:  # somebody was away for long while nobody was here
            waits.append(0.0)
        if waits and ledger.status in RUNNING and attendance.viewers:
            self.later("votes", min(waits) + 0.01, self._recount)

    async def _recount(self) -> None:
        async with self.turn():
            await verdicts.settle(self)
        self._watch_long_gone()

    async def _cover_gone(self) -> None:
        async with self.turn() as ledger:
            gone = [seat for seat in range(ledger.seats) if self._gone(seat)]
            if gone and ledger.status == "playing" and self.attendance.viewers:
                await self.change(*(Cover(seat, True) for seat in gone))
        self.watch_grace()

    def _gone(self, seat: int) -> bool:
        chair = self.ledger.chairs[seat]
        away = self.attendance.away(chair.holder) if chair.kind == "person" and not chair.covered else None
        return away is not None and away >= self.settings.grace


async def loaded(store: Store, id: str) -> Ledger | None:
    """A table from its log, by the shortcut of a snapshot where there is a good one; None where there is none."""
    stored = await store.load(id)
    return None if stored is None else await asyncio.to_thread(replayed, stored)


def replayed(stored: Stored) -> Ledger:
    """Replay the log of a room; raise TableError where its status is not what was written."""
    kept = stored.kept
    ledger = Ledger.read(kept.id, kept.setup, stored.lines, stored.snapshots, kept.status)
    ledger.hash = stored.head.hash  # a log may be empty, and a closed room's is not played
    if ledger.status not in (kept.status, CLOSED):
        raise damaged(TableError("damage.status", found=kept.status, events=ledger.status))
    return ledger
