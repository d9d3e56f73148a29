"""Create the table of what reviews have found."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "reviewed",
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("result", sa.Double, nullable=False),
        sa.Column("adjusted", sa.Double, nullable=False),
        sa.Column("error", sa.Double, nullable=False),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("reviewed")
