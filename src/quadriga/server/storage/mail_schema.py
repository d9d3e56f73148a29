"""The tables of the database about e-mail: members' addresses, and codes that were sent."""

from __future__ import annotations

import sqlalchemy as sa

from quadriga.server.storage.schema import METADATA

MAIL_ADDRESSES = sa.Table(
    "mail_addresses",
    METADATA,
    sa.Column("person_id", sa.String(32), sa.ForeignKey("people.id"), primary_key=True),
    sa.Column("address", sa.String(254), nullable=False, unique=True),  # in lower case
    sa.Column("created", sa.BigInteger, nullable=False),
)

MAIL_CODES = sa.Table(
    "mail_codes",
    METADATA,
    sa.Column("key", sa.LargeBinary, primary_key=True),  # a hash of the purpose and the address
    sa.Column("hash", sa.LargeBinary, nullable=False),  # the salt and the hash of the code
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("expires", sa.BigInteger, nullable=False, index=True),
)

MAIL_COPIED = (MAIL_ADDRESSES,)
"""The tables that a copy of a store has to have."""
