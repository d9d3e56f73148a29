"""The outbox: notices that are to be sent, one row for each channel of a person.

Notices of turns and of ends are written with the events that make them true: `storage/store`. A row is claimed
before it is sent, so that a process that is killed may lose a notice and never sends one twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import sqlalchemy as sa

from quadriga.server.storage.base import Storage, now
from quadriga.server.storage.notices_schema import CHANNELS, NOTICE_CHOICES, OUTBOX
from quadriga.server.storage.people_schema import GAMES, PLAYERS

TURN, OVER, WARNING, INVITATION, NIGHT = "turn", "over", "warning", "invitation", "night"
KINDS = (TURN, OVER, WARNING, INVITATION, NIGHT)
TRIAL = "trial"  # of a notice that only tries a channel, and has no row
BATCH = 50  # notices that are claimed at once
KEPT_MS = 30 * 86_400_000  # that a notice is kept which is done


class Row(NamedTuple):
    """A notice that is due, with everything that decides about it."""

    channel_id: str
    kind: str
    table_id: str
    key: int
    since: int
    due: int
    tries: int
    person_id: str
    channel: str  # its kind
    shape: str
    address: str
    keys: bytes
    origin: str
    language: str | None = None
    kinds: str | None = None
    detail: bool | None = None
    digest: int | None = None
    quiet_from: int | None = None
    quiet_until: int | None = None
    zone: str | None = None
    game: str | None = None
    status: str | None = None
    turn_number: int | None = None
    holder: str | None = None

    @property
    def is_true(self) -> bool:
        """True unless the notice is of a turn that is over."""
        return (
            self.kind not in (TURN, WARNING)
            or not self.table_id
            or (self.status == "playing" and self.turn_number == self.key)
        )


def put(connection: sa.Connection, person_id: str, kind: str, table_id: str, key: int, at: int) -> None:
    """Tell a person something at a time, in milliseconds: once for each kind, table and key.

    Nothing is written for a person without channels. `table_id` is empty if it is about no table.
    """
    assert kind in KINDS
    known = sa.select(OUTBOX.c.channel_id).where(
        OUTBOX.c.kind == kind, OUTBOX.c.table_id == table_id, OUTBOX.c.key == key
    )
    values = (kind, table_id, key, now(), at, 0, "waiting")
    wanted = sa.select(CHANNELS.c.id, *(sa.literal(each) for each in values)).where(
        CHANNELS.c.person_id == person_id, CHANNELS.c.id.not_in(known)
    )
    names = ("channel_id", "kind", "table_id", "key", "since", "due", "tries", "state")
    connection.execute(OUTBOX.insert().from_select(names, wanted))


def withdraw(connection: sa.Connection, kind: str, table_id: str, key: int) -> None:
    """Withdraw notices that are not sent yet, of all people."""
    connection.execute(
        sa.delete(OUTBOX).where(
            OUTBOX.c.kind == kind, OUTBOX.c.table_id == table_id, OUTBOX.c.key == key, OUTBOX.c.due.is_not(None)
        )
    )


async def due_rows(store: Storage, at: int) -> list[Row]:
    """Return notices that are due at a time, the longest due first."""
    return [Row._make(row) for row in await store.read(_DUE.where(OUTBOX.c.due <= at).limit(BATCH))]


_DUE: sa.Select[Any] = (
    sa.select(
        *(OUTBOX.c[name] for name in ("channel_id", "kind", "table_id", "key", "since", "due", "tries")),
        *(CHANNELS.c[name] for name in ("person_id", "kind", "shape", "address", "keys", "origin")),
        *(
            NOTICE_CHOICES.c[name]
            for name in ("language", "kinds", "detail", "digest", "quiet_from", "quiet_until", "zone")
        ),
        GAMES.c.game,
        GAMES.c.status,
        GAMES.c.turn_number,
        PLAYERS.c.holder,
    )
    .join(CHANNELS, CHANNELS.c.id == OUTBOX.c.channel_id)
    .outerjoin(NOTICE_CHOICES, NOTICE_CHOICES.c.person_id == CHANNELS.c.person_id)
    .outerjoin(GAMES, GAMES.c.table_id == OUTBOX.c.table_id)
    .outerjoin(
        PLAYERS, sa.and_(PLAYERS.c.table_id == OUTBOX.c.table_id, PLAYERS.c.person_id == CHANNELS.c.person_id)
    )
    .order_by(OUTBOX.c.due)
)


class Decision(NamedTuple):
    """What happens to a notice that is due: it is withdrawn, postponed, or sent now."""

    row: Row
    due: int | None = None  # when it is due again; None: it is sent now
    is_withdrawn: bool = False


def claim(connection: sa.Connection, decisions: Iterable[Decision]) -> list[Row]:
    """Carry decisions out; return the rows to send now, which no other process gets."""
    claimed = []
    for row, due, is_withdrawn in decisions:
        same = sa.and_(_is(row), OUTBOX.c.due == row.due)
        if is_withdrawn:
            connection.execute(sa.delete(OUTBOX).where(same))
        elif due is not None:
            connection.execute(sa.update(OUTBOX).where(same).values(due=due))
        else:
            sending = sa.update(OUTBOX).where(same).values(due=None, state="sending", tries=OUTBOX.c.tries + 1)
            if connection.execute(sending).rowcount == 1:
                claimed.append(row)
    return claimed


class Outcome(NamedTuple):
    """What has become of a notice that was sent."""

    row: Row
    state: str  # sent or failed; waiting: it is sent again
    due: int | None = None  # when it is sent again
    is_gone: bool = False  # whether the channel does not exist any more


def conclude(connection: sa.Connection, outcomes: Iterable[Outcome]) -> None:
    """Write what has become of notices, and delete channels that do not exist any more."""
    for row, state, due, is_gone in outcomes:
        if is_gone:
            connection.execute(sa.delete(CHANNELS).where(CHANNELS.c.id == row.channel_id))
        else:
            connection.execute(sa.update(OUTBOX).where(_is(row)).values(state=state, due=due))


def clear(connection: sa.Connection, at: int) -> None:
    """Delete notices that were done long before a time."""
    connection.execute(sa.delete(OUTBOX).where(OUTBOX.c.due.is_(None), OUTBOX.c.since < at - KEPT_MS))


def _is(row: Row) -> sa.ColumnElement[bool]:
    return sa.and_(
        OUTBOX.c.channel_id == row.channel_id,
        OUTBOX.c.kind == row.kind,
        OUTBOX.c.table_id == row.table_id,
        OUTBOX.c.key == row.key,
    )
