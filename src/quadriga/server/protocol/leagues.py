"""Leagues: requests and answers, and what the socket of the lobby tells members."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from quadriga.server.protocol.fields import Name, Ref, one_of
from quadriga.server.protocol.server_messages import FromServer

MOST_GAMES = 12  # kinds of games in a league
MOST_POINTS = 100_000
Scoring = Literal["points", "average", "wins", "score"]
_SCORING = one_of("points", "average", "wins", "score")
LeagueName = Annotated[str, Meta(min_length=1, max_length=60)]
Reason = Annotated[str, Meta(max_length=200)]


class LeagueGame(Struct, forbid_unknown_fields=True):
    """A kind of game that counts in a league."""

    game: Annotated[str, Meta(max_length=64)]
    options: dict[str, Any] = {}
    """Options that a game needs to have to count; the others do not matter."""


class LeagueSettings(Struct, forbid_unknown_fields=True):
    """Create a league, or change its settings. They hold for the whole season that is played."""

    name: LeagueName
    games: Annotated[list[LeagueGame], Meta(min_length=1, max_length=MOST_GAMES)]
    scoring: Scoring = "points"
    """What decides: points by beaten opponents (0 to 100 a game), their average, games won, or the game's own score
    (Ducats, points), which needs a league of one game."""
    least: Annotated[int, Meta(ge=1, le=1000)] = 1
    """Games that somebody needs to have a place in the table."""
    ends: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    """When the season ends, in milliseconds since 1970; null: when its owner ends it."""
    public: bool = False
    """True: everybody may see the league. Only members play."""


class LeagueCode(Struct, forbid_unknown_fields=True):
    """Join a league: by the code of its link, or by an invitation."""

    code: Ref | None = None


class LeagueTable(Struct, forbid_unknown_fields=True):
    """Propose a finished game for a league."""

    table: Ref


class LeagueCorrection(Struct, forbid_unknown_fields=True):
    """The owner corrects the table of a league. Every correction is logged for all members."""

    kind: Literal["exclude", "include", "take", "decline", "points"]
    """`exclude` a game, or `include` it again; `take` or `decline` a game that a member proposes; give `points`."""
    reason: Reason = ""
    """Why; needed to exclude a game and to give points."""
    table: Ref | None = None
    """The game; for all but `points`."""
    name: Name | None = None
    """The member who gets points."""
    points: Annotated[int, Meta(ge=-MOST_POINTS, le=MOST_POINTS)] | None = None
    """How many; less than 0 to take some."""


LEAGUE_BODIES = (LeagueSettings, LeagueCode, LeagueTable, LeagueCorrection)


class LeagueRow(Struct):
    """A line of a league's table."""

    place: int | None
    """Null below the least number of games. Equal totals share a place."""
    name: str
    total: float
    """What decides, with corrections."""
    games: int
    wins: int
    """Games in which nobody was better."""
    points: int
    average: float
    score: int | None
    """Sum of the game's own score; null in a league of several games."""
    corrected: int
    """The sum of the owner's corrections; counted in `total`."""
    left: bool
    """True for somebody who is no member any more."""


class LeaguePlayer(Struct):
    """A seat of a game of a league."""

    name: str | None
    """Null for somebody whose account is deleted."""
    bot: str | None
    place: int | None
    """Among the people; null for bots, and while the game goes on."""
    score: int | None
    points: int | None
    """Of a member, if the game counts."""
    left: bool
    """True for somebody who has left the game: they are last."""


class LeagueGameShown(Struct):
    """A game of a league."""

    table: str
    """Empty if the table was not listed, and the reader is no member and has not played there."""
    game: str
    state: Annotated[
        str, one_of("counts", "asked", "waiting", "playing", "excluded", "kind", "alone", "dice", "seats")
    ]
    """`asked`: the owner has to take it. The last five do not count: excluded by the owner, of another kind, with
    fewer than two people, with dice that cannot be checked, with a person in several seats."""
    uncounted: str
    """Why it is not rated; "" if it is. A game with help or undone moves counts in a league, unless excluded."""
    ended: int | None
    players: list[LeaguePlayer]
    open: bool
    """True if others than members may sit down."""
    by: str | None
    """Who has proposed it, if it was not begun as a game of the league."""


class LeagueLine(Struct):
    """A line of a league's chart."""

    name: str
    totals: list[float | None]
    """After each of the moments; null before the first game."""


class LeagueChart(Struct):
    """Totals over a season."""

    at: list[int]
    """The moments, in milliseconds since 1970."""
    lines: list[LeagueLine]


class LeagueSeason(Struct):
    """A season of a league."""

    number: int
    begins: int
    ends: int | None
    over: bool
    scoring: Annotated[str, _SCORING]
    least: int
    games: list[LeagueGame]


class LeagueEntry(Struct):
    """A line of a league's log."""

    number: int
    at: int
    by: str | None
    kind: Annotated[
        str,
        one_of(
            "created",
            "settings",
            "season",
            "closed",
            "owner",
            "removed",
            "exclude",
            "include",
            "take",
            "decline",
            "points",
        ),
    ]
    season: int
    table: str | None
    name: str | None
    """Whom it is about."""
    points: int | None
    text: str
    """The reason; of changed settings JSON, by name the values before and now, or null."""


class LeagueMember(Struct):
    """A member of a league."""

    name: str
    since: int


class League(Struct):
    """A league, as a member or a spectator sees it."""

    id: str
    name: str
    owner: str
    created: int
    public: bool
    mine: bool
    """True for its owner."""
    member: bool
    code: str | None
    """Of the link that invites; for its owner."""
    invited: list[str]
    """Names that are invited, as they were typed; for its owner."""
    members: list[LeagueMember]
    season: LeagueSeason
    """The one that is shown."""
    seasons: list[LeagueSeason]
    """All of them, the newest first."""
    table: list[LeagueRow]
    chart: LeagueChart
    counted: int
    """Games that count."""
    games: list[LeagueGameShown]
    """The newest first, at most 100. The exports have all."""
    log: list[LeagueEntry]
    """The newest first, at most 100."""


class LeagueInvited(Struct):
    """A league, as somebody sees it who is invited."""

    id: str
    name: str
    owner: str
    members: int
    games: list[LeagueGame]
    public: bool
    member: bool


class MyLeague(Struct):
    """A league of a person."""

    id: str
    name: str
    mine: bool
    members: int
    games: int
    """Finished ones of the season."""
    log: int
    """The number of the newest line of its log."""
    asked: int
    """Games that its owner has to take; 0 for others."""
    waiting: list[str]
    """Its tables that wait for players."""
    over: bool
    """True if no season is played."""


class LeagueInvitation(Struct):
    """An invitation to a league."""

    league: str
    name: str
    by: str
    sent: int


class MyLeagues(Struct):
    """One's leagues, and invitations to leagues."""

    leagues: list[MyLeague]
    invitations: list[LeagueInvitation]


class LeaguesChanged(FromServer, tag="leagues"):
    """One's leagues, and invitations to leagues."""

    leagues: list[MyLeague]
    invitations: list[LeagueInvitation]


LEAGUE_ANSWERS = (League, LeagueInvited, MyLeagues)
