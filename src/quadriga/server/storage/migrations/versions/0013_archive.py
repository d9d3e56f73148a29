"""Create the table of archived logs. The server fills it in the background."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "archive",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    """Put all events back, and drop the table."""
    from quadriga.server.storage.archive.moving import restore

    connection = op.get_bind()
    for (room_id,) in connection.execute(sa.text("SELECT table_id FROM archive")).all():
        restore(connection, room_id)
    op.drop_table("archive")
