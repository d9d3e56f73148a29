"""Acts of moderators: warn, mute, ban, rename, and bans of address ranges. Each can be appealed against once.

Every function runs in a transaction, and adds to the log of the house what it does.
"""

from __future__ import annotations

import ipaddress
from typing import Any, NamedTuple

import sqlalchemy as sa

from quadriga.server.moderation import log
from quadriga.server.people.accounts import DAY_MS
from quadriga.server.people.person import HOST, MODERATOR, Person
from quadriga.server.protocol.errors import RoomError
from quadriga.server.seats.names import NAMELESS, checked_name, distinct, look
from quadriga.server.seats.tokens import new_id
from quadriga.server.storage.base import now
from quadriga.server.storage.lobby_schema import NIGHT_GUESTS, NIGHTS
from quadriga.server.storage.moderation_schema import ACTS
from quadriga.server.storage.people_schema import FORMER_NAMES, PEOPLE
from quadriga.server.storage.tournaments_schema import TOURNAMENT_PLAYERS, TOURNAMENTS

WARN, MUTE, BAN, RENAME, RANGE = "warn", "mute", "ban", "rename", "range"
RENAMED = "renamed"  # in the log: a name that was taken away is in no game any more
LONGEST_HOURS = 24 * 365
_HOUR_MS = 3_600_000
_LARGEST = {4: 16, 6: 32}  # the shortest prefix of a range that may be banned
_BARRED_MS = 10 * 365 * DAY_MS  # that nobody may have a name which a moderator has taken away

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Act(NamedTuple):
    """A row of `acts`."""

    id: str
    at: int
    kind: str
    subject: str | None
    name: str
    network: str | None
    until: int | None
    reason: str
    by_id: str
    seen: int | None
    lifted: int | None
    appeal: str | None
    appealed: int | None
    decided: int | None
    answer: str | None

    def holds(self, at: int) -> bool:
        """Return whether a mute or a ban is in force at a time."""
        return self.lifted is None and (self.until is None or self.until > at)


class Order(NamedTuple):
    """What a moderator wants to be done."""

    kind: str
    subject: str | None
    name: str  # of the subject, as it is shown
    reason: str
    hours: float | None = None  # None: for good
    new_name: str = ""
    network: str = ""


def do(connection: sa.Connection, by: Person | None, order: Order) -> Act:
    """Do what a moderator wants; None is the command line. Raises RoomError if they may not."""
    _check_rank(connection, by, order.subject)
    at = now()
    if order.kind in (MUTE, RANGE) and order.hours is None:
        raise RoomError("moderation.end", 422)
    network = str(checked_network(order.network)) if order.kind == RANGE else None
    if order.kind == RANGE and by is not None and by.role != HOST:
        raise RoomError("house.host", 403)
    lasts = order.kind in (MUTE, BAN, RANGE) and order.hours is not None
    until = at + round((order.hours or 0) * _HOUR_MS) if lasts else None
    by_id = "" if by is None else by.id
    row = {
        "id": new_id(),
        "at": at,
        "kind": order.kind,
        "subject": order.subject,
        "name": order.name,
        "network": network,
        "until": until,
        "reason": order.reason,
        "by_id": by_id,
    }
    connection.execute(ACTS.insert().values(**row))
    if order.kind == RENAME and order.subject is not None:
        _rename(connection, order.subject, order.new_name)
    hours = "" if not lasts else f"{order.hours:g} h: "
    shown = f"{network}: " if network else ""
    log.add(connection, by_id, order.kind, order.subject or "", f"{shown}{hours}{order.reason}")
    return find(connection, str(row["id"]))


def find(connection: sa.Connection, act_id: str) -> Act:
    """Return an act. Raises RoomError if there is none of this id."""
    row = connection.execute(sa.select(ACTS).where(ACTS.c.id == act_id)).first()
    if row is None:
        raise RoomError("moderation.unknown", 404)
    return Act._make(row)


def lift(connection: sa.Connection, by: Person | None, act_id: str, reason: str) -> Act:
    """Take an act back."""
    act = find(connection, act_id)
    _check_rank(connection, by, act.subject)
    _lift(connection, act)
    log.add(connection, "" if by is None else by.id, "lift", act.subject or "", f"{act.kind}: {reason}")
    return find(connection, act_id)


def _lift(connection: sa.Connection, act: Act) -> None:
    if act.lifted is None:
        connection.execute(sa.update(ACTS).where(ACTS.c.id == act.id).values(lifted=now()))


# What the person concerned does.


def concerning(subject: str) -> sa.Select[Any]:
    """Return the select of the acts that concern somebody, the newest first."""
    return sa.select(ACTS).where(ACTS.c.subject == subject).order_by(ACTS.c.at.desc()).limit(50)


def confirm(connection: sa.Connection, subject: str, act_id: str) -> None:
    """Note that the person has read an act, or the answer to their appeal."""
    own = (ACTS.c.id == act_id, ACTS.c.subject == subject)
    if connection.execute(sa.update(ACTS).where(*own).values(seen=now())).rowcount != 1:
        raise RoomError("moderation.unknown", 404)


def appeal(connection: sa.Connection, subject: str, act_id: str, text: str) -> None:
    """Appeal against an act, once."""
    first = (ACTS.c.id == act_id, ACTS.c.subject == subject, ACTS.c.appealed.is_(None), ACTS.c.lifted.is_(None))
    if connection.execute(sa.update(ACTS).where(*first).values(appeal=text, appealed=now())).rowcount != 1:
        raise RoomError(
            "moderation.appealed" if find(connection, act_id).subject == subject else "moderation.unknown", 409
        )
    log.add(connection, subject, "appeal", subject)


def decide(connection: sa.Connection, by: Person, act_id: str, is_lifted: bool, answer: str) -> Act:
    """Decide an appeal. Whoever has acted does not, unless nobody else could."""
    act = find(connection, act_id)
    if act.appealed is None or act.decided is not None:
        raise RoomError("moderation.no-appeal")
    if act.subject == by.id or (act.by_id == by.id and _others(connection, by)):
        raise RoomError("moderation.yours", 403)
    values = {"decided": now(), "answer": answer, "seen": None}
    connection.execute(sa.update(ACTS).where(ACTS.c.id == act_id).values(**values))
    if is_lifted:
        _lift(connection, act)
    detail = f"{act.kind}: {'lifted' if is_lifted else 'upheld'}: {answer}"
    log.add(connection, by.id, "decide", act.subject or "", detail)
    return find(connection, act_id)


def _others(connection: sa.Connection, by: Person) -> bool:
    """Return whether there is another moderator or host."""
    staff = sa.select(PEOPLE.c.id).where(PEOPLE.c.role.in_((MODERATOR, HOST)), PEOPLE.c.id != by.id)
    return connection.execute(staff.limit(1)).first() is not None


# Helpers.


def checked_network(text: str) -> Network:
    """Return a range of addresses that may be banned. Raises RoomError for anything else."""
    try:
        found = ipaddress.ip_network(text.strip(), strict=False)
    except ValueError:
        raise RoomError("moderation.range", 422, text=text[:64]) from None
    if found.prefixlen < _LARGEST[found.version]:
        raise RoomError("moderation.large", 422, prefix=_LARGEST[found.version])
    return found


def _check_rank(connection: sa.Connection, by: Person | None, subject: str | None) -> None:
    """Raise RoomError if the subject is the moderator, the host, or somebody whom only the host may judge."""
    if subject is None:
        return
    if by is not None and by.id == subject:
        raise RoomError("person.self", 422)
    role = connection.execute(sa.select(PEOPLE.c.role).where(PEOPLE.c.id == subject)).scalar()
    if role == HOST or (role == MODERATOR and by is not None and by.role != HOST):
        raise RoomError("moderation.rank", 403)


def _rename(connection: sa.Connection, person_id: str, new_name: str) -> None:
    """Give a member another name, and keep the old one from everybody, the member included. A guest has none."""
    row = connection.execute(sa.select(PEOPLE.c.name, PEOPLE.c.look).where(PEOPLE.c.id == person_id)).first()
    is_member = row is not None and row.name is not None
    name = checked_name(new_name) if is_member else NAMELESS
    _rename_in_tournaments(connection, person_id, name)
    _rename_in_nights(connection, person_id, name)
    if row is None or not is_member:
        return
    connection.execute(sa.delete(FORMER_NAMES).where(FORMER_NAMES.c.look.in_((row.look, look(name)))))
    barred = {"look": row.look, "person_id": "", "until": now() + _BARRED_MS}
    if look(name) != row.look:
        connection.execute(FORMER_NAMES.insert().values(**barred))
    own = PEOPLE.c.id == person_id
    connection.execute(sa.update(PEOPLE).where(own).values(name=name, look=look(name)))


def _rename_in_tournaments(connection: sa.Connection, person_id: str, name: str) -> None:
    """Show another name of a person in all tournaments, with a number where somebody else has it."""
    organised = sa.update(TOURNAMENTS).where(TOURNAMENTS.c.person_id == person_id)
    connection.execute(organised.values(name=name))
    players = TOURNAMENT_PLAYERS.c
    entries = sa.select(players.tournament_id, players.player).where(players.person_id == person_id)
    for tournament_id, player in connection.execute(entries).all():
        others = sa.select(players.name).where(players.tournament_id == tournament_id, players.player != player)
        shown = distinct(name, connection.execute(others).scalars().all())
        own = (players.tournament_id == tournament_id, players.player == player)
        connection.execute(sa.update(TOURNAMENT_PLAYERS).where(*own).values(name=shown))


def _rename_in_nights(connection: sa.Connection, person_id: str, name: str) -> None:
    for table in (NIGHTS, NIGHT_GUESTS):
        connection.execute(sa.update(table).where(table.c.person_id == person_id).values(name=name))
