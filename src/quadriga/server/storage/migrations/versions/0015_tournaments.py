"""Create the tables of tournaments."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("person_id", sa.String(32), nullable=False, index=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("starts", sa.BigInteger, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("wakes", sa.BigInteger, index=True),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tournament_events",
        sa.Column("tournament_id", sa.String(32), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tournament_players",
        sa.Column("tournament_id", sa.String(32), primary_key=True),
        sa.Column("player", sa.Integer, primary_key=True),
        sa.Column("person_id", sa.String(32), index=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("bot", sa.String(40)),
        sqlite_with_rowid=False,
    )
    op.create_index("tournaments_in_order", "tournaments", ["status", "starts"])
    op.create_index("tournament_players_once", "tournament_players", ["tournament_id", "person_id"], unique=True)


def downgrade() -> None:
    """Drop the tables."""
    for table in ("tournament_players", "tournament_events", "tournaments"):
        op.drop_table(table)
