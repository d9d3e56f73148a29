"""The tables of the database about moderation: reports, acts and appeals, and what the house has decided.

Times are milliseconds since 1970. A *subject* is a person, or the part at a table of
somebody without a device here.
"""

from __future__ import annotations

import sqlalchemy as sa

from quadriga.server.storage.schema import METADATA

REPORTS = sa.Table(
    "reports",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("reporter_id", sa.String(32), nullable=False, index=True),  # empty for a deleted account
    sa.Column("topic", sa.String(96), nullable=False, index=True),  # equal for reports of the same thing
    sa.Column("kind", sa.String(8), nullable=False),  # chat or name
    sa.Column("subject", sa.String(32), index=True),  # who is reported; NULL if nobody knows
    sa.Column("name", sa.String(64), nullable=False),  # as it was shown
    sa.Column("table_id", sa.String(32)),
    sa.Column("number", sa.Integer),  # of the chat message
    sa.Column("text", sa.Text, nullable=False),  # the chat message
    sa.Column("reason", sa.String(16), nullable=False),
    sa.Column("note", sa.Text, nullable=False),  # what the reporter adds
    sa.Column("status", sa.String(8), nullable=False, index=True),  # open or closed
    sa.Column("claimed_by", sa.String(32)),
    sa.Column("closed", sa.BigInteger),
)

# What moderators do: warn, mute, ban, rename, and bans of address ranges, which have no subject.
ACTS = sa.Table(
    "acts",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("kind", sa.String(8), nullable=False),  # warn, mute, ban, rename or range
    sa.Column("subject", sa.String(32), index=True),
    sa.Column("name", sa.String(64), nullable=False),  # as it was shown; empty when the account is deleted
    sa.Column("network", sa.String(64)),  # of a range
    sa.Column("until", sa.BigInteger),  # NULL for good, and for what has no end
    sa.Column("reason", sa.Text, nullable=False),  # as the person reads it
    sa.Column("by_id", sa.String(32), nullable=False),  # empty for the command line
    sa.Column("seen", sa.BigInteger),  # when the person has confirmed it
    sa.Column("lifted", sa.BigInteger),  # when it was taken back
    sa.Column("appeal", sa.Text),  # what the person says against it
    sa.Column("appealed", sa.BigInteger, index=True),
    sa.Column("decided", sa.BigInteger),
    sa.Column("answer", sa.Text),  # to the appeal
)

# What moderators and hosts have done. Nothing is changed or deleted here: triggers refuse it.
HOUSE_LOG = sa.Table(
    "house_log",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("by_id", sa.String(32), nullable=False),  # empty for the command line
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("target", sa.String(32), nullable=False),  # a person, an act or nothing
    sa.Column("detail", sa.Text, nullable=False),  # the reason, the new value; no name of a person
)

INVITE_CODES = sa.Table(
    "invite_codes",
    METADATA,
    sa.Column("hash", sa.LargeBinary, primary_key=True),
    sa.Column("by_id", sa.String(32), nullable=False, index=True),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("expires", sa.BigInteger, nullable=False, index=True),
    sa.Column("uses", sa.Integer, nullable=False),  # that are left
)

# Who has agreed to which version of the terms.
AGREEMENTS = sa.Table(
    "agreements",
    METADATA,
    sa.Column("person_id", sa.String(32), primary_key=True),
    sa.Column("version", sa.String(16), primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

# Who has written a chat message, so that a report of it finds them.
CHAT_AUTHORS = sa.Table(
    "chat_authors",
    METADATA,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("subject", sa.String(32), nullable=False, index=True),
    sqlite_with_rowid=False,
)

# Devices of banned people who have deleted their account.
BANNED_DEVICES = sa.Table(
    "banned_devices",
    METADATA,
    sa.Column("hash", sa.LargeBinary, primary_key=True),  # of the device's secret
    sa.Column("act_id", sa.String(32), nullable=False),
    sqlite_with_rowid=False,
)

MODERATION_COPIED = (REPORTS, ACTS, HOUSE_LOG, INVITE_CODES, AGREEMENTS, CHAT_AUTHORS, BANNED_DEVICES)
"""The tables that a copy of a store has to have."""
