"""All that a server knows about people, over one store."""

from __future__ import annotations

import secrets

import sqlalchemy as sa

from quadriga.server.people.accounts import Accounts
from quadriga.server.people.company import Company
from quadriga.server.people.devices import Devices
from quadriga.server.people.history import History
from quadriga.server.people.mail_codes import MailCodes
from quadriga.server.people.nights import Nights
from quadriga.server.people.passkeys import Passkeys
from quadriga.server.people.proofs import Proofs
from quadriga.server.people.subjects import Subjects
from quadriga.server.storage.base import Storage
from quadriga.server.storage.people_schema import SITE

_SITE_ID = "site-id"


class People:
    """The people of a store, their devices, their proofs and their games."""

    def __init__(self, store: Storage, site_id: str) -> None:
        self.store = store
        self.accounts = Accounts(store)
        self.devices = Devices(store)
        self.proofs = Proofs(store)
        self.passkeys = Passkeys(store, self.proofs)
        self.mail_codes = MailCodes(store)
        self.subjects = Subjects(store, self.accounts, self.proofs)
        self.history = History(store)
        self.company = Company(store)
        self.nights = Nights(store)
        self.cookie = f"quadriga-{site_id}"  # servers on one machine share the cookies of its name

    @classmethod
    async def of(cls, store: Storage) -> People:
        """Return the people of a store, which gets an id for its cookies if it has none."""

        def work(connection: sa.Connection) -> str:
            known = connection.execute(sa.select(SITE.c.value).where(SITE.c.name == _SITE_ID)).scalar()
            if known is None:
                known = secrets.token_hex(4).encode()
                connection.execute(SITE.insert().values(name=_SITE_ID, value=known))
            return bytes(known).decode()

        return cls(store, await store.transact(work))
