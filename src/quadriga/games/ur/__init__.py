"""Ben's Royal Game of Ur, and three common rule sets: finkel, masters and blitz."""

from __future__ import annotations

from quadriga.engine.game import Game, lazy_import
from quadriga.games.ur.board import LONGEST, STEPS
from quadriga.games.ur.explain import explain, explain_after
from quadriga.games.ur.learn.coach import coach
from quadriga.games.ur.learn.facts import facts
from quadriga.games.ur.learn.positions import place
from quadriga.games.ur.notation import roller, seat_name, target, text
from quadriga.games.ur.options import OPTIONS, new
from quadriga.games.ur.rules import turn
from quadriga.games.ur.state import State, Tables
from quadriga.games.ur.view import view, views
from quadriga.games.ur.why_illegal import why_illegal

GAME = Game(
    id="ur",
    version=1,
    package=__name__,
    min_seats=2,
    max_seats=2,
    options=OPTIONS,
    tables=Tables,
    state=State,
    new=new,
    actor=turn.actor,
    legal=turn.legal,
    outcomes=turn.outcomes,
    roll=turn.roll,
    choose=turn.choose,
    step=turn.step,
    scores=turn.scores,
    observe=turn.observe,
    actions=(STEPS + 1) * LONGEST,
    max_legal=32,
    max_outcomes=turn.ROLLS,
    observation=lambda seats: turn.OBSERVED,
    tallies=turn.TALLIES,
    remember=turn.remember,
    tally=turn.tally,
    playout=turn.playout,
    text=text,
    has_fixed_outcome_texts=True,
    target=target,
    roller=roller,
    view=view,
    views=views,
    render_text=lazy_import("quadriga.games.ur.drawing.render_text", "render_text"),
    render_status=lazy_import("quadriga.games.ur.drawing.render_text", "render_status"),
    render_svg=lazy_import("quadriga.games.ur.drawing.render_svg", "render_svg"),
    explain=explain,
    explain_after=explain_after,
    why_illegal=why_illegal,
    seat_name=seat_name,
    is_dice_roll=lambda t, s: True,
    geometry=lazy_import("quadriga.games.ur.drawing.page", "geometry"),
    place=place,
    facts=facts,
    coach=coach,
)
