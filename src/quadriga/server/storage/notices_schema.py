"""The tables of the database about notices: where people want to be told, and what is still to be told.

A row of `outbox` is one notice to one channel. Its key makes it unique, so that nobody is told twice.
"""

from __future__ import annotations

import sqlalchemy as sa

from quadriga.server.storage.schema import METADATA

# Where a person wants to be told: a browser that takes pushes, a webhook, or an e-mail address.
CHANNELS = sa.Table(
    "channels",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("person_id", sa.String(32), sa.ForeignKey("people.id"), nullable=False, index=True),
    sa.Column("session_id", sa.String(32), index=True),  # the device that takes pushes
    sa.Column("kind", sa.String(8), nullable=False),  # push, webhook or mail
    sa.Column("shape", sa.String(8), nullable=False),  # of what a webhook is sent
    sa.Column("address", sa.Text, nullable=False),
    sa.Column("keys", sa.LargeBinary, nullable=False),  # of a browser: its public key, then its secret
    sa.Column("origin", sa.Text, nullable=False),  # of the page, for links
    sa.Column("label", sa.String(64), nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),  # milliseconds
)

# What a person wants to be told, and when. A person without a row has chosen nothing.
NOTICE_CHOICES = sa.Table(
    "notice_choices",
    METADATA,
    sa.Column("person_id", sa.String(32), sa.ForeignKey("people.id"), primary_key=True),
    sa.Column("language", sa.String(8), nullable=False),
    sa.Column("kinds", sa.Text, nullable=False),  # separated by spaces
    sa.Column("detail", sa.Boolean, nullable=False),  # whether the text names the game
    sa.Column("digest", sa.Integer),  # the hour of the day at which everything is told at once
    sa.Column("quiet_from", sa.Integer),  # hours of the day between which nothing is told
    sa.Column("quiet_until", sa.Integer),
    sa.Column("zone", sa.String(64), nullable=False),  # the time zone of these hours
)

OUTBOX = sa.Table(
    "outbox",
    METADATA,
    sa.Column("channel_id", sa.String(32), sa.ForeignKey("channels.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("kind", sa.String(16), primary_key=True),
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("key", sa.BigInteger, primary_key=True),  # tells notices of one kind apart: the number of the turn
    sa.Column("since", sa.BigInteger, nullable=False),
    sa.Column("due", sa.BigInteger, index=True),  # NULL: nothing is left to do
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("state", sa.String(8), nullable=False),  # waiting, sending, sent or failed
    sqlite_with_rowid=False,
)

# Which process does something that one process at a time does.
DUTIES = sa.Table(
    "duties",
    METADATA,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("owner", sa.String(32), nullable=False),
    sa.Column("until", sa.BigInteger, nullable=False),
)

COPIED = (CHANNELS, NOTICE_CHOICES)
"""The tables that a copy of a store has to have. The outbox is left out: a copy tells nobody a second time."""
