"""Create the tables about moderation. Nothing in the log of the house can be changed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

_POSTGRES = """
CREATE FUNCTION house_log_stays() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'the log of the house is only added to';
END $$;
CREATE TRIGGER house_log_stays BEFORE UPDATE OR DELETE ON house_log
FOR EACH ROW EXECUTE FUNCTION house_log_stays()
"""
_SQLITE = """
CREATE TRIGGER house_log_{what}s BEFORE {what} ON house_log BEGIN
  SELECT RAISE(ABORT, 'the log of the house is only added to');
END
"""


def upgrade() -> None:
    """Create the tables and the triggers."""
    op.create_table(
        "reports",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("reporter_id", sa.String(32), nullable=False, index=True),
        sa.Column("topic", sa.String(96), nullable=False, index=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("subject", sa.String(32), index=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("table_id", sa.String(32)),
        sa.Column("number", sa.Integer),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("reason", sa.String(16), nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("status", sa.String(8), nullable=False, index=True),
        sa.Column("claimed_by", sa.String(32)),
        sa.Column("closed", sa.BigInteger),
    )
    op.create_table(
        "acts",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("subject", sa.String(32), index=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("network", sa.String(64)),
        sa.Column("until", sa.BigInteger),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("by_id", sa.String(32), nullable=False),
        sa.Column("seen", sa.BigInteger),
        sa.Column("lifted", sa.BigInteger),
        sa.Column("appeal", sa.Text),
        sa.Column("appealed", sa.BigInteger, index=True),
        sa.Column("decided", sa.BigInteger),
        sa.Column("answer", sa.Text),
    )
    op.create_table(
        "house_log",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("by_id", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("target", sa.String(32), nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
    )
    op.create_table(
        "invite_codes",
        sa.Column("hash", sa.LargeBinary, primary_key=True),
        sa.Column("by_id", sa.String(32), nullable=False, index=True),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False, index=True),
        sa.Column("uses", sa.Integer, nullable=False),
    )
    op.create_table(
        "agreements",
        sa.Column("person_id", sa.String(32), primary_key=True),
        sa.Column("version", sa.String(16), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "chat_authors",
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("subject", sa.String(32), nullable=False, index=True),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "banned_devices",
        sa.Column("hash", sa.LargeBinary, primary_key=True),
        sa.Column("act_id", sa.String(32), nullable=False),
        sqlite_with_rowid=False,
    )
    if op.get_bind().dialect.name == "postgresql":
        op.execute(_POSTGRES)
    else:
        for what in ("update", "delete"):
            op.execute(_SQLITE.format(what=what))


def downgrade() -> None:
    """Drop the tables and the triggers."""
    is_postgres = op.get_bind().dialect.name == "postgresql"
    for name in "banned_devices chat_authors agreements invite_codes house_log acts reports".split():
        op.drop_table(name)
    if is_postgres:
        op.execute("DROP FUNCTION house_log_stays")
