"""Create the tables of results and ratings. The server fills them from the logs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "results",
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("pool", sa.String(80), nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("ended", sa.BigInteger, nullable=False),
        sa.Column("uncounted", sa.String(16), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "result_players",
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("player", sa.String(32), nullable=False, index=True),
        sa.Column("key_id", sa.String(32)),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "rated",
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("player", sa.String(32), primary_key=True),
        sa.Column("pool", sa.String(80), nullable=False),
        sa.Column("ended", sa.BigInteger, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("mean_before", sa.Double, nullable=False),
        sa.Column("deviation_before", sa.Double, nullable=False),
        sa.Column("mean", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "ratings",
        sa.Column("pool", sa.String(80), primary_key=True),
        sa.Column("player", sa.String(32), primary_key=True, index=True),
        sa.Column("mean", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("ended", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "rating_positions",
        sa.Column("pool", sa.String(80), primary_key=True),
        sa.Column("ended", sa.BigInteger, nullable=False),
        sa.Column("table_id", sa.String(32), nullable=False),
    )
    op.add_column("players", sa.Column("key_id", sa.String(32)))
    op.create_index("results_in_order", "results", ["ended", "table_id"])
    op.create_index("results_in_pool", "results", ["pool", "ended", "table_id"])
    op.create_index("rated_in_order", "rated", ["pool", "ended", "table_id"])
    op.create_index("rated_of_player", "rated", ["player", "pool", "ended", "table_id"])
    op.create_index("ratings_best", "ratings", ["pool", "mean", "player"])


def downgrade() -> None:
    """Drop the tables."""
    op.drop_column("players", "key_id")
    for table in ("rating_positions", "ratings", "rated", "result_players", "results"):
        op.drop_table(table)
