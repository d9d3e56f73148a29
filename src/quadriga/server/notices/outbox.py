"""The outbox: notices that are to be sent, one row for each channel of a person.

Notices are written with what makes them true: `storage/store`, and `storage/telling` for people and nights. Whether
one is still true is read when it is due. A row is claimed before it is sent, so that a process that is killed may
lose a notice and never sends one twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import sqlalchemy as sa

from quadriga.server.storage.base import Storage, now
from quadriga.server.storage.leagues_schema import LEAGUE_INVITATIONS
from quadriga.server.storage.lobby_schema import BLOCKS, INVITATIONS, NIGHT_GUESTS, NIGHTS
from quadriga.server.storage.notices_schema import CHANNELS, NOTICE_CHOICES, OUTBOX
from quadriga.server.storage.people_schema import GAMES, PEOPLE, PLAYERS
from quadriga.server.storage.telling import INVITATION, LEAGUE, NIGHT, READY, TURN

TRIAL = "trial"  # of a notice that only tries a channel, and has no row
BATCH = 50  # notices that are claimed at once
COMING_MS = 5 * 60_000  # after which a turn at a table of a tournament is told again
KEPT_MS = 30 * 86_400_000  # that a notice is kept which is done


class Row(NamedTuple):
    """A notice that is due, with everything that decides about it."""

    channel_id: str
    kind: str
    table_id: str  # or a game night, or a league
    key: int
    since: int
    due: int
    tries: int
    person_id: str
    channel: str  # its kind
    shape: str
    address: str
    keys: bytes
    origin: str
    language: str | None = None
    kinds: str | None = None
    detail: bool | None = None
    digest: int | None = None
    quiet_from: int | None = None
    quiet_until: int | None = None
    zone: str | None = None
    game: str | None = None
    status: str | None = None
    turn_number: int | None = None
    holder: str | None = None

    begins: int | None = None  # a game night
    is_wanted: bool = True  # False: an invitation is declined, or blocked; of a turn, the table was told as ready

    @property
    def is_true(self) -> bool:
        """True unless the notice is of a turn that is over, or of an invitation that is answered."""
        match self.kind:
            case "turn" | "warning":
                is_now = self.status == "playing" and self.turn_number == self.key
                return not self.table_id or (is_now and self.is_wanted)
            case "ready":
                return self.status == "playing" and self.holder is not None
            case "invitation":
                return self.is_wanted and self.status == "waiting" and self.holder is None
            case "league":
                return self.is_wanted
            case "night":
                return self.is_wanted and self.begins is not None and self.begins > now()
        return True


async def due_rows(store: Storage, at: int) -> list[Row]:
    """Return notices that are due at a time, the longest due first."""
    return [Row._make(row) for row in await store.read(_DUE.where(OUTBOX.c.due <= at).limit(BATCH))]


def _is_hidden(other: sa.Column[str]) -> sa.Exists:
    """Return whether another person and the one who is told have blocked each other."""
    own = CHANNELS.c.person_id
    one = sa.and_(BLOCKS.c.person_id == other, BLOCKS.c.other_id == own)
    two = sa.and_(BLOCKS.c.person_id == own, BLOCKS.c.other_id == other)
    return sa.exists().where(sa.or_(one, two)).correlate_except(BLOCKS)


_IS_INVITED = (
    sa.exists()
    .where(
        PEOPLE.c.id == CHANNELS.c.person_id,
        INVITATIONS.c.look == PEOPLE.c.look,
        INVITATIONS.c.table_id == OUTBOX.c.table_id,
        ~_is_hidden(INVITATIONS.c.person_id),
    )
    .correlate_except(PEOPLE, INVITATIONS)
)
_IS_INVITED_TO_LEAGUE = (
    sa.exists()
    .where(
        PEOPLE.c.id == CHANNELS.c.person_id,
        LEAGUE_INVITATIONS.c.look == PEOPLE.c.look,
        LEAGUE_INVITATIONS.c.league_id == OUTBOX.c.table_id,
        ~_is_hidden(LEAGUE_INVITATIONS.c.person_id),
    )
    .correlate_except(PEOPLE, LEAGUE_INVITATIONS)
)
_COMES = (
    sa.exists()
    .where(
        NIGHT_GUESTS.c.night_id == NIGHTS.c.id,
        NIGHT_GUESTS.c.person_id == CHANNELS.c.person_id,
        NIGHT_GUESTS.c.answer != "no",
        ~_is_hidden(NIGHTS.c.person_id),
    )
    .correlate_except(NIGHT_GUESTS)
)
_READY = OUTBOX.alias("ready")
_IS_TOLD_READY = (
    sa.exists()
    .where(
        _READY.c.channel_id == OUTBOX.c.channel_id,
        _READY.c.kind == READY,
        _READY.c.table_id == OUTBOX.c.table_id,
        _READY.c.since > OUTBOX.c.since - COMING_MS,
    )
    .correlate_except(_READY)
)
_DUE: sa.Select[Any] = (
    sa.select(
        *(OUTBOX.c[name] for name in ("channel_id", "kind", "table_id", "key", "since", "due", "tries")),
        *(CHANNELS.c[name] for name in ("person_id", "kind", "shape", "address", "keys", "origin")),
        *(
            NOTICE_CHOICES.c[name]
            for name in ("language", "kinds", "detail", "digest", "quiet_from", "quiet_until", "zone")
        ),
        sa.func.coalesce(GAMES.c.game, NIGHTS.c.game),
        GAMES.c.status,
        GAMES.c.turn_number,
        PLAYERS.c.holder,
        NIGHTS.c.at,
        sa.case(
            (OUTBOX.c.kind == INVITATION, _IS_INVITED),
            (OUTBOX.c.kind == LEAGUE, _IS_INVITED_TO_LEAGUE),
            (OUTBOX.c.kind == NIGHT, _COMES),
            (OUTBOX.c.kind == TURN, ~_IS_TOLD_READY),
            else_=sa.true(),
        ),
    )
    .join(CHANNELS, CHANNELS.c.id == OUTBOX.c.channel_id)
    .outerjoin(NOTICE_CHOICES, NOTICE_CHOICES.c.person_id == CHANNELS.c.person_id)
    .outerjoin(GAMES, GAMES.c.table_id == OUTBOX.c.table_id)
    .outerjoin(NIGHTS, sa.and_(OUTBOX.c.kind == NIGHT, NIGHTS.c.id == OUTBOX.c.table_id))
    .outerjoin(
        PLAYERS, sa.and_(PLAYERS.c.table_id == OUTBOX.c.table_id, PLAYERS.c.person_id == CHANNELS.c.person_id)
    )
    .order_by(OUTBOX.c.due)
)


class Decision(NamedTuple):
    """The fate of a notice that is due: it is withdrawn, postponed, or sent now."""

    row: Row
    due: int | None = None  # when it is due again; None: it is sent now
    is_withdrawn: bool = False


def claim(connection: sa.Connection, decisions: Iterable[Decision]) -> list[Row]:
    """Carry decisions out; return the rows to send now, which no other process gets."""
    claimed = []
    for row, due, is_withdrawn in decisions:
        same = sa.and_(_is(row), OUTBOX.c.due == row.due)
        if is_withdrawn:
            connection.execute(sa.delete(OUTBOX).where(same))
        elif due is not None:
            connection.execute(sa.update(OUTBOX).where(same).values(due=due))
        else:
            sending = sa.update(OUTBOX).where(same).values(due=None, state="sending", tries=OUTBOX.c.tries + 1)
            if connection.execute(sending).rowcount == 1:
                claimed.append(row)
    return claimed


class Outcome(NamedTuple):
    """The outcome of sending a notice."""

    row: Row
    state: str  # sent or failed; waiting: it is sent again
    due: int | None = None  # when it is sent again
    is_gone: bool = False  # whether the channel does not exist any more


def conclude(connection: sa.Connection, outcomes: Iterable[Outcome]) -> None:
    """Write what has become of notices, and delete channels that do not exist any more."""
    for row, state, due, is_gone in outcomes:
        if is_gone:
            connection.execute(sa.delete(CHANNELS).where(CHANNELS.c.id == row.channel_id))
        else:
            connection.execute(sa.update(OUTBOX).where(_is(row)).values(state=state, due=due))


def clear(connection: sa.Connection, at: int) -> None:
    """Delete notices that were done long before a time."""
    connection.execute(sa.delete(OUTBOX).where(OUTBOX.c.due.is_(None), OUTBOX.c.since < at - KEPT_MS))


def _is(row: Row) -> sa.ColumnElement[bool]:
    return sa.and_(
        OUTBOX.c.channel_id == row.channel_id,
        OUTBOX.c.kind == row.kind,
        OUTBOX.c.table_id == row.table_id,
        OUTBOX.c.key == row.key,
    )
