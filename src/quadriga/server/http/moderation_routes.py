"""Requests of moderators: the queue of reports and appeals, the context of a case, acts, the log of the house."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec
import sqlalchemy as sa
from starlette.requests import Request
from starlette.responses import Response

from quadriga.server.http.operations import Operations
from quadriga.server.http.people_requests import member
from quadriga.server.http.request import Id, client_address, read_body, registry_of, reply
from quadriga.server.moderation import acts, log, ranges, reports, roles
from quadriga.server.moderation.acts import BAN, MUTE, RANGE, Act, Order
from quadriga.server.moderation.reports import Case
from quadriga.server.people.person import HOST, MODERATOR, Person
from quadriga.server.protocol.errors import RoomError, TakenError
from quadriga.server.protocol.moderation import (
    Acting,
    ActSummary,
    CaseContext,
    CaseLine,
    CaseReport,
    CaseStep,
    CaseSummary,
    Deciding,
    EarlierReport,
    HouseLog,
    Lifting,
    LogLine,
    Queue,
)
from quadriga.server.protocol.openapi import responses
from quadriga.server.rooms.registry import Registry
from quadriga.server.storage.base import now
from quadriga.server.storage.moderation_schema import ACTS
from quadriga.server.storage.people_schema import GAMES, PEOPLE

operations = Operations(get="sign-in", post="sign-in")
_MOST_ACTS = 100
Names = Mapping[str, str]


async def moderator(request: Request) -> Person:
    """Return the moderator or host who sends a request. Raises RoomError for anybody else."""
    visitor = await member(request)
    registry_of(request).limits.moderation.check(client_address(request))
    if visitor.person.role not in (MODERATOR, HOST):
        raise RoomError("house.moderator", 403)
    return visitor.person


@operations.get("/api/moderation/queue", responses(Queue, 401, 403))
async def queue(request: Request) -> Response:
    """Reports and appeals that wait, and acts in force."""
    return await _reply_queue(request, await moderator(request))


async def _reply_queue(request: Request, by: Person) -> Response:
    def work(connection: sa.Connection) -> Queue:
        found = reports.cases(connection, but=by.id)
        waiting = (ACTS.c.appealed.is_not(None), ACTS.c.decided.is_(None), ACTS.c.lifted.is_(None))
        appeals = _acts(connection, *waiting, sa.or_(ACTS.c.subject.is_(None), ACTS.c.subject != by.id))
        in_force = (ACTS.c.lifted.is_(None), sa.or_(ACTS.c.until.is_(None), ACTS.c.until > now()))
        held = _acts(connection, ACTS.c.kind.in_((MUTE, BAN, RANGE)), *in_force)
        ids = [each.first.claimed_by or "" for each in found] + [each.by_id for each in [*appeals, *held]]
        known = reports.names(connection, ids)
        return Queue(
            [_case(each, known, by) for each in found],
            [_act(each, known) for each in appeals],
            [_act(each, known) for each in held],
        )

    return reply(await registry_of(request).store.transact(work))


def _acts(connection: sa.Connection, *conditions: sa.ColumnElement[bool]) -> list[Act]:
    selected = sa.select(ACTS).where(*conditions).order_by(ACTS.c.at.desc()).limit(_MOST_ACTS)
    return [Act._make(row) for row in connection.execute(selected).all()]


@operations.get("/api/moderation/cases/{id}", responses(CaseContext, 401, 403, 404))
async def case(request: Request, id: Id) -> Response:
    """A case with the chat around it, the game, and earlier reports and acts."""
    return await _reply_case(request, await moderator(request), id)


async def _reply_case(request: Request, by: Person, id: str) -> Response:
    registry = registry_of(request)

    def work(connection: sa.Connection) -> CaseContext:
        found = reports.case(connection, id, but=by.id)
        first, context = found.first, reports.context(connection, found)
        game = connection.execute(
            sa.select(GAMES.c.game, GAMES.c.status).where(GAMES.c.table_id == (first.table_id or ""))
        ).first()
        ids = [each.reporter_id for each in found.reports] + [each.by_id for each in context.acts]
        known = reports.names(connection, [*ids, first.claimed_by or "", first.subject or ""])
        return CaseContext(
            case=_case(found, known, by),
            reports=[
                CaseReport(each.at, known.get(each.reporter_id), each.reason, each.note) for each in found.reports
            ],
            table=first.table_id,
            game=None if game is None else game.game,
            status=None if game is None else game.status,
            chat=[
                CaseLine(row.number, row.at, row.seat, row.name, row.text, row.number == first.number)
                for row in context.chat
            ],
            earlier=[
                EarlierReport(each.at, each.kind, each.name, each.text, each.reason, each.status)
                for each in context.earlier
            ],
            acts=[_act(each, known) for each in context.acts],
            member=known.get(first.subject or ""),
            known=first.subject is not None,
            range=first.subject if by.role == HOST else None,
        )

    found = await registry.store.transact(work)
    if found.range is not None:
        found.range = ranges.of_somebody_here(_addresses(registry, found.range))
    return reply(found)


@operations.post("/api/moderation/cases/{id}", responses(Queue, 401, 403, 404, 409), CaseStep)
async def case_step(request: Request, id: Id) -> Response:
    """Take a case on, give it back, or close it."""
    by, asked = await moderator(request), await read_body(request, CaseStep)

    def work(connection: sa.Connection) -> None:
        found = reports.case(connection, id, but=by.id)
        if asked.step == "close":
            reports.close(connection, by, found, asked.reason)
        else:
            reports.claim(connection, by, found, asked.step == "claim")

    await registry_of(request).store.transact(work)
    return await _reply_queue(request, by)


@operations.post("/api/moderation/acts", responses(Queue, 401, 403, 404, 409), Acting)
async def act(request: Request) -> Response:
    """Warn, mute, ban or rename somebody; ban an address range. The case, if there is one, is closed."""
    by, asked = await moderator(request), await read_body(request, Acting)
    registry = registry_of(request)
    if asked.kind == "rename" and asked.rename is not None:
        registry.house.check_name(asked.rename)
    if asked.kind == RANGE and ranges.has(acts.checked_network(asked.range or ""), client_address(request)):
        raise RoomError("moderation.your-range", 422)

    def work(connection: sa.Connection) -> None:
        subject, name = None, ""
        found = None if asked.case is None else reports.case(connection, asked.case, but=by.id)
        if asked.kind != RANGE:
            if found is not None:
                subject, name = found.first.subject, found.first.name
            elif asked.name is not None:
                row = roles.member(connection, asked.name)
                subject, name = row.id, row.name
            if subject is None:
                raise RoomError("moderation.nobody", 422)
            if asked.kind == "rename":
                _check_rename(connection, subject, asked)
        order = Order(asked.kind, subject, name, asked.reason, asked.hours, asked.rename or "", asked.range or "")
        acts.do(connection, by, order)
        if found is not None and found.first.status == "open":
            reports.close(connection, by, found, asked.kind)

    try:
        await registry.store.transact(work)
    except TakenError:
        raise RoomError("person.taken", name=asked.rename) from None
    await registry.house.refresh()
    return await _reply_queue(request, by)


def _check_rename(connection: sa.Connection, subject: str, asked: Acting) -> None:
    """Raise RoomError if a member gets no new name: only guests are nameless."""
    is_named = sa.select(PEOPLE.c.name).where(PEOPLE.c.id == subject, PEOPLE.c.name.is_not(None))
    if asked.rename is None and connection.execute(is_named).first() is not None:
        raise RoomError("wire.field", 422, reason="rename")


@operations.post("/api/moderation/acts/{id}/lift", responses(Queue, 401, 403, 404, 409), Lifting)
async def lift_act(request: Request, id: Id) -> Response:
    """Take an act back."""
    by, asked = await moderator(request), await read_body(request, Lifting)
    registry = registry_of(request)
    await registry.store.transact(lambda connection: acts.lift(connection, by, id, asked.reason))
    await registry.house.refresh()
    return await _reply_queue(request, by)


@operations.post("/api/moderation/acts/{id}/decide", responses(Queue, 401, 403, 404, 409), Deciding)
async def decide_appeal(request: Request, id: Id) -> Response:
    """Decide an appeal. Whoever has acted does not, unless nobody else could."""
    by, asked = await moderator(request), await read_body(request, Deciding)
    registry = registry_of(request)
    await registry.store.transact(lambda connection: acts.decide(connection, by, id, asked.lift, asked.answer))
    await registry.house.refresh()
    return await _reply_queue(request, by)


@operations.get("/api/moderation/log", responses(HouseLog, 401, 403))
async def house_log(request: Request, before: Annotated[int, msgspec.Meta(ge=0, le=2**53)] = 0) -> Response:
    """What moderators and hosts have done, the newest first."""
    await moderator(request)
    rows = await registry_of(request).store.read(log.entries(before or None, log.PAGE + 1))
    lines = [LogLine(*row) for row in rows[: log.PAGE]]
    return reply(HouseLog(lines, lines[-1].id if len(rows) > log.PAGE else None))


def _addresses(registry: Registry, subject: str) -> list[str]:
    """Return the addresses from which somebody looks at a table, at this process."""
    viewers = (viewer for room in registry.rooms.values() for viewer in room.presence.viewers)
    return [viewer.address for viewer in viewers if subject in (viewer.holder, viewer.author)]


def _case(found: Case, known: Names, by: Person) -> CaseSummary:
    first = found.first
    claimed = first.claimed_by
    return CaseSummary(
        id=first.id,
        kind=first.kind,
        at=first.at,
        name=first.name,
        text=first.text,
        reasons=[each.reason for each in found.reports],
        claimed=None if claimed is None else known.get(claimed, "–"),
        mine=claimed == by.id,
    )


def _act(act: Act, known: Names) -> ActSummary:
    return ActSummary(
        id=act.id,
        kind=act.kind,
        at=act.at,
        until=act.until,
        name=act.name,
        range=act.network,
        reason=act.reason,
        by=known.get(act.by_id),
        holds=act.kind in (MUTE, BAN, RANGE) and act.holds(now()),
        lifted=act.lifted is not None,
        appeal=act.appeal,
        appealed=act.appealed,
        decided=act.decided is not None,
        answer=act.answer,
    )
