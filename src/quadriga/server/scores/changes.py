"""What a game changes in the ratings of those who have played it. It depends on nothing but its arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from quadriga.lab.anchors import anchor
from quadriga.lab.rating import Rating, rated
from quadriga.server.scores.results import Result, SeatResult

SURE = 80.0  # points of uncertainty at which a rating is no longer provisional


class Standing(NamedTuple):
    """The rating of a player in a pool, after so many games that count."""

    mean: float = 1500.0
    deviation: float = 200.0
    games: int = 0
    ended: int = 0  # of the last game

    @property
    def is_provisional(self) -> bool:
        """True while the rating is too uncertain to be compared with others."""
        return self.deviation > SURE


class Change(NamedTuple):
    """What a game has changed in the rating of a player. A leaver has the last place."""

    player: str
    place: int
    before: Standing
    after: Standing

    @classmethod
    def of(cls, row: Any) -> Change:
        """Return the change of a row of `rated`."""
        before = Standing(row.mean_before, row.deviation_before, row.games - 1)
        return cls(row.player, row.place, before, Standing(row.mean, row.deviation, row.games, row.ended))


NEW = Standing()


def level_rating(game: str, bot: str) -> Standing | None:
    """Return the fixed rating of a bot by its level, whatever its temper; None if it has none."""
    fixed = anchor(game, bot.partition(":")[0])
    return None if fixed is None else Standing(fixed.mean, fixed.deviation)


def rated_as(seat: SeatResult) -> str | None:
    """Return who is rated for a seat: the person, or their bot by the id of its key; None if that is not known."""
    return seat.key or seat.player


def uncounted(result: Result) -> str:
    """Return the reason why a game is not rated, "" if it is: that of its log, or one about who the people are."""
    if result.uncounted:
        return result.uncounted
    players = [rated_as(seat) for seat in result.seats if seat.holder]
    if None in players:
        return "unknown"  # somebody played without a device or key that the server knows
    owners = [seat.player for seat in result.seats if seat.holder]
    return "seats" if len(set(owners)) < len(owners) else ""


def changes(result: Result, known: Mapping[str, Standing]) -> list[Change]:
    """Return what a game changes; nothing if it is not rated. Players who are not `known` are new.

    Bots of a level stay at their fixed rating; other bots, and bots in place of somebody, do not count.
    """
    if uncounted(result):
        return []
    game = result.game
    seats: list[tuple[str | None, Rating, int]] = []
    last = max(seat.place for seat in result.seats) + 1
    for seat in result.seats:
        player, place = rated_as(seat), last if seat.left else seat.place
        if player is not None:
            standing = known.get(player, NEW)
            seats.append((player, Rating(standing.mean, standing.deviation), place))
        elif seat.bot is not None and (fixed := level_rating(game, seat.bot)) is not None:
            seats.append((None, Rating(fixed.mean, fixed.deviation), place))
    places = [1 + sum(other < place for _, _, other in seats) for _, _, place in seats]
    after = rated([rating for _, rating, _ in seats], places)
    found = []
    for (player, _, _), place, rating in zip(seats, places, after, strict=True):
        if player is not None:
            before = known.get(player, NEW)
            now = Standing(rating.mean, rating.deviation, before.games + 1, result.ended)
            found.append(Change(player, place, before, now))
    return found
