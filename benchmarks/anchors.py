"""Rate the levels of all games as people are rated: `python benchmarks/anchors.py [GAME ...]`.

One bot of a level meets as many of a lower one as the table seats, on all seats with the same dice. All games of a
game together are fitted by the model of `lab/rating.py`, with `normal` at 1,500. The command writes
`src/quadriga/lab/anchors.json`, from which the server rates bots, and the table in docs/players.md. The games are
stored in `.anchors`: after an interrupt the same command continues, and `--share 0.1` plays at most a tenth.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from quadriga.games import find
from quadriga.lab.arena.arena import compete, lineups
from quadriga.lab.rating import POINTS
from quadriga.players.levels import LEVELS, named

HERE = Path(__file__).parent
KEPT = HERE / ".anchors"
DATA = HERE.parent / "src" / "quadriga" / "lab" / "anchors.json"
REPORT = HERE.parent / "docs" / "players.md"
BEGIN, END = "<!-- anchors -->", "<!-- end of the anchors -->"
SEED = 34
START = 1500.0

SEATS = {"ur": 2, "ave-caesar": 4, "ben-hvrt": 4}
BEGINNER, EASY, NORMAL, HARD, EXPERT, MASTER = LEVELS
RACE: dict[str, dict[str, Any]] = {"ur": {}, "ave-caesar": {"courses": ["white cw"]}, "ben-hvrt": {"series": [2]}}
# The level, the lower one that it meets, the most games, and whether the options are those for slow bots.
MEETINGS: dict[str, list[tuple[str, str, int, bool]]] = {
    "ur": [
        (EASY, BEGINNER, 4000, False),
        (NORMAL, EASY, 4000, False),
        (HARD, NORMAL, 4000, False),
        (EXPERT, HARD, 2000, False),
        (MASTER, HARD, 400, False),
    ],
    "ave-caesar": [
        (EASY, BEGINNER, 4000, False),
        (NORMAL, EASY, 4000, False),
        (HARD, NORMAL, 400, False),
        (EXPERT, HARD, 160, True),
        (MASTER, HARD, 80, True),
    ],
    "ben-hvrt": [
        (EASY, BEGINNER, 4000, False),
        (NORMAL, EASY, 4000, False),
        (HARD, NORMAL, 4000, False),
        (EXPERT, HARD, 400, False),
        (MASTER, HARD, 160, False),
    ],
}
Places = tuple[int, ...]


class Played(NamedTuple):
    """The games of one meeting: how often each order of levels, and each order of places, came out."""

    level: str
    below: str
    counts: Counter[tuple[Places, Places]]
    first: float
    games: int
    setup: dict[str, Any]


def meet(id: str, level: str, below: str, games: int, setup: dict[str, Any], workers: int) -> Played:
    """Play one level against a table of a lower one, or the rest of it."""
    game = find(id)
    options, seats = game.resolve_options(setup, SEATS[id])
    names = [named(level, game), *[named(below, game)] * (seats - 1)]
    tables = game.rules.new(options, seats)[0].tobytes()  # with the values by which bots judge
    key = hashlib.sha256(repr([id, names, setup, SEED, game.version]).encode() + tables).hexdigest()[:16]
    path = KEPT / f"{key}.json"
    compete(game, options, seats, names, games=games, seed=SEED, workers=workers, early=False, path=str(path))
    rows = json.loads(path.read_text())["rows"]
    seatings = lineups(names, seats)
    counts: Counter[tuple[Places, Places]] = Counter()
    first = 0.0
    for number, scores in enumerate(rows):
        seating = seatings[number % len(seatings)]
        order = tuple(LEVELS.index(below if player else level) for player in seating)
        places = tuple(sum(other > score for other in scores) for score in scores)
        counts[order, places] += 1
        first += sum(1 / places.count(0) for seat, player in enumerate(seating) if not player and not places[seat])
    return Played(level, below, counts, first / len(rows), len(rows), setup)


def fit(played: list[Played]) -> dict[str, tuple[float, float]]:
    """Return the most likely rating of every level that played, with its standard error; `normal` is at 1,500."""
    counts: Counter[tuple[Places, Places]] = sum((each.counts for each in played), Counter())
    met = sorted({level for order, _ in counts for level in order} - {LEVELS.index(NORMAL)})
    strength = np.zeros(len(LEVELS))
    inverse: npt.NDArray[Any] = np.zeros((len(met), len(met)))
    for _ in range(30):
        slope, curve = np.zeros(len(LEVELS)), np.zeros((len(LEVELS), len(LEVELS)))
        for (order, places), times in counts.items():
            levels, ranks = np.array(order), np.array(places)
            for seat, place in enumerate(places):
                pool = levels[ranks >= place]
                weights = np.bincount(pool, np.exp(strength[pool]), len(LEVELS)).astype(np.float64)
                chance = weights / weights.sum()
                slope[order[seat]] += times
                slope -= times * chance
                curve += times * (np.diag(chance) - np.outer(chance, chance))
        inverse = np.linalg.inv(curve[np.ix_(met, met)])
        step = inverse @ slope[met]
        strength[met] += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    found = {NORMAL: (START, 0.0)}
    for at, level in enumerate(met):
        found[LEVELS[level]] = (START + POINTS * strength[level], POINTS * inverse[at, at] ** 0.5)
    return {level: found[level] for level in LEVELS if level in found}


def report(anchors: dict[str, Any]) -> str:
    """Return the table as Markdown."""
    text = [BEGIN, "", f"| level | {' | '.join(name for name in SEATS if name in anchors)} |"]
    text += ["|---|" + "---:|" * len(anchors)]
    for level in LEVELS:
        cells = []
        for name in (name for name in SEATS if name in anchors):
            mean, deviation = anchors[name]["levels"].get(level, (None, None))
            cells.append("" if mean is None else f"{mean:,.0f} ± {1.96 * deviation:.0f}")
        text.append(f"| `{level}` | {' | '.join(cells)} |")
    text += ["", "First places of one of a level against a table of a lower one, with 95 % intervals:", ""]
    text += ["| game | level | against | first places | games |", "|---|---|---|---:|---:|"]
    for name in (name for name in SEATS if name in anchors):
        for row in anchors[name]["meetings"]:
            share, games = row["first"], row["games"]
            margin = 1.96 * (share * (1 - share) / games) ** 0.5
            options = "".join(f", {key} {', '.join(map(str, value))}" for key, value in row["setup"].items())
            below = f"{SEATS[name] - 1} × `{row['below']}`{options}"
            cells = [name, f"`{row['level']}`", below, f"{share:.1%} ± {margin:.1%}", f"{games:,}"]
            text.append(f"| {' | '.join(cells)} |")
    return "\n".join([*text, "", END])


def write(anchors: dict[str, Any]) -> None:
    """Write the ratings for the server, and the table."""
    DATA.write_text(json.dumps(anchors, indent=1) + "\n", "utf-8")
    text = REPORT.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    REPORT.write_text(before + report(anchors) + rest.partition(END)[2], "utf-8")


def main() -> None:
    """Read the arguments, play and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"{', '.join(SEATS)}; all unless told")
    parser.add_argument("--share", type=float, default=1.0, help="the part of the games to play at the most")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="cores; all unless told")
    parser.add_argument("--levels", default=",".join(LEVELS), help="only meetings of these levels with others")
    asked = parser.parse_args()
    if unknown := set(asked.games) - set(SEATS):
        sys.exit(f"There are no levels of {', '.join(sorted(unknown))}. There are: {', '.join(SEATS)}.")
    KEPT.mkdir(exist_ok=True)
    anchors = json.loads(DATA.read_text("utf-8")) if DATA.exists() else {}
    for name in asked.games or SEATS:
        played = []
        for level, below, most, is_slow in MEETINGS[name]:
            if level in asked.levels.split(","):
                games = max(int(most * asked.share), 24)
                one = meet(name, level, below, games, RACE[name] if is_slow else {}, asked.workers)
                played.append(one)
                print(
                    f"{name} {level} against {below}: {one.first:.1%} of {one.games:,}", file=sys.stderr, flush=True
                )
        anchors[name] = {
            "date": time.strftime("%Y-%m-%d"),
            "levels": {level: [round(x, 1) for x in rating] for level, rating in fit(played).items()},
            "meetings": [
                {"level": one.level, "below": one.below, "first": one.first, "games": one.games, "setup": one.setup}
                for one in played
            ],
        }
    write({name: anchors[name] for name in SEATS if name in anchors})


if __name__ == "__main__":
    main()
