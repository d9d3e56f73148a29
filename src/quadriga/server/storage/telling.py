"""Write notices: each in the transaction that makes it true. `notices/outbox` has what becomes of them."""

from __future__ import annotations

import sqlalchemy as sa

from quadriga.server.storage.base import now
from quadriga.server.storage.notices_schema import CHANNELS, OUTBOX

TURN, OVER, WARNING, INVITATION, NIGHT, LEAGUE = "turn", "over", "warning", "invitation", "night", "league"
READY = "ready"  # a table of a tournament
KINDS = (TURN, OVER, WARNING, INVITATION, NIGHT, LEAGUE, READY)


def put(connection: sa.Connection, person_id: str, kind: str, table_id: str, key: int, at: int) -> None:
    """Tell a person something at a time, in milliseconds: once for each kind, table and key.

    Nothing is written for a person without channels. In place of a table a notice may be about a game night,
    or an invitation to a league.
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
