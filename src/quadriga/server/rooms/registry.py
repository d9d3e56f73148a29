"""The house: all tables, those in memory and those that only the store knows."""

from __future__ import annotations

import asyncio
import secrets
import time
from contextlib import suppress

import msgspec

from quadriga.engine.errors import QuadrigaError
from quadriga.engine.match import options as opts
from quadriga.engine.match.dice import MAX_CLIENT_SEED, SEED_BYTES
from quadriga.games import find
from quadriga.server import metrics
from quadriga.server.bots import choice
from quadriga.server.gc_tuning import GC_TUNING
from quadriga.server.limits import Limits
from quadriga.server.protocol.errors import RoomError, not_playing
from quadriga.server.protocol.requests import Create, Join, Seating, SeatRequest
from quadriga.server.rooms.event_log import Rematch, RoomEvent, RoomState, Setup, Sit
from quadriga.server.rooms.pubsub import Channel, LocalChannel
from quadriga.server.rooms.room import Room, loaded
from quadriga.server.seats import admission
from quadriga.server.seats.names import checked_name, distinct
from quadriga.server.seats.tokens import Bearer, Tokens, new_id
from quadriga.server.settings import Settings
from quadriga.server.storage import chain
from quadriga.server.storage.base import Storage, StoredRoom, now

TALK = 200  # things said that a newcomer hears of
_LISTED = 50
_STILL = 10.0  # seconds without a move after which nobody minds a pause


def checked_word(text: str) -> str:
    """A word that the dice take."""
    if len(text) > MAX_CLIENT_SEED or not text.isprintable():
        raise RoomError("word.bad", 422, most=MAX_CLIENT_SEED)
    return text


class Registry:
    """Finds, makes and forgets rooms."""

    def __init__(self, store: Storage, tokens: Tokens, settings: Settings, channel: Channel | None = None) -> None:
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
            raise RoomError("table.unknown", 404)
        return room

    def check_crowded(self) -> None:
        """Refuse one more table in memory where there are too many."""
        if len(self.rooms) >= self.settings.tables:
            raise RoomError("table.crowded", 503)

    async def _load(self, id: str) -> Room | None:
        state = await loaded(self.store, id)
        if state is None:
            return None
        talk = await self.store.chat(id, TALK)
        return self.rooms.setdefault(id, Room(state, talk, self.store, self.channel, self.settings))

    async def public(self) -> list[Room]:
        """Tables that anybody may join or watch."""
        rooms = []
        for each in await self.store.open_rooms(_LISTED):
            with suppress(QuadrigaError):
                rooms.append(await self.room(each))
        return [room for room in rooms if not room.state.over]

    def bearer(self, token: str | None, id: str) -> Bearer:
        """Whose token this is."""
        if token is None:
            raise RoomError("token.missing", 401)
        return self.tokens.read(token, id)

    def seats_of(self, room: Room, holder: str) -> list[int]:
        """The seats that somebody has."""
        return room.state.seats_of(holder)

    # Making.

    async def create(self, asked: Create) -> tuple[Room, str]:
        """A new table, and the host's token."""
        host = new_id()
        game = find(asked.game)
        options, seats = game.resolve_options(asked.options, len(asked.seats))
        name, word = checked_name(asked.name), checked_word(asked.word)
        if (asked.dice.kind == "seeded") != (asked.dice.seed is not None):
            raise RoomError("dice.seed", 422)
        setup = Setup(
            game=game.id,
            version=game.version,
            options=opts.for_header(game.options, options, seats),
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
            raise RoomError("table.chairs")
        room = await self._make(setup, sits)
        if asked.start:
            async with room.turn():
                await room.begin()
        return room, self.tokens.issue(room.state.id, host)

    async def _make(self, setup: Setup, sits: list[Sit]) -> Room:
        state = RoomState(new_id(), setup)
        kept = StoredRoom(state.id, now(), setup.public, state.status, msgspec.json.encode(setup))
        state.hash = chain.first_hash(kept)
        await self.store.create(kept, [state.next_event(sit) for sit in sits])
        for sit in sits:
            state.apply(sit)
        room = Room(state, [], self.store, self.channel, self.settings)
        self.rooms[state.id] = room
        return room

    # Sitting down.

    async def join(self, room: Room, asked: Join, token: str | None) -> tuple[str, str]:
        """Take an open chair, or one of a running game by invitation; returns who one is now, and the token."""
        name, word = checked_name(asked.name), checked_word(asked.word)
        holder = new_id() if token is None else self.bearer(token, room.state.id).holder
        async with room.turn() as state:
            if state.over:
                raise not_playing(state.status)
            if state.status == "waiting" and asked.invite is None:
                seat = _free_seat(state, asked.seat, holder)
            else:
                seat = admission.invited_seat(state, asked, holder)
                word = state.seats[seat].word  # the dice have heard it already
            taken = [*state.names(besides=seat), *choice.kinds(state.setup.game)]
            await room.change(Sit(seat, "person", distinct(name, taken), holder, None, word))
            await self._start_heirs(room)
        return holder, self.tokens.issue(room.state.id, holder)

    async def seat(self, room: Room, seat: int, asked: Seating, token: str | None) -> None:
        """The host seats a bot, or opens a chair, before the start."""
        async with room.turn() as state:
            self._check_host(room, token)
            if state.status != "waiting":
                raise RoomError("table.started")
            if seat >= state.seat_count:
                raise RoomError("table.no-seat", 404, seat=seat)
            if asked.kind == "bot":
                kind = choice.check(state.setup.game, asked.bot)
                await room.change(Sit(seat, "bot", kind, "", kind))
            else:
                await room.change(Sit(seat, "open"))
            await self._start_heirs(room)

    async def start(self, room: Room, token: str | None) -> None:
        """The host starts."""
        async with room.turn() as state:
            self._check_host(room, token)
            if state.status != "waiting":
                raise RoomError("table.started")
            if any(info.kind == "open" for info in state.seats):
                raise RoomError("table.chairs")
            await room.begin()

    def _check_host(self, room: Room, token: str | None) -> None:
        admission.check_host(room, self.bearer(token, room.state.id).holder)

    # Once more.

    async def rematch(self, room: Room, token: str | None) -> tuple[Room, str]:
        """A new table with the same set-up; everybody of the old one has his seat there."""
        holder = self.bearer(token, room.state.id).holder
        async with room.turn() as state:
            if not self.seats_of(room, holder):
                raise RoomError("table.not-seated", 403)
            if not state.over:
                raise RoomError("table.not-over")
            if state.rematch is None:
                fresh = await self._again(room, holder)
                await room.change(Rematch(fresh.state.id))
            following = state.rematch
        assert following is not None
        fresh = await self.room(following)
        async with fresh.turn() as state:
            mine = state.setup.heirs.get(holder, [])
            names = {seat: room.state.seats[seat].name for seat in mine}
            sits: list[RoomEvent] = [
                Sit(seat, "person", names[seat], holder) for seat in mine if state.seats[seat].kind == "open"
            ]
            if sits and state.status == "waiting":
                await fresh.change(*sits)
            await self._start_heirs(fresh)
        return fresh, self.tokens.issue(following, holder)

    async def _again(self, room: Room, holder: str) -> Room:
        old = room.state
        heirs: dict[str, list[int]] = {}
        sits = []
        for seat, info in enumerate(old.seats):
            if info.kind == "person":
                heirs.setdefault(info.holder, []).append(seat)
            else:
                kind = info.bot or choice.default(old.setup.game)
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
        state = room.state
        taken = all(info.kind != "open" for info in state.seats)
        if state.setup.before is not None and state.status == "waiting" and taken:
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
                since = room.presence.empty_since
                if since is not None and time.monotonic() - since > self.settings.idle and not room.lock.locked():
                    self.rooms.pop(name).close()
            if GC_TUNING.due(quiet=all(room.still > _STILL for room in self.rooms.values())):
                GC_TUNING.tidy()

    async def close(self) -> None:
        """Send everybody away, and write what is waiting."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        for room in self.rooms.values():
            for viewer in tuple(room.presence.viewers):
                viewer.close(1012)
            room.close()
        await self.store.close()

    def count(self) -> None:
        """Bring the gauges up to date."""
        metrics.tables.clear()
        metrics.seats.clear()
        for room in self.rooms.values():
            metrics.tables.labels(room.state.status).inc()
            for info in room.state.seats:
                metrics.seats.labels("covered" if info.bot_controlled else info.kind).inc()

    @property
    def sockets(self) -> int:
        """How many are open."""
        return sum(len(room.presence.viewers) for room in self.rooms.values())


def _seed(seed: int | None) -> str:
    return secrets.token_hex(SEED_BYTES) if seed is None else str(seed)


def _free_seat(state: RoomState, wanted: int | None, holder: str) -> int:
    """Return an open seat of a game that waits, the wanted one or the first that is kept for nobody else."""
    reserved = {seat for heir, seats in state.setup.heirs.items() if heir != holder for seat in seats}
    free = [seat for seat, info in enumerate(state.seats) if info.kind == "open" and seat not in reserved]
    if wanted is not None:
        free = [seat for seat in free if seat == wanted]
    if not free:
        raise RoomError("table.full") if wanted is None else RoomError("table.taken")
    return free[0]


def _sits(seats: list[SeatRequest], game: str, host: str, name: str, word: str) -> list[Sit]:
    """Who sits down at a new table at once."""
    found: list[Sit] = []
    taken: list[str] = []
    bots = choice.kinds(game)
    for seat, info in enumerate(seats):
        if info.kind == "me":
            own = distinct(checked_name(info.name) if info.name else name, [*taken, *bots])
            found.append(Sit(seat, "person", own, host, None, "" if taken else word))
            taken.append(own)
        elif info.kind == "bot":
            kind = choice.check(game, info.bot)
            found.append(Sit(seat, "bot", kind, "", kind))
    return found
