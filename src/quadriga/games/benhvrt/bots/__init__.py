"""How bots play Ben Hvrt.

`worth` values cards. `bidding` bids, by the chances of `bidding_table`. `market` buys and fits out before the race.
`trades` makes and answers offers, and `reasons` says why one is refused. `steps` and `windows` decide during the
race. `rules_of_thumb` asks them all. `parts` names what to leave out, and tempers. `exploiters` measure how far the
rules can be exploited. `values` has the numbers by which they judge a race, which training found. `foresight` has
the settings of the search.
"""

from __future__ import annotations

from quadriga.engine.parts.bots import Bots, Search
from quadriga.games.benhvrt.bots import foresight
from quadriga.games.benhvrt.bots.exploiters import EXPLOITERS, exploit
from quadriga.games.benhvrt.bots.parts import PARTS, TEMPERS
from quadriga.games.benhvrt.bots.reasons import reason
from quadriga.games.benhvrt.bots.rules_of_thumb import advise
from quadriga.games.benhvrt.bots.values import VALUES
from quadriga.games.benhvrt.bots.worth import card_worth
from quadriga.games.benhvrt.state import State, Tables

BOTS: Bots[Tables, State] = Bots(
    advise=advise,
    parts=PARTS,
    worth=card_worth,
    tempers=TEMPERS,
    levels={
        "beginner": "greedy:no-training+no-contests+slips-100",
        "easy": "greedy:no-training+slips-60",
        "normal": "greedy:no-training",
        "hard": "greedy",
        "expert": "search:400",
    },
    values=VALUES,
    exploiters=EXPLOITERS,
    exploit=exploit,
    reason=reason,
    search=Search(
        kind="pairs",
        chapter=foresight.chapter,
        appraise=foresight.appraise,
        enough=foresight.enough,
        shortlist=foresight.shortlist,
        building=foresight.building,
        unsearched=foresight.is_driving,
    ),
)
