"""Tournaments: organise one, enter, withdraw, and the task that makes rounds and tables and takes results.

All that happens is an event of a tournament's log. Whoever writes an event that another process has written already
reads the log again. So several processes may look at one tournament: each pairing and each result is there once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from weakref import WeakValueDictionary

from quadriga.engine.errors import QuadrigaError
from quadriga.games import find
from quadriga.lab.tournament import draw
from quadriga.lab.tournament.log import End, Enter, Event, Leave, Return
from quadriga.lab.tournament.state import State
from quadriga.server.background import BackgroundTask
from quadriga.server.bots import choice
from quadriga.server.logs import LOGGER
from quadriga.server.people.codes import BOT
from quadriga.server.people.person import HOST, MODERATOR, Person, Visitor
from quadriga.server.protocol.errors import RoomError, StaleError, TakenError
from quadriga.server.protocol.tournaments import TournamentPlan
from quadriga.server.rooms.registry import Registry
from quadriga.server.scores.results import Results
from quadriga.server.scores.tournaments import rounds
from quadriga.server.scores.tournaments.store import Chosen, Known, PlayerRow, TournamentStore
from quadriga.server.scores.tournaments.tables import Tables
from quadriga.server.seats.names import checked_name, distinct, tidy
from quadriga.server.seats.tokens import new_id
from quadriga.server.storage.base import now

JOB = "tournaments"  # the name of the lease
MOST = 20  # tournaments of one organiser that are not over
LATEST_MS = 400 * 86_400_000
_LOOK_S = 60.0  # between two looks without a reason
_LOOK_SHARED_S = 1.0  # ... if other processes may have given one
_ATTEMPTS = 20  # to write an event, if others write as well


class Tournaments:
    """All tournaments of a server."""

    def __init__(self, registry: Registry, results: Results) -> None:
        self._registry = registry
        registry.check_key = self.check_key
        self.store = TournamentStore(registry.store)
        self._results = results
        self._tables = Tables(registry)
        self._locks = WeakValueDictionary[str, asyncio.Lock]()
        self._resumed: set[str] = set()  # tournaments that this process looks after
        self._wakes = asyncio.Event()
        self.task = BackgroundTask("tournaments")
        self._was_on_duty = False

    # The task.

    def open(self) -> None:
        """Start the task; it competes with those of other processes."""
        self._registry.compete(JOB)
        self._wakes.set()
        self.task.start(self._run())

    async def close(self) -> None:
        """End the task."""
        await self.task.end()

    async def results_stored(self) -> None:
        """Look at all running tournaments soon: games have ended."""
        await self.store.wake(now())
        self._wakes.set()

    async def _run(self) -> None:
        wait_s = 0.0
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wakes.wait(), wait_s)
            self._wakes.clear()
            try:
                wait_s = await self._look()
            except (QuadrigaError, StaleError, TakenError) as fault:
                LOGGER.warning("tournaments wait: %s", fault)
                wait_s = 1.0
            except Exception:
                LOGGER.exception("tournaments wait")
                wait_s = 1.0

    async def _look(self) -> float:
        """Look at every tournament that is due; return the seconds until the next look."""
        longest = _LOOK_S if self._registry.cluster is None else _LOOK_SHARED_S
        if not self._registry.is_on_duty(JOB):
            self._was_on_duty = False
            return longest
        if not self._was_on_duty:  # the process before may have died between a pairing and its tables
            self._was_on_duty = True
            self._resumed.clear()
            await self.store.wake(now())
        due, later = await self.store.due(now())
        for each in due:
            try:
                await self.advance(each)
            except (QuadrigaError, StaleError, TakenError) as fault:
                LOGGER.warning("tournament %s waits: %s", each, fault)
                await self._postpone(each)
            except Exception:
                LOGGER.exception("tournament %s waits", each)
                await self._postpone(each)
        if due:
            return 0.0
        return longest if later is None else min(longest, max(0.0, (later - now()) / 1000) + 0.005)

    async def _postpone(self, tournament_id: str) -> None:
        known = await self.store.find(tournament_id)
        await self.store.append(known, [], now() + 2_000)

    async def advance(self, tournament_id: str) -> None:
        """Do everything that is due in a tournament: take results, begin a round, make tables."""
        async with self._lock(tournament_id):
            known = await self.store.find(tournament_id)
            if tournament_id not in self._resumed:
                await self._tables.end(rounds.ended_early(known.state))
                self._resumed.add(tournament_id)
            while True:
                banned = self._registry.house.banned
                step = await rounds.next_step(known, self._results, self._tables, now(), banned)
                await self.store.append(known, step.events, step.wakes, step.players)
                self._tables.settled.update(step.settled)
                await self._tables.end(step.decided)
                if step.events:
                    self._registry.observer.tournament_changed(tournament_id)
                    known = await self.store.find(tournament_id)
                if not step.is_again:
                    break
        if known.state.status in ("over", "aborted"):
            self._resumed.discard(tournament_id)

    def _lock(self, tournament_id: str) -> asyncio.Lock:
        """Return the lock of a tournament in this process; it is there while somebody holds it or waits for it."""
        return self._locks.setdefault(tournament_id, asyncio.Lock())

    # What people ask for.

    async def organise(self, person: Person, asked: TournamentPlan) -> Known:
        """Create a tournament. Raises RoomError if it cannot be held, or is one of too many."""
        chosen, at = _checked(asked), now()
        if not at - 3_600_000 < asked.starts < at + LATEST_MS:
            raise RoomError("tournament.when", 422)
        if await self.store.unfinished_of(person.id) >= MOST:
            raise RoomError("person.many", most=MOST)
        name = person.name or checked_name(asked.name)
        self._registry.house.check_name(name, chosen.title)
        known = Known(new_id(), person.id, name, at, asked.starts, draw.new_seed(), chosen, State(chosen.plan), [])
        await self.store.add(known)
        self._wakes.set()
        self._registry.observer.tournament_changed(known.id)
        return known

    async def enter(self, tournament_id: str, visitor: Visitor, name: str) -> None:
        """Enter a tournament, or come back to it. Raises RoomError if that is not possible now."""
        person, is_bot = visitor.person, visitor.session.kind == BOT
        shown = (visitor.session.label or person.name if is_bot else person.name) or name
        self._registry.house.check_name(shown)

        def step(known: Known) -> tuple[list[Event], list[PlayerRow]]:
            state, player = known.state, known.player_of(person.id)
            if is_bot and not known.chosen.bots:
                raise RoomError("tournament.bots", 403)
            _check_open(known, is_new=player is None)
            if player is not None:
                return ([] if state.players[player].is_active else [Return(player)]), []
            if len(state.players) >= known.chosen.most:
                raise RoomError("tournament.full", most=known.chosen.most)
            number = len(state.players)
            row = PlayerRow(number, person.id, distinct(checked_name(shown), [each.name for each in known.players]))
            return [Enter(number, "key" if is_bot else "person")], [row]

        await self._change(tournament_id, step)

    async def check_key(self, tournament_id: str, person: Person) -> None:
        """Raise RoomError unless somebody has entered a tournament by the key of a bot."""
        known = await self.store.find(tournament_id)
        player = known.player_of(person.id)
        if player is None or known.state.players[player].kind != "key":
            raise RoomError("tournament.key", 403)

    async def withdraw(self, tournament_id: str, person: Person) -> None:
        """Play no further rounds; a game that goes on is played to its end."""

        def step(known: Known) -> tuple[list[Event], list[PlayerRow]]:
            player = known.player_of(person.id)
            if player is None:
                raise RoomError("tournament.absent", 404)
            if known.state.status not in ("open", "running"):
                raise RoomError("tournament.over")
            return ([Leave(player)] if known.state.players[player].is_active else []), []

        await self._change(tournament_id, step)

    async def begin(self, tournament_id: str, person: Person) -> None:
        """Begin a tournament now; only its organiser may."""
        known = await self.store.find(tournament_id)
        check_organiser(known, person)
        if known.state.status != "open":
            raise RoomError("tournament.begun")
        if len(known.state.active) < 2 and not known.chosen.fill:
            raise RoomError("tournament.few")
        await self.store.bring_forward(known, now())
        self._wakes.set()

    async def abort(self, tournament_id: str, person: Person) -> None:
        """Call a tournament off; only its organiser, moderators and the host of the server may."""

        def step(known: Known) -> tuple[list[Event], list[PlayerRow]]:
            check_organiser(known, person)
            if known.state.status not in ("open", "running"):
                raise RoomError("tournament.over")
            return [End("aborted", now())], []

        await self._change(tournament_id, step)

    async def _change(
        self, tournament_id: str, step: Callable[[Known], tuple[Sequence[Event], Sequence[PlayerRow]]]
    ) -> None:
        for attempt in range(_ATTEMPTS):
            async with self._lock(tournament_id):
                known = await self.store.find(tournament_id)
                events, players = step(known)
                if not events:
                    return
                is_over = any(isinstance(each, End) for each in events)
                wakes = None if is_over else known.starts if known.state.status == "open" else now()
                try:
                    await self.store.append(known, events, wakes, players)
                except TakenError:
                    if attempt == _ATTEMPTS - 1:
                        raise RoomError("table.again", 503) from None
                    continue
            self._wakes.set()
            self._registry.observer.tournament_changed(tournament_id)
            return


def check_organiser(known: Known, person: Person) -> None:
    """Raise RoomError unless a person may run a tournament."""
    if not may_run(known, person):
        raise RoomError("tournament.organiser", 403)


def may_run(known: Known, person: Person) -> bool:
    """Return whether a person organises a tournament, or looks after the server."""
    return known.person_id == person.id or person.role in (MODERATOR, HOST)


def _checked(asked: TournamentPlan) -> Chosen:
    """Return what an organiser has chosen. Raises QuadrigaError if it does not go together."""
    game = find(asked.game)
    if asked.kind == "knockout" and asked.seats != 2:
        raise RoomError("tournament.two", 422)
    if asked.days is not None and (asked.clock is not None or asked.kind == "arena"):
        raise RoomError("tournament.days", 422)
    game.resolve_options(asked.options, asked.seats)
    fill_with = choice.check(game.id, asked.fill_with) if asked.fill else None
    values = {name: getattr(asked, name) for name in TournamentPlan.__struct_fields__}
    return Chosen(**values | {"title": tidy(asked.title)[:80], "game": game.id, "name": "", "fill_with": fill_with})


def _check_open(known: Known, is_new: bool) -> None:
    state, chosen = known.state, known.chosen
    if state.status not in ("open", "running"):
        raise RoomError("tournament.over")
    is_late = state.status == "running"
    is_last = chosen.kind == "swiss" and state.round >= chosen.rounds
    if is_late and (chosen.kind == "knockout" or is_last or (is_new and not chosen.late)):
        raise RoomError("tournament.late")
