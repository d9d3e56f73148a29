"""How bots play Ben Hvrt.

`worth` values cards. `market` bids, buys and trades before the race, `steps` and `windows` decide during it, and
`rules_of_thumb` asks them. `exploiters` measure how far the rules can be exploited. `foresight` has the settings of
the search.
"""

from __future__ import annotations

from quadriga.engine.parts.bots import Bots, Search
from quadriga.games.benhvrt.bots import foresight
from quadriga.games.benhvrt.bots.exploiters import EXPLOITERS, exploit
from quadriga.games.benhvrt.bots.rules_of_thumb import PARTS, advise
from quadriga.games.benhvrt.state import State, Tables

BOTS: Bots[Tables, State] = Bots(
    advise=advise,
    parts=PARTS,
    exploiters=EXPLOITERS,
    exploit=exploit,
    search=Search(
        kind="pairs",
        chapter=foresight.chapter,
        appraise=foresight.appraise,
        enough=foresight.enough,
        shortlist=foresight.shortlist,
        building=foresight.building,
    ),
)
