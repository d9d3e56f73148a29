"""What the numbers show a moderator about pairs of players: the same partners, points or bribes that flow one way.

Nothing here is a verdict. Good friends play each other most of the time, and the better of two wins.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa

from quadriga.games import find
from quadriga.server.people.codes import BOT
from quadriga.server.scores.changes import rated_as
from quadriga.server.scores.pools import game_of
from quadriga.server.scores.results import COLUMNS, decoded, players_at
from quadriga.server.storage.address import open_store
from quadriga.server.storage.base import Storage
from quadriga.server.storage.people_schema import PEOPLE, SESSIONS
from quadriga.server.storage.scores_schema import RATED, RESULTS

FEWEST = 10  # games of a pair that is looked at
MOST_OWN = 0.5  # of the games of one of the pair: from this share on they are always the same partners
BRIBED = 5  # games of a pair in which bribes were paid, from which on their direction is looked at
ONE_SIDED = 0.8  # of their games in which the same one has the better place; of their bribes that went one way


Bribes = dict[tuple[str, str, str], dict[str, int]]
"""The Ducats that bribes came to in each game, by pool, payer and payee, and then by table."""


class Pair(msgspec.Struct):
    """Two players who meet often. The first has the better place more often."""

    pool: str
    player: str  # the id of a person, or of the key of a bot
    other: str
    player_name: str
    other_name: str
    games: int  # of both together
    player_share: float  # of all games of the player
    other_share: float  # of all games of the other
    better: float  # the share of games in which the player has the better place
    gained: float  # rating points that the player has won in these games
    gained_elsewhere: float  # points that the player has won in each hundred other games; 0 without any
    lost: float  # rating points that the other has lost in these games
    apart_days: float  # between the first visits of both; two accounts of one person are often made together
    bribed_games: int  # in which either has paid the other a bribe
    paid: int  # Ducats that the player has paid the other as bribes, over all these games
    received: int  # Ducats that the other has paid the player
    signs: list[str]  # "partners": always the same; "one-sided"; "new": one was made for these games; "bribes"


def pairs(address: Path | str, everybody: bool = False) -> list[Pair]:
    """Return the pairs that have a sign, those with most points first; with `everybody` all that meet often."""
    return asyncio.run(_pairs(address, everybody))


async def _pairs(address: Path | str, everybody: bool) -> list[Pair]:
    store = await open_store(address)
    try:
        return await pairs_of(store, everybody)
    finally:
        await store.close()


async def pairs_of(store: Storage, everybody: bool = False) -> list[Pair]:
    """Return the pairs of a store, as `pairs` does."""
    columns = (RATED.c.table_id, RATED.c.pool, RATED.c.player, RATED.c.place, RATED.c.mean - RATED.c.mean_before)
    rows = await store.read(sa.select(*columns).order_by(RATED.c.table_id, RATED.c.player))
    people, bribes = await _people(store), await _bribes(store, {row.pool for row in rows})
    found = await asyncio.to_thread(_counted, rows, people, bribes)
    shown = [each for each in found if each.signs or everybody]
    return sorted(shown, key=lambda each: (-len(each.signs), -each.gained, each.pool, each.player))


async def _people(store: Storage) -> dict[str, tuple[str, int]]:
    """Return the name of each player, and when they were here first."""
    found = {
        row.id: (row.name or "", row.created)
        for row in await store.read(sa.select(PEOPLE.c.id, PEOPLE.c.name, PEOPLE.c.created))
    }
    bots = sa.select(SESSIONS.c.id, SESSIONS.c.label, SESSIONS.c.created).where(SESSIONS.c.kind == BOT)
    return found | {row.id: (row.label, row.created) for row in await store.read(bots)}


async def _bribes(store: Storage, pools: Collection[str]) -> Bribes:
    """Return what bribes were paid in rated games, in pools of games that have deals."""
    found: Bribes = defaultdict(dict)
    for pool in sorted(each for each in pools if find(game_of(each)).deals is not None):
        selected = sa.select(*COLUMNS).where(RESULTS.c.pool == pool, RESULTS.c.uncounted == "")
        own = sa.select(RESULTS.c.table_id).where(RESULTS.c.pool == pool)
        for result in decoded(await store.read(selected), await store.read(players_at(own))):
            for paid in result.paid:
                who = rated_as(result.seats[paid.payer]), rated_as(result.seats[paid.payee])
                if who[0] is not None and who[1] is not None:
                    found[pool, who[0], who[1]][result.table_id] = paid.money
    return found


def _counted(rows: Iterable[Any], people: dict[str, tuple[str, int]], bribes: Bribes) -> list[Pair]:
    games: Counter[tuple[str, str]] = Counter()
    points: dict[tuple[str, str], float] = defaultdict(float)
    met: dict[tuple[str, str, str], list[float]] = defaultdict(lambda: [0, 0, 0, 0, 0])
    tables: dict[tuple[str, str], list[tuple[str, int, float]]] = defaultdict(list)
    for table_id, pool, player, place, gain in rows:
        games[pool, player] += 1
        points[pool, player] += gain
        tables[pool, table_id].append((player, place, gain))
    for (pool, _), seats in tables.items():
        for (one, place, gain), (other, other_place, other_gain) in combinations(seats, 2):
            cell = met[pool, one, other]
            cell[0] += 1
            cell[1] += place < other_place
            cell[2] += other_place < place
            cell[3] += gain
            cell[4] += other_gain
    found = []
    for (pool, one, other), (count, first, second, gain, other_gain) in met.items():
        if count < FEWEST:
            continue
        if second > first:
            one, other, first, gain, other_gain = other, one, second, other_gain, gain
        rest = games[pool, one] - count
        created = [people.get(each, ("", 0))[1] for each in (one, other)]
        paid, received = bribes.get((pool, one, other), {}), bribes.get((pool, other, one), {})
        pair = Pair(
            pool=pool,
            player=one,
            other=other,
            player_name=people.get(one, ("", 0))[0],
            other_name=people.get(other, ("", 0))[0],
            games=int(count),
            player_share=count / games[pool, one],
            other_share=count / games[pool, other],
            better=first / count,
            gained=round(gain, 1),
            gained_elsewhere=round(100 * (points[pool, one] - gain) / rest, 1) if rest else 0.0,
            lost=round(-other_gain, 1),
            bribed_games=len(paid.keys() | received.keys()),
            paid=sum(paid.values()),
            received=sum(received.values()),
            apart_days=round(abs(created[0] - created[1]) / 86_400_000, 1) if all(created) else -1.0,
            signs=[],
        )
        pair.signs = _signs(pair)
        found.append(pair)
    return found


def _signs(pair: Pair) -> list[str]:
    signs = []
    if max(pair.player_share, pair.other_share) >= MOST_OWN:
        signs.append("partners")
    if pair.better >= ONE_SIDED:
        signs.append("one-sided")
    if signs == ["partners", "one-sided"] and pair.other_share >= 0.9 and 0 <= pair.apart_days < 7:
        signs.append("new")
    if pair.bribed_games >= BRIBED and max(pair.paid, pair.received) >= ONE_SIDED * (pair.paid + pair.received):
        signs.append("bribes")
    return signs
