"""Who has agreed to the terms of the house, and to which version."""

from __future__ import annotations

import sqlalchemy as sa

from quadriga.server.storage.base import now
from quadriga.server.storage.moderation_schema import AGREEMENTS


def agree(connection: sa.Connection, person_id: str, version: str) -> None:
    """Note that somebody has agreed to a version."""
    own = (AGREEMENTS.c.person_id == person_id, AGREEMENTS.c.version == version)
    connection.execute(sa.delete(AGREEMENTS).where(*own))
    connection.execute(AGREEMENTS.insert().values(person_id=person_id, version=version, at=now()))


def agreed(person_id: str, version: str) -> sa.Select[tuple[int]]:
    """Return the select that finds a row if somebody has agreed to a version."""
    own = (AGREEMENTS.c.person_id == person_id, AGREEMENTS.c.version == version)
    return sa.select(AGREEMENTS.c.at).where(*own)
