"""Tournaments as they are stored: rows, logs, and who the players are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from quadriga.games import find
from quadriga.lab.tournament import draw
from quadriga.lab.tournament.log import Begin, End, Event, Plan
from quadriga.lab.tournament.published import PublishedLog
from quadriga.lab.tournament.state import State
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.tournaments import TournamentPlan
from quadriga.server.storage.base import Storage
from quadriga.server.storage.tournaments_schema import TOURNAMENT_EVENTS, TOURNAMENT_PLAYERS, TOURNAMENTS

_KEPT = 50  # tournaments in memory


class Chosen(TournamentPlan, kw_only=True):
    """What the organiser has chosen, as it is stored."""

    name: str = ""  # the row has it

    @property
    def plan(self) -> Plan:
        """The part that decides about pairings."""
        least = max(2, find(self.game).min_seats)
        return Plan(self.kind, self.seats, min(least, self.seats), self.rounds if self.kind == "swiss" else 0)


class PlayerRow(NamedTuple):
    """Who a player is."""

    player: int
    person_id: str | None
    name: str
    bot: str | None = None


class Known(NamedTuple):
    """A tournament with its state. The state belongs to the store: nobody else changes it."""

    id: str
    person_id: str
    name: str
    created: int
    starts: int
    seed: bytes
    chosen: Chosen
    state: State
    players: list[PlayerRow]
    number: int = 0  # of the last event when it was read
    wakes: int | None = None  # ditto: when somebody has to look at it

    @property
    def commitment(self) -> bytes:
        """The end of the chain of secrets."""
        return draw.link(self.seed, 0)

    def player_of(self, person_id: str) -> int | None:
        """Return the number of a person; None if they do not play."""
        return next((each.player for each in self.players if each.person_id == person_id), None)


class Version(NamedTuple):
    """What changes whenever a list shows something else of a tournament."""

    id: str
    starts: int
    name: str
    number: int


_EVENT = msgspec.json.Decoder(Event)
_CHOSEN = msgspec.json.Decoder(Chosen)
_ENCODER = msgspec.json.Encoder()
_ROW = (
    TOURNAMENTS.c.id,
    TOURNAMENTS.c.person_id,
    TOURNAMENTS.c.name,
    TOURNAMENTS.c.created,
    TOURNAMENTS.c.starts,
    TOURNAMENTS.c.seed,
    TOURNAMENTS.c.body,
    TOURNAMENTS.c.wakes,
)
_PLAYER = (
    TOURNAMENT_PLAYERS.c.player,
    TOURNAMENT_PLAYERS.c.person_id,
    TOURNAMENT_PLAYERS.c.name,
    TOURNAMENT_PLAYERS.c.bot,
)


class TournamentStore:
    """The tournaments of a store. Each log grows at its end: whoever is second to write an event reads it again."""

    def __init__(self, store: Storage) -> None:
        self._store = store
        self._states: dict[str, State] = {}

    async def add(self, known: Known) -> None:
        """Store a new tournament."""
        row = known._asdict() | {"status": "open", "wakes": known.starts, "body": _ENCODER.encode(known.chosen)}
        values = {each.name: row[each.name] for each in TOURNAMENTS.c}
        await self._store.transact(
            lambda connection: connection.execute(TOURNAMENTS.insert().values(**values)) and None
        )

    async def find(self, tournament_id: str) -> Known:
        """Return a tournament as it is now. Raises RoomError if there is none."""
        rows = await self._store.read(sa.select(*_ROW).where(TOURNAMENTS.c.id == tournament_id))
        if not rows:
            raise RoomError("tournament.unknown", 404)
        (_, person_id, name, created, starts, seed, body, wakes) = rows[0]
        chosen = _CHOSEN.decode(body)
        state = self._states.pop(tournament_id, None) or State(chosen.plan)
        own = TOURNAMENT_EVENTS.c.tournament_id == tournament_id
        later = sa.select(TOURNAMENT_EVENTS.c.body).where(own, TOURNAMENT_EVENTS.c.number > state.number)
        for (event,) in await self._store.read(later.order_by(TOURNAMENT_EVENTS.c.number)):
            state.apply(_EVENT.decode(event))
        players = sa.select(*_PLAYER).where(TOURNAMENT_PLAYERS.c.tournament_id == tournament_id)
        found = await self._store.read(players.order_by(TOURNAMENT_PLAYERS.c.player))
        kept = self._states.get(tournament_id)
        if kept is None or kept.number < state.number:
            self._states[tournament_id] = state
        if len(self._states) > _KEPT:
            self._states.pop(next(iter(self._states)))
        known_players = [PlayerRow._make(each) for each in found]
        return Known(
            tournament_id, person_id, name, created, starts, seed, chosen, state, known_players, state.number, wakes
        )

    async def append(
        self,
        known: Known,
        events: Sequence[Event],
        wakes: int | None,
        players: Sequence[PlayerRow] = (),
    ) -> None:
        """Add events to the log of a tournament, and players.

        Raises TakenError if another process has been faster: then nothing is written. Without events only the time
        of the next look is set, unless somebody wants an earlier one since the tournament was read.
        """
        rows = [
            {"tournament_id": known.id, "number": known.number + count, "body": _ENCODER.encode(event)}
            for count, event in enumerate(events, 1)
        ]
        status = known.state.status
        for event in events:
            status = "running" if isinstance(event, Begin) else event.why if isinstance(event, End) else status

        def work(connection: sa.Connection) -> None:
            if rows:
                connection.execute(TOURNAMENT_EVENTS.insert(), rows)
            if players:
                new = [each._asdict() | {"tournament_id": known.id} for each in players]
                connection.execute(TOURNAMENT_PLAYERS.insert(), new)
            own = sa.update(TOURNAMENTS).where(TOURNAMENTS.c.id == known.id)
            if rows:
                connection.execute(own.values(status=status, wakes=wakes))
            else:
                connection.execute(own.where(TOURNAMENTS.c.wakes == known.wakes).values(wakes=wakes))

        await self._store.transact(work)

    async def bring_forward(self, known: Known, at: int) -> None:
        """Let a tournament begin at a time."""
        own = (TOURNAMENTS.c.id == known.id, TOURNAMENTS.c.status == "open")
        changed = sa.update(TOURNAMENTS).where(*own).values(starts=at, wakes=at)
        await self._store.transact(lambda connection: connection.execute(changed) and None)

    async def wake(self, at: int) -> None:
        """Let all running tournaments be looked at by a time, also those that are just being looked at."""
        changed = sa.update(TOURNAMENTS).where(TOURNAMENTS.c.status == "running").values(wakes=at)
        await self._store.transact(lambda connection: connection.execute(changed) and None)

    async def due(self, at: int) -> tuple[list[str], int | None]:
        """Return the tournaments to look at by a time, and when the next one is due."""
        dated = sa.select(TOURNAMENTS.c.id, TOURNAMENTS.c.wakes).where(TOURNAMENTS.c.wakes.is_not(None))
        rows = await self._store.read(dated.order_by(TOURNAMENTS.c.wakes).limit(100))
        later = [wakes for _, wakes in rows if wakes > at]
        return [each for each, wakes in rows if wakes <= at], min(later, default=None)

    async def listed(self, hidden: frozenset[str], most: int) -> list[str]:
        """Return the ids of tournaments to come and that run, the next first, then of the last that have ended."""
        shown = TOURNAMENTS.c.person_id.not_in(hidden)
        coming = sa.select(TOURNAMENTS.c.id).where(TOURNAMENTS.c.status.in_(("open", "running")), shown)
        ended = sa.select(TOURNAMENTS.c.id).where(TOURNAMENTS.c.status == "over", shown)
        first = await self._store.read(coming.order_by(TOURNAMENTS.c.starts).limit(most))
        last = await self._store.read(ended.order_by(TOURNAMENTS.c.starts.desc()).limit(most // 2))
        return [each[0] for each in (*first, *last)]

    async def versions(self, tournament_ids: Sequence[str]) -> list[Version]:
        """Return what tells whether tournaments have changed, in the same order."""
        last = sa.func.coalesce(sa.func.max(TOURNAMENT_EVENTS.c.number), 0)
        chosen = sa.select(TOURNAMENTS.c.id, TOURNAMENTS.c.starts, TOURNAMENTS.c.name, last)
        joined = chosen.outerjoin(TOURNAMENT_EVENTS, TOURNAMENT_EVENTS.c.tournament_id == TOURNAMENTS.c.id)
        own = joined.where(TOURNAMENTS.c.id.in_(tournament_ids))
        rows = await self._store.read(own.group_by(TOURNAMENTS.c.id, TOURNAMENTS.c.starts, TOURNAMENTS.c.name))
        found = {row[0]: Version._make(row) for row in rows}
        return [found[each] for each in tournament_ids if each in found]

    async def unfinished_of(self, person_id: str) -> int:
        """Return how many tournaments of an organiser are not over."""
        own = (TOURNAMENTS.c.person_id == person_id, TOURNAMENTS.c.status.in_(("open", "running")))
        rows = await self._store.read(sa.select(sa.func.count()).select_from(TOURNAMENTS).where(*own))
        return int(rows[0][0])

    async def unfinished(self) -> set[str]:
        """Return the ids of all tournaments that are not over."""
        own = TOURNAMENTS.c.status.in_(("open", "running"))
        return {each[0] for each in await self._store.read(sa.select(TOURNAMENTS.c.id).where(own))}

    async def published(self, known: Known) -> PublishedLog:
        """Return the log as anybody may read it."""
        own = TOURNAMENT_EVENTS.c.tournament_id == known.id
        rows = await self._store.read(
            sa.select(TOURNAMENT_EVENTS.c.body).where(own).order_by(TOURNAMENT_EVENTS.c.number)
        )
        events: list[Any] = [_EVENT.decode(each[0]) for each in rows]
        return PublishedLog(known.chosen.plan, known.commitment.hex(), events)
