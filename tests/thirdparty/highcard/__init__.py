"""High Card, a small game of chance and hidden cards, as another package would bring it. It uses every part."""

from __future__ import annotations

from highcard import display, notation, rules
from highcard.bots import BOTS
from highcard.display import View
from highcard.orders import ORDERS
from highcard.state import CARDS, KNOCK, MOST, State, Tables
from highcard.study import STUDY
from highcard.teaching import coach, facts, place
from quadriga.engine.game import Game
from quadriga.engine.match.options import Flag, Whole
from quadriga.engine.parts import Display, Notation, Reactions, Rules, Teaching
from quadriga.engine.parts.rules import Utilities

GAME: Game[Tables, State, View] = Game(
    id="highcard",
    version=2,
    package=__name__,
    min_seats=2,
    max_seats=MOST,
    options=(Whole("cards", 12, low=9, high=CARDS), Flag("knocking", False)),
    rules=Rules(
        tables=Tables,
        state=State,
        new=rules.new,
        actor=rules.actor,
        legal=rules.legal,
        outcomes=rules.outcomes,
        step=rules.step,
        scores=rules.scores,
        observe=rules.observe,
        redeal=rules.redeal,
        actions=KNOCK + 1,
        max_legal=3,
        max_outcomes=CARDS,
        observation=lambda seats: rules.OBSERVED,
        utilities=Utilities(longest=100, bounds=lambda t, s: (0.0, 4.0)),
    ),
    notation=Notation(text=notation.text, roller=notation.roller, section=notation.section),
    display=Display(
        view=display.view,
        render_text=display.draw,
        hand=display.hand,
        explain=display.explain,
        has_hidden_effects=display.has_hidden_effects,
        why_illegal=display.why_illegal,
        secrecy=notation.secrecy,
    ),
    reactions=Reactions(
        windows=("KN",),
        window=notation.window,
        hides_actor=notation.hides_actor,
        mover=notation.mover,
        chapter=notation.trick,
        ask_all=notation.ask_all,
    ),
    teaching=Teaching(place=place, facts=facts, coach=coach),
    bots=BOTS,
    orders=ORDERS,
    study=STUDY,
)
