"""Requests about people's games: lists, results, profiles, and everything that is stored of a person."""

from __future__ import annotations

import asyncio
import io
import time
import zipfile
from collections.abc import AsyncIterator
from typing import Annotated, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from quadriga.server.http.lobby_routes import lobby_of
from quadriga.server.http.operations import Operations
from quadriga.server.http.people_requests import known, owner, people_of, position
from quadriga.server.http.rating_routes import pool_ratings, scores_of
from quadriga.server.http.request import client_address, read_body, registry_of, reply
from quadriga.server.messages import finished
from quadriga.server.messages.my_games import my_game
from quadriga.server.people.accounts import DAY_MS
from quadriga.server.people.history import PAGE, Filter, ResultCount
from quadriga.server.people.person import Visitor
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.fields import MOST_SEATS
from quadriga.server.protocol.openapi import responses, text_response
from quadriga.server.protocol.people import (
    Deleting,
    Me,
    Month,
    MyGames,
    Profile,
    Results,
    Statistics,
)
from quadriga.server.rooms.days.sweeper import ends_of
from quadriga.server.rooms.erasing import erase_person
from quadriga.server.rooms.registry import Registry
from quadriga.server.seats.names import look
from quadriga.server.state import replaying

operations = Operations()
_DOWNLOAD_COST = 20.0  # of the rate for parts of finished games, for a download of all of them
_SPANS = 12  # of 30 days in the statistics
GameId = Annotated[str, msgspec.Meta(max_length=64)]
Moment = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


@operations.get("/api/me/games", responses(MyGames, 401), "free")
async def my_games(request: Request) -> Response:
    """One's games that are not over, the last changed first."""
    visitor = await known(request)
    games = await people_of(request).history.open_games(visitor.person)
    due = await ends_of(registry_of(request).store, [each.table_id for each in games])
    return reply(MyGames([my_game(each, due.get(each.table_id)) for each in games], None))


@operations.get("/api/me/history", responses(MyGames, 401), "free")
async def history(
    request: Request,
    game: GameId = "",
    place: Annotated[int, msgspec.Meta(ge=-1, le=MOST_SEATS)] = -1,
    other: Annotated[str, msgspec.Meta(max_length=64)] = "",
    since: Moment = 0,
    until: Moment = 0,
    before: Annotated[str, msgspec.Meta(max_length=64)] = "",
    count: Annotated[int, msgspec.Meta(ge=1, le=PAGE)] = PAGE,
) -> Response:
    """One's finished games, the last first: all, or by own `place` (0: no result), name of an `other`, and time."""
    visitor = await known(request)
    people = people_of(request)
    others = {other} if other else set()
    if other and (member := await people.accounts.named(other)) is not None and member.name is not None:
        others.add(member.name)  # as they write it
    wanted = Filter(game, None if place < 0 else place, others, since, until)
    found = await people.history.finished(visitor.person, wanted, position(before), count + 1)
    games = found[:count]
    more = f"{games[-1].ended}-{games[-1].table_id}" if len(found) > count else None
    changed = await scores_of(request).ratings.changes([each.table_id for each in games])
    mine = {visitor.person.id, *await scores_of(request).boards.bots_of(visitor.person.id)}
    own = {
        table: [round(each.before.mean, 1), round(each.after.mean, 1)]
        for table, by in changed.items()
        for player, each in by.items()
        if player in mine
    }
    return reply(MyGames([my_game(each, None, own.get(each.table_id)) for each in games], more))


@operations.get("/api/me/statistics", responses(Statistics, 401), "free")
async def statistics(request: Request) -> Response:
    """One's results."""
    visitor = await known(request)
    people = people_of(request)
    since = int(time.time() * 1000) - _SPANS * 30 * DAY_MS
    months = [Month(*each) for each in await people.history.months(visitor.person, since)]
    return reply(Statistics(_results(await people.history.results(visitor.person)), months))


@operations.get("/api/people/{name}", responses(Profile, 404))
async def profile(request: Request, name: GameId) -> Response:
    """A member, as others see them. One who is not there and one who is private are refused alike."""
    registry_of(request).limits.accounts.check(client_address(request))
    people = people_of(request)
    person = await people.accounts.named(name)
    if person is None or person.name is None or not person.public:
        raise RoomError("person.unknown", 404)
    found = _results(await people.history.results(person))
    ratings = await pool_ratings(scores_of(request), person.id)
    return reply(Profile(person.name, person.role, person.created, found, ratings))


@operations.get("/api/me/export", text_response("application/json", 401, 403), "free")
async def export(request: Request) -> Response:
    """Everything that is stored of oneself, but the games."""
    visitor = await owner(request)
    stored = await people_of(request).accounts.export(visitor.person)
    headers = {"content-disposition": 'attachment; filename="quadriga-account.json"', "cache-control": "no-store"}
    return Response(msgspec.json.encode(stored), media_type="application/json", headers=headers)


@operations.get("/api/me/records", text_response("application/zip", 401, 403), "free")
async def records(request: Request) -> Response:
    """The records of all one's finished games, in one file."""
    visitor = await owner(request)
    registry = registry_of(request)
    registry.limits.replays.check(client_address(request), _DOWNLOAD_COST)
    headers = {"content-disposition": 'attachment; filename="quadriga-games.zip"', "cache-control": "no-store"}
    return StreamingResponse(_zipped(registry, visitor), media_type="application/zip", headers=headers)


async def _zipped(registry: Registry, visitor: Visitor) -> AsyncIterator[bytes]:
    """Yield a ZIP file of records, made one by one as the client takes them."""
    made = _Chunks()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        before: tuple[int, str] | None = None
        while games := await registry.people.history.finished(visitor.person, before=before):
            for each in games:
                state = await replaying.load(registry.store, each.table_id)
                if state is not None and state.session is not None and state.over:
                    text = await asyncio.to_thread(finished.record, state)
                    archive.writestr(f"{each.game}-{each.table_id[:8]}.jsonl", text)
                    yield made.taken()
            before = games[-1].ended, games[-1].table_id
    yield made.taken()


class _Chunks(io.RawIOBase):
    """A file that only grows, and whose contents are taken from time to time."""

    def __init__(self) -> None:
        self._made = bytearray()

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, data: Any, /) -> int:
        """Add bytes."""
        raw = bytes(data)
        self._made += raw
        return len(raw)

    def taken(self) -> bytes:
        """Return what was written since the last call."""
        made, self._made = bytes(self._made), bytearray()
        return made


@operations.post("/api/me/delete", responses(Me, 401, 403, 422), Deleting, "free")
async def delete(request: Request) -> Response:
    """Delete one's account: everything about the person, and their name in all games."""
    visitor, asked = await owner(request), await read_body(request, Deleting)
    if look(asked.name) != look(visitor.person.name or ""):
        raise RoomError("person.confirm", 422, name=visitor.person.name or "")
    registry = registry_of(request)
    await erase_person(registry, visitor.person)
    is_banned = registry.house.ban_of(visitor.person.id) is not None
    await registry.people.accounts.delete(visitor.person)
    await registry.house.refresh()
    lobby_of(request).people_changed([visitor.person.id])
    response = reply(Me(None, "yes"))
    if not is_banned:  # a ban counts on the device
        response.delete_cookie(registry.people.cookie)
    return response


def _results(counts: list[ResultCount]) -> list[Results]:
    """Return the results by game and number of seats."""
    found: dict[tuple[str, int], Results] = {}
    for each in counts:
        results = found.setdefault((each.game, each.seats), Results(each.game, each.seats, 0, [0] * each.seats, 0))
        results.games += each.games
        results.last = max(results.last, each.last)
        if each.place is not None:
            results.places[each.place - 1] += each.games
    return list(found.values())
