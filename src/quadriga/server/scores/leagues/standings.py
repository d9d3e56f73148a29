"""The table of a season: computed from results and corrections, and nothing else.

In each game a member gets points by the share of the people at the table whom they have beaten: 100 for all of
them, 0 for none, half for those with the same place. Bots are no opponents. Whoever has left the game is last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import msgspec

from quadriga.server.protocol.leagues import LeagueGame
from quadriga.server.scores.leagues.rows import Entry, Season
from quadriga.server.scores.results import Result, SeatResult

_UNFIT = ("alone", "dice", "seats")  # reasons for which a game is not rated, and does not count in a league either
_MOMENTS = 60  # of a chart
_LINES = 12


class Outcome(NamedTuple):
    """What a seat of a game is worth."""

    seat: int
    player: str | None
    place: int
    points: int
    score: int
    is_won: bool


class Row(NamedTuple):
    """A player's line in a table."""

    player: str
    place: int | None
    total: float
    games: int
    wins: int
    points: int
    average: float
    score: int
    corrected: int


class _Sum:
    """What a player has so far."""

    def __init__(self) -> None:
        self.games = self.wins = self.points = self.score = self.corrected = 0

    def add(self, outcome: Outcome) -> None:
        self.games += 1
        self.wins += outcome.is_won
        self.points += outcome.points
        self.score += outcome.score

    @property
    def average(self) -> float:
        return round(self.points / self.games, 1) if self.games else 0.0

    def total(self, scoring: str) -> float:
        match scoring:
            case "points":
                return self.points + self.corrected
            case "wins":
                return self.wins + self.corrected
            case "score":
                return self.score + self.corrected
        return round((self.points + self.corrected) / self.games, 1) if self.games else 0.0

    def order(self, scoring: str) -> tuple[float, int, int]:
        return self.total(scoring), self.points, self.wins


def outcomes(result: Result) -> list[Outcome]:
    """Return what each person's seat is worth, compared with the other people."""
    people = [(number, seat) for number, seat in enumerate(result.seats) if _is_person(seat)]
    found = []
    for number, seat in people:
        rivals = [_order(other) for rival, other in people if rival != number]
        better, equal = sum(each < _order(seat) for each in rivals), rivals.count(_order(seat))
        beaten = 2 * (len(rivals) - better - equal) + equal  # in halves
        points = (100 * beaten + len(rivals)) // (2 * len(rivals)) if rivals else 0
        score = 0 if seat.left else seat.score
        found.append(Outcome(number, seat.player, 1 + better, points, score, not better and not seat.left))
    return found


def _is_person(seat: SeatResult) -> bool:
    return bool(seat.holder) and seat.key is None


def _order(seat: SeatResult) -> tuple[bool, int]:
    return seat.left, 0 if seat.left else seat.place


def reason(season: Season, result: Result, excluded: set[str]) -> str:
    """Return why a game does not count in a season; "" if it does."""
    if not any(is_kind(each, result) for each in season.games):
        return "kind"
    if result.uncounted in _UNFIT:
        return result.uncounted
    if sum(_is_person(seat) for seat in result.seats) < 2:
        return "alone"  # the others were bots over the network
    known = [seat.player for seat in result.seats if seat.player is not None]
    if len(set(known)) < len(known):
        return "seats"  # two accounts that are one now
    return "excluded" if result.table_id in excluded else ""


def is_kind(wanted: LeagueGame, result: Result) -> bool:
    """Return whether a game has the wanted options."""
    has = result.options
    return wanted.game == result.game and all(
        msgspec.json.encode(has.get(name)) == msgspec.json.encode(value) for name, value in wanted.options.items()
    )


def excluded_by(log: Iterable[Entry]) -> set[str]:
    """Return the games that the owner has excluded and not included again. The log is in order."""
    found: set[str] = set()
    for each in log:
        if each.table_id is not None and each.kind == "exclude":
            found.add(each.table_id)
        elif each.table_id is not None and each.kind == "include":
            found.discard(each.table_id)
    return found


def corrections(log: Iterable[Entry], season: int) -> list[tuple[int, str, int]]:
    """Return the points that the owner has given in a season: when, whom, and how many."""
    return [
        (each.at, each.player, each.points or 0)
        for each in log
        if each.kind == "points" and each.season == season and each.player
    ]


def table(season: Season, counted: Sequence[Result], log: Sequence[Entry], members: Iterable[str]) -> list[Row]:
    """Return the table of a season, the best first. Only those who are or were members have a line."""
    sums = _sums(counted, corrections(log, season.number), set(members))
    known = [(player, each) for player, each in sums.items() if each.games or each.corrected]
    known.sort(key=lambda pair: (pair[1].games < season.least, *(-part for part in pair[1].order(season.scoring))))
    placed = [each.order(season.scoring) for _, each in known if each.games >= season.least]
    return [
        Row(
            player,
            1 + placed.index(each.order(season.scoring)) if each.games >= season.least else None,
            each.total(season.scoring),
            each.games,
            each.wins,
            each.points,
            each.average,
            each.score,
            each.corrected,
        )
        for player, each in known
    ]


def _sums(counted: Iterable[Result], given: Iterable[tuple[int, str, int]], members: set[str]) -> dict[str, _Sum]:
    sums: dict[str, _Sum] = {}
    for result in counted:
        for each in outcomes(result):
            if each.player in members and each.player is not None:
                sums.setdefault(each.player, _Sum()).add(each)
    for _, player, points in given:
        if player in members:
            sums.setdefault(player, _Sum()).corrected += points
    return sums


def chart(
    season: Season, counted: Sequence[Result], log: Sequence[Entry], players: Sequence[str]
) -> tuple[list[int], list[list[float | None]]]:
    """Return the totals of some players over a season: some of the moments after games, and a line for each."""
    sums = {player: _Sum() for player in players[:_LINES]}
    steps: list[tuple[int, Callable[[], None]]] = [(each.ended, _played(sums, each)) for each in counted]
    steps += [(at, _given(sums, player, points)) for at, player, points in corrections(log, season.number)]
    steps.sort(key=lambda step: step[0])
    shown = {round(i * (len(steps) - 1) / (_MOMENTS - 1)) for i in range(_MOMENTS)} if steps else set()
    at: list[int] = []
    lines: list[list[float | None]] = [[] for _ in sums]
    for number, (moment, step) in enumerate(steps):
        step()
        if number in shown:
            at.append(moment)
            for line, each in zip(lines, sums.values(), strict=True):
                line.append(each.total(season.scoring) if each.games or each.corrected else None)
    return at, lines


def _played(sums: dict[str, _Sum], result: Result) -> Callable[[], None]:
    def add() -> None:
        for each in outcomes(result):
            if each.player in sums:
                sums[each.player].add(each)

    return add


def _given(sums: dict[str, _Sum], player: str, points: int) -> Callable[[], None]:
    def add() -> None:
        if player in sums:
            sums[player].corrected += points

    return add
