"""A room: one table in memory, with whoever looks at it. What happens is on disk before anyone is told."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import msgspec

from quadriga.engine.errors import QuadrigaError
from quadriga.engine.game import NOBODY
from quadriga.engine.match import FAMILY
from quadriga.engine.slots import CHANCE, OVER
from quadriga.table import haste, snapshot
from quadriga.table.channel import Channel
from quadriga.table.clocks import Clocks
from quadriga.table.ledger import KINDS, Body, Cover, Ledger, Moves, Start, Undo
from quadriga.table.moments import thought
from quadriga.table.play import Done, Happening, Play
from quadriga.table.polls import Polls
from quadriga.table.refusals import StaleError, TableError, standing
from quadriga.table.settings import Settings
from quadriga.table.store import Kept, Store, Talk
from quadriga.table.telling import Telling
from quadriga.table.turns import Turn, Turnstile
from quadriga.table.viewers import Viewer

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
        for chair in ledger.chairs:
            if chair.kind == "person":
                self.attendance.missed(chair.holder)

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
        elif not isinstance(fault, QuadrigaError):
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
        for body in bodies:
            self.ledger.apply(body)
        await self._write(bodies)
        self.tell_table()
        self.go_on()

    async def note(self, body: Body) -> None:
        """Write and apply a line that is nobody else's business. Within `turn`."""
        self.ledger.apply(body)
        await self._write([body])

    async def reload(self) -> None:
        """Take the truth from the log again: memory is ahead of it or behind it. Within the turnstile."""
        self.astray = True
        kept = await self.store.find(self.ledger.id)
        if kept is None:
            return
        self._adopt(await loaded(self.store, kept))
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
                ledger.next = line.number + 1
                happenings = ledger.apply(msgspec.json.decode(line.body, type=KINDS[line.kind]))
                self._kept_status = ledger.status
                self._tell(happenings)
            self.tell_table()

    # Moves.

    async def begin(self) -> None:
        """Fix the words, and let the game begin. Within `turn`."""
        ledger = self.ledger
        start = Start([chair.word for chair in ledger.chairs], ledger.game.version)
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
        return self.play

    async def act(self, seat: int, number: int, text: str, ref: str | None) -> int:
        """A person's action; returns his number after it. Within `turn`."""
        play = self.check_goes_on()
        self._check(seat, number)
        if play.actor != seat:
            raise TableError("act.not-asked")
        await self._settle([play.act(text, "person")], seat, ref)
        return play.numbers[seat + 1]

    def may_act_now(self, seat: int, number: int, text: str, ref: str | None) -> bool:
        """Whether an action can be done at once: nothing else is under way here, and there is nothing to refuse."""
        ledger, play = self.ledger, self.ledger.play
        return (
            not self.lock.locked()
            and not self.astray
            and play is not None
            and play.actor == seat
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
            haste.of(self.ledger.game).moved(self.play)
        self.clocks.charge()
        done += self._follow()
        happenings = self.ledger.settled(seat, ref)
        timed = self.ledger.left if self.clocks.active else None
        return self._put_down([Moves(done, ref, seat, timed)]), happenings

    def _follow(self) -> list[Done]:
        """What happens by itself: chance, and passes of people who have set no stop for a window."""
        play = self.play
        done: list[Done] = []
        while (actor := play.actor) != OVER:
            if actor == CHANCE:
                if self.ledger.setup.rolls == "hand" and self._person(play.roller):
                    break
                done.append(play.chance())
            elif self._person(actor) and play.window and play.window not in self.ledger.chairs[actor].stops:
                done.append(play.act("pass", "table"))
            else:
                break
        return done

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
        ledger = self.ledger
        if ledger.status != "playing" or ledger.play is None or not self.attendance.viewers:
            return
        actor = ledger.play.actor
        rest = self.clocks.rest
        if actor >= 0 and ledger.chairs[actor].played_by_bot:
            self.spawn(self._bot_turn(actor, ledger.play.batches, pause=True))
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

    # Coming and going.

    async def enter(self, viewer: Viewer, after: int | None) -> None:
        """Somebody opens a socket: greeted outside, shown here. Within `turn`."""
        self.attendance.come(viewer)
        back = [seat for seat in viewer.seats if self.ledger.chairs[seat].covered]
        self.show(viewer, after)
        if back and not self.ledger.over:
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
        if waits and self.ledger.status == "playing" and self.attendance.viewers:
            self.later("grace", min(waits) + 0.01, self._cover_gone)

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


async def loaded(store: Store, kept: Kept) -> Ledger:
    """A table from its log, by the shortcut of a snapshot where there is a good one."""
    lines, snapshots = await store.lines(kept.id), await store.snapshots(kept.id)
    return await asyncio.to_thread(Ledger.read, kept.id, kept.setup, lines, snapshots, kept.status)
