"""The registry: all rooms, those in memory and those that only the store has."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

import msgspec

from quadriga.engine.errors import QuadrigaError
from quadriga.server.background import BackgroundTask
from quadriga.server.bots import choice
from quadriga.server.gc_tuning import GC_TUNING
from quadriga.server.limits import Limits
from quadriga.server.messages import finished
from quadriga.server.messages.game_summary import game_summary
from quadriga.server.moderation.house import House
from quadriga.server.people.codes import BOT, is_secret
from quadriga.server.people.people import People
from quadriga.server.people.person import Person, Visitor
from quadriga.server.people.vacations import Vacations
from quadriga.server.protocol.errors import RoomError, not_playing
from quadriga.server.protocol.requests import Create, Join, PlayOn, Seating
from quadriga.server.rooms import admission, continuation, creation, rematching, unloading
from quadriga.server.rooms.days.sweeper import Sweeper
from quadriga.server.rooms.log import CHAT_MESSAGES, RoomLog, next_line
from quadriga.server.rooms.newer import NewerRooms
from quadriga.server.rooms.observer import Observer
from quadriga.server.rooms.processes import follower
from quadriga.server.rooms.processes.cluster import Cluster
from quadriga.server.rooms.processes.pubsub import Channel, LocalChannel
from quadriga.server.rooms.retrying import retried
from quadriga.server.rooms.room import Room
from quadriga.server.seats.names import checked_name, distinct
from quadriga.server.seats.tokens import Bearer, Tokens, UnknownKeyError, new_id
from quadriga.server.settings import Settings
from quadriga.server.state import events, replaying
from quadriga.server.state.events import Rematch, RoomEvent, Setup, Sit
from quadriga.server.state.room_state import RoomState
from quadriga.server.storage import chain
from quadriga.server.storage.base import ChatMessage, SharedStorage, Storage, StoredRoom, now

_LISTED = 50  # public rooms
_RESTART = 1012  # the close code when the server stops


class Registry:
    """Finds, creates and unloads rooms."""

    def __init__(
        self, store: Storage, tokens: Tokens, people: People, settings: Settings, channel: Channel | None = None
    ) -> None:
        self.store, self.tokens, self.people, self.settings = store, tokens, people, settings
        self.channel: Channel = LocalChannel() if channel is None else channel
        self.limits = Limits(settings)
        self.house = House(store, settings)
        self.rooms: dict[str, Room] = {}
        self.cluster = Cluster(store, self.rooms, self.channel) if isinstance(store, SharedStorage) else None
        self.is_draining = False
        self.observer = Observer()
        self.on_game_over: Callable[[str], None] = lambda table_id: None
        self.check_key: Callable[[str, Person], Awaitable[None]] | None = None  # in a tournament, by its id
        self.newer = NewerRooms(self.rooms)
        self._loading: dict[str, asyncio.Future[Room | None]] = {}
        self._sweeper = BackgroundTask("sweeper")
        self.deadlines = Sweeper(self)
        self.vacations = Vacations(store, round(settings.day * 1000))

    # Finding rooms.

    async def room(self, id: str) -> Room:
        """Return a room by its id, loaded from its log if it is not in memory, with all that is stored of it."""
        if (known := self.rooms.get(id)) is not None:
            known.presence.postpone_unloading()
            await self.has_news(known)
            return known
        self.check_crowded()
        if id not in self._loading:
            self._loading[id] = asyncio.ensure_future(self._load(id))
            # When it is loaded, not when one of those who wait gives up: a second load would be a second room.
            self._loading[id].add_done_callback(lambda _: self._loading.pop(id))
        room = await asyncio.shield(self._loading[id])
        if room is None:
            raise RoomError("table.unknown", 404)
        room.presence.postpone_unloading()
        return room

    def check_crowded(self) -> None:
        """Raise RoomError if there are too many rooms in memory for one more."""
        if len(self.rooms) >= self.settings.tables:
            raise RoomError("table.crowded", 503)

    async def _load(self, id: str) -> Room | None:
        with self.newer.noted(id):
            state = await replaying.load(self.store, id)
        if state is None:
            return None
        chat = await self.store.chat(id, CHAT_MESSAGES)
        return await self._admit(state, chat)

    async def _admit(self, state: RoomState, chat: list[ChatMessage]) -> Room:
        """Return a new room in memory for a state, subscribed to messages of other processes."""
        told_after_ms = int(self.settings.notice_after * 1000)
        room = Room(state, RoomLog(self.store, self.channel, chat, told_after_ms, self.settings.day), self.settings)
        room.log.on_summary = lambda room_id: self.observer.table_changed(room_id)
        room.log.on_over = lambda room_id: self.on_game_over(room_id)
        listener = partial(follower.published, room)
        self.channel.subscribe(state.id, listener)
        room.on_close = partial(self.channel.unsubscribe, state.id, listener)
        self.newer.watch(room)
        self.rooms[state.id] = room
        if self.cluster is not None:
            await self.cluster.join(room)
        return room

    async def has_news(self, room: Room) -> bool:
        """Read what other processes have written to a room; return whether there was anything."""
        return self.cluster is not None and await follower.catch_up(room)

    async def public(self) -> list[Room]:
        """Return the rooms that anybody may join or watch."""
        found = [self.room(each) for each in await self.store.open_rooms(_LISTED)]
        rooms = await asyncio.gather(*found, return_exceptions=True)
        for each in rooms:
            if isinstance(each, BaseException) and not isinstance(each, QuadrigaError):
                raise each
        return [room for room in rooms if isinstance(room, Room) and not room.state.over]

    async def bearer(self, token: str | None, id: str) -> Bearer:
        """Return what a token for a room says; raise RoomError if it is missing or wrong.

        The secret of a device or bot is as good as a token for each room in which its owner has a part.
        """
        if token is None:
            raise RoomError("token.missing", 401)
        if is_secret(token):
            holder = await self.known_holder(token, id)
            if holder is None:
                raise RoomError("token.missing", 401)
            return self.tokens.bearer(id, holder)
        try:
            bearer = self.tokens.read(token, id)
        except UnknownKeyError:  # another process may have added a key
            await self.tokens.refresh(self.store)
            bearer = self.tokens.read(token, id)
        self.house.check_ban(bearer.holder)
        return bearer

    async def known_holder(self, secret: str, id: str) -> str | None:
        """Return who the owner of a device or bot is in a room; None if they have no part in it."""
        visitor = await self.people.devices.visitor(secret)
        return None if visitor is None else await self.people.history.holder(visitor.person, id)

    async def playing_holder(self, visitor: Visitor, room: Room) -> str | None:
        """Return who the owner of a device or bot is in a room where they will play; note if it is a bot.

        Raises RoomError for a bot in a tournament that its owner has entered as a person.
        """
        table_id, tournament = room.state.id, room.state.setup.tournament
        holder = await self.people.history.holder(visitor.person, table_id)
        if holder is not None and visitor.session.kind == BOT:
            if tournament is not None and self.check_key is not None:
                await self.check_key(tournament, visitor.person)
            await self.people.history.played_by_key(visitor.person, table_id, visitor.session.id)
        return holder

    async def take_part(self, room: Room, holder: str, person: Person) -> bool:
        """Note that a person has the part of a holder in a room; return False if somebody else has it."""
        async with room.exclusive() as state:
            summary = game_summary(state)
            await self.store.put_summary(summary)  # of a room of an earlier version there is none
            created = await self.store.created(state.id)
            is_added = await self.people.history.add(person, holder, summary, created)
        self.observer.part_taken(person.id, room.state.id)
        return is_added

    def seats_of(self, room: Room, holder: str) -> list[int]:
        """Return the seats of a person."""
        return room.state.seats_of(holder)

    # Creating rooms.

    async def create(self, asked: Create) -> tuple[Room, str]:
        """Create a room; return it with the host's token."""
        host = new_id()
        setup = creation.setup_of(asked, host)
        name, client_seed = checked_name(asked.name), admission.checked_client_seed(asked.word)
        sits = admission.first_sits(asked.seats, setup.game, host, name, client_seed)
        if asked.start and len(sits) < setup.seats:
            raise RoomError("table.chairs")
        room = await self._create(setup, sits, asked.fill)
        if asked.start:
            async with room.exclusive():
                await room.begin()
        return room, self.tokens.issue(room.state.id, host)

    async def create_seated(self, asked: Create, sits: list[Sit], room_id: str, tournament: str) -> Room:
        """Create a room of a tournament, with an id that was chosen before, where everybody sits already."""
        setup = msgspec.structs.replace(creation.setup_of(asked, new_id()), tournament=tournament)
        return await self._create(setup, sits, room_id=room_id)

    async def _create(
        self, setup: Setup, sits: list[Sit], fill_s: int | None = None, room_id: str | None = None
    ) -> Room:
        state = RoomState(room_id or new_id(), setup)
        stored = StoredRoom(state.id, now(), setup.public, state.status, events.encode_setup(setup))
        state.hash = chain.first_hash(stored)
        lines = [next_line(state, sit) for sit in sits]
        for sit in sits:
            state.apply(sit)
        fill_at = None if fill_s is None else stored.created + fill_s * 1000
        await self.store.create(stored, lines, game_summary(state), fill_at)
        if setup.public:
            self.observer.table_listed()
        return await self._admit(state, [])

    # Taking seats.

    async def join(self, room: Room, asked: Join, token: str | None) -> tuple[str, str]:
        """Take an open seat, or one of a running game by invitation; return the holder and their token."""
        name, client_seed = checked_name(asked.name), admission.checked_client_seed(asked.word)
        if token is None or is_secret(token):
            known = None if token is None else await self.known_holder(token, room.state.id)
            holder = known or new_id()
        else:
            known = holder = (await self.bearer(token, room.state.id)).holder
        await self._sit(room, asked, holder, known is None, name, client_seed)
        await rematching.begin_if_full(room)
        return holder, self.tokens.issue(room.state.id, holder)

    @retried
    async def _sit(self, room: Room, asked: Join, holder: str, is_new: bool, name: str, client_seed: str) -> None:
        async with room.exclusive() as state:
            if is_new and self.seats_of(room, holder):
                return  # at an attempt after which the connection to the store broke
            if state.over:
                raise not_playing(state.status)
            if state.status == "waiting" and asked.invite is None:
                seat = admission.free_seat(state, asked.seat, holder)
            else:
                seat = admission.invited_seat(state, asked, holder)
                client_seed = state.seats[seat].client_seed  # the dice use it already
            taken = [*state.names(besides=seat), *choice.kinds(state.setup.game)]
            await room.change(Sit(seat, "person", distinct(name, taken), holder, None, client_seed))

    async def seat(self, room: Room, seat: int, asked: Seating, token: str | None) -> None:
        """Seat a bot or open a seat before the start; only the host may."""
        async with room.exclusive() as state:
            await self._check_host(room, token)
            if state.status != "waiting":
                raise RoomError("table.started")
            if seat >= state.seat_count:
                raise RoomError("table.no-seat", 404, seat=seat)
            if asked.kind == "bot":
                kind = choice.check(state.setup.game, asked.bot)
                await room.change(Sit(seat, "bot", kind, "", kind))
            else:
                await room.change(Sit(seat, "open"))
        await rematching.begin_if_full(room)

    @retried
    async def start(self, room: Room, token: str | None) -> None:
        """Start the game; only the host may."""
        async with room.exclusive() as state:
            await self._check_host(room, token)
            if state.status != "waiting":
                raise RoomError("table.started")
            if any(info.kind == "open" for info in state.seats):
                raise RoomError("table.chairs")
            await room.begin()

    async def _check_host(self, room: Room, token: str | None) -> None:
        admission.check_host(room, (await self.bearer(token, room.state.id)).holder)

    # Rematches.

    @retried
    async def rematch(self, room: Room, token: str | None) -> tuple[Room, str]:
        """Return the room of the rematch, where all seats are reserved, and a token. The first call creates it."""
        holder = (await self.bearer(token, room.state.id)).holder
        async with room.exclusive() as state:
            if not self.seats_of(room, holder):
                raise RoomError("table.not-seated", 403)
            if not state.over:
                raise RoomError("table.not-over")
            if state.rematch is None:  # the id first: of two processes one is refused, and no table is left over
                await room.change(Rematch(new_id()))
            next_id = state.rematch
            assert next_id is not None
            try:
                next_room = await self.room(next_id)
            except RoomError as error:
                if error.code != "table.unknown":
                    raise
                next_room = await self._create_rematch(room, holder, next_id)
        async with next_room.exclusive() as state:
            own = state.setup.reserved_seats.get(holder, [])
            names = {seat: room.state.seats[seat].name for seat in own}
            sits: list[RoomEvent] = [
                Sit(seat, "person", names[seat], holder) for seat in own if state.seats[seat].kind == "open"
            ]
            if sits and state.status == "waiting":
                await next_room.change(*sits)
        await rematching.begin_if_full(next_room)
        return next_room, self.tokens.issue(next_id, holder)

    async def _create_rematch(self, room: Room, holder: str, room_id: str) -> Room:
        seed = int(room.state.setup.seed) + 1 if room.state.setup.dice == "seeded" else None
        setup, sits = rematching.table_of(room.state, holder, creation.dice_seed(seed), creation.bot_seed())
        return await self._create(setup, sits, room_id=room_id)

    async def play_on(self, room: Room, asked: PlayOn) -> tuple[Room, str]:
        """Return a new room that goes on from a moment of a finished game, against bots, and its host's token."""
        host, name = new_id(), checked_name(asked.name)
        async with room.exclusive() as state:
            finished.finished(state)
        played = await asyncio.to_thread(continuation.moves_up_to, state, asked.step)
        name = distinct(name, choice.kinds(state.setup.game))
        sits = continuation.sits_of(state, asked.seat, name, host)
        created = await self._create(continuation.setup_of(state, host), sits)
        async with created.exclusive():
            await created.begin(played)
        return created, self.tokens.issue(created.state.id, host)

    # Housekeeping.

    def open(self) -> None:
        """Start to unload idle rooms, and to tell people when nothing can be stored."""
        self.store.on_fault(self._storage_changed)
        self._sweeper.start(self._sweep())
        if self.cluster is not None:
            self.cluster.open()
        self.deadlines.open()

    def compete(self, job: str) -> None:
        """Try to get the lease of a job that one process at a time does."""
        if self.cluster is not None:
            self.cluster.compete(job)

    def is_on_duty(self, job: str) -> bool:
        """Return whether this process does a job; a process alone does all of them."""
        return self.cluster is None or self.cluster.holds(job)

    def _storage_changed(self) -> None:
        for room in self.rooms.values():
            room.tasks.spawn(room.storage_changed())

    async def _sweep(self) -> None:
        """Unload rooms without viewers, and collect what has ended and is still in memory."""
        while True:
            await asyncio.sleep(min(30.0, self.settings.idle))
            await self.unload_idle_rooms()
            GC_TUNING.collect_lingering()

    async def unload_idle_rooms(self) -> None:
        """Unload the rooms that have been without viewers for some time."""
        for room in list(self.rooms.values()):
            if unloading.is_idle(room, self.settings.idle) and not room.lock.locked():
                async with room.lock:  # after a change that has waited for longer than a room stays
                    if unloading.is_idle(room, self.settings.idle):
                        self.rooms.pop(room.state.id).close()
                        GC_TUNING.ended(room, room.state)

    def unload(self, room: Room) -> None:
        """Unload a room that nobody looks at, unless something is going on in it."""
        if unloading.is_quiet(room) and self.rooms.get(room.state.id) is room:
            self.rooms.pop(room.state.id).close()
            GC_TUNING.ended(room, room.state)

    async def close(self) -> None:
        """Close all rooms with their sockets, and write what is waiting."""
        await self._sweeper.end()
        await self.house.close()
        await self.deadlines.close()
        await self.drain()
        for room in self.rooms.values():
            room.close()
        await self.channel.close()
        await self.store.close()

    async def drain(self) -> None:
        """Tell all clients to connect again, and leave the rooms to other processes."""
        self.is_draining = True
        self.observer.draining()
        for room in self.rooms.values():
            for viewer in room.presence.viewers | room.presence.arriving:
                viewer.close(_RESTART)
        if self.cluster is not None:
            await self.cluster.close()

    @property
    def sockets(self) -> int:
        """The number of viewers in all rooms."""
        return sum(len(room.presence.viewers) for room in self.rooms.values())
