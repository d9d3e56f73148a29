"""Create the tables of games by days: deadlines and vacations."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "deadlines",
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("due", sa.BigInteger, nullable=False, index=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("ends", sa.BigInteger, nullable=False),
        sa.Column("holder", sa.String(32), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "vacations",
        sa.Column("person_id", sa.String(32), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("begins", sa.BigInteger, primary_key=True),
        sa.Column("ends", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Drop the tables."""
    for name in ("vacations", "deadlines"):
        op.drop_table(name)
