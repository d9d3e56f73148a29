"""Requests and answers about tournaments."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Raw, Struct

from quadriga.server.protocol.fields import MOST_SEATS, BotKind, Name, encoded_as, one_of
from quadriga.server.protocol.parts import Clock, Days

MOST_PLAYERS = 512

_STATUS = one_of("open", "running", "over", "aborted")


class TournamentPlan(Struct, forbid_unknown_fields=True, kw_only=True):
    """A new tournament."""

    title: Annotated[str, Meta(max_length=80)] = ""
    name: Name
    """The organiser's name, for a guest."""
    kind: Literal["knockout", "swiss", "arena"]
    game: Annotated[str, Meta(max_length=64)]
    options: dict[str, Any] = {}
    """Options of the game (`GET /api/games`)."""
    seats: Annotated[int, Meta(ge=2, le=MOST_SEATS)]
    """At a table; a knock-out has two."""
    starts: Annotated[int, Meta(ge=0, le=2**53)]
    """In milliseconds since 1970."""
    rounds: Annotated[int, Meta(ge=1, le=30)] = 5
    """Of a Swiss."""
    minutes: Annotated[int, Meta(ge=1, le=24 * 60)] = 60
    """That an arena lasts."""
    clock: Clock | None = None
    days: Days | None = None
    """Play by days; without it, live. Not in an arena."""
    most: Annotated[int, Meta(ge=2, le=MOST_PLAYERS)] = 128
    """Players."""
    late: bool = True
    """True: people may enter a Swiss or an arena after it has begun."""
    bots: bool = False
    """True: bots of people may enter with their keys."""
    fill: bool = False
    """True: bots of the server fill the last table when the tournament begins."""
    fill_with: BotKind | None = None
    """The kind of these bots."""
    appear: Annotated[int, Meta(ge=1, le=120)] = 5
    """Minutes within which a person has to come to a live table."""
    limit: Annotated[int, Meta(ge=1, le=100_000)] | None = None
    """Minutes after which a game counts as it stands; without it three hours for a live game, never by days."""


class Entering(Struct, forbid_unknown_fields=True):
    """Enter a tournament, or come back to it."""

    name: Name
    """One's name, for a guest."""


TOURNAMENT_BODIES = (TournamentPlan, Entering)


class TournamentSummary(Struct):
    """A tournament in a list."""

    id: str
    title: str
    by: str
    """The name of the organiser."""
    kind: Annotated[str, one_of("knockout", "swiss", "arena")]
    game: str
    seats: int
    status: Annotated[str, _STATUS]
    starts: int
    players: int
    round: int
    rounds: int


class TournamentList(Struct):
    """Tournaments: those to come and those that run, the next first, then the last that have ended."""

    tournaments: list[TournamentSummary]


class TournamentPlayer(Struct):
    """A player of a tournament, and how they stand. Points and tie-breaks are rounded."""

    player: int
    name: str
    """Empty for somebody who has deleted their account."""
    kind: Annotated[str, one_of("person", "key", "bot")]
    """`key`: a bot of somebody, over the network; `bot`: a bot of the server."""
    place: int
    points: float
    cut: float
    """Buchholz without the weakest round."""
    buchholz: float
    berger: float
    """Sonneborn-Berger."""
    firsts: int
    games: int
    survived: int
    """Rounds of a knock-out."""
    left: str
    """Why they are not paired: withdrew, absent or deleted; empty if they are."""


class TournamentTable(Struct):
    """A table of a tournament."""

    id: str
    round: int
    players: list[int]
    """The numbers of the players, by seat."""
    gained: list[float] | None
    """Their points; null while they play."""
    why: Annotated[str, one_of("", "played", "walkover", "void", "limit")]
    """How the result came about."""


class TournamentRound(Struct):
    """A round of a tournament."""

    round: int
    tables: list[TournamentTable]
    byes: list[int]


class Tournament(Struct):
    """A tournament as everybody sees it."""

    summary: TournamentSummary
    options: dict[str, Any]
    clock: Clock | None
    days: Days | None
    minutes: int
    most: int
    late: bool
    bots: bool
    fill: bool
    appear: int
    commitment: str
    """The end of the chain of secrets, in hexadecimal, published before anybody enters."""
    number: int
    """Of the last event of its log."""
    began: int
    ended: int
    standings: list[TournamentPlayer]
    """The best first."""
    now: list[TournamentRound]
    """The rounds that are shown: the last one; all of a knock-out; open tables and the last results of an arena."""


class TournamentAnswer(Struct):
    """A tournament, and what it is to whoever asks."""

    tournament: Annotated[Raw, encoded_as("Tournament")]
    mine: bool
    """True if one organises it, or may call it off."""
    player: int | None
    """One's own number."""
    table: str | None
    """One's own table, if it waits for one."""


TOURNAMENT_ANSWERS = (TournamentList, Tournament, TournamentAnswer, TournamentRound)
