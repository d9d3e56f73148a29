"""Measure exactly how much chance players of Ur lose per move.

`python benchmarks/regret.py 3 greedy:2000 search:100:200`: first the number of markers, whose tables
`quadriga solve ur --markers 3` makes; then players as `quadriga play` names them, each with its number of games.
`--rules finkel` measures under another rule set than Ben's.
With `--perfect` it measures how often each of them wins against perfect play. With `--cluster ADDRESS` a Ray
cluster plays the games (docs/cluster.md).
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Sequence

from quadriga.engine.errors import QuadrigaError
from quadriga.engine.kernels.compile_notice import CompileNotice
from quadriga.games.ur.board import RULE_SETS
from quadriga.lab.executors.chunks import Executor, Failure
from quadriga.lab.executors.cluster import ClusterExecutor
from quadriga.lab.solver.measured_player import MeasuredPlayer
from quadriga.lab.solver.perfect import perfect
from quadriga.lab.solver.regret import regret


def lose(rules: str, markers: int, players: list[str], executor: Executor | None) -> list[Failure]:
    """Print one line for each player."""
    print("| player | lost a move | decisions | worst move |\n|---|---:|---:|---:|")
    failed = []
    for asked in players:
        name, _, games = asked.rpartition(":")
        player = MeasuredPlayer(name, markers, rules=rules, executor=executor, report=CompileNotice())
        found = regret(player, games=int(games))
        lost = f"{100 * found.mean:.3f} ± {100 * found.error:.3f}"
        print(f"| `{name}` | {lost} | {found.decisions} | {100 * found.worst:.1f} |", flush=True)
        failed += found.failed
    return failed


def meet(rules: str, markers: int, players: list[str], executor: Executor | None) -> list[Failure]:
    """Print how often each player wins against perfect play."""
    print("| player | wins against perfect play | games |\n|---|---:|---:|")
    failed = []
    for asked in players:
        name, _, games = asked.rpartition(":")
        player = MeasuredPlayer(name, markers, rules=rules, executor=executor, report=CompileNotice())
        found = perfect(player, games=int(games))
        won = f"{100 - 100 * found.won:.1f} % ± {100 * found.error:.1f}"
        print(f"| `{name}` | {won} | {found.games} |", flush=True)
        failed += found.failed
    return failed


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", choices=RULE_SETS, default="ben")
    parser.add_argument("--perfect", action="store_true")
    parser.add_argument("--cluster", metavar="ADDRESS", default="")
    parser.add_argument("markers", type=int)
    parser.add_argument("players", nargs="+", metavar="NAME:GAMES")
    asked = parser.parse_args(arguments)
    try:
        with contextlib.ExitStack() as stack:
            executor = None
            if asked.cluster:
                executor = ClusterExecutor(asked.cluster)
                stack.callback(executor.close)
            failed = (meet if asked.perfect else lose)(asked.rules, asked.markers, asked.players, executor)
            if executor and executor.repeated:
                print(f"{executor.repeated} chunks ran again.", file=sys.stderr)
    except QuadrigaError as fault:
        print(fault, file=sys.stderr)
        return 2
    for each in failed:
        print(f"Games {each.first} to {each.last} are missing: {each.reason}", file=sys.stderr)
    return 2 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
