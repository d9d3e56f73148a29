"""Create the tables about notices, and number the turns of games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0007"


def upgrade() -> None:
    """Create the tables and the columns."""
    op.add_column("games", sa.Column("turn_seat", sa.Integer))
    op.add_column("games", sa.Column("turn_number", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "channels",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("person_id", sa.String(32), sa.ForeignKey("people.id"), nullable=False, index=True),
        sa.Column("session_id", sa.String(32), index=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("shape", sa.String(8), nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("keys", sa.LargeBinary, nullable=False),
        sa.Column("origin", sa.Text, nullable=False),
        sa.Column("label", sa.String(64), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "notice_choices",
        sa.Column("person_id", sa.String(32), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("kinds", sa.Text, nullable=False),
        sa.Column("detail", sa.Boolean, nullable=False),
        sa.Column("digest", sa.Integer),
        sa.Column("quiet_from", sa.Integer),
        sa.Column("quiet_until", sa.Integer),
        sa.Column("zone", sa.String(64), nullable=False),
    )
    op.create_table(
        "outbox",
        sa.Column("channel_id", sa.String(32), sa.ForeignKey("channels.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("kind", sa.String(16), primary_key=True),
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("key", sa.BigInteger, primary_key=True),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("due", sa.BigInteger, index=True),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("state", sa.String(8), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "duties",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("owner", sa.String(32), nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Drop the tables and the columns."""
    for name in "duties outbox notice_choices channels".split():
        op.drop_table(name)
    op.drop_column("games", "turn_number")
    op.drop_column("games", "turn_seat")
