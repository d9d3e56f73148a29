"""Measure how much players of Ben's Ur lose a move, exactly.

`python benchmarks/regret.py 3 greedy:2000 search:100:200`: first the number of markers, whose tables
`quadriga solve ur --markers 3` makes; then players as `quadriga play` names them, each with its number of games.
"""

from __future__ import annotations

import sys

from quadriga.engine.compiler import Notice
from quadriga.lab.regret import regret


def main() -> None:
    """One line for each player."""
    markers = int(sys.argv[1])
    print("| player | lost a move | decisions | worst move |\n|---|---:|---:|---:|")
    for asked in sys.argv[2:]:
        name, _, games = asked.rpartition(":")
        found = regret(name, markers, games=int(games), report=Notice())
        lost = f"{100 * found.mean:.3f} ± {100 * found.error:.3f}"
        print(f"| `{name}` | {lost} | {found.decisions} | {100 * found.worst:.1f} |", flush=True)


if __name__ == "__main__":
    main()
