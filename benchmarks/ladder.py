"""Measure which bots are stronger and write docs/players.md: `python benchmarks/ladder.py [GAME ...]`.

Every row is an arena on equal seats with the same dice: each bot against the one below it, and complete bots
against the same without one of their parts. All cores are used, and each arena stops when it is decided. The games
are stored in the folder `.ladder` while they are played. After an interrupt the same command continues. A row is
played again only if its bots, its seed or the code that plays have changed. Games that are not asked for keep the
figures of their last run, which are in ladder.json.

To try it out: `--share 0.1` plays at most a tenth of the games, `--quick` leaves out all bots that search, and
`--out FILE` writes the page, and stores the games, elsewhere.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

from quadriga.engine.kernels.link import resolve
from quadriga.games import find
from quadriga.lab.arena.arena import Arena, compete
from quadriga.players.compiled_match import contest
from quadriga.players.levels import LEVELS, named
from quadriga.players.search import bindings, knowledge

HERE = Path(__file__).parent
KEPT = ".ladder"
RESULTS = HERE / "ladder.json"
REPORT = HERE.parent / "docs" / "players.md"
BEGIN, END = "<!-- ladder -->", "<!-- end of the ladder -->"
SEED = 2026

SEATS = {"ur": 2, "ave-caesar": 4, "ben-hvrt": 4}
WHOLE: dict[str, Any] = {}
# One race, for slow bots.
RACE: dict[str, dict[str, Any]] = {"ave-caesar": {"courses": ["white cw"]}, "ben-hvrt": {"series": [2]}}
SHOWN_IN: dict[str, dict[str, Any]] = {
    "bribes": {"bribes": True},
    "trades": {"series": [1, 2, 3, 4, 5, 6]},
}  # options under which a part matters
BEGINNER, EASY, NORMAL, HARD, EXPERT, MASTER = LEVELS

# The bots of each row, the most games, and the options. In Ur the better of two good bots wins hardly more
# than half: there levels are measured by the chance that they lose per move (docs/players.md).
RUNGS: dict[str, list[tuple[str, str, int, dict[str, Any]]]] = {
    "ur": [
        (EASY, BEGINNER, 400, WHOLE),
        (NORMAL, EASY, 400, WHOLE),
        (HARD, NORMAL, 800, WHOLE),
        ("search:50", "search:50+no-net", 400, WHOLE),
    ],
    "ave-caesar": [
        (EASY, BEGINNER, 400, WHOLE),
        (NORMAL, EASY, 400, WHOLE),
        (HARD, NORMAL, 900, WHOLE),
        (EXPERT, HARD, 240, RACE["ave-caesar"]),
        (MASTER, EXPERT, 240, RACE["ave-caesar"]),
    ],
    "ben-hvrt": [
        (EASY, BEGINNER, 400, WHOLE),
        (NORMAL, EASY, 400, WHOLE),
        (HARD, NORMAL, 600, RACE["ben-hvrt"]),
        (EXPERT, HARD, 300, RACE["ben-hvrt"]),
        (MASTER, EXPERT, 300, RACE["ben-hvrt"]),
    ],
}
WITHOUT = {"ur": 20_000, "ave-caesar": 60_000, "ben-hvrt": 96_000}  # games for a part that is left out
QUICK, SLOW = 3.0, 60.0  # estimated seconds of a row that was never run: with rules of thumb, with search


class Row(NamedTuple):
    """Two players that meet in a game."""

    game: str
    one: str
    other: str
    games: int
    setup: dict[str, Any]

    @property
    def key(self) -> str:
        """Return everything that the figures depend on, as a name for the file of its games."""
        content = [*self[:3], self.setup, SEATS[self.game], SEED, version(self.game)]
        return hashlib.sha256(repr(content).encode()).hexdigest()[:24]


def version(id: str) -> str:
    """Return a digest of what plays: the code with its constants, the values of bots, and the network."""
    game = find(id)
    node = resolve(contest, {**game.bindings, **bindings(game)})
    t, _ = game.rules.new(*game.resolve_options({}, SEATS[id]))
    return node.digest + hashlib.sha256(t.tobytes() + knowledge(game, t).tobytes()).hexdigest()


def rows(id: str, share: float) -> list[Row]:
    """Return a row for every two bots that meet."""
    met = list(RUNGS[id])
    bots = find(id).bots
    for part in () if bots is None else bots.parts:
        met.append(("greedy", f"greedy:no-{part}", WITHOUT[id], SHOWN_IN.get(part, WHOLE)))
    return [
        Row(id, named(one, find(id)), named(other, find(id)), max(int(games * share), 1), setup)
        for one, other, games, setup in met
    ]


def measured(row: Row, folder: Path, clock: Clock) -> dict[str, Any]:
    """Play a row, or the rest of it."""
    game = find(row.game)
    options, seats = game.resolve_options(row.setup, SEATS[row.game])
    found = compete(
        game,
        options,
        seats,
        [row.one, row.other],
        games=row.games,
        seed=SEED,
        workers=clock.workers,
        path=str(folder / f"{row.key}.json"),
        progress=clock.tell,
    )
    if found.interrupted:
        raise KeyboardInterrupt
    return figures(row, found)


def figures(row: Row, found: Arena) -> dict[str, Any]:
    """Return the published figures of an arena."""
    (pair,) = found.pairs
    one, other = (next(each for each in found.standings if each.player == name) for name in row[1:3])
    ahead = pair.ahead
    return {
        "players": [row.one, row.other],
        "setup": row.setup,
        "ahead": [ahead.share, ahead.low, ahead.high],
        "beyond doubt": "yes" if ahead.low > 0.5 else "no" if ahead.high < 0.5 else "open",
        "scores": [one.score, other.score],
        "ratings": [[each.rating.mean, each.rating.deviation] for each in (one, other)],
        "games": found.games,
        "seconds": found.seconds,
    }


class Clock:
    """The progress and an estimate of the remaining time, from the time that each row took in its last run."""

    def __init__(self, todo: list[Row], results: dict[str, Any], workers: int) -> None:
        self.todo, self.workers, self.spent, self.expected = todo, workers, 0.0, 0.0
        took = {
            (name, *row["players"]): row["seconds"]
            for name, each in results.items()
            for row in each.get("rows", [])
        }
        self.guess = [took.get(row[:3], SLOW if _thinks(row) else QUICK) for row in todo]
        self.at, self.began = -1, time.monotonic()

    def start(self) -> None:
        """Start the next row."""
        self.at += 1
        self.began = time.monotonic()

    def done(self, seconds: float) -> None:
        """Finish a row. One that was played before does not change the estimate of the speed."""
        if time.monotonic() - self.began > seconds / 2:
            self.spent += seconds
            self.expected += self.guess[self.at]
        self.guess[self.at] = 0.0

    def left(self) -> str:
        """Return the remaining time in words."""
        pace = self.spent / self.expected if self.expected else 1.0
        this = max(self.guess[self.at] * pace - (time.monotonic() - self.began), 0.0)
        seconds = this + pace * sum(self.guess[self.at + 1 :])
        return f"about {seconds / 60:.0f} min left" if seconds >= 90 else f"about {seconds:.0f} s left"

    def tell(self, games: int, most: int) -> None:
        """Show the progress of a row on a terminal."""
        if sys.stderr.isatty():
            row = self.todo[self.at]
            text = f"[{self.at + 1}/{len(self.todo)}] {row.game} {row.one} – {row.other}: {games} games of {most}"
            print(f"\r\033[K{text}, {self.left()}", end="", file=sys.stderr, flush=True)


def _thinks(row: Row) -> bool:
    return any(name.startswith("search") for name in row[1:3])


def _said(value: object) -> str:
    return "on" if value is True else ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def report(results: dict[str, Any]) -> str:
    """Return the ladder as Markdown."""
    text = [
        BEGIN,
        "",
        "Measured by `python benchmarks/ladder.py`, on equal seats with the same dice; shares are of games in",
        "which the first scored more than the other, ties counting half. The 99 % intervals hold for somebody who",
        "stops as soon as they are convinced, as the command does.",
        "",
    ]
    for name in (name for name in SEATS if name in results):
        found = results[name]
        text += [f"### {name}, {SEATS[name]} seats ({found['date']}, seed {SEED})", ""]
        text += ["| player | against | ahead | 99 % interval | beyond doubt | scores | ratings | games | time |"]
        text += ["|---|---|---:|---:|---|---:|---:|---:|---:|"]
        text += [line(name, row) for row in found["rows"]]
        text += [""]
    minutes = sum(row["seconds"] for each in results.values() for row in each["rows"]) / 60
    return "\n".join([*text, f"All of it took {minutes:.0f} minutes on {os.cpu_count()} cores.", "", END])


def line(id: str, row: dict[str, Any]) -> str:
    """Return a row of the table."""
    share, low, high = row["ahead"]
    one, other = row["ratings"]
    levels = {named(level, find(id)): f" ({level})" for level in LEVELS}
    cells = [f"`{name}`{levels.get(name, '')}" for name in row["players"]]
    cells[1] += "".join(f", {name} {_said(value)}" for name, value in row["setup"].items())
    cells += [f"{share:.1%}", f"{low:.1%} – {high:.1%}"]
    cells += [row["beyond doubt"], "{:.2f} : {:.2f}".format(*row["scores"]), f"{one[0]:.1f} : {other[0]:.1f}"]
    return "| " + " | ".join([*cells, f"{row['games']:,}", f"{row['seconds']:.0f} s"]) + " |"


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"{', '.join(SEATS)}; all unless told")
    parser.add_argument("--share", type=float, default=1.0, help="the part of the games to play at the most")
    parser.add_argument("--quick", action="store_true", help="without players that think")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="cores; all unless told")
    parser.add_argument("--out", type=Path, default=REPORT, help="the page to write the ladder into")
    asked = parser.parse_args(arguments)
    if unknown := set(asked.games) - set(SEATS):
        sys.exit(f"There is no ladder of {', '.join(sorted(unknown))}. There are: {', '.join(SEATS)}.")
    kept = RESULTS if asked.out == REPORT else asked.out.with_suffix(".json")  # the figures
    results = json.loads(kept.read_text()) if kept.exists() else {}
    names = [name for name in SEATS if name in (asked.games or SEATS)]
    todo = [row for name in names for row in rows(name, asked.share) if not (asked.quick and _thinks(row))]
    folder = kept.parent / KEPT
    folder.mkdir(exist_ok=True)
    clock = Clock(todo, results, asked.workers)
    fresh: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
    for row in todo:
        clock.start()
        try:
            found = measured(row, folder, clock)
        except KeyboardInterrupt:
            print("\nInterrupted; the same command goes on from here.", file=sys.stderr)
            sys.exit(130)
        clock.done(found["seconds"])
        fresh[row.game].append(found)
        print(f"\r\033[K{row.game}  {line(row.game, found)}  {clock.left()}", file=sys.stderr, flush=True)
        if len(fresh[row.game]) == sum(each.game == row.game for each in todo):
            results[row.game] = {"date": time.strftime("%Y-%m-%d"), "rows": fresh[row.game]}
            kept.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
            write(asked.out, results)


def write(page: Path, results: dict[str, Any]) -> None:
    """Replace the ladder in a page."""
    text = page.read_text("utf-8") if page.exists() else f"{BEGIN}{END}\n"
    before, _, rest = text.partition(BEGIN)
    page.write_text(before + report(results) + rest.partition(END)[2], "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
