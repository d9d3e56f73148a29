"""Turns of Ur (UR-4, UR-7): actor, legal actions, transitions, scores, observations and tallies."""

from __future__ import annotations

from quadriga.engine.kernels.bits import count, lowest, without_lowest
from quadriga.engine.kernels.kernel import Ints, Shorts, kernel
from quadriga.engine.kernels.rng import Rng, below
from quadriga.engine.kernels.slots import CHANCE, OVER, OWN_COUNTS, play_randomly
from quadriga.games.ur.board import EYES, LAST_BLANK, STEPS, TURN_BACK
from quadriga.games.ur.rules.ben import blank_targets, can_jump, dotted_targets, jumps_from, legal_jumps
from quadriga.games.ur.rules.ben import legal_moves as ben_moves
from quadriga.games.ur.rules.ben import move as ben_move
from quadriga.games.ur.rules.classic import legal_moves as classic_moves
from quadriga.games.ur.rules.classic import move as classic_move
from quadriga.games.ur.rules.classic import playout as play_classic
from quadriga.games.ur.rules.classic import targets as classic_targets
from quadriga.games.ur.rules.opening import apply_jump, apply_rolls, marker_step
from quadriga.games.ur.state import BEN, DONE, JUMP, MOVE, OPENING, ROLL, State, Tables

ROLLS = 5
BLANKS = LAST_BLANK + 1  # steps of blank markers in an observation; one-kind paths have up to 16
DOTTEDS = 11
OBSERVED = 2 * (BLANKS + DOTTEDS + 2) + ROLLS + 2


@kernel
def on_board(s: State, seat: int) -> int:
    """Return how many markers a seat has on the board."""
    singles = count(s.blank[seat]) + count(s.dotted[seat])
    return singles + count(s.blank_twin[seat]) + count(s.dotted_twin[seat])


@kernel
def at_home(t: Tables, s: State, seat: int) -> int:
    """Return how many markers a seat has at home."""
    return t.markers - s.off[seat] - on_board(s, seat)


@kernel
def actor(t: Tables, s: State) -> int:
    """Return the seat to decide, CHANCE or OVER."""
    if s.phase == MOVE or s.phase == JUMP:
        return s.turn
    return OVER if s.phase == DONE else CHANCE


@kernel
def outcomes(t: Tables, s: State, out: Ints, weights: Ints) -> int:
    """UR-2: write the possible rolls and their weights; return how many."""
    n = 0
    for face in range(ROLLS):
        if t.dice[face] > 0:
            out[n] = face
            weights[n] = t.dice[face]
            n += 1
    return n


@kernel
def roll(t: Tables, s: State, rng: Rng, out: Ints, weights: Ints) -> int:
    """UR-2: return a random roll."""
    return t.faces[below(rng, t.throws)]


@kernel
def legal(t: Tables, s: State, out: Ints) -> int:
    """UR-4.1: write all moves; return how many. An action is 4 times the source step, plus the distance less 1."""
    me = s.turn & 1
    if s.phase == JUMP:
        step = marker_step(s, me)
        n = 0
        targets = jumps_from(s, me, step)
        for way in range(4):
            if (targets >> (step + way + 1)) & 1:
                out[n] = step * 4 + way
                n += 1
        return n
    if t.rules != BEN:
        return classic_moves(t, s, me, s.roll, out)
    home = at_home(t, s, me)
    if s.roll == 0:
        return legal_jumps(s, me, home, out)
    return ben_moves(s, me, home, s.roll, out)


@kernel
def choose(t: Tables, s: State, rng: Rng, out: Ints) -> int:
    """UR-4.1: return a random move, each of those that `legal` writes equally likely."""
    me = s.turn & 1
    roll = s.roll
    if s.phase == JUMP or (t.rules == BEN and roll == 0):
        return out[below(rng, legal(t, s, out))]
    if t.rules != BEN:
        reached = classic_targets(t, s, me, roll)
        return (lowest(without_lowest(reached, below(rng, count(reached)))) - roll) * 4 + roll - 1
    blank = blank_targets(s, me, at_home(t, s, me), roll)
    dotted = dotted_targets(s, me, roll)
    choice = below(rng, count(blank) + count(dotted))
    if choice < count(blank):
        return (lowest(without_lowest(blank, choice)) - roll) * 4 + roll - 1
    return (TURN_BACK - lowest(without_lowest(dotted, choice - count(blank))) - roll) * 4 + roll - 1


@kernel
def can_move(t: Tables, s: State, rolled: int) -> bool:
    """Return whether the player who rolled has a move."""
    me = s.turn & 1  # tells the compiler that the index is in range
    if t.rules != BEN:
        return classic_targets(t, s, me, rolled) != 0
    home = at_home(t, s, me)
    if rolled == 0:
        return can_jump(s, me, home)
    return blank_targets(s, me, home, rolled) != 0 or dotted_targets(s, me, rolled) != 0


@kernel
def step(t: Tables, s: State, action: int) -> None:
    """Apply a roll, a jump or a move, and pass the turn."""
    if s.phase == ROLL:
        if can_move(t, s, action):
            s.phase = MOVE
            s.roll = action
        else:
            s.turn ^= 1
    elif s.phase == MOVE:
        _apply_move(t, s, action >> 2, (action >> 2) + (action & 3) + 1)
    elif s.phase == JUMP:
        apply_jump(s, s.turn, (action >> 2) + (action & 3) + 1)
    elif s.turn == 0:
        s.first = action
        s.turn = 1
    else:
        black = s.first
        s.first = 0
        apply_rolls(s, black, action)


@kernel
def _apply_move(t: Tables, s: State, source: int, to: int) -> None:
    """Apply a move. UR-4.2: the same player may roll again. UR-7.2: a player whose markers are all off has won."""
    me = s.turn & 1
    if t.rules == BEN:
        bit = to if to <= LAST_BLANK else TURN_BACK - to
        again = (EYES >> bit) & 1 | (1 if s.roll == 0 else 0)
        again &= ben_move(s, me, source, to) ^ 1
    else:
        again = classic_move(t, s, me, source, to)
    s.roll = 0
    if s.off[me] == t.markers:
        s.phase = DONE
    else:
        s.phase = ROLL
        s.turn = me ^ 1 ^ again


@kernel
def scores(t: Tables, s: State, out: Ints) -> None:
    """Write 1 for the winner and 0 for the loser."""
    out[0] = 1 if s.phase == DONE and s.turn == 0 else 0
    out[1] = 1 if s.phase == DONE and s.turn == 1 else 0


@kernel
def _observe_side(t: Tables, s: State, seat: int, at: int, out: Shorts) -> int:
    """Write the markers of one side from `at` on; return the end."""
    for step in range(1, BLANKS + 1):
        out[at] = ((s.blank[seat] >> step) & 1) + ((s.blank_twin[seat] >> step) & 1)
        at += 1
    for step in range(STEPS - DOTTEDS + 1, STEPS + 1):
        bit = TURN_BACK - step
        out[at] = ((s.dotted[seat] >> bit) & 1) + ((s.dotted_twin[seat] >> bit) & 1)
        at += 1
    out[at] = at_home(t, s, seat)
    out[at + 1] = s.off[seat]
    return at + 2


@kernel
def observe(t: Tables, s: State, seat: int, out: Shorts) -> None:
    """Write both sides' markers by step, the seat's own first; the roll; whether to move; whether opening."""
    me = max(seat, 0)
    at = _observe_side(t, s, me, 0, out)
    at = _observe_side(t, s, me ^ 1, at, out)
    deciding = s.phase == MOVE or s.phase == JUMP
    for face in range(ROLLS):
        out[at + face] = 1 if deciding and s.roll == face else 0
    out[at + ROLLS] = 1 if deciding and s.turn == me else 0
    out[at + ROLLS + 1] = 1 if s.phase == OPENING or s.phase == JUMP else 0


@kernel
def remember(t: Tables, s: State) -> int:
    """Return phase, turn, roll and the other side's markers on the board, for `tally`."""
    return s.phase | s.turn << 3 | s.roll << 4 | on_board(s, (s.turn & 1) ^ 1) << 7


@kernel
def tally(t: Tables, before: int, s: State, action: int, counts: Ints) -> None:
    """Count captures, jumps, free turns and lost turns."""
    phase = before & 7
    me = (before >> 3) & 1
    if phase == MOVE:
        if on_board(s, me ^ 1) < before >> 7:
            counts[OWN_COUNTS] += 1
        if t.rules == BEN and (before >> 4) & 7 == 0:
            counts[OWN_COUNTS + 1] += 1
        if s.phase == ROLL and s.turn == me:
            counts[OWN_COUNTS + 2] += 1
    elif phase == ROLL and s.phase == ROLL:
        counts[OWN_COUNTS + 3] += 1


@kernel
def playout(t: Tables, s: State, rng: Rng, out: Ints, weights: Ints, counts: Ints) -> None:
    """Play to the end with random moves and count, as `play_randomly` does."""
    if t.rules != BEN and s.phase == ROLL:
        play_classic(t, s, rng, counts)
    else:
        play_randomly(t, s, rng, out, weights, counts)  # type: ignore[arg-type]
