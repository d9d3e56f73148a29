"""The rows of leagues as they are stored."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from quadriga.server.protocol.leagues import LeagueGame

PLAYED, ASKED, TAKEN = "played", "asked", "taken"  # a game was begun here; was proposed; and was taken by the owner

_GAMES = msgspec.json.Decoder(list[LeagueGame])


class League(NamedTuple):
    """A row of `leagues`."""

    id: str
    person_id: str
    name: str
    created: int
    public: bool
    code: str


class Member(NamedTuple):
    """Somebody who is or was a member."""

    person_id: str
    name: str
    since: int
    left: int


class Season(NamedTuple):
    """A row of `league_seasons`."""

    number: int
    begins: int
    ends: int | None
    scoring: str
    least: int
    games: list[LeagueGame]

    def is_over(self, at: int) -> bool:
        """Return whether the season has ended at a moment."""
        return self.ends is not None and self.ends <= at

    def holds(self, at: int) -> bool:
        """Return whether a moment is in the season."""
        return self.begins <= at and not self.is_over(at)


class Entry(NamedTuple):
    """A row of `league_log`."""

    number: int
    at: int
    author: str
    kind: str
    season: int
    table_id: str | None
    player: str | None
    points: int | None
    text: str


class Listed(NamedTuple):
    """A table of a league, and how its game stands."""

    table_id: str
    at: int
    added_by: str
    state: str
    open: bool
    game: str
    status: str
    seats: bytes


def season_of(row: Any) -> Season:
    """Return a season from its row."""
    number, begins, ends, scoring, least, games = row
    return Season(number, begins, ends, scoring, least, _GAMES.decode(games))
