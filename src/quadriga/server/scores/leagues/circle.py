"""All that a server does with leagues, over one store."""

from __future__ import annotations

import sqlalchemy as sa

from quadriga.server.people.company import Company
from quadriga.server.scores.leagues.answers import Answers
from quadriga.server.scores.leagues.games import LeagueGames
from quadriga.server.scores.leagues.leagues import Leagues
from quadriga.server.scores.leagues.members import Members
from quadriga.server.scores.results import Results
from quadriga.server.storage.base import Storage, now
from quadriga.server.storage.leagues_schema import LEAGUE_GAMES, LEAGUE_MEMBERS
from quadriga.server.storage.scores_schema import RESULTS

_OVERLAP_MS = 120_000  # by which a look at new results reaches back: a result is stored later than the game ends


class LeagueCircle:
    """Leagues, their members, their games, and answers about them."""

    def __init__(self, store: Storage) -> None:
        self._store = store
        self.leagues = Leagues(store)
        self.members = Members(self.leagues, Company(store))
        self.games = LeagueGames(self.leagues, Results(store))
        self.answers = Answers(self.leagues, self.members, self.games)
        self._told: dict[tuple[str, str], int] = {}  # results of leagues that members were told of: when they ended
        self._since = now()

    async def members_with_news(self) -> list[str]:
        """Return the members of leagues that have new results since the last call."""
        games = LEAGUE_GAMES.c
        ended = sa.select(games.league_id, games.table_id, RESULTS.c.ended).join(
            RESULTS, RESULTS.c.table_id == games.table_id
        )
        rows = await self._store.read(ended.where(RESULTS.c.ended > self._since - _OVERLAP_MS))
        new = {
            (league_id, table_id): at for league_id, table_id, at in rows if (league_id, table_id) not in self._told
        }
        self._since = max([self._since, *new.values()])
        self._told |= new
        self._told = {key: at for key, at in self._told.items() if at > self._since - _OVERLAP_MS}
        members = LEAGUE_MEMBERS.c
        belongs = sa.select(members.person_id).where(
            members.league_id.in_({league_id for league_id, _ in new}), members.left == 0
        )
        return [row[0] for row in await self._store.read(belongs)] if new else []
