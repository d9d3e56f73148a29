"""Results of finished games, read from their logs, in the order in which the games ended.

The result of a room is stored once, by whichever process comes first. It is a pure function of the log, except for
who the players are: that is noted when the result is stored, and changes when accounts are merged or deleted.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from quadriga.engine.errors import QuadrigaError
from quadriga.engine.match.entry import FAMILY
from quadriga.engine.match.match import Match
from quadriga.server.logs import LOGGER
from quadriga.server.protocol.errors import TakenError
from quadriga.server.scores.pools import pool_of
from quadriga.server.state import events, replaying
from quadriga.server.state.events import (
    CoachAgreed,
    HintTaken,
    LoggedMove,
    Moves,
    RoomEvent,
    Setup,
    Sit,
    Start,
    Undo,
)
from quadriga.server.state.game_session import GameSession
from quadriga.server.state.room_state import RoomState
from quadriga.server.storage.base import LoadedRoom, Storage
from quadriga.server.storage.people_schema import PLAYERS
from quadriga.server.storage.schema import TABLES
from quadriga.server.storage.score_changes import forget_rated, lock, move_back
from quadriga.server.storage.scores_schema import RESULT_PLAYERS, RESULTS

BATCH = 100  # rooms that are read at once
SLICE = 10_000  # rooms that are looked at at once
TRANSIENT = ("store.failing", "store.full")  # codes of errors that say nothing about a log
_MOST_BY_BOTS = 0.1  # of a person's moves; whoever lets a bot make more of them has left


class SeatResult(msgspec.Struct):
    """What became of a seat. The person or bot is the one that had it when the game began."""

    holder: str  # as the log names the person; "" for a bot
    bot: str | None
    place: int  # 1 for the best; seats with equal scores share a place
    score: int  # points or Ducats, as the game counts them
    left: bool = False  # whether a bot has played for the person, at the end or often
    player: str | None = None  # the id of the person, if the server knows them
    key: str | None = None  # the id of the key by which a bot of the person has taken the seat


class Payment(msgspec.Struct, array_like=True):
    """What a seat has paid another in a game by deals such as bribes."""

    payer: int
    payee: int
    money: int


class Result(msgspec.Struct):
    """The result of a game that was played to its end."""

    table_id: str
    game: str
    options: dict[str, Any]
    ended: int
    uncounted: str  # the reason why it is not rated; "" if it is
    seats: list[SeatResult]
    paid: list[Payment] = []

    @property
    def key(self) -> tuple[int, str]:
        """The position in the order in which games ended."""
        return self.ended, self.table_id


class _Body(msgspec.Struct, omit_defaults=True):
    """The stored part of a result that has no column of its own."""

    options: dict[str, Any]
    seats: list[tuple[str, str | None, int, int, bool]]
    paid: list[Payment] = []


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(_Body)
COLUMNS = (RESULTS.c.table_id, RESULTS.c.game, RESULTS.c.ended, RESULTS.c.uncounted, RESULTS.c.body)
"""The columns that `decoded` takes."""
_PLAYERS = (RESULT_PLAYERS.c.table_id, RESULT_PLAYERS.c.seat, RESULT_PLAYERS.c.player, RESULT_PLAYERS.c.key_id)


def result_of(stored: LoadedRoom) -> Result | None:
    """Return the result of a room; None if its game was not played to its end, or by rules of earlier versions."""
    state = replaying.replay(stored)
    if state.status != "over" or state.session is None:
        return None
    log = [(line.at, events.decode(line.kind, line.body)) for line in stored.events]
    scores = state.session.match.scores
    seats = [
        SeatResult(sit.holder, sit.bot, 1 + sum(other > score for other in scores), score)
        for sit, score in zip(_seated_at_start(state.seat_count, log), scores, strict=True)
    ]
    for number, seat in enumerate(seats):
        seat.left = bool(seat.holder) and _has_left(number, seat.holder, log)
    ended = max(at for at, event in log if isinstance(event, Moves))
    uncounted = _uncounted(state.setup, seats, log)
    return Result(state.id, state.setup.game, state.options, ended, uncounted, seats, payments(state.session))


def payments(session: GameSession) -> list[Payment]:
    """Return what seats have paid others by deals, all over the game."""
    deals, family = session.game.deals, session.deal
    played = zip(session.match.entries, session.forced, strict=True)
    entries = [entry for entry, is_forced in played if not is_forced]
    begins = (family or "").removesuffix(FAMILY) + " "
    if deals is None or family is None or not any(each.text.startswith(begins) for each in entries):
        return []
    paid: Counter[tuple[int, int]] = Counter()
    match = Match(session.game, session.match.options, session.seat_count)
    for entry in entries:
        if entry.seat is not None and not entry.chance:
            for payer, money in deals.payments(match.t, match.s, entry.seat, entry.actions[0]):
                paid[payer, entry.seat] += money
        match.append_unchecked(entry.seat, entry.text, entry.legal, entry.actions)
    return [Payment(*who, money) for who, money in sorted(paid.items())]


Log = Sequence[tuple[int, RoomEvent]]


def _seated_at_start(seats: int, log: Log) -> list[Sit]:
    found = [Sit(seat, "open") for seat in range(seats)]
    for _, event in log:
        if isinstance(event, Sit):
            found[event.seat] = event
        elif isinstance(event, Start):
            break
    return found


def _has_left(seat: int, holder: str, log: Log) -> bool:
    """Return whether others than the person who began have made the last move of a seat, or many of its moves."""
    own, others, is_last_own, sits = 0, 0, True, holder
    for _, event in log:
        if isinstance(event, Sit) and event.seat == seat:
            sits = event.holder
        elif isinstance(event, Moves):
            for move in event.done:
                if move.seat == seat and _is_choice(move):
                    is_last_own = sits == holder and move.by == "person"
                    own, others = own + is_last_own, others + (not is_last_own)
    return not is_last_own or others > _MOST_BY_BOTS * (own + others)


def _is_choice(move: LoggedMove) -> bool:
    """Return whether a person or a bot has made a move, and not the dice or the server."""
    return move.by in ("person", "bot") and not move.is_forced


def _uncounted(setup: Setup, seats: list[SeatResult], log: Log) -> str:
    """Return the reason why a game is not rated."""
    if reason := _unrated(setup, [seat.holder for seat in seats if seat.holder]):
        return reason
    if any(isinstance(event, Undo) for _, event in log):
        return "undo"
    if any(isinstance(event, CoachAgreed) and event.on for _, event in log):
        return "coach"
    return "hint" if any(isinstance(event, HintTaken) for _, event in log) else ""


def _unrated(setup: Setup, people: list[str]) -> str:
    """Return the reason why a game of these people will not be rated, whatever happens."""
    if setup.dice != "fair":
        return "dice"  # they cannot be verified: a set seed, or the game goes on from a replay
    if setup.undo:
        return "undo"
    if len(people) < 2:
        return "alone"  # then the coach can be asked at any time, and a lost game is left unfinished
    return "seats" if len(set(people)) < len(people) else ""


def unrated_setup(state: RoomState) -> str:
    """Return the reason why the game of a room will not be rated, as far as it is known while it is played."""
    if state.status in ("ended", "closed"):
        return "ended"
    if state.status == "waiting" and any(seat.kind == "open" for seat in state.seats):
        people = [*(seat.holder for seat in state.seats if seat.kind == "person"), ""]  # somebody may come
    else:
        people = [seat.holder for seat in state.seats if seat.holder]
    return _unrated(state.setup, people) or ("coach" if state.is_coach_agreed else "")


class Results:
    """The results of a store."""

    def __init__(self, store: Storage) -> None:
        self._store = store
        self._ended: set[str] = set()  # rooms whose game has ended, and may have no result yet
        self._looked_until = ""  # the last room at which `settle_slice` has looked
        self._unreadable: set[str] = set()  # rooms whose log is damaged, or of rules that are no longer known

    def note(self, table_id: str) -> None:
        """Note that the game of a room has ended."""
        self._ended.add(table_id)

    async def settle(self) -> int:
        """Store the results of all games that have ended and have none; return how many there were."""
        count, after = await self.settle_noted(), ""
        while True:
            after, found = await self._unsettled(after)
            count += await self._store_found(found)
            if not after:
                return count

    async def settle_noted(self) -> int:
        """Store the results of the games that were noted; return how many had none."""
        count = 0
        for table_id in sorted(self._ended):
            count += await self.store_result(table_id)
            self._ended.discard(table_id)
        return count

    async def settle_slice(self) -> int:
        """Store results that are missing among some of the rooms, the next time among those that follow."""
        self._looked_until, found = await self._unsettled(self._looked_until)
        return await self._store_found(found)

    async def _store_found(self, table_ids: Sequence[str]) -> int:
        count = 0
        for table_id in table_ids:
            if await self.store_result(table_id):
                count += 1
            else:
                self._unreadable.add(table_id)
        return count

    async def store_result(self, table_id: str, again: bool = False) -> bool:
        """Read the result of a room from its log and store it; return whether anything has changed.

        A result that is stored already stays, unless it is to be read `again`.
        """
        try:
            stored = await self._store.load(table_id)
            result = None if stored is None else await asyncio.to_thread(result_of, stored)
        except QuadrigaError as fault:
            if fault.code in TRANSIENT:
                raise  # the game is looked at again
            LOGGER.warning("the result of %s cannot be read: %s", table_id, fault)
            result = None
        except Exception:
            LOGGER.exception("the result of %s cannot be read", table_id)
            result = None
        if result is None:
            return False
        try:
            return await self._store.transact(lambda connection: put(connection, result, again))
        except TakenError:  # another process was faster
            return False

    async def after(self, key: tuple[int, str] = (0, ""), count: int = BATCH) -> list[Result]:
        """Return the results of the games that ended after another, in the order in which they ended."""
        later = sa.tuple_(RESULTS.c.ended, RESULTS.c.table_id) > key
        selected = sa.select(*COLUMNS).where(later).order_by(RESULTS.c.ended, RESULTS.c.table_id).limit(count)
        return await self._with_players(await self._store.read(selected))

    async def of(self, table_ids: Sequence[str]) -> list[Result]:
        """Return the results of some rooms, in the order in which they ended; rooms without one are left out."""
        selected = sa.select(*COLUMNS).where(RESULTS.c.table_id.in_(table_ids))
        ordered = selected.order_by(RESULTS.c.ended, RESULTS.c.table_id)
        return await self._with_players(await self._store.read(ordered))

    async def _with_players(self, rows: Sequence[Any]) -> list[Result]:
        if not rows:
            return []
        return decoded(rows, await self._store.read(players_at([row[0] for row in rows])))

    async def _unsettled(self, after: str) -> tuple[str, list[str]]:
        """Look at the next rooms in the order of ids; return the last of them, and the games without a result.

        The last is empty at the end of all rooms: 10 million finished games are not read at once.
        """
        later = sa.select(TABLES.c.id).where(TABLES.c.id > after).order_by(TABLES.c.id)
        ends = await self._store.read(later.limit(1).offset(SLICE - 1))
        has_result = sa.exists().where(RESULTS.c.table_id == TABLES.c.id)
        chosen = later.where(TABLES.c.status == "over", ~has_result)
        if ends:
            chosen = chosen.where(TABLES.c.id <= ends[0][0])
        found = [row[0] for row in await self._store.read(chosen)]
        return (ends[0][0] if ends else ""), [each for each in found if each not in self._unreadable]


def players_at(table_ids: Sequence[str] | sa.Select[Any]) -> sa.Select[Any]:
    """Return a select of the players of some rooms, for `decoded`."""
    return sa.select(*_PLAYERS).where(RESULT_PLAYERS.c.table_id.in_(table_ids))


def decoded(rows: Iterable[Any], players: Iterable[Any]) -> list[Result]:
    """Return results from rows of the store."""
    known = {(table_id, seat): who for table_id, seat, *who in players}
    found = []
    for table_id, game, ended, uncounted, stored in rows:
        body = _DECODER.decode(stored)
        seats = [SeatResult(*each, *known.get((table_id, number), ())) for number, each in enumerate(body.seats)]
        found.append(Result(table_id, game, body.options, ended, uncounted, seats, body.paid))
    return found


def put(connection: sa.Connection, result: Result, again: bool = False) -> bool:
    """Store a result that is new or differs; return whether it does. Note who the players are if nobody has."""
    lock(connection)
    own = RESULTS.c.table_id == result.table_id
    row = {
        "game": result.game,
        "pool": pool_of(result.game, len(result.seats)),
        "seats": len(result.seats),
        "ended": result.ended,
        "uncounted": result.uncounted,
        "body": _ENCODER.encode(_Body(result.options, [_seat(each) for each in result.seats], result.paid)),
    }
    known = connection.execute(sa.select(RESULTS).where(own)).mappings().first()
    if known is not None:
        if not again or all(known[name] == each for name, each in row.items()):
            return False
        move_back(connection, known["pool"], known["ended"])
        forget_rated(connection, result.table_id)
        connection.execute(sa.delete(RESULTS).where(own))
    connection.execute(RESULTS.insert().values(table_id=result.table_id, **row))
    move_back(connection, str(row["pool"]), result.ended)
    noted = sa.select(RESULT_PLAYERS.c.seat).where(RESULT_PLAYERS.c.table_id == result.table_id)
    if connection.execute(noted).first() is None:
        columns = (PLAYERS.c.holder, PLAYERS.c.person_id, PLAYERS.c.key_id)
        parts = sa.select(*columns).where(PLAYERS.c.table_id == result.table_id)
        people = {row.holder: row for row in connection.execute(parts)}
        for number, seat in enumerate(result.seats):
            if (part := people.get(seat.holder)) is not None:
                found = {"table_id": result.table_id, "seat": number, "player": part.person_id}
                connection.execute(RESULT_PLAYERS.insert().values(**found, key_id=part.key_id))
    return True


def _seat(seat: SeatResult) -> tuple[str, str | None, int, int, bool]:
    return seat.holder, seat.bot, seat.place, seat.score, seat.left
