"""What the lab counts in Ben Hvrt.

`counts` declares every count, `columns` the tables. `count_step` counts while games are played, with `auctions`,
`cards`, `races` and `squares`; `tables` makes tables of the counts, and `boards` draws the track of heat maps.
`sections` needs the lab, which loads it by its name.
"""

from __future__ import annotations

from quadriga.engine.parts.study import Study, Tallies
from quadriga.games.benhvrt.rules import hidden
from quadriga.games.benhvrt.state import State, Tables
from quadriga.games.benhvrt.study.boards import boards
from quadriga.games.benhvrt.study.columns import GAME_COLUMNS, TABLES, TALLIES
from quadriga.games.benhvrt.study.counting import count_step, standing
from quadriga.games.benhvrt.study.row import ALL_BLOCKS
from quadriga.games.benhvrt.study.tables import fill, starts

STUDY: Study[Tables, State] = Study(
    package=__name__,
    tallies=Tallies(columns=TALLIES, remember=hidden.remember, count=hidden.tally),
    blocks=ALL_BLOCKS,
    count_step=count_step,
    standing=standing,
    game_columns=GAME_COLUMNS,
    tables=TABLES,
    fill=fill,
    starts=starts,
    sections="quadriga.games.benhvrt.study.sections",
    boards=boards,
    reviews=4,
    games_at_once=100,
)
