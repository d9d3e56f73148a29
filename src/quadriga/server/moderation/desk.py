"""The desk: acts of moderation on a store, from the command line, whether servers use the store or not.

It writes in short transactions beside a running server, which notices what is new in the log of the house.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import sqlalchemy as sa

from quadriga.engine.errors import OptionError
from quadriga.server.moderation import acts, house, invite_codes, log, reports, roles, rules
from quadriga.server.moderation.acts import Act, Order
from quadriga.server.moderation.house import as_date
from quadriga.server.people.person import HOST, MEMBER, MODERATOR
from quadriga.server.storage.address import check_current

_KINDS = (acts.WARN, acts.MUTE, acts.BAN, acts.RENAME, acts.RANGE)
_PRAGMAS = ("busy_timeout=10000", "foreign_keys=ON", "synchronous=FULL")
_DECODER = msgspec.json.Decoder(rules.Rules, strict=False)


class Desk:
    """Acts on one store. Raises FileError if it cannot be used."""

    def __init__(self, address: Path | str) -> None:
        check_current(address)
        self._engine = _sqlite(address) if isinstance(address, Path) else _postgres(address)

    @contextmanager
    def _transaction(self) -> Iterator[sa.Connection]:
        try:
            with self._engine.begin() as connection:
                yield connection
        finally:
            self._engine.dispose()

    def rules(self, changes: list[str]) -> dict[str, object]:
        """Change rules, each `NAME=VALUE`; return all. Lists have commas."""
        with self._transaction() as connection:
            known = msgspec.structs.asdict(rules.stored(connection.execute(rules.selected()).scalar()))
            if changes:
                changed = _DECODER.decode(msgspec.json.encode({**known, **_parsed(changes, known)}))
                house.put_rules(connection, changed, None)
                known = msgspec.structs.asdict(changed)
            return known

    def appoint(self, name: str, role: str) -> None:
        """Make a member a moderator or a host, or a member again."""
        if role not in (MEMBER, MODERATOR, HOST):
            raise OptionError("option.value", name="ROLE", value=role, allowed="member, moderator, host")
        with self._transaction() as connection:
            roles.appoint(connection, None, name, role)

    def act(self, kind: str, whom: str, reason: str, hours: float | None, new_name: str) -> Act:
        """Warn, mute, ban or rename a member, or ban a network."""
        if kind not in _KINDS:
            raise OptionError("option.value", name="KIND", value=kind, allowed=", ".join(_KINDS))
        with self._transaction() as connection:
            if kind == acts.RANGE:
                return acts.do(connection, None, Order(kind, None, "", reason, hours, network=whom))
            found = roles.member(connection, whom)
            return acts.do(connection, None, Order(kind, found.id, found.name, reason, hours, new_name))

    def lift(self, act_id: str, reason: str) -> Act:
        """Take an act back."""
        with self._transaction() as connection:
            return acts.lift(connection, None, act_id, reason)

    def invite(self) -> str:
        """Return a code with which somebody becomes a member."""
        with self._transaction() as connection:
            return invite_codes.create(connection, None).code

    def reports(self) -> list[str]:
        """Return the reports that wait, a line each."""
        with self._transaction() as connection:
            return [
                f"{as_date(each.first.at)}  {each.first.name}  {', '.join(r.reason for r in each.reports)}  "
                f"{each.first.text}".rstrip()
                for each in reports.cases(connection)
            ]

    def log(self) -> list[str]:
        """Return the newest entries of the log of the house, a line each."""
        with self._transaction() as connection:
            rows = connection.execute(log.entries()).all()
            return [
                f"{as_date(row[1])}  {row[3] or '–'}  {row[2]}  {row[4] or '–'}  {row[5]}".rstrip() for row in rows
            ]


def _parsed(changes: list[str], known: dict[str, object]) -> dict[str, object]:
    found: dict[str, object] = {}
    for text in changes:
        name, equals, value = text.partition("=")
        if not equals:
            raise OptionError("option.form", text=text)
        if name not in known:
            raise OptionError("option.unknown", name=name, known=list(known))
        found[name] = [word.strip() for word in value.split(",") if word.strip()] if name == "words" else value
        try:
            _DECODER.decode(msgspec.json.encode({**known, name: found[name]}))
        except msgspec.ValidationError as fault:
            raise OptionError("option.value", name=name, value=value, allowed=str(fault)) from None
    return found


def _postgres(address: str) -> sa.Engine:
    from quadriga.server.storage.postgres.database import opened  # its driver is an extra

    return opened(address)


def _sqlite(path: Path) -> sa.Engine:
    engine = sa.create_engine(f"sqlite:///{path}")

    @sa.event.listens_for(engine, "connect")
    def _connected(connection: sa.pool.PoolProxiedConnection, record: object) -> None:
        for pragma in _PRAGMAS:
            connection.cursor().execute(f"PRAGMA {pragma}")

    return engine
