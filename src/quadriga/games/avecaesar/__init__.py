"""Ave Caesar, a chariot race of three laps with 24 cards and a coin for Caesar."""

from __future__ import annotations

from quadriga.engine.game import Game, imported
from quadriga.games.avecaesar.board import LONGEST
from quadriga.games.avecaesar.explain import explain
from quadriga.games.avecaesar.notation import roller, secret, section, text
from quadriga.games.avecaesar.options import OPTIONS, agree, new, shorthand
from quadriga.games.avecaesar.rules import hidden, turn
from quadriga.games.avecaesar.rules.moves import BOTTOMS, MOST_LEGAL
from quadriga.games.avecaesar.state import SEATS, State, Tables
from quadriga.games.avecaesar.view import view, views
from quadriga.games.avecaesar.why_illegal import barred


def _picture(t: Tables) -> str:
    from quadriga.games.avecaesar.render_svg import picture

    return picture(t.raced[0])


GAME = Game(
    id="ave-caesar",
    version=2,
    package=__name__,
    least=3,
    most=SEATS,
    options=OPTIONS,
    agree=agree,
    tables=Tables,
    state=State,
    new=new,
    actor=turn.actor,
    legal=turn.legal,
    outcomes=turn.outcomes,
    step=turn.step,
    scores=turn.scores,
    observe=hidden.observe,
    redeal=hidden.redeal,
    actions=BOTTOMS + LONGEST,
    most_legal=MOST_LEGAL,
    most_outcomes=LONGEST,
    observation=lambda seats: hidden.OBSERVED,
    tallies=hidden.TALLIES,
    tally=hidden.tally,
    text=text,
    roller=roller,
    section=section,
    view=view,
    views=views,
    draw=imported("quadriga.games.avecaesar.render_text", "draw"),
    explain=explain,
    barred=barred,
    secret=secret,
    shorthand=shorthand,
    picture=_picture,
)
