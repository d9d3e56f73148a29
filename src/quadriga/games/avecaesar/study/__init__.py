"""What the lab counts in Ave Caesar.

`columns` declares every count. `count_step` counts while games are played, `tables` makes tables of the counts, and
`boards` draws the courses of heat maps. `sections` needs the lab, which loads it by its name.
"""

from __future__ import annotations

from quadriga.engine.parts.study import Study, Tallies
from quadriga.games.avecaesar.rules import hidden
from quadriga.games.avecaesar.state import State, Tables
from quadriga.games.avecaesar.study.boards import boards
from quadriga.games.avecaesar.study.columns import ALL_BLOCKS, GAME_COLUMNS, TABLES, TALLIES
from quadriga.games.avecaesar.study.counting import count_step, standing
from quadriga.games.avecaesar.study.tables import fill, starts

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
    sections="quadriga.games.avecaesar.study.sections",
    boards=boards,
    reviews=10,
)
