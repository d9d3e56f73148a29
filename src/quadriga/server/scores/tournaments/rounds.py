"""What is to be done next in a tournament: results, absences, the next round, the end."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from quadriga.lab.tournament import draw
from quadriga.lab.tournament.log import Begin, End, Enter, Event, Leave, Pair, Result
from quadriga.lab.tournament.pairing import free_players, has_bracket_ended, next_pairing
from quadriga.lab.tournament.state import State, Table
from quadriga.server.scores.results import Result as GameResult
from quadriga.server.scores.results import Results, SeatResult
from quadriga.server.scores.tournaments.store import Known, PlayerRow
from quadriga.server.scores.tournaments.tables import Tables
from quadriga.server.seats.tokens import new_id

_LIMIT_MS = 3 * 3_600_000  # of a live game
_ARENA_PAUSE_MS = 4_000  # between two pairings of an arena, so that not always the same two meet
_MINUTE_MS = 60_000


class Step(NamedTuple):
    """Events to write, and when to look again."""

    events: list[Event]
    wakes: int | None
    players: Sequence[PlayerRow] = ()
    is_again: bool = False  # whether more may follow at once
    settled: Sequence[str] = ()  # tables at which nobody is waited for any more
    decided: Sequence[str] = ()  # tables whose games end early, once the events are stored


async def next_step(
    known: Known, results: Results, tables: Tables, at: int, banned: frozenset[str] = frozenset()
) -> Step:
    """Return what is due in a tournament now; tables that are open are made if they are not there yet."""
    state = known.state
    if state.status == "open":
        return _begun(known, at) if at >= known.starts else Step([], known.starts)
    if state.status != "running":
        return Step([], None)
    if events := await _ended_tables(known, results, tables, at):
        return Step(events, at, is_again=True)
    if events := _gone(known, banned):
        return Step(events, at, is_again=True)
    if state.open_tables:
        await tables.make(known)
        events, settled = await _overdue(known, tables, at)
        if events:
            decided = [each.table for each in events if isinstance(each, Result)]
            return Step(events, at, is_again=True, settled=settled, decided=decided)
        tables.settled.update(settled)
    if events := await _next_round(known, at):
        return Step(events, None if isinstance(events[-1], End) else at, is_again=True)
    return Step([], _next_look(known, at))


def _begun(known: Known, at: int) -> Step:
    state, chosen = known.state, known.chosen
    players: list[PlayerRow] = []
    events: list[Event] = []
    count = len(state.active)
    if chosen.fill and count:
        wanted = max(chosen.seats, -(-count // chosen.seats) * chosen.seats)
        if chosen.kind == "knockout":
            wanted = max(2, 1 << (count - 1).bit_length())
        for number in range(len(state.players), len(state.players) + wanted - count):
            events.append(Enter(number, "bot"))
            name = f"{chosen.fill_with} {number - len(state.players) + 1}"
            players.append(PlayerRow(number, None, name, chosen.fill_with))
            count += 1
    if count < chosen.plan.least:
        return Step([End("aborted", at)], None)
    return Step([*events, Begin(at)], at, players, is_again=True)


async def _next_round(known: Known, at: int) -> list[Event]:
    """Return the next pairing, or the end; nothing while games go on. Bots of the server do not go on alone."""
    state, chosen = known.state, known.chosen
    is_deserted = all(each.kind == "bot" for each in state.active)
    if chosen.kind == "arena":
        return await _arena(known, at, is_deserted)
    if state.open_tables:
        return []
    is_last = state.round >= chosen.rounds if chosen.kind == "swiss" else has_bracket_ended(state)
    if is_last or is_deserted or len(state.active) < chosen.plan.least:
        return [End("over", at)]
    return [await _paired(known, at)]


async def _arena(known: Known, at: int, is_deserted: bool) -> list[Event]:
    state = known.state
    if at >= _arena_ends(known) or state.round >= draw.LINKS:
        return [] if state.open_tables else [End("over", at)]
    if is_deserted or (state.pairings and at < state.pairings[-1].at + _ARENA_PAUSE_MS):
        return []
    if len(free_players(state)) < min(known.chosen.seats, max(known.chosen.plan.least, len(state.active))):
        return []
    pairing = await _paired(known, at)
    return [pairing] if pairing.tables else []


def _arena_ends(known: Known) -> int:
    return known.state.began + known.chosen.minutes * _MINUTE_MS


async def _paired(known: Known, at: int) -> Pair:
    """Return the next pairing. For hundreds of players it takes a second: in a thread."""
    state = known.state
    made = await asyncio.to_thread(next_pairing, state, draw.link(known.seed, state.round + 1))
    return Pair(made.link, made.tables, made.byes, made.slots, [new_id() for _ in made.tables], at)


async def _ended_tables(known: Known, results: Results, tables: Tables, at: int) -> list[Event]:
    opened = list(known.state.open_tables)
    if not opened:
        return []
    played = await results.of(opened)
    known_results = {each.table_id for each in played}
    ended = await tables.ended([each for each in opened if each not in known_results])
    unread = [each for each, status in ended.items() if status == "over"]
    for each in unread:  # nobody has noted that the game is over: a process was killed, or the store failed
        await results.store_result(each)
    if unread:
        played += await results.of(unread)
    found: list[Event] = [Result(each.table_id, places_of(each), "played", at) for each in played]
    return [*found, *(Result(each, [], "void", at) for each, status in ended.items() if status != "over")]


def places_of(result: GameResult) -> list[int]:
    """Return the places of a game for a tournament: who has left comes after all others."""

    def key(seat: SeatResult) -> tuple[bool, int]:
        return seat.left, seat.place

    return [1 + sum(key(other) < key(seat) for other in result.seats) for seat in result.seats]


def ended_early(state: State) -> list[str]:
    """Return the tables of the last round whose results do not come from the end of a game."""
    last = state.round
    return [
        each.id
        for each in state.tables.values()
        if each.round == last and each.why in ("walkover", "void", "limit")
    ]


def _gone(known: Known, banned: frozenset[str]) -> list[Event]:
    """Return the ends of those who have deleted their account, or are banned from the server."""
    found = list[Event]()
    for player in known.state.active:
        row = known.players[player.number]
        if row.person_id is None and row.bot is None:
            found.append(Leave(player.number, "deleted"))
        elif row.person_id in banned:
            found.append(Leave(player.number, "absent"))
    return found


def _paired_at(state: State, table: Table) -> int:
    return state.pairings[table.round - 1].at


def _limit_ms(known: Known) -> int | None:
    chosen = known.chosen
    if chosen.limit is not None:
        return chosen.limit * _MINUTE_MS
    return _LIMIT_MS if chosen.days is None else None


async def _overdue(known: Known, tables: Tables, at: int) -> tuple[list[Event], list[str]]:
    """Return what follows where people have not come, or a game has lasted for too long, and at which tables
    nobody is waited for any more."""
    state, chosen, events = known.state, known.chosen, list[Event]()
    limit = _limit_ms(known)
    waited = [
        each
        for each in state.open_tables.values()
        if each.id not in tables.settled
        and chosen.days is None
        and at >= _paired_at(state, each) + chosen.appear * _MINUTE_MS
    ]
    for table, absent in await tables.absent(known, waited):
        events += [Leave(number, "absent") for number in absent if state.players[number].is_active]
        there = [each for each in table.players if each not in absent]
        people = [each for each in there if state.players[each].kind != "bot"]
        if not people:
            events.append(Result(table.id, [], "void", at))
        elif len(table.players) == 2:
            places = [2 if number in absent else 1 for number in table.players]
            events.append(Result(table.id, places, "walkover", at))
    decided = {each.table for each in events if isinstance(each, Result)}
    for table in state.open_tables.values():
        if limit is not None and at >= _paired_at(state, table) + limit and table.id not in decided:
            left = await tables.left(known, table)
            places = [1 + (len(table.players) - len(left)) * (seat in left) for seat in range(len(table.players))]
            events.append(Result(table.id, places, "limit", at))
    return events, [each.id for each in waited]


def _next_look(known: Known, at: int) -> int:
    """Return when something is due although no game ends."""
    state, chosen, looks = known.state, known.chosen, [at + _MINUTE_MS]  # should a report be lost
    limit = _limit_ms(known)
    for table in state.open_tables.values():
        begun = _paired_at(state, table)
        if chosen.days is None:
            looks.append(begun + chosen.appear * _MINUTE_MS)
        if limit is not None:
            looks.append(begun + limit)
    if chosen.kind == "arena":
        looks.append(_arena_ends(known))
        if state.pairings:
            looks.append(state.pairings[-1].at + _ARENA_PAUSE_MS)
    return min(each for each in looks if each > at)
