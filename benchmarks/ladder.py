"""Measure who is stronger and write the ladder into docs/players.md: `python benchmarks/ladder.py [GAME ...]`.

Every rung is an arena on equal seats with the same dice: each player against the one below it, and rules of thumb
against the same without one of their parts. Games that are not asked for keep their last figures, which lie in
ladder.json.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from quadriga.games import find
from quadriga.lab.arena import compete
from quadriga.players.greedy import advice

HERE = Path(__file__).parent
RESULTS = HERE / "ladder.json"
REPORT = HERE.parent / "docs" / "players.md"
BEGIN, END = "<!-- ladder -->", "<!-- end of the ladder -->"
SEED = 2026

SETUPS = {
    "ur": ({}, 2),
    "ave-caesar": ({}, 4),
    "ben-hvrt": ({}, 4),
}
RUNGS = {  # who meets whom, and in how many games at the most
    "ur": [("greedy", "random", 400), ("search:50", "greedy", 480), ("search:50", "search:50+no-net", 640)],
    "ave-caesar": [("greedy", "random", 400), ("search:50", "greedy", 600), ("search:200", "search:50", 120)],
    "ben-hvrt": [("greedy", "random", 400), ("search:50", "greedy", 240)],
}
WITHOUT = {"ur": 20_000, "ave-caesar": 6_000, "ben-hvrt": 12_000}  # games for a part that is left out


def rungs(id: str) -> list[list[str]]:
    """One row for every two players that meet."""
    options, seats = SETUPS[id]
    game = find(id)
    met = list(RUNGS[id])
    for part in advice(game).parts:
        met.append(("greedy", f"greedy:no-{part}", WITHOUT[id]))
    rows = []
    for one, other, games in met:
        asked = {**options, **({"bribes": True} if "bribes" in other else {})}
        settled, count = game.settle(asked, seats)
        found = compete(game, settled, count, [one, other], games=games, seed=SEED)
        (pair,) = found.pairs
        wins = {each.player: each for each in found.standings}
        ahead = pair.ahead
        row = [one, other, f"{ahead.share:.1%}", f"{ahead.low:.1%} – {ahead.high:.1%}"]
        row += ["yes" if ahead.low > 0.5 else "no" if ahead.high < 0.5 else "open"]
        row += [f"{wins[one].score:.2f} : {wins[other].score:.2f}", str(found.games)]
        print("   ", id, *row, sep="  ", flush=True)
        rows.append(row)
    return rows


def report(results: dict) -> str:
    """The ladder as Markdown."""
    text = [
        BEGIN,
        "",
        "Measured by `python benchmarks/ladder.py`, on equal seats with the same dice; shares are of",
    ]
    text += ["games in which the first scored more than the other, ties counting half, with 99 % intervals.", ""]
    for name, found in results.items():
        seats = SETUPS[name][1]
        text += [f"### {name}, {seats} seats ({found['date']}, seed {SEED})", ""]
        text += ["| player | against | ahead | 99 % interval | beyond doubt | scores | games |"]
        text += ["|---|---|---:|---:|---|---:|---:|"]
        text += ["| " + " | ".join([f"`{row[0]}`", f"`{row[1]}`", *row[2:]]) + " |" for row in found["rows"]]
        text += [""]
    return "\n".join([*text, END])


def main(asked: list[str]) -> None:
    if unknown := set(asked) - set(SETUPS):
        sys.exit(f"There is no ladder of {', '.join(sorted(unknown))}. There are: {', '.join(SETUPS)}.")
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    for name in asked or SETUPS:
        results[name] = {"date": time.strftime("%Y-%m-%d"), "rows": rungs(name)}
        RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
        page = REPORT.read_text("utf-8")
        before, _, rest = page.partition(BEGIN)
        after = rest.partition(END)[2]
        REPORT.write_text(before + report(results) + after, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
