"""Connect to a PostgreSQL database; create or migrate the store in it."""

from __future__ import annotations

from typing import Any

import psycopg
import sqlalchemy as sa
from psycopg import conninfo
from sqlalchemy.exc import SQLAlchemyError

from quadriga.engine.errors import FileError
from quadriga.server.protocol.errors import PACKAGE
from quadriga.server.storage.migrating import upgrade
from quadriga.server.storage.postgres.coordination import METADATA as COORDINATION
from quadriga.server.storage.schema import HEAD, METADATA, VERSIONS

_LOCK = 0x51554144  # of the advisory lock that one process holds while it migrates
_CONNECT_S = 5
_OPTIONS = {
    "connect_timeout": _CONNECT_S,
    "tcp_user_timeout": 5000,  # milliseconds until a connection to a machine that does not answer is given up
    "application_name": "quadriga",
    "options": "-c synchronous_commit=on",  # an acknowledged move is on disk, whatever the server's configuration
}
_READERS = 4  # connections for reading


def connect(url: str, **more: Any) -> psycopg.Connection[Any]:
    """Return a new connection."""
    return psycopg.connect(url, **{**_OPTIONS, **more})


def masked(url: str) -> str:
    """Return the address of a database without its password, for messages."""
    try:
        parts = conninfo.conninfo_to_dict(url)
    except psycopg.Error:
        return "postgresql://"
    host = parts.get("host") or "localhost"
    port = f":{parts['port']}" if "port" in parts else ""
    return f"postgresql://{host}{port}/{parts.get('dbname', '')}"


def refused(code: str, url: str, **parameters: object) -> FileError:
    """Return the error for a database that cannot be used."""
    return FileError(f"store.{code}", package=PACKAGE, path=masked(url), **parameters)


def version_of(url: str) -> str:
    """Return the version of an existing store, which is only read. Raises FileError if there is none."""
    engine = _engine(url)
    try:
        with engine.connect() as connection:
            found = _version(connection, url)
    except (SQLAlchemyError, psycopg.Error) as fault:
        raise refused("open", url, reason=_reason(fault)) from None
    finally:
        engine.dispose()
    if found is None:
        raise refused("missing", url)
    return found


def opened(url: str) -> sa.Engine:
    """Return an engine for reading. The store is created or migrated; raises FileError if it cannot be used."""
    engine = _engine(url)
    try:
        with engine.begin() as connection:
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
            if _version(connection, url) != HEAD:
                upgrade(connection)
            COORDINATION.create_all(connection)
    except (SQLAlchemyError, psycopg.Error) as fault:
        engine.dispose()
        raise refused("open", url, reason=_reason(fault)) from None
    except FileError:
        engine.dispose()
        raise
    return engine


def _engine(url: str) -> sa.Engine:
    return sa.create_engine(
        "postgresql+psycopg://",
        creator=lambda: connect(url),
        pool_size=_READERS,
        max_overflow=0,
        pool_pre_ping=True,
    )


def _reason(fault: Exception) -> str:
    return str(getattr(fault, "orig", None) or fault).strip().partition("\n")[0]


def _version(connection: sa.Connection, url: str) -> str | None:
    """Return the version of the store, None if there is none. Raises FileError for a newer or a foreign one."""
    found = set(sa.inspect(connection).get_table_names())
    if "alembic_version" not in found:
        if found & set(METADATA.tables):
            raise refused("foreign", url)
        return None
    version = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    if version is None or not found >= {"tables", "log"}:
        raise refused("foreign", url)
    if version not in VERSIONS:
        raise refused("newer", url, found=version, known=VERSIONS[-1])
    return str(version)
