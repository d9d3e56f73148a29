"""Requests about ratings: leaderboards, a person's ratings and what has changed them, ratings at a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from quadriga.lab.anchors import measured
from quadriga.server.http.operations import Operations
from quadriga.server.http.people_requests import known, people_of, position
from quadriga.server.http.request import Id, client_address, registry_of, reply, visitor_of
from quadriga.server.protocol import ratings as answers
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.openapi import responses, text_response
from quadriga.server.scores.boards import CURVE, PAGE, Part
from quadriga.server.scores.changes import NEW, Change, Standing, level_rating, uncounted
from quadriga.server.scores.luck import WithoutLuck
from quadriga.server.scores.pools import game_of, pool_of, sizes_of
from quadriga.server.scores.results import unrated_setup
from quadriga.server.scores.scores import Scores
from quadriga.server.scores.spreadsheet import as_csv
from quadriga.server.storage.base import now

operations = Operations()
PoolId = Annotated[str, msgspec.Meta(max_length=80)]
PageNumber = Annotated[int, msgspec.Meta(ge=0, le=200)]
Before = Annotated[str, msgspec.Meta(max_length=64)]
Name = Annotated[str, msgspec.Meta(max_length=64)]
_MOST_EXPORTED = 10_000  # lines of a file


def scores_of(request: Request) -> Scores:
    """Return the scores of this server."""
    scores: Scores = request.app.state.scores
    return scores


@operations.get("/api/leaderboards", responses(answers.Pools))
async def pools(request: Request) -> Response:
    """The pools in which games have ended."""
    registry_of(request).limits.accounts.check(client_address(request))
    found = [each for each in await scores_of(request).ratings.pools() if sizes_of(each)[0] > 1]
    return reply(answers.Pools([answers.Pool(each, game_of(each), list(sizes_of(each))) for each in found]))


@operations.get("/api/leaderboard", responses(answers.Leaderboard))
async def leaderboard(request: Request, pool: PoolId = "", page: PageNumber = 0) -> Response:
    """The best players of a pool: members with a public profile and a sure rating, who have played lately."""
    registry_of(request).limits.accounts.check(client_address(request))
    scores, visitor = scores_of(request), await visitor_of(request)
    rows = await scores.boards.best(pool, now(), page * PAGE, PAGE + 1)
    players = [
        answers.Ranked(page * PAGE + number, each.name, each.bot, _rating(each.standing))
        for number, each in enumerate(rows[:PAGE], 1)
    ]
    levels = [answers.LevelRating(level, _rating(each)) for level, each in _levels(game_of(pool))]
    mine = None
    if visitor is not None:
        mine = (await scores.ratings.of([visitor.person.id], pool)).get(visitor.person.id)
    own = None if mine is None else _rating(mine)
    return reply(answers.Leaderboard(pool, players, levels, own, len(rows) > PAGE))


@operations.get("/api/leaderboard.csv", text_response("text/csv"))
async def leaderboard_file(request: Request, pool: PoolId = "") -> Response:
    """A leaderboard as a file."""
    registry_of(request).limits.accounts.check(client_address(request))
    rows = await scores_of(request).boards.best(pool, now(), 0, _MOST_EXPORTED)
    lines = [
        (number, each.name, each.bot or "", *_numbers(each.standing), each.standing.ended)
        for number, each in enumerate(rows, 1)
    ]
    head = ("rank", "name", "bot", "rating", "uncertainty", "games", "last_game_ms")
    return _csv("quadriga-leaderboard.csv", head, lines)


@operations.get("/api/me/ratings", responses(answers.OwnRatings, 401))
async def my_ratings(request: Request) -> Response:
    """One's ratings, and those of one's bots that play by a key."""
    visitor = await known(request)
    return reply(answers.OwnRatings(await pool_ratings(scores_of(request), visitor.person.id)))


@operations.get("/api/me/rating", responses(answers.RatingCurve, 401))
async def my_curve(request: Request, pool: PoolId = "", before: Before = "") -> Response:
    """What games have changed in one's rating, the last game first."""
    visitor = await known(request)
    return reply(await _curve(scores_of(request), visitor.person.id, pool, before))


@operations.get("/api/me/rating.csv", text_response("text/csv", 401))
async def my_curve_file(request: Request, pool: PoolId = "") -> Response:
    """What games have changed in one's rating, as a file."""
    visitor = await known(request)
    found = await scores_of(request).boards.curve(visitor.person.id, pool, None, _MOST_EXPORTED)
    lines = [
        (table, each.after.ended, each.place, *_numbers(each.before)[:2], *_numbers(each.after))
        for table, each in found
    ]
    head = ("table", "ended_ms", "place", "rating_before", "uncertainty_before", "rating", "uncertainty", "games")
    return _csv("quadriga-rating.csv", head, lines)


@operations.get("/api/people/{name}/rating", responses(answers.RatingCurve, 404))
async def curve_of(request: Request, name: Name, pool: PoolId = "", before: Before = "") -> Response:
    """What games have changed in the rating of a member with a public profile."""
    registry_of(request).limits.accounts.check(client_address(request))
    person = await people_of(request).accounts.named(name)
    if person is None or person.name is None or not person.public:
        raise RoomError("person.unknown", 404)
    curve, visitor = await _curve(scores_of(request), person.id, pool, before), await visitor_of(request)
    reader = "" if visitor is None else visitor.person.id
    shown = await scores_of(request).boards.known_to(reader, [each.table for each in curve.games])
    for each in curve.games:
        if each.table not in shown:
            each.table = ""
    if curve.next is not None and not curve.games[-1].table:
        curve.next = f"{curve.games[-1].ended}-"
    return reply(curve)


@operations.get("/api/tables/{id}/ratings", responses(answers.TableRatings, 404))
async def table_ratings(request: Request, id: Id) -> Response:
    """The ratings at a table: one's own, those of members with a public profile, and those of levels of bots."""
    registry = registry_of(request)
    registry.limits.accounts.check(client_address(request))
    state = (await registry.room(id)).state
    scores, visitor = scores_of(request), await visitor_of(request)
    me = None if visitor is None else visitor.person.id
    pool = pool_of(state.setup.game, state.seat_count)
    results = await scores.results.of([id]) if state.status == "over" else []
    reason = uncounted(results[0]) if results else unrated_setup(state)
    parts = {each.holder: each for each in await scores.boards.parts([id]) if each.is_public or each.person == me}
    changed = (await scores.ratings.changes([id])).get(id, {})
    known = await scores.ratings.of([each.player for each in parts.values()], pool)
    holders = [each.holder for each in results[0].seats] if results else [each.holder for each in state.seats]
    levels = [each.bot for each in results[0].seats] if results else [each.bot for each in state.seats]
    seats = []
    for number, (holder, level) in enumerate(zip(holders, levels, strict=True)):
        found = _seat(number, parts.get(holder), level, state.setup.game, changed, known)
        if found is not None:
            seats.append(found)
    status = "unrated" if reason else "rated" if changed else "soon" if state.over else "open"
    return reply(answers.TableRatings(pool, status, reason, seats))


def _seat(
    seat: int,
    part: Part | None,
    level: str | None,
    game: str,
    changed: dict[str, Change],
    known: dict[str, Standing],
) -> answers.SeatRating | None:
    """Return the rating of a seat; None if the reader may not know it, or if there is none."""
    if part is not None:
        if (change := changed.get(part.player)) is not None:
            return answers.SeatRating(seat, _rating(change.before), _rating(change.after))
        return answers.SeatRating(seat, _rating(known.get(part.player, NEW)), None)
    fixed = None if level is None else level_rating(game, level)
    return None if fixed is None else answers.SeatRating(seat, _rating(fixed), None)


async def pool_ratings(scores: Scores, person_id: str) -> list[answers.PoolRating]:
    """Return the ratings of a person and of their bots."""
    labels: dict[str, str | None] = {person_id: None, **await scores.boards.bots_of(person_id)}
    found, luck = await scores.ratings.all_of(list(labels)), await scores.luck.of(list(labels))
    return [
        answers.PoolRating(
            pool,
            game_of(pool),
            list(sizes_of(pool)),
            label,
            _rating(each),
            each.ended,
            _without_luck(luck.get(player, {}).get(pool)),
        )
        for player, label in labels.items()
        for pool, each in found.get(player, {}).items()
    ]


def _without_luck(found: WithoutLuck | None) -> answers.WithoutLuck | None:
    if found is None:
        return None
    return answers.WithoutLuck(found.games, *(round(each, 4) for each in found[1:]))


async def _curve(scores: Scores, player: str, pool: str, before: str) -> answers.RatingCurve:
    found = await scores.boards.curve(player, pool, position(before), CURVE + 1)
    games = [
        answers.RatedGame(table, each.after.ended, each.place, _rating(each.before), _rating(each.after))
        for table, each in found[:CURVE]
    ]
    more = f"{games[-1].ended}-{games[-1].table}" if len(found) > CURVE else None
    return answers.RatingCurve(pool, games, more)


def _levels(game: str) -> list[tuple[str, Standing]]:
    """Return the fixed ratings of the levels of a game, the best first."""
    fixed = measured().get(game)
    found = [] if fixed is None else [(each, level_rating(game, each)) for each in fixed.levels]
    return sorted(((level, each) for level, each in found if each is not None), key=lambda each: -each[1].mean)


def _rating(standing: Standing) -> answers.Rating:
    mean, deviation, games = _numbers(standing)
    return answers.Rating(mean, deviation, games, standing.is_provisional)


def _numbers(standing: Standing) -> tuple[float, float, int]:
    return round(standing.mean, 1), round(standing.deviation, 1), standing.games


def _csv(name: str, head: Sequence[str], lines: Iterable[Sequence[object]]) -> Response:
    """Return a file of lines."""
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(as_csv(head, lines), media_type="text/csv", headers=headers)
