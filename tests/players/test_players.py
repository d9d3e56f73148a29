"""Players by name: third-party players by entry point; every kernel is legal in ten thousand positions."""

from __future__ import annotations

import numpy as np
import pytest

from quadriga.engine.errors import OptionError
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.engine.kernels.machine import Machine
from quadriga.engine.kernels.rng import Rng, below, start
from quadriga.engine.kernels.slots import CHANCE, OVER, State, actor, advise, legal, roll, step
from quadriga.engine.kernels.struct import Batch
from quadriga.games import find, ids
from quadriga.lab.arena.arena import compete
from quadriga.players import find as player
from quadriga.players import names
from quadriga.players.levels import LEVELS, named
from quadriga.players.search import bindings, knowledge
from quadriga.players.search.search_slots import building
from quadriga.players.search.think import think
from quadriga.players.search.workspace import SearchWorkspace, allocate
from soak import only_in_soak


@kernel
def _listed(action: int, out: Ints, n: int) -> int:
    for i in range(n):
        if out[i] == action:
            return 1
    return 0


@kernel
def strays(w: SearchWorkspace, origin: Batch[State], rngs: Batch[Rng], positions: int, every: int) -> int:
    """Count illegal advice in every position, and illegal decisions in some, of random games."""
    t = w.tables[0]
    s = w.root[0]
    out = w.out
    wrong = 0
    seen = 0
    game = 0
    while seen < positions:
        w.root[0] = origin[0]
        start(rngs[0], 5, game)
        game += 1
        seat = actor(t, s)
        while seat != OVER:
            if seat == CHANCE:
                step(t, s, roll(t, s, rngs[0], out, w.weights))
            else:
                n = legal(t, s, out)
                wrong += 1 - _listed(advise(t, s, rngs[0], out, n, 0), out, n)
                n = legal(t, s, out)
                wrong += 1 - _listed(advise(t, s, rngs[0], out, n, seen & 255), out, n)  # without some of its parts
                n = legal(t, s, out)
                if seen % every == 0 and n > 1 and not building(t, s):
                    found = think(w, seen, 3)
                    n = legal(t, s, out)
                    wrong += 1 - _listed(found, out, n)
                seen += 1
                step(t, s, out[below(rngs[0], n)])
            seat = actor(t, s)
    return wrong


@pytest.mark.parametrize(
    ("id", "options", "seats", "every"),
    [
        ("ur", {}, 2, 10),
        only_in_soak("ur", {"rules": "masters"}, 2, 10),
        only_in_soak("ave-caesar", {"variants": ["bottom-card", "crash-and-burn"]}, 4, 10),
        only_in_soak("ben-hvrt", {"bribes": True}, 4, 50),
        ("highcard", {}, 3, 1),
    ],
)
def test_bots_are_legal_in_ten_thousand_random_positions(id, options, seats, every):
    game = find(id)
    machine = Machine(game, bindings=bindings(game))
    t, s = game.rules.new(*game.resolve_options(options, seats))
    workspace = allocate(machine, t.array(), seats, 3, knowledge(game, t))
    assert machine.link(strays)(workspace, s.array(), np.zeros(1, Rng.dtype), 10_000, every) == 0


def test_a_third_party_player_is_found_by_its_entry_point():
    assert "highest" in names()
    game = find("highcard")
    settled, seats = game.resolve_options({}, 2)
    found = compete(game, settled, seats, ["highest", "random"], games=40, seed=1, early=False)
    assert found.games == 40
    assert found.standings[0].player == "highest"


def test_levels_are_players():
    for game in map(find, ids()):
        for level in LEVELS:
            assert type(player(level, game, 1)) is type(player(named(level, game), game, 1))
    with pytest.raises(OptionError):
        player("easy:5", find("ur"), 1)
