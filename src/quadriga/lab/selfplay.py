"""Self-play for the network of Ben's Ur: where games lead, and what every position on the way is worth.

What a position is worth is the mean, over all rolls, of the best move by the network as it stands; where a move
ends the game, that is known. Later positions of the game correct it by what the network was wrong about there: by
the mean over the rolls in each of them, less what the network thought of it. Luck is left out: so the end of a game
is felt at once in its beginning, without the noise of the dice.
"""

from __future__ import annotations

from quadriga.engine.kernel import FlagRows, Ints, kernel
from quadriga.engine.record import Batch
from quadriga.engine.rng import Rng, below, start
from quadriga.games.ur.rules.turn import ROLLS, legal, step
from quadriga.games.ur.state import DONE, MOVE, ROLL, State, Tables
from quadriga.players.greedy.ur import evaluate as by_steps
from quadriga.players.learned.inputs import noted
from quadriga.players.learned.network import chance

WHIM = 12  # one move in so many is random
ONE = 1 << 30
PARTS = 256  # of a correction


@kernel
def _begin(t: Tables, s: State, rng: Rng) -> None:
    """All markers at home: every second time all of them left, else any number, the sides a few apart at most."""
    mine = 1 + below(rng, t.markers) if below(rng, 2) else t.markers
    theirs = max(1, min(t.markers, mine + below(rng, 5) - 2))
    s.off[0] = t.markers - mine
    s.off[1] = t.markers - theirs
    s.phase = ROLL
    s.turn = below(rng, 2)


@kernel
def _judged(t: Tables, s: State, known: Ints, me: int) -> int:
    """The chance of `me`, times 2 ** 30, by the network, or by steps where there is none yet."""
    if s.phase == DONE:
        return ONE if s.turn == me else 0
    if known[0] == 0:
        ahead = by_steps(t, s, known)
        return (ONE >> 1) + (ahead if me == 0 else -ahead)
    value = chance(t, s, known)
    return value if s.turn == me else ONE - value


@kernel
def backed_up(t: Tables, work: Batch[State], out: Ints, moves: Ints, known: Ints) -> int:
    """The worth of `work[0]` to the side to roll, and its best move for every roll, -1 where there is none.

    `work[1]` and `work[2]` are room.
    """
    total = 0
    for face in range(ROLLS):
        if t.dice[face] > 0:
            work[1] = work[0]
            step(t, work[1], face)
            moves[face] = -1
            best = -1
            if work[1].phase == MOVE:
                n = legal(t, work[1], out)
                for i in range(n):
                    work[2] = work[1]
                    step(t, work[2], out[i])
                    value = _judged(t, work[2], known, work[0].turn)
                    if value > best:
                        best = value
                        moves[face] = out[i]
            else:
                best = _judged(t, work[1], known, work[0].turn)
            total += t.dice[face] * best
    return total // t.throws


@kernel
def _correct(turns: Ints, thought: Ints, worth: Ints, first: int, end: int, later: int) -> None:
    """Add to what the positions of a game are worth what the network was wrong about later, less and less of it."""
    black = 0  # what Black has more than was thought
    for row in range(end - 1, first - 1, -1):
        worth[row] += black * later // PARTS if turns[row] == 0 else -black * later // PARTS
        black = worth[row] - thought[row] if turns[row] == 0 else thought[row] - worth[row]


@kernel
def _decide(turns: Ints, worth: Ints, first: int, end: int, winner: int) -> None:
    """Where there is no network yet, positions are worth what came of the game."""
    for row in range(first, end):
        worth[row] = ONE if turns[row] == winner else 0


@kernel
def gather(
    tables: Batch[Tables],
    work: Batch[State],
    rngs: Batch[Rng],
    seed: int,
    first: int,
    count: int,
    later: int,
    out: Ints,
    moves: Ints,
    note: Ints,
    known: Ints,
    seen: FlagRows,
    turns: Ints,
    left: Ints,
    thought: Ints,
    worth: Ints,
) -> int:
    """Games number `first` and on: what the side to roll saw, how many markers were left, the worth; how many."""
    t = tables[0]
    s = work[0]
    rows = 0
    for game in range(count):
        start(rngs[0], seed, first + game)
        work[0] = work[3]
        _begin(t, s, rngs[0])
        begin = rows
        while s.phase != DONE and rows < len(turns):
            turns[rows] = s.turn
            left[rows] = 2 * t.markers - s.off[0] - s.off[1]
            thought[rows] = chance(t, s, known) if known[0] else 0
            worth[rows] = backed_up(t, work, out, moves, known)
            end = noted(t, s, note, 0)
            for i in range(end):
                seen[rows][note[i]] = 1
            rows += 1
            face = t.faces[below(rngs[0], t.throws)]
            step(t, s, face)
            if s.phase == MOVE:
                action = moves[face]
                if below(rngs[0], WHIM) == 0:
                    n = legal(t, s, out)
                    action = out[below(rngs[0], n)]
                step(t, s, action)
        if s.phase != DONE:
            rows = begin  # no room for the whole of it
        elif known[0]:
            _correct(turns, thought, worth, begin, rows, later)
        else:
            _decide(turns, worth, begin, rows, s.turn)
    return rows
