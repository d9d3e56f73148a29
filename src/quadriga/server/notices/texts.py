"""The words of notices. They hold nothing that the people at a table do not all know."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from quadriga.engine.errors import QuadrigaError
from quadriga.engine.text import catalogues
from quadriga.engine.text.catalogues import Words
from quadriga.games import find
from quadriga.server.notices.outbox import TRIAL, Row
from quadriga.server.protocol.errors import PACKAGE
from quadriga.server.storage.telling import INVITATION, LEAGUE, NIGHT, OVER, READY, TURN, WARNING

_NAMED = {
    TURN: "notice.turn",
    OVER: "notice.over",
    WARNING: "notice.warning",
    INVITATION: "notice.invitation",
    NIGHT: "notice.night",
    READY: "notice.ready",
}
_PLAIN = {
    TRIAL: "notice.trial",
    TURN: "notice.plain.turn",
    OVER: "notice.plain.over",
    WARNING: "notice.plain.warning",
    INVITATION: "notice.plain.invitation",
    NIGHT: "notice.plain.night",
    LEAGUE: "notice.plain.league",
    READY: "notice.plain.ready",
}


class Notice(NamedTuple):
    """The notices that a person gets together, on one channel."""

    language: str
    text: str
    path: str  # of the page that it leads to
    tag: str  # a later notice with the same tag takes the place of this one


def words(language: str | None) -> Words:
    """Return the words of notices in a language, or in English."""
    return catalogues.of(language if language in catalogues.LANGUAGES else catalogues.ENGLISH, PACKAGE)


def notice(rows: Sequence[Row]) -> Notice:
    """Return one notice for all that a channel is to be told now."""
    first = rows[0]
    say = words(first.language)
    tables = {row.table_id for row in rows}
    if len(tables) > 1:
        return Notice(say.language, say("notice.several", n=len(tables)), "/games", "games")
    game = title(first.game, say.language) if first.detail and first.game else ""
    text = say(_NAMED[first.kind], game=game) if game else say(_PLAIN[first.kind])
    if not first.table_id:
        return Notice(say.language, text, "/", "home")
    page = {NIGHT: "night", LEAGUE: "league"}.get(first.kind, "t")
    return Notice(say.language, text, f"/{page}/{first.table_id}", first.table_id)


@cache
def title(game: str, language: str) -> str:
    """Return the title of a game in a language; empty if there is no such game."""
    try:
        found = find(game)
    except QuadrigaError:
        return ""
    say, key = catalogues.of(language, found.package), f"{game}.title"
    return say(key) if key in say else ""
