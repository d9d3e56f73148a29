"""What becomes of a person's tournaments when accounts are merged or deleted."""

from __future__ import annotations

import sqlalchemy as sa

from quadriga.server.storage.tournaments_schema import TOURNAMENT_PLAYERS, TOURNAMENTS


def merge_tournaments(connection: sa.Connection, person_id: str, into_id: str) -> None:
    """Give the tournaments of one person to another. Where both have entered, the first one leaves."""
    organised = sa.update(TOURNAMENTS).where(TOURNAMENTS.c.person_id == person_id)
    connection.execute(organised.values(person_id=into_id))
    theirs = sa.select(TOURNAMENT_PLAYERS.c.tournament_id).where(TOURNAMENT_PLAYERS.c.person_id == into_id)
    both = [row[0] for row in connection.execute(theirs)]
    own = TOURNAMENT_PLAYERS.c.person_id == person_id
    free = sa.update(TOURNAMENT_PLAYERS).where(own, TOURNAMENT_PLAYERS.c.tournament_id.not_in(both))
    connection.execute(free.values(person_id=into_id))
    connection.execute(sa.update(TOURNAMENT_PLAYERS).where(own).values(person_id=None))


def forget_in_tournaments(connection: sa.Connection, person_id: str) -> None:
    """Take a person out of all tournaments; what they have played stays, without a name."""
    organised = sa.update(TOURNAMENTS).where(TOURNAMENTS.c.person_id == person_id)
    connection.execute(organised.values(person_id="", name=""))
    played = sa.update(TOURNAMENT_PLAYERS).where(TOURNAMENT_PLAYERS.c.person_id == person_id)
    connection.execute(played.values(person_id=None, name=""))
