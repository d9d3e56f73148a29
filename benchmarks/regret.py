"""Measure exactly how much chance players of Ben's Ur lose per move.

`python benchmarks/regret.py 3 greedy:2000 search:100:200`: first the number of markers, whose tables
`quadriga solve ur --markers 3` makes; then players as `quadriga play` names them, each with its number of games.
With `--perfect` first, it measures how often each of them wins against perfect play.
"""

from __future__ import annotations

import sys

from quadriga.engine.kernels.compiler import CompileNotice
from quadriga.lab.solver.measured_player import MeasuredPlayer
from quadriga.lab.solver.perfect import perfect
from quadriga.lab.solver.regret import regret


def lose(markers: int, players: list[str]) -> None:
    """Print one line for each player."""
    print("| player | lost a move | decisions | worst move |\n|---|---:|---:|---:|")
    for asked in players:
        name, _, games = asked.rpartition(":")
        found = regret(MeasuredPlayer(name, markers, report=CompileNotice()), games=int(games))
        lost = f"{100 * found.mean:.3f} ± {100 * found.error:.3f}"
        print(f"| `{name}` | {lost} | {found.decisions} | {100 * found.worst:.1f} |", flush=True)


def meet(markers: int, players: list[str]) -> None:
    """Print how often each player wins against perfect play."""
    print("| player | wins against perfect play | games |\n|---|---:|---:|")
    for asked in players:
        name, _, games = asked.rpartition(":")
        found = perfect(MeasuredPlayer(name, markers, report=CompileNotice()), games=int(games))
        won = f"{100 - 100 * found.won:.1f} % ± {100 * found.error:.1f}"
        print(f"| `{name}` | {won} | {found.games} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "--perfect":
        meet(int(sys.argv[2]), sys.argv[3:])
    else:
        lose(int(sys.argv[1]), sys.argv[2:])
