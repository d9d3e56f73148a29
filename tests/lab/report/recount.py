"""Compute the figures of a report again, in plain Python, from the rows of its tables."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
from scipy import special

Row = dict[str, Any]
Result = tuple[float, float, float, int]


@cache
def rows(folder: Path, table: str) -> list[Row]:
    path = folder / f"{table}.parquet"
    return pl.read_parquet(path).to_dicts() if path.exists() else []


def ratio(
    found: Iterable[Row],
    above: Callable[[Row], float],
    below: Callable[[Row], float] = lambda row: 1,
    share: bool = False,
    unit: str = "game",
) -> Result:
    """Return value, interval and number of units of a ratio of two sums."""
    upper: dict[int, float] = defaultdict(float)
    lower: dict[int, float] = defaultdict(float)
    for row in found:
        upper[row[unit]] += above(row)
        lower[row[unit]] += below(row)
    units = [each for each in lower if lower[each] != 0]
    n, total = len(units), math.fsum(lower[each] for each in units)
    if not n:
        return math.nan, math.nan, math.nan, 0
    value = math.fsum(upper[each] for each in units) / total
    squares = math.fsum((upper[each] - value * lower[each]) ** 2 for each in units)
    if share and (squares < 1e-18 or all(lower[each] == 1 for each in units)):
        z = float(special.ndtri(0.975))
        middle = (value + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * math.sqrt(value * (1 - value) / n + z * z / (4 * n * n))
        return value, middle - half, middle + half, n
    if n == 1:
        return value, -math.inf, math.inf, n
    half = float(special.stdtrit(n - 1, 0.975)) * math.sqrt(squares / (n * (n - 1))) * n / total
    low = max(value - half, 0) if all(upper[each] >= 0 for each in units) else value - half
    return value, low, min(value + half, 1) if share else value + half, n


def histogram(id: str, ids: list[str], found: list[Row], number: Callable[[Row], float]) -> Result:
    """Return the share of rows in one part of a histogram. The other ids say where the next part begins."""
    stem, _, least = id.rpartition(".")
    starts = sorted(int(each.rpartition(".")[2]) for each in ids if each.rpartition(".")[0] == stem)
    after = [start for start in starts if start > int(least)]
    most = after[0] if after else math.inf
    return ratio(found, lambda row: int(least) <= number(row) < most, share=True)


def recount(folder: Path, game: str, id: str, ids: list[str]) -> Result:
    """Return a figure by its id."""
    kind = id.split(".")[0]
    own = {"ur": _ur, "ac": _ave_caesar, "bh": _ben_hvrt}.get(kind, _common)
    return own(folder, id, ids)


def _common(folder: Path, id: str, ids: list[str]) -> Result:
    games, seats = rows(folder, "games"), rows(folder, "seats")
    kind, what, *rest = id.split(".")
    if kind == "win":
        wanted = {"seat": int, "start": int, "player": str}[what](rest[0])
        return ratio([row for row in seats if row[what] == wanted], lambda row: row["won"], share=True)
    if kind == "length":
        if what == "mean":
            return ratio(games, lambda row: row["decisions"])
        return histogram(id, ids, games, lambda row: row["decisions"])
    if kind == "lead":
        if what == "changes":
            return ratio(games, lambda row: row["lead_changes"])
        if what == "never":
            return ratio(games, lambda row: row["lead_changes"] == 0, share=True)
        return histogram(id, ids, games, lambda row: row["lead_changes"])
    if kind == "decided":
        won = [row for row in games if row["winner"] >= 0]
        if what == "mean":
            return ratio(won, lambda row: row["decided_share"])
        if what == "late":
            return ratio(won, lambda row: row["decided_share"] > 0.9, share=True)
        return ratio(won, lambda row: row["decided_share"] <= int(rest[0]) / 10, share=True)
    if kind == "branching":
        if what == "mean":
            return ratio(games, lambda row: row["branching"])
        if what == "choice":
            return ratio(games, lambda row: row["choices"], lambda row: row["decisions"], share=True)
        return histogram(id, ids, games, lambda row: math.floor(row["branching"] * 10))
    reviews = rows(folder, "reviews")
    assert kind == "luck", id
    if what == "lost":
        return ratio([row for row in reviews if row["player"] == rest[0]], lambda row: row["lost"])
    luck = lambda row: abs(row["luck"])  # noqa: E731
    skill = lambda row: abs(row["result"] - row["start"] - row["luck"])  # noqa: E731
    return ratio(reviews, luck, lambda row: luck(row) + skill(row), share=True)


def _heat(folder: Path, column: str, space: str, course: str = "") -> Result:
    found = [
        row for row in rows(folder, "spaces") if row["space"] != "off" and (not course or row["course"] == course)
    ]
    value, low, high, n = ratio(
        found,
        lambda row: row[column] if row["space"] == space else 0,
        lambda row: row[column],
        share=True,
        unit="first",
    )
    return (value, low, high, n) if n >= 5 else (value, math.nan, math.nan, n)


def _ur(folder: Path, id: str, ids: list[str]) -> Result:
    _, what, *rest = id.split(".")
    games = rows(folder, "games")
    if what == "first":
        if rest == ["solved"]:
            return ratio([row for row in games if row["solved"] is not None], lambda row: row["solved"])
        won = {(row["game"], row["seat"]): row["won"] for row in rows(folder, "seats")}
        return ratio(games, lambda row: won[row["game"], row["first"]], share=True)
    if rest:
        return _heat(folder, what, rest[0])
    return ratio(games, lambda row: row[what])


def _is_first(races: list[Row]) -> Callable[[Row], bool]:
    best: dict[tuple[int, int], int] = {}
    for row in races:
        if row["end"] == "finished":
            key = row["game"], row["race"]
            best[key] = min(best.get(key, 99), row["finish"])
    return lambda row: row["end"] == "finished" and row["finish"] == best[row["game"], row["race"]]


def _ave_caesar(folder: Path, id: str, ids: list[str]) -> Result:
    _, what, *rest = id.split(".")
    races = rows(folder, "races")
    way = lambda row: f"{row['course']} {row['direction']}"  # noqa: E731
    if what in ("stands", "blocks", "overtakes"):
        return _heat(folder, what, ".".join(rest[1:]), rest[0])
    if what == "start":
        own = [row for row in races if way(row) == rest[0] and row["start"] == int(rest[1])]
        return ratio(own, _is_first(races), share=True)
    if what == "left":
        done = [row for row in races if row["end"] == "finished"]
        if rest == ["mean"]:
            return ratio(done, lambda row: row["left"])
        if rest == ["none"]:
            return ratio(done, lambda row: row["left"] <= 3, share=True)
        return histogram(id, ids, done, lambda row: row["left"])
    if what == "failed":
        return ratio(
            [row for row in races if way(row) == rest[0]], lambda row: row["end"] != "finished", share=True
        )
    if what == "end":
        return ratio(races, lambda row: row["end"] == rest[0], share=True)
    if what == "alley":
        own = [row for row in races if len(rest) == 1 or way(row) == rest[0]]
        return ratio(own, lambda row: row["alley"] == int(rest[-1]), share=True)
    if what in ("waits", "overtaken"):
        own = [row for row in races if rest == ["mean"] or way(row) == rest[0]]
        return ratio(own, lambda row: row[what])
    assert what == "rule", id
    rule = ".".join(rest)
    counts = [row for row in rows(folder, "rules") if row["rule"] == rule]
    raced = {(row["game"], row["race"]): 0 for row in races}
    for row in counts:
        raced[row["game"], row["race"]] += row["count"]
    return ratio([{"game": game, "n": n} for (game, _), n in raced.items()], lambda row: row["n"])


MONEY = {
    "ante": lambda row: row["ante"],
    "cards": lambda row: row["bought"] + row["bids"],
    "upkeep": lambda row: row["upkeep"],
    "prizes": lambda row: row["prizes"],
}


def _ben_hvrt(folder: Path, id: str, ids: list[str]) -> Result:
    _, what, *rest = id.split(".")
    races = rows(folder, "races")
    if what in ("stands", "blocks", "overtakes"):
        return _heat(folder, what, ".".join(rest))
    if what == "grid":
        own = [row for row in rows(folder, "chariots") if row["grid"] == int(rest[0])]
        return ratio(own, lambda row: row["place"] == 1, share=True)
    if what == "money":
        return ratio([row for row in races if len(rest) < 2 or row["laps"] == int(rest[1])], MONEY[rest[0]])
    if what == "purse":
        won = {(row["game"], row["seat"]): row["won"] > 0 for row in rows(folder, "seats")}
        race = int(rest[1]) - 1
        own = [row for row in races if row["race"] == max(race, 0)]
        own = [row for row in own if won[row["game"], row["seat"]] == (rest[0] == "winner")]
        return ratio(own, lambda row: row["before"] if race < 0 else row["after"])
    if what in ("played", "bought", "held"):
        usual: dict[str, float] = {}
        for player in {row["player"] for row in races}:
            each = [row["excess"] for row in races if row["player"] == player]
            usual[player] = math.fsum(each) / len(each)
        found = [row for row in rows(folder, "cards") if row[what] > 0 and (not rest or row["card"] == rest[0])]
        return ratio(found, lambda row: row["excess"] - usual[row["player"]])
    if what == "price":
        lots = [row for row in rows(folder, "lots") if row["buyer"] >= 0 and row["card"] == rest[1]]
        if rest[0] == "paid":
            return ratio(lots, lambda row: row["price"])
        listed = lots[0]["list_price"]
        return listed, listed, listed, len({row["game"] for row in lots})
    if what in ("vetoed", "use"):
        cards = rows(folder, "cards")
        if rest == ["played"]:
            had = lambda row: row["held"] + row["dealt"] + row["bought"]  # noqa: E731
            return ratio([row for row in cards if had(row) > 0], lambda row: row["played"], had)
        own = [row for row in cards if what == "use" or row["card"] == rest[0]]
        return ratio(own, lambda row: row["vetoed"], lambda row: row["played"], share=True)
    lots = rows(folder, "lots")
    if what == "sale":
        return ratio(lots, lambda row: row["sale"] == rest[0], share=True)
    if what == "auction":
        own = [row for row in lots if row["sale"] == "auction" and row["list_price"] > 0]
        own = [row for row in own if row["race"] == int(rest[0]) - 1]
        return ratio(own, lambda row: row["price"], lambda row: row["list_price"])
    assert what == "deals", id
    if rest == ["accepted"]:
        return ratio(races, lambda row: row["swaps"], lambda row: row["offers"], share=True)
    if rest == ["size"]:
        return ratio(races, lambda row: row["bribed"], lambda row: row["bribes"])
    return ratio(races, lambda row: row[rest[0]])
