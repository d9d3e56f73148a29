"""Compare pairings of tournaments with random seating and with a library: `python benchmarks/tournaments.py`.

Players whose strengths differ by 200 points (standard deviation) play 1,000 tournaments of each kind (or as many as
the first argument says); places follow the model of Plackett and Luce. It prints the table of docs/tournaments.md.
py4swiss pairs two by the FIDE Dutch system; its initial order is the order of entry, which says nothing here.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from py4swiss.engines import DutchEngine
from py4swiss.trf import TrfParser

from quadriga.lab.tournament import draw
from quadriga.lab.tournament.log import POINT, Begin, Enter, Pair, Plan, Result
from quadriga.lab.tournament.pairing import next_pairing
from quadriga.lab.tournament.simulate import Pairing, simulate
from quadriga.lab.tournament.state import Player, State

CASES = [
    # players, seats, rounds, how much more often the first seat wins
    (32, 2, 5, 1.2),
    (31, 2, 7, 1.2),
    (32, 4, 5, 2.0),
    (36, 6, 5, 4.0),
    (60, 12, 4, 2.0),
]


def by_library(state: State, link: bytes) -> Pair:
    """Return the next pairing by py4swiss."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "tournament.trf"
        file.write_text(f"XXR {state.plan.rounds}\nXXC white1\n" + "".join(map(_line, state.players)))
        pairings = DutchEngine.generate_pairings(TrfParser.parse(file))
    tables = [[each.white - 1, each.black - 1] for each in pairings if each.black]
    return Pair(link.hex(), tables, [each.white - 1 for each in pairings if not each.black])


def _line(player: Player) -> str:
    """Return a player as a line of a tournament report file."""
    rounds = dict.fromkeys(player.byes, "  0000 - U")
    for table in player.tables:
        seat = table.players.index(player.number)
        won = "1" if table.gained[seat] == POINT else "0"
        rounds[table.round] = f"  {table.players[1 - seat] + 1:4d} {'wb'[seat]} {won}"
    points = player.points / POINT
    head = f"001 {player.number + 1:4d}      {'P' + str(player.number):33s} {1500:4d}{'':27s} {points:4.1f} "
    return f"{head}{player.number + 1:4d}{''.join(rounds[each] for each in sorted(rounds))}\n"


def speed(pairing: Pairing, players: int, seats: int, rounds: int = 5) -> float:
    """Return the mean seconds of a pairing."""
    state, seed = State(Plan("swiss", seats, min(seats, 3), rounds)), bytes(32)
    for number in range(players):
        state.apply(Enter(number))
    state.apply(Begin())
    draw.link(seed, 0)
    spent = 0.0
    for number in range(1, rounds + 1):
        begun = time.perf_counter()
        made = pairing(state, draw.link(seed, number))
        spent += time.perf_counter() - begun
        state.apply(made)
        for table_id, table in list(state.open_tables.items()):
            state.apply(Result(table_id, [1 + sorted(table.players).index(each) for each in table.players]))
    return spent / rounds


def main() -> None:
    """Print the tables."""
    tournaments = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print("| players | seats | rounds | seating | order | best wins | repeats | starts |")
    print("|---:|---:|---:|---|---:|---:|---:|---:|")
    for players, seats, rounds, start in CASES:
        others = [("py4swiss", by_library)] if seats == 2 else []
        found = simulate("swiss", players, seats, rounds, tournaments, 2026, start, others=others)
        for each in found.qualities:
            cells = (
                each.method,
                f"{each.order:.3f}",
                f"{each.best:.1%}",
                f"{each.repeats:.2f}",
                f"{each.starts:.3f}",
            )
            print("|", " | ".join([str(players), str(seats), str(rounds), *cells]), "|", flush=True)
    for name, pairing, seats in (("ours", next_pairing, 2), ("py4swiss", by_library, 2), ("ours", next_pairing, 4)):
        print(
            f"500 players, tables of {seats}, {name}: {1000 * speed(pairing, 500, seats):.0f} ms a round",
            flush=True,
        )


if __name__ == "__main__":
    main()
