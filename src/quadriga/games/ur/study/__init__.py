"""What the lab counts in Ur.

`columns` declares every count. `count_step` counts while games are played, `tables` makes tables of the counts, and
`boards` draws the board of heat maps. `sections` needs the lab, which loads it by its name.
"""

from __future__ import annotations

from quadriga.engine.parts.study import Study, Tallies
from quadriga.games.ur.rules import turn
from quadriga.games.ur.state import State, Tables
from quadriga.games.ur.study.boards import boards
from quadriga.games.ur.study.columns import BLOCKS, GAME_COLUMNS, TABLES, TALLIES
from quadriga.games.ur.study.counting import count_step, standing
from quadriga.games.ur.study.tables import fill, starts

STUDY: Study[Tables, State] = Study(
    package=__name__,
    tallies=Tallies(columns=TALLIES, remember=turn.remember, count=turn.tally),
    blocks=BLOCKS,
    count_step=count_step,
    standing=standing,
    game_columns=GAME_COLUMNS,
    tables=TABLES,
    fill=fill,
    starts=starts,
    sections="quadriga.games.ur.study.sections",
    replaces=("win.start", "event"),
    boards=boards,
    reviews=10,
    games_at_once=1000,
)
