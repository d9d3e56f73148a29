"""Ben's Royal Game of Ur, and three common rule sets: finkel, masters and blitz."""

from __future__ import annotations

from quadriga.engine.game import Game
from quadriga.engine.parts import Display, Notation, Rules, Teaching
from quadriga.engine.parts.rules import Utilities
from quadriga.games.ur.board import LONGEST, STEPS
from quadriga.games.ur.bots import BOTS
from quadriga.games.ur.drawing import draw_status, draw_svg, draw_text, page_geometry
from quadriga.games.ur.explain import explain, explain_after
from quadriga.games.ur.learn.coach import coach
from quadriga.games.ur.learn.facts import facts
from quadriga.games.ur.learn.positions import place
from quadriga.games.ur.notation import roller, seat_name, target, text
from quadriga.games.ur.options import OPTIONS, new
from quadriga.games.ur.orders import ORDERS
from quadriga.games.ur.rules import turn
from quadriga.games.ur.state import State, Tables
from quadriga.games.ur.study import STUDY
from quadriga.games.ur.view import View, view, views
from quadriga.games.ur.why_illegal import why_illegal

__all__ = ["GAME", "View"]

GAME: Game[Tables, State, View] = Game(
    id="ur",
    version=1,
    package=__name__,
    min_seats=2,
    max_seats=2,
    options=OPTIONS,
    rules=Rules(
        tables=Tables,
        state=State,
        new=new,
        actor=turn.actor,
        legal=turn.legal,
        outcomes=turn.outcomes,
        step=turn.step,
        scores=turn.scores,
        observe=turn.observe,
        actions=(STEPS + 1) * LONGEST,
        max_legal=32,
        max_outcomes=turn.ROLLS,
        observation=lambda seats: turn.OBSERVED,
        roll=turn.roll,
        choose=turn.choose,
        playout=turn.playout,
        utilities=Utilities(longest=10_000, bounds=lambda t, s: (-1.0, 1.0), is_zero_sum=True, passing_seat="turn"),
    ),
    notation=Notation(
        text=text,
        roller=roller,
        is_dice_roll=lambda t, s: True,
        has_fixed_outcome_texts=True,
        target=target,
    ),
    display=Display(
        view=view,
        views=views,
        render_text=draw_text,
        render_status=draw_status,
        render_svg=draw_svg,
        geometry=page_geometry,
        seat_name=seat_name,
        explain=explain,
        explain_after=explain_after,
        why_illegal=why_illegal,
    ),
    teaching=Teaching(place=place, facts=facts, coach=coach, puzzle_maker="quadriga.games.ur.learn.exact_puzzles"),
    bots=BOTS,
    orders=ORDERS,
    study=STUDY,
)
