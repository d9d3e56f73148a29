"""Ben's Royal Game of Ur, and three common rule sets: finkel, masters and blitz."""

from __future__ import annotations

from quadriga.engine.game import Game, imported
from quadriga.games.ur.board import LONGEST, STEPS
from quadriga.games.ur.explain import explain
from quadriga.games.ur.notation import name, roller, text
from quadriga.games.ur.options import OPTIONS, new
from quadriga.games.ur.rules import turn
from quadriga.games.ur.state import State, Tables
from quadriga.games.ur.view import view, views
from quadriga.games.ur.why_illegal import barred

GAME = Game(
    id="ur",
    version=1,
    package=__name__,
    least=2,
    most=2,
    options=OPTIONS,
    tables=Tables,
    state=State,
    new=new,
    actor=turn.actor,
    legal=turn.legal,
    outcomes=turn.outcomes,
    roll=turn.roll,
    step=turn.step,
    scores=turn.scores,
    observe=turn.observe,
    actions=(STEPS + 1) * LONGEST,
    most_legal=32,
    most_outcomes=turn.ROLLS,
    observation=lambda seats: turn.OBSERVED,
    tallies=turn.TALLIES,
    tally=turn.tally,
    text=text,
    same_rolls=True,
    roller=roller,
    view=view,
    views=views,
    draw=imported("quadriga.games.ur.render_text", "draw"),
    explain=explain,
    barred=barred,
    name=name,
    throws=lambda t, s: True,
)
