"""Answers about ratings: leaderboards, what games have changed, and ratings at a table."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from quadriga.server.protocol.fields import one_of


class Rating(Struct):
    """A strength in points. Between two seats 400 points are odds of ten to one."""

    mean: float
    deviation: float
    """The uncertainty, as a standard deviation; 0 for the fixed rating of a level of bots."""
    games: int
    """Those that count."""
    provisional: bool
    """True while the rating is too uncertain to be listed."""


class WithoutLuck(Struct):
    """Results without the luck of the dice in the rated games of which somebody has asked for a review."""

    games: int
    result: float
    """The mean result, from 0 to 1."""
    adjusted: float
    """The mean result without luck."""
    error: float
    """The half-width of its 95 % interval; 0 if every move was judged exactly."""


class PoolRating(Struct):
    """A rating in a pool: a game, and tables of about the same size."""

    pool: str
    game: str
    seats: list[int]
    """The least and the most."""
    bot: str | None
    """The label of one's bot that plays by a key; null for the person."""
    rating: Rating
    ended: int
    """When the last game ended that counts."""
    without_luck: WithoutLuck | None = None
    """Null if no game was reviewed."""


class OwnRatings(Struct):
    """The ratings of a person, and of their bots."""

    ratings: list[PoolRating]


class Pool(Struct):
    """A game, and tables of about the same size."""

    pool: str
    game: str
    seats: list[int]
    """The least and the most."""


class Pools(Struct):
    """The pools in which games have ended."""

    pools: list[Pool]


class Ranked(Struct):
    """A line of a leaderboard."""

    rank: int
    name: str
    bot: str | None
    """The label of a bot that plays over the network; `name` is its owner."""
    rating: Rating


class LevelRating(Struct):
    """The fixed rating of a level of bots."""

    level: str
    rating: Rating


class Leaderboard(Struct):
    """A page of the best players of a pool."""

    pool: str
    players: list[Ranked]
    levels: list[LevelRating]
    """All levels of bots, the best first."""
    mine: Rating | None
    """The rating of the person who asks."""
    more: bool
    """True if there is another page."""


class RatedGame(Struct):
    """What a game has changed in a rating."""

    table: str
    """Empty if the table was not listed, and the reader has not played there."""
    ended: int
    place: int
    """The place among those who are rated; whoever has left is last."""
    before: Rating
    after: Rating


class RatingCurve(Struct):
    """The games that have changed a rating, the last first."""

    pool: str
    games: list[RatedGame]
    next: str | None
    """The value of `before` for the games before these."""


class SeatRating(Struct):
    """The rating of a seat, as far as the reader may know it."""

    seat: int
    before: Rating
    """At the beginning of the game."""
    after: Rating | None
    """After the game; null before it is rated."""


class TableRatings(Struct):
    """The ratings at a table."""

    pool: str
    state: Annotated[str, one_of("open", "soon", "rated", "unrated")]
    """Whether the game is not over, is over and will be rated soon, is rated, or will not be."""
    reason: Annotated[str, one_of("", "dice", "undo", "alone", "seats", "coach", "hint", "unknown", "ended")]
    """Why a game is not rated."""
    seats: list[SeatRating]


RATING_ANSWERS = (Leaderboard, OwnRatings, Pools, RatingCurve, TableRatings)
