"""Count dishonoured chariots of Ave Caesar per 1,000 races, by level of the bots.

`python benchmarks/dishonour.py random:1000 greedy:1000 search:50:200`: players as `quadriga play` names them, each
with its number of races. All seats are played by the same bot: four chariots on white cw, six on yellow cw.
"""

from __future__ import annotations

import sys

from quadriga.engine.kernels.compile_notice import CompileNotice
from quadriga.games import find
from quadriga.players.compiled_match import CompiledMatch, bot

GAME = find("ave-caesar")
RACES = (("white cw", 4), ("yellow cw", 6))
SEED = 2026


def dishonoured(player: str, course: str, seats: int, races: int) -> tuple[int, int]:
    """Return the number of dishonoured chariots, and of races with one."""
    playing = bot(player, GAME)
    if playing is None:
        raise SystemExit(f"{player}: only random, greedy and search with a number of playouts can be counted")
    options, _ = GAME.resolve_options({"courses": [course]}, seats)
    match = CompiledMatch(GAME, options, seats, report=CompileNotice())
    chariots = touched = 0
    for race in range(races):
        match.play([playing] * seats, SEED, race, 1)
        found = int(match.final["dishonoured"][0][:seats].sum())
        chariots += found
        touched += found > 0
    return chariots, touched


def main(players: list[str]) -> None:
    """Print one line for each player and course."""
    print("| player | course, chariots | dishonoured per 1,000 races | races with one | races |")
    print("|---|---|---:|---:|---:|")
    for asked in players:
        name, _, races = asked.rpartition(":")
        for course, seats in RACES:
            chariots, touched = dishonoured(name, course, seats, int(races))
            per = f"{1000 * chariots / int(races):.0f} | {100 * touched / int(races):.1f} %"
            print(f"| `{name}` | {course}, {seats} | {per} | {races} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
