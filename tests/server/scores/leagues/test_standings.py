"""The table of a season: points by beaten people, who counts, and what decides."""

from __future__ import annotations

import random
from typing import Any

import pytest

from quadriga.server.protocol.leagues import LeagueGame
from quadriga.server.scores.leagues import standings
from quadriga.server.scores.leagues.rows import Entry, Season
from quadriga.server.scores.results import Result, SeatResult
from quadriga.server.scores.spreadsheet import as_csv

UR = LeagueGame("ur")


def season(scoring: str = "points", least: int = 1, games: list[LeagueGame] | None = None) -> Season:
    return Season(1, 0, None, scoring, least, games or [UR])


def played(name: str, *seats: tuple[str, int, int], uncounted: str = "", **more: Any) -> Result:
    """Return a result whose seats are players ("" for a bot), places and scores."""
    found = [SeatResult(who and f"h{who}", None if who else "easy", place, score) for who, place, score in seats]
    for seat, (who, _, _) in zip(found, seats, strict=True):
        seat.player = who or None
    result = Result(name, "ur", {}, 10, uncounted, found)
    for key, value in more.items():
        setattr(result, key, value)
    return result


def correction(player: str, points: int, number: int = 1) -> Entry:
    return Entry(number, 20, "ann", "points", 1, None, player, points, "late")


def test_points_are_the_share_of_beaten_people_and_bots_are_no_opponents():
    found = standings.outcomes(played("a", ("ann", 2, 8), ("", 1, 9), ("bob", 3, 4), ("cem", 3, 4), ("", 5, 0)))
    assert [(each.player, each.place, each.points, each.is_won) for each in found] == [
        ("ann", 1, 100, True),
        ("bob", 2, 25, False),
        ("cem", 2, 25, False),
    ]


def test_a_bot_that_plays_by_the_key_of_a_member_is_a_bot():
    result = played("a", ("ann", 2, 1), ("bob", 1, 9), ("cem", 3, 0))
    result.seats[1].key = "key"
    assert [(each.player, each.points) for each in standings.outcomes(result)] == [("ann", 100), ("cem", 0)]
    result.seats[2].key = "key"
    assert standings.reason(season(), result, set()) == "alone"


def test_whoever_has_left_a_game_is_last_and_keeps_no_score():
    result = played("a", ("ann", 1, 9), ("bob", 2, 5), ("cem", 3, 1))
    result.seats[0].left = True
    found = {each.player: each for each in standings.outcomes(result)}
    assert (found["ann"].place, found["ann"].points, found["ann"].score, found["ann"].is_won) == (3, 0, 0, False)
    assert (found["bob"].points, found["cem"].points) == (100, 50)


@pytest.mark.parametrize("seed", range(20))
def test_the_points_of_a_game_are_half_of_those_that_could_be_won(seed: int):
    rng = random.Random(seed)
    seats = rng.randint(2, 12)
    scores = [rng.randint(0, 4) for _ in range(seats)]
    places = [1 + sum(other > score for other in scores) for score in scores]
    found = standings.outcomes(played("a", *((f"p{i}", places[i], scores[i]) for i in range(seats))))
    assert abs(sum(each.points for each in found) - 50 * seats) <= seats  # each is rounded


def test_only_members_have_a_line_and_strangers_are_opponents():
    rows = standings.table(season(), [played("a", ("ann", 2, 1), ("eve", 1, 2), ("bob", 3, 0))], [], ["ann", "bob"])
    assert [(row.player, row.points) for row in rows] == [("ann", 50), ("bob", 0)]


def test_each_way_of_scoring_decides_by_its_own_measure():
    games = [played(f"a{i}", ("ann", 1, 3), ("bob", 2, 2)) for i in range(2)]
    games += [played(f"b{i}", ("bob", 1, 40), ("cem", 2, 1)) for i in range(2)]
    games += [played("c", ("cem", 1, 1), ("dan", 2, 0)), played("d", ("dan", 1, 5), ("bob", 2, 1))]
    members = ["ann", "bob", "cem", "dan"]

    def order(scoring: str, least: int = 1) -> list[tuple[str, int | None, float]]:
        rows = standings.table(season(scoring, least), games, [], members)
        return [(row.player, row.place, row.total) for row in rows]

    assert order("points") == [("ann", 1, 200), ("bob", 1, 200), ("cem", 3, 100), ("dan", 3, 100)]
    assert order("average")[0] == ("ann", 1, 100.0)
    assert order("average", 3) == [("bob", 1, 40.0), ("cem", 2, 33.3), ("ann", None, 100.0), ("dan", None, 50.0)]
    assert order("wins") == [("ann", 1, 2), ("bob", 1, 2), ("cem", 3, 1), ("dan", 3, 1)]
    assert order("score")[0] == ("bob", 1, 85)


def test_corrections_count_in_the_total_and_in_the_chart():
    games = [played("a", ("ann", 1, 3), ("bob", 2, 2))]
    log = [correction("bob", 130), correction("bob", -10, 2), correction("eve", 9, 3)]
    rows = standings.table(season(), games, log, ["ann", "bob"])
    assert [(row.player, row.total, row.points, row.corrected) for row in rows] == [
        ("bob", 120, 0, 120),
        ("ann", 100, 100, 0),
    ]
    at, lines = standings.chart(season(), games, log, ["bob", "ann"])
    assert (at, lines) == ([10, 20, 20, 20], [[0, 130, 120, 120], [100, 100, 100, 100]])


def test_a_long_chart_has_few_moments_and_ends_with_the_totals():
    games = [played(f"g{i:04}", ("ann", 1 + i % 2, 1), ("bob", 2 - i % 2, 1), ended=i) for i in range(1000)]
    at, lines = standings.chart(season(), games, [], ["ann", "bob"])
    assert len(at) <= 60
    assert (at[-1], [line[-1] for line in lines]) == (999, [50_000, 50_000])


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        (played("a", ("ann", 1, 1), ("bob", 2, 0)), ""),
        (played("a", ("ann", 1, 1), ("bob", 2, 0), uncounted="hint"), ""),
        (played("a", ("ann", 1, 1), ("bob", 2, 0), uncounted="dice"), "dice"),
        (played("a", ("ann", 1, 1), ("", 2, 0), uncounted="alone"), "alone"),
        (played("a", ("ann", 1, 1), ("ann", 2, 0)), "seats"),
        (played("a", ("ann", 1, 1), ("bob", 2, 0), game="ave-caesar"), "kind"),
        (played("x", ("ann", 1, 1), ("bob", 2, 0)), "excluded"),
    ],
)
def test_a_game_counts_or_the_reason_is_told(result: Result, reason: str):
    assert standings.reason(season(), result, {"x"}) == reason


def test_options_of_the_league_have_to_be_those_of_the_game():
    wanted = LeagueGame("ur", {"rules": "blitz"})
    game = played("a", ("ann", 1, 1), ("bob", 2, 0), options={"rules": "blitz", "markers": 5})
    assert standings.is_kind(wanted, game)
    game.options["rules"] = "masters"
    assert not standings.is_kind(wanted, game)


def test_a_game_can_be_excluded_and_included_again():
    log = [
        Entry(i, 0, "ann", kind, 1, "t", None, None, "") for i, kind in enumerate(["exclude", "include", "exclude"])
    ]
    assert [standings.excluded_by(log[:n]) for n in range(4)] == [set(), {"t"}, set(), {"t"}]


def test_no_name_is_a_formula_in_a_spreadsheet():
    assert as_csv(["name"], [["=1+1"], ["Ann"]]).splitlines() == ["name", "'=1+1", "Ann"]
