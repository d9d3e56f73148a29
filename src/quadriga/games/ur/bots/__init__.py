"""How bots play Ur: rules of thumb, expectimax, a network for each rule set, and solved endgames.

`rules_of_thumb` weighs moves. `network` evaluates positions, and `training` trains the networks; it needs the
lab and is loaded by its name.
"""

from __future__ import annotations

from quadriga.engine.parts.bots import Bots, Network, Search
from quadriga.games.ur.board import RULE_SETS
from quadriga.games.ur.bots.network import packaged_network
from quadriga.games.ur.bots.network.evaluation import evaluate
from quadriga.games.ur.bots.rules_of_thumb import PARTS, advise
from quadriga.games.ur.state import State, Tables

BOTS: Bots[Tables, State] = Bots(
    advise=advise,
    parts=PARTS,
    levels={"hard": "search:1", "expert": "search:50"},
    search=Search(kind="expectimax", evaluate=evaluate),
    network=Network(
        numbers=lambda t: packaged_network(list(RULE_SETS)[t.rules]),
        training="quadriga.games.ur.bots.training.train",
    ),
    is_solvable=True,
)
