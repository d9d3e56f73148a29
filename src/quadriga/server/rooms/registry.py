"""The house: all tables, those in memory and those that only the store knows."""

from __future__ import annotations

import asyncio
import secrets
import time
from contextlib import suppress

import msgspec

from quadriga.engine.errors import QuadrigaError
from quadriga.engine.match import options as opts
from quadriga.engine.match.dice import LONGEST_WORD, SEED_BYTES
from quadriga.games import find
from quadriga.server import metrics
from quadriga.server.bots import choice
from quadriga.server.gc_tuning import COLLECTOR
from quadriga.server.limits import Limits
from quadriga.server.protocol.errors import TableError, standing
from quadriga.server.protocol.messages import Chair, Create, Join, Seating
from quadriga.server.rooms.event_log import Body, Ledger, Rematch, Setup, Sit
from quadriga.server.rooms.pubsub import Channel, LocalChannel
from quadriga.server.rooms.room import Room, loaded
from quadriga.server.seats import admission
from quadriga.server.seats.names import checked_name, distinct
from quadriga.server.seats.tokens import Bearer, Tokens, new_id
from quadriga.server.settings import Settings
from quadriga.server.storage import chain
from quadriga.server.storage.base import Kept, Store, now

TALK = 200  # things said that a newcomer hears of
_LISTED = 50
_STILL = 10.0  # seconds without a move after which nobody minds a pause


def checked_word(text: str) -> str:
    """A word that the dice take."""
    if len(text) > LONGEST_WORD or not text.isprintable():
        raise TableError("word.bad", 422, most=LONGEST_WORD)
    return text


class House:
    """Finds, makes and forgets rooms."""

    def __init__(self, store: Store, tokens: Tokens, settings: Settings, channel: Channel | None = None) -> None:
        self.store, self.tokens, self.settings = store, tokens, settings
        self.channel: Channel = LocalChannel() if channel is None else channel
        self.limits = Limits(settings)
        self.rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Future[Room | None]] = {}
        self._sweeper: asyncio.Task[None] | None = None

    # Finding.

    async def room(self, id: str) -> Room:
        """A table by its id, read from its log where it is not in memory."""
        if id in self.rooms:
            return self.rooms[id]
        self.check_crowded()
        if id not in self._loading:
            self._loading[id] = asyncio.ensure_future(self._load(id))
        try:
            room = await asyncio.shield(self._loading[id])
        finally:
            self._loading.pop(id, None)
        if room is None:
            raise TableError("table.unknown", 404)
        return room

    def check_crowded(self) -> None:
        """Refuse one more table in memory where there are too many."""
        if len(self.rooms) >= self.settings.tables:
            raise TableError("table.crowded", 503)

    async def _load(self, id: str) -> Room | None:
        ledger = await loaded(self.store, id)
        if ledger is None:
            return None
        talk = await self.store.talk(id, TALK)
        return self.rooms.setdefault(id, Room(ledger, talk, self.store, self.channel, self.settings))

    async def public(self) -> list[Room]:
        """Tables that anybody may join or watch."""
        rooms = []
        for each in await self.store.open_tables(_LISTED):
            with suppress(QuadrigaError):
                rooms.append(await self.room(each))
        return [room for room in rooms if not room.ledger.over]

    def bearer(self, token: str | None, id: str) -> Bearer:
        """Whose token this is."""
        if token is None:
            raise TableError("token.missing", 401)
        return self.tokens.read(token, id)

    def seats_of(self, room: Room, holder: str) -> list[int]:
        """The seats that somebody has."""
        return room.ledger.seats_of(holder)

    # Making.

    async def create(self, asked: Create) -> tuple[Room, str]:
        """A new table, and the host's token."""
        host = new_id()
        game = find(asked.game)
        options, seats = game.settle(asked.options, len(asked.seats))
        name, word = checked_name(asked.name), checked_word(asked.word)
        if (asked.dice.kind == "seeded") != (asked.dice.seed is not None):
            raise TableError("dice.seed", 422)
        setup = Setup(
            game=game.id,
            version=game.version,
            options=opts.written(game.options, options, seats),
            seats=seats,
            public=asked.public,
            rolls=asked.rolls,
            clock=asked.clock,
            pace=asked.pace,
            dice=asked.dice.kind,
            seed=_seed(asked.dice.seed),
            bots=secrets.randbits(40),
            host=host,
        )
        sits = _sits(asked.seats, game.id, host, name, word)
        if asked.start and len(sits) < seats:
            raise TableError("table.chairs")
        room = await self._make(setup, sits)
        if asked.start:
            async with room.turn():
                await room.begin()
        return room, self.tokens.issue(room.ledger.id, host)

    async def _make(self, setup: Setup, sits: list[Sit]) -> Room:
        ledger = Ledger(new_id(), setup)
        kept = Kept(ledger.id, now(), setup.public, ledger.status, msgspec.json.encode(setup))
        ledger.hash = chain.first(kept)
        await self.store.create(kept, [ledger.line(sit) for sit in sits])
        for sit in sits:
            ledger.apply(sit)
        room = Room(ledger, [], self.store, self.channel, self.settings)
        self.rooms[ledger.id] = room
        return room

    # Sitting down.

    async def join(self, room: Room, asked: Join, token: str | None) -> tuple[str, str]:
        """Take an open chair, or one of a running game by invitation; returns who one is now, and the token."""
        name, word = checked_name(asked.name), checked_word(asked.word)
        holder = new_id() if token is None else self.bearer(token, room.ledger.id).holder
        async with room.turn() as ledger:
            if ledger.over:
                raise standing(ledger.status)
            if ledger.status == "waiting" and asked.invite is None:
                seat = _free_seat(ledger, asked.seat, holder)
            else:
                seat = admission.invited_seat(ledger, asked, holder)
                word = ledger.chairs[seat].word  # the dice have heard it already
            taken = [*ledger.names(besides=seat), *choice.kinds(ledger.setup.game)]
            await room.change(Sit(seat, "person", distinct(name, taken), holder, None, word))
            await self._start_heirs(room)
        return holder, self.tokens.issue(room.ledger.id, holder)

    async def seat(self, room: Room, seat: int, asked: Seating, token: str | None) -> None:
        """The host seats a bot, or opens a chair, before the start."""
        async with room.turn() as ledger:
            self._check_host(room, token)
            if ledger.status != "waiting":
                raise TableError("table.started")
            if seat >= ledger.seats:
                raise TableError("table.no-seat", 404, seat=seat)
            if asked.kind == "bot":
                kind = choice.check(ledger.setup.game, asked.bot)
                await room.change(Sit(seat, "bot", kind, "", kind))
            else:
                await room.change(Sit(seat, "open"))
            await self._start_heirs(room)

    async def start(self, room: Room, token: str | None) -> None:
        """The host starts."""
        async with room.turn() as ledger:
            self._check_host(room, token)
            if ledger.status != "waiting":
                raise TableError("table.started")
            if any(chair.kind == "open" for chair in ledger.chairs):
                raise TableError("table.chairs")
            await room.begin()

    def _check_host(self, room: Room, token: str | None) -> None:
        admission.check_host(room, self.bearer(token, room.ledger.id).holder)

    # Once more.

    async def rematch(self, room: Room, token: str | None) -> tuple[Room, str]:
        """A new table with the same set-up; everybody of the old one has his seat there."""
        holder = self.bearer(token, room.ledger.id).holder
        async with room.turn() as ledger:
            if not self.seats_of(room, holder):
                raise TableError("table.not-seated", 403)
            if not ledger.over:
                raise TableError("table.not-over")
            if ledger.rematch is None:
                fresh = await self._again(room, holder)
                await room.change(Rematch(fresh.ledger.id))
            following = ledger.rematch
        assert following is not None
        fresh = await self.room(following)
        async with fresh.turn() as ledger:
            mine = ledger.setup.heirs.get(holder, [])
            names = {seat: room.ledger.chairs[seat].name for seat in mine}
            sits: list[Body] = [
                Sit(seat, "person", names[seat], holder) for seat in mine if ledger.chairs[seat].kind == "open"
            ]
            if sits and ledger.status == "waiting":
                await fresh.change(*sits)
            await self._start_heirs(fresh)
        return fresh, self.tokens.issue(following, holder)

    async def _again(self, room: Room, holder: str) -> Room:
        old = room.ledger
        heirs: dict[str, list[int]] = {}
        sits = []
        for seat, chair in enumerate(old.chairs):
            if chair.kind == "person":
                heirs.setdefault(chair.holder, []).append(seat)
            else:
                kind = chair.bot or choice.default(old.setup.game)
                sits.append(Sit(seat, "bot", kind, "", kind))
        setup = msgspec.structs.replace(
            old.setup,
            version=old.game.version,
            seed=_seed(int(old.setup.seed) + 1 if old.setup.dice == "seeded" else None),
            bots=secrets.randbits(40),
            host=holder,
            before=old.id,
            heirs=heirs,
        )
        return await self._make(setup, sits)

    async def _start_heirs(self, room: Room) -> None:
        """A rematch starts by itself when everybody is there."""
        ledger = room.ledger
        taken = all(chair.kind != "open" for chair in ledger.chairs)
        if ledger.setup.before is not None and ledger.status == "waiting" and taken:
            await room.begin()

    # Housekeeping.

    def open(self) -> None:
        """Sweep from now on, and tell people when nothing can be stored."""
        self.store.watch(self._storage_changed)
        self._sweeper = asyncio.create_task(self._sweep(), name="sweeper")

    def _storage_changed(self) -> None:
        for room in self.rooms.values():
            room.spawn(room.storage_changed())

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(min(30.0, self.settings.idle))
            for name, room in list(self.rooms.items()):
                since = room.attendance.empty_since
                if since is not None and time.monotonic() - since > self.settings.idle and not room.lock.locked():
                    self.rooms.pop(name).close()
            if COLLECTOR.due(quiet=all(room.still > _STILL for room in self.rooms.values())):
                COLLECTOR.tidy()

    async def close(self) -> None:
        """Send everybody away, and write what is waiting."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        for room in self.rooms.values():
            for viewer in tuple(room.attendance.viewers):
                viewer.close(1012)
            room.close()
        await self.store.close()

    def count(self) -> None:
        """Bring the gauges up to date."""
        metrics.tables.clear()
        metrics.seats.clear()
        for room in self.rooms.values():
            metrics.tables.labels(room.ledger.status).inc()
            for chair in room.ledger.chairs:
                metrics.seats.labels("covered" if chair.covered else chair.kind).inc()

    @property
    def sockets(self) -> int:
        """How many are open."""
        return sum(len(room.attendance.viewers) for room in self.rooms.values())


def _seed(seed: int | None) -> str:
    return secrets.token_hex(SEED_BYTES) if seed is None else str(seed)


def _free_seat(ledger: Ledger, wanted: int | None, holder: str) -> int:
    """Return an open seat of a game that waits, the wanted one or the first that is kept for nobody else."""
    reserved = {seat for heir, seats in ledger.setup.heirs.items() if heir != holder for seat in seats}
    free = [seat for seat, chair in enumerate(ledger.chairs) if chair.kind == "open" and seat not in reserved]
    if wanted is not None:
        free = [seat for seat in free if seat == wanted]
    if not free:
        raise TableError("table.full") if wanted is None else TableError("table.taken")
    return free[0]


def _sits(chairs: list[Chair], game: str, host: str, name: str, word: str) -> list[Sit]:
    """Who sits down at a new table at once."""
    found: list[Sit] = []
    taken: list[str] = []
    bots = choice.kinds(game)
    for seat, chair in enumerate(chairs):
        if chair.kind == "me":
            own = distinct(checked_name(chair.name) if chair.name else name, [*taken, *bots])
            found.append(Sit(seat, "person", own, host, None, "" if taken else word))
            taken.append(own)
        elif chair.kind == "bot":
            kind = choice.check(game, chair.bot)
            found.append(Sit(seat, "bot", kind, "", kind))
    return found
