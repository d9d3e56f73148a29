"""Alembic migrations that bring a store of an older version up to date."""
