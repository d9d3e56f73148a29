"""Speed and memory of the PettingZoo, OpenSpiel and Gymnasium environments, beside those libraries' own."""

from __future__ import annotations

import gc
import random
import sys
import tracemalloc
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from measure import Row, Work, alone, compared, number, one_core, rates
from ur import pgx_connect_four

TITLE = "PettingZoo, OpenSpiel, Gymnasium"
ABOUT = """
PettingZoo: steps a second of AEC environments in the loop of its own performance benchmark (`last`, a random
action of the mask, `step`), beside its connect four and texas hold'em. OpenSpiel: decisions a second of whole
random games driven from Python, with chance sampled from `chance_outcomes` and not counted, beside its own
Python games and its backgammon in C++. Gymnasium: decisions a second of a vector of 1,024 games through `step`,
with observations, masks, autoreset in the same step, and random legal actions chosen in compiled code. The peer
is pgx's connect four, which does the same inside one compiled loop. Memory is that of one more environment or
state. A decision of Ave Caesar takes about 250 ns, where one and a half times pgx would be 200: 130 the rules
(as much as a C program for the same races), 31 what seats know of each other's hands, 36 the list and the mask of
legal actions, 46 the observation, 8 the choice and its check, 10 Python. Writing the 320 bytes of an observation
and nothing else takes 4 ns, and one game alone is no faster than 1,024: memory is not in the way, but presumably
branches, which differ from game to game.
What was tried: one table of steps that goes on past the line and has the entrance of the alley, 6 % (10 % of a
race); an observation that is not cleared before, and a short mask cleared whole, 2 % each (3 % in Ur); all together
13 %. To count out hands as sets instead of one by one made no difference. Put back: a search for moves that stops
at the highest card in hand (3 % of a race), asking only once who is to decide (nothing), and lists of 64-bit
numbers that need no copying, which are slower (6 to 10 % in Ben Hvrt). LLVM's vectorizer of straight code, which
Numba leaves off, changes nothing (1 %). The rules alone take longer than half of the time of a decision, and two
thirds with what seats know: 1.5 times pgx would leave a fifth of today's time for the rest.
"""
BATCH = 1024


def aec(make: Callable[[], Any], steps: int = 2000) -> Work:
    """Return the work of PettingZoo's performance benchmark, without its clock."""
    env = make()
    env.reset(seed=1)

    def run() -> int:
        done = 0
        while done < steps:
            for _ in env.agent_iter(env.num_agents):
                obs, _, termination, truncation, _ = env.last()
                if termination or truncation:
                    action = None
                else:
                    action = random.choice(np.flatnonzero(obs["action_mask"]).tolist())
                env.step(action)
                done += 1
                if all(env.terminations.values()) or all(env.truncations.values()):
                    env.reset()
        return done

    return run


def theirs(name: str) -> Callable[[], Any]:
    """Return a maker of one of PettingZoo's own environments."""
    import pettingzoo

    def make() -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return pettingzoo.make("aec", name)

    return make


def ours(game: str, **keywords: Any) -> Callable[[], Any]:
    from quadriga.adapters.pettingzoo import env

    return lambda: env(game, **keywords)


def spiel(name: str) -> Work:
    """Return the work of whole random games of OpenSpiel, driven from Python. It counts decisions."""
    import pyspiel

    game = pyspiel.load_game(name)
    draw, choose = random.random, random.choice

    def run() -> int:
        done = 0
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                left = draw()
                outcomes = state.chance_outcomes()
                at = 0
                while at < len(outcomes) - 1 and left >= outcomes[at][1]:
                    left -= outcomes[at][1]
                    at += 1
                state.apply_action(outcomes[at][0])
            else:
                state.apply_action(choose(state.legal_actions()))
                done += 1
        return done

    return run


def cloned(name: str) -> Work:
    """Return the work of copying a state a few moves into a game."""
    import pyspiel

    game = pyspiel.load_game(name)
    chooser = random.Random(1)
    state = game.new_initial_state()
    for _ in range(30):
        if not state.is_terminal():
            state.apply_action(chooser.choice(state.legal_actions()))

    def run() -> int:
        for _ in range(500):
            state.clone()
        return 500

    return run


def vector(game: str, copy: bool, **keywords: Any) -> Work:
    """Return the work of steps of the vector environment with random legal actions."""
    from quadriga.adapters.gymnasium import QuadrigaVectorEnv

    envs = QuadrigaVectorEnv(game, BATCH, autoreset_mode="SameStep", copy=copy, **keywords)
    envs.reset(seed=1)
    envs.action_space.seed(1)

    def run() -> int:
        for _ in range(50):
            envs.step(envs.action_space.sample())
        return 50 * BATCH

    return run


def bytes_each(make: Callable[[], Any], count: int = 20) -> str:
    """Return the bytes of one more object, after the first has loaded all shared data."""
    kept = [make()]
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept += [make() for _ in range(count)]
    gc.collect()
    taken = (tracemalloc.get_traced_memory()[0] - before) / count
    tracemalloc.stop()
    return f"{number(taken)} bytes"


def _pettingzoo() -> Iterator[Row]:
    works = {
        "Ur": aec(ours("ur")),
        "Ave Caesar, 4 players": aec(ours("ave-caesar", seats=4)),
        "Ben Hvrt, 4 players": aec(ours("ben-hvrt", seats=4)),
    }
    peers = {}
    for what, name in (("connect four", "classic/connect_four-v3"), ("texas hold'em", "classic/texas_holdem-v4")):
        try:
            peers[what] = aec(theirs(name))
        except ImportError as missing:
            yield Row(f"AEC; peer: {what}", "", f"not here ({missing})")
    for what, work in works.items():
        for peer, other in peers.items():
            yield compared(f"AEC, {what}; peer: {peer}", work, other, "steps/s", rounds=3, seconds=0.5)
        if not peers:
            yield alone(f"AEC, {what}", work, "steps/s")


def _openspiel() -> Iterator[Row]:
    from open_spiel.python import games  # noqa: F401

    import quadriga.adapters.openspiel  # noqa: F401

    ours = {
        "Ur": spiel("quadriga_ur"),
        "Ave Caesar": spiel("quadriga_ave_caesar(courses=white cw/)"),
        "Ben Hvrt": spiel("quadriga_ben_hvrt(series=1/)"),
    }
    peers = {
        name: spiel(name)
        for name in ("python_tic_tac_toe", "python_block_dominoes", "python_kuhn_poker", "backgammon")
    }
    for what, work in ours.items():
        for peer, other in peers.items():
            yield compared(f"OpenSpiel, {what}; peer: {peer}", work, other, "decisions/s", rounds=3, seconds=0.5)
    for what, name in (("Ur", "quadriga_ur"), ("Ben Hvrt", "quadriga_ben_hvrt(series=1/)")):
        yield compared(
            f"OpenSpiel, clones of {what}; peer: python_tic_tac_toe",
            cloned(name),
            cloned("python_tic_tac_toe"),
            "clones/s",
            rounds=3,
            seconds=0.5,
        )


def _gymnasium() -> Iterator[Row]:
    kinds: list[tuple[str, str, dict[str, Any]]] = [
        ("Ur, Ben's rules", "ur", {}),
        ("Ur, Finkel's rules", "ur", {"rules": "finkel"}),
        ("Ave Caesar, 4 players", "ave-caesar", {"seats": 4}),
        ("Ben Hvrt, 4 players", "ben-hvrt", {"seats": 4}),
    ]
    try:
        peer = pgx_connect_four()
    except ImportError:
        peer = None
    for what, game, keywords in kinds:
        for copy in (False, True) if game == "ur" else (False,):
            work = vector(game, copy, **keywords)
            how = f"vector of 1,024, {what}{', copied' if copy else ''}"
            if peer is None:
                yield Row(how, f"{number(rates(work)[0])} decisions/s", "pgx is not installed here")
            else:
                yield compared(f"{how}; peer: pgx connect four", work, peer, "decisions/s", rounds=3, seconds=0.5)


def _memory() -> Iterator[Row]:
    import pyspiel

    from quadriga.adapters.gymnasium import QuadrigaVectorEnv

    for what, game, keywords in (("Ur", "ur", {}), ("Ben Hvrt, 4 players", "ben-hvrt", {"seats": 4})):
        try:
            other = bytes_each(theirs("classic/connect_four-v3"))
        except ImportError:
            other = ""
        yield Row(f"an AEC environment more, {what}; peer: connect four", bytes_each(ours(game, **keywords)), other)

        def many(game: str = game, keywords: dict[str, Any] = keywords) -> Any:
            return QuadrigaVectorEnv(game, BATCH, copy=False, **keywords)

        whole = float(bytes_each(many, 2).split()[0].replace(",", ""))
        yield Row(f"a game more in a vector of 1,024, {what}", f"{number(whole / BATCH)} bytes")
    for what, name in (("Ur", "quadriga_ur"), ("Ben Hvrt", "quadriga_ben_hvrt(series=1/)")):
        mine, peer = (pyspiel.load_game(each).new_initial_state() for each in (name, "python_tic_tac_toe"))
        yield Row(
            f"an OpenSpiel state more, {what}, in Python; peer: python_tic_tac_toe",
            bytes_each(mine.clone),
            bytes_each(peer.clone),
        )


def rows() -> Iterator[Row]:
    one_core()
    sys.stdout.flush()
    yield from _pettingzoo()
    yield from _openspiel()
    yield from _gymnasium()
    yield from _memory()
