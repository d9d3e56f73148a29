"""A season of a league as files: its table and its games as CSV."""

from __future__ import annotations

from datetime import UTC, datetime

from quadriga.server.protocol.leagues import League
from quadriga.server.scores.spreadsheet import as_csv


def table(league: League) -> str:
    """Return the table."""
    head = ("place", "name", "total", "games", "wins", "points", "average", "score", "corrected", "left")
    return as_csv(head, ([getattr(row, name) for name in head] for row in league.table))


def games(league: League) -> str:
    """Return the finished games, with a line for each seat."""
    head = ("ended", "table", "game", "state", "seat", "name", "bot", "place", "score", "points", "left")
    lines = (
        [
            datetime.fromtimestamp(game.ended / 1000, UTC).isoformat(timespec="seconds"),
            game.table,
            game.game,
            game.state,
            seat + 1,
            *(getattr(player, name) for name in head[5:]),
        ]
        for game in reversed(league.games)
        if game.ended is not None
        for seat, player in enumerate(game.players)
    )
    return as_csv(head, lines)
