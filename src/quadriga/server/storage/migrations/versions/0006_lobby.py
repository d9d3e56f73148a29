"""Create the tables about meeting people. Public rooms that are not over stay listed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0004"

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
        sa.Column("claimed", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.execute(_LIST)


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("open_tables")
