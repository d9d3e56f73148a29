"""Create the tables about meeting people. Public rooms that are not over stay listed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_LIST = (
    "INSERT INTO open_tables (table_id, opened, claimed) SELECT id, created, 0 FROM tables "
    "WHERE public AND status IN ('waiting', 'playing', 'paused')"
)


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "open_tables",
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("opened", sa.BigInteger, nullable=False, index=True),
        sa.Column("fill_at", sa.BigInteger, index=True),
        sa.Column("quick", sa.String(80), index=True),
        sa.Column("claimed", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "seekers",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("person_id", sa.String(32), nullable=False, unique=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("process", sa.String(32), nullable=False, index=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.Column("pairing", sa.String(32), index=True),
        sa.Column("answers", sa.Boolean, nullable=False),
        sa.Column("proposed_until", sa.BigInteger, nullable=False),
        sa.Column("table_id", sa.String(32)),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "friends",
        sa.Column("person_id", sa.String(32), primary_key=True),
        sa.Column("other_id", sa.String(32), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "friend_requests",
        sa.Column("person_id", sa.String(32), primary_key=True),
        sa.Column("look", sa.String(64), primary_key=True, index=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "blocks",
        sa.Column("person_id", sa.String(32), primary_key=True),
        sa.Column("look", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("other_id", sa.String(32), index=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "invitations",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("person_id", sa.String(32), nullable=False, index=True),
        sa.Column("look", sa.String(64), nullable=False, index=True),
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "nights",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("person_id", sa.String(32), nullable=False, index=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("title", sa.String(80), nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False, index=True),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("table_id", sa.String(32)),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "night_guests",
        sa.Column("night_id", sa.String(32), primary_key=True),
        sa.Column("person_id", sa.String(32), primary_key=True, index=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("answer", sa.String(8), nullable=False),
        sqlite_with_rowid=False,
    )
    op.execute(_LIST)


def downgrade() -> None:
    """Drop the tables."""
    for name in ("night_guests", "nights", "invitations", "blocks", "friend_requests", "friends", "seekers"):
        op.drop_table(name)
    op.drop_table("open_tables")
