"""Create the tables of leagues."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "leagues",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("person_id", sa.String(32), nullable=False, index=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("code", sa.String(32), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "league_members",
        sa.Column("league_id", sa.String(32), primary_key=True),
        sa.Column("person_id", sa.String(32), primary_key=True, index=True),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("left", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "league_invitations",
        sa.Column("league_id", sa.String(32), primary_key=True),
        sa.Column("look", sa.String(64), primary_key=True, index=True),
        sa.Column("person_id", sa.String(32), nullable=False, index=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "league_seasons",
        sa.Column("league_id", sa.String(32), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("begins", sa.BigInteger, nullable=False),
        sa.Column("ends", sa.BigInteger),
        sa.Column("scoring", sa.String(8), nullable=False),
        sa.Column("least", sa.Integer, nullable=False),
        sa.Column("games", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "league_games",
        sa.Column("league_id", sa.String(32), primary_key=True),
        sa.Column("table_id", sa.String(32), primary_key=True, index=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("added_by", sa.String(32), nullable=False, index=True),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("open", sa.Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "league_log",
        sa.Column("league_id", sa.String(32), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("author", sa.String(32), nullable=False, index=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("season", sa.Integer, nullable=False),
        sa.Column("table_id", sa.String(32)),
        sa.Column("player", sa.String(32), index=True),
        sa.Column("points", sa.Integer),
        sa.Column("text", sa.String(200), nullable=False),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Drop the tables."""
    for name in ("log", "games", "seasons", "invitations", "members"):
        op.drop_table(f"league_{name}")
    op.drop_table("leagues")
