"""Random games of Ur, beside royalur from PyPI, and the vector step beside pgx."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

import twins
from measure import Row, Work, alone, compared, one_core, rates
from playouts import playouts
from quadriga.engine.kernels import vector_env
from quadriga.engine.kernels.machine import Machine
from quadriga.games import find

TITLE = "The Royal Game of Ur"
ABOUT = """
Whole random games, compiled and plain, beside the Python library royalur (Finkel's rules, the same random
choice of legal moves), and beside C programs on bit masks (gcc -O3 -march=native). The program for Ben's rules
plays the very same games, which is checked; the one for Finkel's rules has its own generator. The vector step
plays one random legal action in each of 1,024 games, fills the masks of legal actions and restarts finished
games; pgx's connect four does the same on the CPU in the same run.
"""
GAME = find("ur")
BATCH = 1024


def royalur() -> Work:
    from royalur import Game

    def run() -> int:
        game = Game.create_finkel()
        while not game.is_finished():
            game.roll_dice()
            if game.is_waiting_for_move():
                game.make_move(random.choice(game.find_available_moves()))
        return 1

    return run


def vector(rules: str) -> Work:
    machine = Machine(GAME)
    t, s = machine.structs(*GAME.resolve_options({"rules": rules}, 2))
    v = vector_env.allocate(machine, t, s, 2, BATCH)
    seed, deal, choose, step = (
        machine.link(driver)
        for driver in (
            vector_env.vector_seed,
            vector_env.vector_deal,
            vector_env.vector_replace,
            vector_env.vector_step,
        )
    )
    actions, every = np.zeros(BATCH, np.int64), np.ones(BATCH, np.int8)
    seed(v.rngs, np.arange(BATCH), every)
    deal(v, every)

    def run() -> int:
        for _ in range(100):
            actions[:] = -1
            choose(v, actions)
            step(v, actions)
        return 100 * BATCH

    return run


def pgx_connect_four() -> Work:
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make("connect_four")
    step = auto_reset(env.step, env.init)

    def advance(carry, _):
        state, key = carry
        key, one, two = jax.random.split(key, 3)
        logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
        action = jax.random.categorical(one, logits, axis=-1)
        return (jax.vmap(step)(state, action, jax.random.split(two, BATCH)), key), None

    many = jax.jit(lambda carry: jax.lax.scan(advance, carry, None, length=100)[0])
    carry = (
        jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), BATCH)),
        jax.random.PRNGKey(1),
    )

    def run() -> int:
        nonlocal carry
        carry = jax.block_until_ready(many(carry))
        return 100 * BATCH

    return run


def rows() -> Iterator[Row]:
    one_core()
    yield compared(
        "Finkel, random games; peer: royalur", playouts("ur", {"rules": "finkel"}, 2, 20000), royalur(), "games/s"
    )
    yield from twins.finkel()
    yield alone(
        "Finkel, random games, plain Python", playouts("ur", {"rules": "finkel"}, 2, 20, compiled=False), "games/s"
    )
    yield from twins.ben()
    yield alone(
        "Ben's rules, random games, plain Python", playouts("ur", {"rules": "ben"}, 2, 5, compiled=False), "games/s"
    )
    yield alone("Masters, random games", playouts("ur", {"rules": "masters"}, 2, 5000), "games/s")
    yield alone("Blitz, random games", playouts("ur", {"rules": "blitz"}, 2, 5000), "games/s")
    try:
        peer = pgx_connect_four()
    except ImportError:
        for rules in ("ben", "finkel"):
            ours = rates(vector(rules))[0]
            yield Row(f"vector step, {rules}", f"{ours:,.0f} decisions/s", "pgx is not installed here")
        return
    for rules in ("ben", "finkel"):
        yield compared(f"vector step, {rules}; peer: pgx connect four", vector(rules), peer, "decisions/s")
