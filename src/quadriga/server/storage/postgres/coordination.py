"""Coordination of processes that share a database: which of them are alive, which leads a room, who is where.

A process proves every second that it is alive. It holds the lease of a room as long as it does, so there is one row
to renew per process, not one per room. All times are those of the database. The tables hold nothing that must
survive: after a crash of the database they are empty, and the processes write their rows again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY

from quadriga.server.storage.base import Pulse, Visitors

METADATA = sa.MetaData()
_UNLOGGED = ["UNLOGGED"]

PROCESSES = sa.Table(
    "processes",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
    prefixes=_UNLOGGED,
)
LEASES = sa.Table(
    "leases",
    METADATA,
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("process", sa.ForeignKey("processes.id", ondelete="CASCADE"), nullable=False, index=True),
    prefixes=_UNLOGGED,
)
VISITORS = sa.Table(
    "visitors",
    METADATA,
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("process", sa.ForeignKey("processes.id", ondelete="CASCADE"), primary_key=True, index=True),
    sa.Column("holders", ARRAY(sa.Text), nullable=False),
    sa.Column("watching", sa.Integer, nullable=False),
    prefixes=_UNLOGGED,
)

_RENEW = sa.text(
    "UPDATE processes SET expires = clock_timestamp() + make_interval(secs => :lease) "
    "WHERE id = :process AND expires > clock_timestamp()"
)
_BEGIN = sa.text("INSERT INTO processes VALUES (:process, clock_timestamp() + make_interval(secs => :lease))")
_END = sa.text("DELETE FROM processes WHERE id = :process")
_FORGET = sa.text("DELETE FROM processes WHERE expires < clock_timestamp() - interval '1 minute'")
_SET_VISITORS = sa.text(
    "INSERT INTO visitors (table_id, process, holders, watching) VALUES (:room, :process, :holders, :watching) "
    "ON CONFLICT (table_id, process) DO UPDATE SET holders = EXCLUDED.holders, watching = EXCLUDED.watching"
)
_DROP_VISITORS = sa.text("DELETE FROM visitors WHERE process = :process AND table_id = ANY(:rooms)")
_DROP_LEASES = sa.text("DELETE FROM leases WHERE process = :process AND table_id = ANY(:rooms)")
_TAKE_LEASES = sa.text(
    "INSERT INTO leases AS old (table_id, process) SELECT unnest(CAST(:rooms AS text[])), :process "
    "ON CONFLICT (table_id) DO UPDATE SET process = EXCLUDED.process WHERE old.process = EXCLUDED.process "
    "OR NOT EXISTS (SELECT FROM processes p WHERE p.id = old.process AND p.expires > clock_timestamp()) "
    "RETURNING table_id"
)
_ELSEWHERE = sa.text(
    "SELECT v.table_id, v.holders, v.watching FROM visitors v JOIN processes p ON p.id = v.process "
    "WHERE v.table_id = ANY(:rooms) AND v.process <> :process AND p.expires > clock_timestamp()"
)
_PEOPLE = sa.text(
    "SELECT v.table_id, unnest(v.holders) FROM visitors v JOIN processes p ON p.id = v.process "
    "WHERE v.table_id = ANY(:rooms) AND p.expires > clock_timestamp()"
)
_NEWEST = sa.text(
    "SELECT h.table_id, h.number, coalesce((SELECT max(c.number) FROM chat c WHERE c.table_id = h.table_id), 0) "
    "FROM heads h WHERE h.table_id = ANY(:rooms)"
)


def pulse(
    connection: sa.Connection,
    process: str,
    lease_s: float,
    visitors: Mapping[str, Visitors],
    wanted: Sequence[str],
    known: Sequence[str],
) -> Pulse:
    """Renew and acquire leases of a process; return what other processes have done. See `SharedStorage.pulse`."""
    own = {"process": process, "lease": lease_s}
    is_new = not connection.execute(_RENEW, own).rowcount
    if is_new:
        connection.execute(_END, own)
        connection.execute(_FORGET)
        connection.execute(_BEGIN, own)
        return Pulse(True, frozenset(), {}, {})  # the process announces everything anew
    gone = [room for room, each in visitors.items() if not each.total]
    if gone:
        connection.execute(_DROP_VISITORS, {"process": process, "rooms": gone})
        connection.execute(_DROP_LEASES, {"process": process, "rooms": gone})
    here = [
        {"room": room, "process": process, "holders": sorted(each.holders), "watching": each.watching}
        for room, each in sorted(visitors.items())
        if each.total
    ]
    if here:
        connection.execute(_SET_VISITORS, here)
    driven: frozenset[str] = frozenset()
    if wanted:
        taken = connection.execute(_TAKE_LEASES, {"process": process, "rooms": sorted(wanted)})
        driven = frozenset(row[0] for row in taken)
    elsewhere: dict[str, Visitors] = {}
    newest: dict[str, tuple[int, int]] = {}
    if known:
        rooms = {"process": process, "rooms": list(known)}
        for room, holders, watching in connection.execute(_ELSEWHERE, rooms):
            before = elsewhere.get(room, Visitors())
            elsewhere[room] = Visitors(before.holders | frozenset(holders), before.watching + watching)
        newest = {room: (number, chat) for room, number, chat in connection.execute(_NEWEST, rooms)}
    return Pulse(False, driven, elsewhere, newest)


def people_at(connection: sa.Connection, rooms: Sequence[str]) -> set[tuple[str, str]]:
    """Return which people look at which of these rooms: pairs of a room and a holder."""
    return {(room, holder) for room, holder in connection.execute(_PEOPLE, {"rooms": list(rooms)})}


def leave(connection: sa.Connection, process: str) -> None:
    """Release all leases of a process, and forget its people."""
    connection.execute(_END, {"process": process})
