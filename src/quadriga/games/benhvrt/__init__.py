"""Ben Hvrt, a chariot race with dice, cards and auctions."""

from __future__ import annotations

from quadriga.engine.game import Game, imported
from quadriga.games.benhvrt.actions import ACTIONS
from quadriga.games.benhvrt.deck import KINDS
from quadriga.games.benhvrt.explain import explain
from quadriga.games.benhvrt.notation import (
    HIDDEN_WINDOWS,
    ask_all,
    compose,
    compound,
    hides_asked,
    roller,
    secret,
    section,
    text,
    throws,
    unfinished,
    window,
)
from quadriga.games.benhvrt.options import OPTIONS, agree, new, shorthand
from quadriga.games.benhvrt.propose import propose
from quadriga.games.benhvrt.rules import hidden, turn
from quadriga.games.benhvrt.state import SEATS, State, Tables
from quadriga.games.benhvrt.view import view, views
from quadriga.games.benhvrt.why_illegal import barred


def _picture(t: Tables) -> str:
    from quadriga.games.benhvrt.render_svg import picture

    return picture(t.track)


GAME = Game(
    id="ben-hvrt",
    version=2,
    package=__name__,
    least=2,
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
    actions=ACTIONS,
    most_legal=turn.MOST_LEGAL,
    most_outcomes=KINDS,
    observation=lambda seats: hidden.OBSERVED,
    tallies=hidden.TALLIES,
    tally=hidden.tally,
    text=text,
    unfinished=unfinished,
    compose=compose,
    compound=compound,
    propose=propose,
    roller=roller,
    section=section,
    view=view,
    views=views,
    draw=imported("quadriga.games.benhvrt.render_text", "draw"),
    explain=explain,
    barred=barred,
    throws=throws,
    secret=secret,
    window=window,
    hidden_windows=HIDDEN_WINDOWS,
    hides_asked=hides_asked,
    ask_all=ask_all,
    shorthand=shorthand,
    picture=_picture,
)
