"""Something that one of several processes does at a time: a lease in the database, which ends by itself."""

from __future__ import annotations

import sqlalchemy as sa

from quadriga.server.protocol.errors import TakenError
from quadriga.server.storage.base import Storage
from quadriga.server.storage.notices_schema import DUTIES


async def take(store: Storage, name: str, owner: str, at: int, until: int) -> bool:
    """Take or renew a duty at a time until another; return False if another process has it."""

    def work(connection: sa.Connection) -> bool:
        free = sa.and_(DUTIES.c.name == name, sa.or_(DUTIES.c.owner == owner, DUTIES.c.until < at))
        if connection.execute(sa.update(DUTIES).where(free).values(owner=owner, until=until)).rowcount:
            return True
        if connection.execute(sa.select(DUTIES.c.name).where(DUTIES.c.name == name)).first() is not None:
            return False
        connection.execute(DUTIES.insert().values(name=name, owner=owner, until=until))
        return True

    try:
        return await store.transact(work)
    except TakenError:  # another process has inserted it first
        return False
