"""How bots play Ur: rules of thumb, expectimax, a network for Ben's rules, and solved endgames.

`rules_of_thumb` weighs moves. `network` evaluates positions, and `training` trains it; the latter needs the lab and
is loaded by its name.
"""

from __future__ import annotations

from quadriga.engine.parts.bots import Bots, Network, Search
from quadriga.games.ur.bots.network import packaged_network
from quadriga.games.ur.bots.network.evaluation import evaluate
from quadriga.games.ur.bots.rules_of_thumb import PARTS, advise
from quadriga.games.ur.state import BEN, State, Tables

BOTS: Bots[Tables, State] = Bots(
    advise=advise,
    parts=PARTS,
    search=Search(kind="expectimax", evaluate=evaluate),
    network=Network(
        numbers=packaged_network, knows=lambda t: t.rules == BEN, training="quadriga.games.ur.bots.training.train"
    ),
    is_solvable=True,
)
