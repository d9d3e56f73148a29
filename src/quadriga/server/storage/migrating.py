"""Migrate a store of any database to the newest version."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa


def upgrade(connection: sa.Connection) -> None:
    """Run the missing migrations in the transaction of the connection."""
    from alembic import command  # loaded here because a store of the newest version does not need it
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
