"""Entry points for one game that a caller steps: they take an action and return the next decision."""

from __future__ import annotations

from typing import NamedTuple

from quadriga.engine.kernels.kernel import Flags, Ints, Shorts, kernel
from quadriga.engine.kernels.random_games import roll_to_decision
from quadriga.engine.kernels.rng import Rng, start
from quadriga.engine.kernels.slots import CHANCE, OVER, State, Tables, actor, legal, observe, outcomes, scores, step
from quadriga.engine.kernels.struct import Batch

REFUSED = -3
"""The result of `play_action` for an action that is not legal."""

LOG_FULL = -1
"""The result of `observation_log` if the log is too short."""

OWN_ACTION = -1
"""The mark of the seat's own action in the log of `observation_log`; the action follows it."""


class Single(NamedTuple):
    """The arrays of one game."""

    tables: Batch[Tables]
    origin: Batch[State]
    batch: Batch[State]  # one position
    rngs: Batch[Rng]
    out: Ints
    weights: Ints
    mask: Flags  # the legal actions of the seat to decide


@kernel
def start_game(g: Single, seed: int, number: int) -> int:
    """Start game `number` of a seed and roll to the first decision; return the actor and mark its legal actions."""
    g.batch[0] = g.origin[0]
    start(g.rngs[0], seed, number)
    return _next_decision(g)


@kernel
def play_action(g: Single, action: int) -> int:
    """Play one action and roll to the next decision; return the actor and mark its legal actions.

    Return REFUSED for an action that is not legal; then nothing changes.
    """
    if action < 0 or action >= len(g.mask) or g.mask[action] == 0:
        return REFUSED
    step(g.tables[0], g.batch[0], action)
    return _next_decision(g)


@kernel
def _next_decision(g: Single) -> int:
    """Roll to the next decision; return the actor and mark its legal actions."""
    seat = roll_to_decision(g.tables[0], g.batch[0], g.rngs[0], g.out, g.weights)
    for action in range(len(g.mask)):
        g.mask[action] = 0
    if seat >= 0:
        for i in range(legal(g.tables[0], g.batch[0], g.out)):
            g.mask[g.out[i]] = 1
    return seat


@kernel
def write_observation(tables: Batch[Tables], batch: Batch[State], seat: int, row: Shorts) -> None:
    """Write what a seat may see into a row."""
    observe(tables[0], batch[0], seat, row)


@kernel
def write_scores(tables: Batch[Tables], batch: Batch[State], points: Ints) -> None:
    """Write the score of each seat."""
    scores(tables[0], batch[0], points)


@kernel
def step_and_find(tables: Batch[Tables], batch: Batch[State], action: int, out: Ints, weights: Ints) -> int:
    """Apply an action or an outcome of chance; then do the same as `find_legal`."""
    step(tables[0], batch[0], action)
    return find_legal(tables, batch, out, weights)


@kernel
def find_legal(tables: Batch[Tables], batch: Batch[State], out: Ints, weights: Ints) -> int:
    """Write the n legal actions or outcomes here; return n and the actor as `16 * n + seat + 2`."""
    seat = actor(tables[0], batch[0])
    n = 0
    if seat == CHANCE:
        n = outcomes(tables[0], batch[0], out, weights)
    elif seat != OVER:
        n = legal(tables[0], batch[0], out)
    return 16 * n + seat + 2


@kernel
def observation_log(
    tables: Batch[Tables],
    origin: Batch[State],
    batch: Batch[State],
    actions: Ints,
    count: int,
    seat: int,
    before: Shorts,
    after: Shorts,
    log: Ints,
) -> int:
    """Replay a game and log what a seat saw of it: its own actions, and the changes of its observation.

    The log consists of pairs: an index of the observation and its new number, or OWN_ACTION and the seat's action.
    An action of another seat that changes nothing in the observation leaves nothing in the log. Return the length
    of the log, or LOG_FULL if it does not fit.
    """
    t = tables[0]
    batch[0] = origin[0]
    s = batch[0]
    room = len(log) - 2 * len(after) - 4
    for k in range(len(before)):
        before[k] = 0
    n = 0
    for i in range(count + 1):
        if n > room:
            return LOG_FULL
        if i > 0:
            if actor(t, s) == seat:
                log[n] = OWN_ACTION
                log[n + 1] = actions[i - 1]
                n += 2
            step(t, s, actions[i - 1])
        observe(t, s, seat, after)
        for k in range(len(after)):
            if after[k] != before[k]:
                log[n] = k
                log[n + 1] = after[k]
                before[k] = after[k]
                n += 2
    return n
