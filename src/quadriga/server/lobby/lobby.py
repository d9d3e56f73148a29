"""The lobby: tells every page outside of a table what has changed.

What everybody sees is read from the store and encoded once for all pages, at most twice a second. Processes tell
each other over pub/sub what has changed. A message may be lost, so each process also looks regularly.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Protocol, runtime_checkable

import msgspec

from quadriga.engine.errors import QuadrigaError
from quadriga.server.background import BackgroundTask
from quadriga.server.lobby.listener import Listener
from quadriga.server.lobby.listing import Change, Listing
from quadriga.server.lobby.opening import Openings
from quadriga.server.lobby.quick import QuickGames
from quadriga.server.logs import LOGGER
from quadriga.server.messages.circles import circle_of
from quadriga.server.messages.my_games import my_game
from quadriga.server.protocol.errors import StaleError
from quadriga.server.protocol.leagues import LeaguesChanged
from quadriga.server.protocol.lobby import (
    CompanyChanged,
    GamesChanged,
    LobbyChanged,
    LobbyShown,
    TournamentsChanged,
)
from quadriga.server.protocol.server_messages import ENCODER
from quadriga.server.rooms.blocks import read_blocks
from quadriga.server.rooms.days.sweeper import ends_of
from quadriga.server.rooms.observer import Observer
from quadriga.server.rooms.registry import Registry
from quadriga.server.rooms.tasks import Tasks
from quadriga.server.scores.leagues.circle import LeagueCircle
from quadriga.server.seats.tokens import new_id

_PAUSE_S = 0.5  # between two messages to everybody
_PAUSE_EACH_S = 0.0004  # ... and more for each page: two and a half seconds with 5,000 of them
_POLL_S = 5.0  # between two looks at what other processes have done
_TELL_S = 0.05  # what happens within this time goes to the other processes together
_FORGET_S = 15.0  # after which the people of a silent process do not count
_NOTICED = 0.02  # the share by which the number of people has to differ to be sent alone
_RESTART = 1012  # the close code when the server stops
_SIGNED_OUT = _RESTART  # ... and when the page is to connect again as somebody else


class _Changes(msgspec.Struct, array_like=True):
    """The changes since the last message to the pages."""

    tables: set[str] = set()  # whose summary is stored
    people: set[str] = set()  # whose own lists are others
    blocks: set[str] = set()  # tables at which others may be blocked than before
    is_listing: bool = False  # whether the list has other tables
    tournaments: set[str] = set()  # in which something has happened

    def add(self, other: _Changes) -> None:
        """Add other changes."""
        self.tables |= other.tables
        self.people |= other.people
        self.blocks |= other.blocks
        self.tournaments |= other.tournaments
        self.is_listing |= other.is_listing


class _News(msgspec.Struct, array_like=True):
    """A message from one process to the others."""

    process: str
    present: int
    changes: _Changes


_NEWS = msgspec.msgpack.Decoder(_News)


@runtime_checkable
class LobbyChannel(Protocol):
    """A channel that carries news of the lobby to other processes."""

    on_lobby: Callable[[bytes], None]

    def publish_lobby(self, message: bytes) -> None:
        """Tell all processes what has changed."""
        ...


class Lobby(Observer):
    """All pages outside of a table that this process serves."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self.process = new_id() if registry.cluster is None else registry.cluster.process
        self.openings = Openings(registry)
        self.quick = QuickGames(registry, self.process, self.people_changed)
        self.leagues = LeagueCircle(registry.store)
        self.listeners: set[Listener] = set()
        self._by_person: defaultdict[str, set[Listener]] = defaultdict(set)
        self._tables_of: dict[str, frozenset[str]] = {}  # the running games of each person who listens
        self._people_at: defaultdict[str, set[str]] = defaultdict(set)  # the same by table
        self._listing = Listing(registry.store)
        self._snapshot: bytes | None = None  # of everything that everybody sees
        self._present_sent = 0
        self._elsewhere: dict[str, tuple[int, float]] = {}  # people at other processes, and when they were counted
        self._is_list_old = False
        self._old_people: set[str] = set()  # whose own lists are to be read again
        self._old_tournaments: set[str] = set()  # of which pages are to be told
        self._untold = _Changes()
        self._tasks = Tasks()
        self._telling: asyncio.TimerHandle | None = None
        self._has_news = asyncio.Event()
        self._reading = asyncio.Lock()
        self._task = BackgroundTask("lobby")

    def open(self) -> None:
        """Start to listen to rooms and to other processes."""
        self._registry.observer = self
        channel = self._registry.channel
        if isinstance(channel, LobbyChannel):
            channel.on_lobby = self._receive
        self._task.start(self._run())
        self.openings.open()
        self.quick.open()

    async def close(self) -> None:
        """Tell nobody any more."""
        self.draining()
        await self.openings.close()
        await self.quick.close()
        if self._telling is not None:
            self._telling.cancel()
        await self._task.end()

    # Pages that come and go.

    async def enter(self, listener: Listener) -> None:
        """Send a new page everything, and from now on what changes."""
        if not self.listeners:
            await self._read_list()  # nobody has kept it current
        if listener.person is not None:
            listener.hidden = await self._registry.people.company.hidden(listener.person.id)
        self.listeners.add(listener)
        listener.show("lobby", self._everything(listener.hidden))
        if listener.person is not None:
            self._by_person[listener.person.id].add(listener)
            await self._show_person(listener.person.id)
        self._has_news.set()

    def leave(self, listener: Listener) -> None:
        """Forget a page whose socket is closed."""
        self.listeners.discard(listener)
        if listener.person is not None:
            own = listener.person.id
            self._by_person[own].discard(listener)
            if not self._by_person[own]:
                del self._by_person[own]
                self._note_tables(own, frozenset())
                self._tables_of.pop(own, None)
        self._has_news.set()

    def draining(self) -> None:
        """Tell all pages to connect again."""
        for listener in tuple(self.listeners):
            listener.close(_RESTART)

    # What has changed.

    def table_changed(self, table_id: str) -> None:
        """Note that the summary of a room is stored."""
        self._tell(_Changes(tables={table_id}))

    def table_listed(self) -> None:
        """Note that the list has other tables."""
        self._tell(_Changes(is_listing=True))

    def part_taken(self, person_id: str, table_id: str) -> None:
        """Note that a person has a part in a room."""
        self._tell(_Changes(people={person_id}, blocks={table_id}))

    def tournament_changed(self, tournament_id: str) -> None:
        """Note that something has happened in a tournament."""
        self._tell(_Changes(tournaments={tournament_id}))

    def people_changed(self, people: Iterable[str]) -> None:
        """Note that lists of some people have changed: friends, blocks, invitations."""
        if changed := set(people):
            self._tell(_Changes(people=changed))

    async def tell_leagues(self) -> None:
        """Tell members of leagues whose games have ended."""
        self.people_changed(await self.leagues.members_with_news())

    async def blocks_changed(self, tables: Iterable[str]) -> None:
        """Note that people at some tables have blocked each other, or no longer. Here it counts at once."""
        if changed := set(tables):
            self._tell(_Changes(blocks=changed))
            for each in changed & self._registry.rooms.keys():
                await read_blocks(self._registry.rooms[each])

    def _tell(self, changes: _Changes) -> None:
        """Note what has changed here, and tell the other processes soon."""
        self._untold.add(changes)
        self._note(changes)
        if self._telling is None and isinstance(self._registry.channel, LobbyChannel):
            self._telling = asyncio.get_running_loop().call_later(_TELL_S, self._publish)

    def _publish(self) -> None:
        self._telling = None
        told, self._untold = self._untold, _Changes()
        channel = self._registry.channel
        if isinstance(channel, LobbyChannel):
            news = _News(self.process, self._present_here, told)
            channel.publish_lobby(msgspec.msgpack.encode(news))

    def _receive(self, message: bytes) -> None:
        news = _NEWS.decode(message)
        if news.process != self.process:
            self._elsewhere[news.process] = news.present, time.monotonic()
            self._note(news.changes)

    def _note(self, changes: _Changes) -> None:
        if changes.is_listing:
            self.openings.changed()
        listed = self._listing.tables
        self._is_list_old |= changes.is_listing or any(each in listed for each in changes.tables | changes.blocks)
        self._old_people |= changes.people
        self._old_tournaments |= changes.tournaments
        self.quick.wake(changes.people)
        for each in changes.tables:
            self._old_people.update(self._people_at.get(each, ()))
        for each in changes.blocks:
            room = self._registry.rooms.get(each)
            if room is not None and (room.presence.viewers or room.presence.arriving):
                self._tasks.spawn(read_blocks(room))
        self._has_news.set()

    # Telling.

    async def _run(self) -> None:
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._has_news.wait(), _POLL_S)
            is_poll = not self._has_news.is_set()
            self._has_news.clear()
            if is_poll and self._registry.cluster is not None:
                self._is_list_old = True
                self._publish()
                if not self._registry.channel.is_live:
                    self._old_people.update(self._by_person)
            if not self.listeners:
                continue
            try:
                await self._update()
            except (QuadrigaError, StaleError) as fault:
                LOGGER.warning("no news for the lobby: %s", fault)
                self._is_list_old = True
            except Exception:
                LOGGER.exception("cannot tell the lobby")
            await asyncio.sleep(_PAUSE_S + _PAUSE_EACH_S * len(self.listeners))

    async def _update(self) -> None:
        if self._is_list_old:
            await self._read_list()
        else:
            self._broadcast(Change([], []))
        if self._old_tournaments:
            sent = ENCODER.encode(TournamentsChanged(sorted(self._old_tournaments)))
            self._old_tournaments = set()
            for listener in self.listeners:
                listener.send(sent)
        people, self._old_people = self._old_people, set()
        for each in people:
            await self._show_person(each)

    async def _read_list(self) -> None:
        """Read the list again, and tell everybody how it has changed."""
        async with self._reading:
            self._is_list_old = False
            self._broadcast(await self._listing.read())

    def _broadcast(self, change: Change) -> None:
        present = self.present
        is_noticed = abs(present - self._present_sent) > _NOTICED * self._present_sent
        if change.tables or change.gone or is_noticed:
            self._snapshot = None
            message = LobbyChanged(change.tables, change.gone)
            if present != self._present_sent:
                message.present = self._present_sent = present
            sent = ENCODER.encode(message)
            for listener in self.listeners:
                if listener.hidden:
                    listener.show("lobby", self._everything(listener.hidden))
                else:
                    listener.send(sent)

    def _everything(self, hidden: frozenset[str] = frozenset()) -> bytes:
        """Return everything that somebody sees who has blocked these people, or is blocked by them."""
        if hidden:
            return ENCODER.encode(LobbyShown(self._listing.without(hidden), self._present_sent))
        if self._snapshot is None:
            self._snapshot = ENCODER.encode(LobbyShown(list(self._listing.tables.values()), self._present_sent))
        return self._snapshot

    async def _show_person(self, person_id: str) -> None:
        """Send a person's pages their own lists, if these have changed."""
        if person_id not in self._by_person:
            return
        person, sessions = await self._registry.people.devices.signed_in(person_id)
        for listener in tuple(self._by_person.get(person_id, ())):
            if listener.session_id not in sessions:  # the device was signed out: it is a stranger's now
                listener.close(_SIGNED_OUT)
            listener.person = person or listener.person
        if person is None:
            return
        company = self._registry.people.company
        hidden, circle = await company.hidden(person_id), await circle_of(self._registry.people, person)
        games = await self._registry.people.history.open_games(person)
        self._note_tables(person_id, frozenset(each.table_id for each in games))
        due = await ends_of(self._registry.store, [each.table_id for each in games])
        message = ENCODER.encode(GamesChanged([my_game(each, due.get(each.table_id)) for each in games]))
        mine = await self.leagues.members.mine(person)
        leagues = ENCODER.encode(LeaguesChanged(mine.leagues, mine.invitations))
        for listener in tuple(self._by_person.get(person_id, ())):
            listener.show("games", message)
            listener.show("leagues", leagues)
            listener.show("company", ENCODER.encode(CompanyChanged(circle)))
            if listener.hidden != hidden:
                listener.hidden = hidden
                listener.show("lobby", self._everything(hidden))

    def _note_tables(self, person_id: str, tables: frozenset[str]) -> None:
        before = self._tables_of.get(person_id, frozenset())
        for gone in before - tables:
            self._people_at[gone].discard(person_id)
            if not self._people_at[gone]:
                del self._people_at[gone]
        for new in tables - before:
            self._people_at[new].add(person_id)
        self._tables_of[person_id] = tables

    @property
    def _present_here(self) -> int:
        known = {each.person.id for each in self.listeners if each.person is not None}
        return len(known) + sum(each.person is None for each in self.listeners) + self._registry.sockets

    @property
    def present(self) -> int:
        """The number of people in the lobby and at tables, at all processes."""
        old = time.monotonic() - _FORGET_S
        return self._present_here + sum(count for count, at in self._elsewhere.values() if at > old)
