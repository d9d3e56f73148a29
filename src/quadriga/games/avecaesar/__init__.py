"""Ave Caesar, a chariot race of three laps with 24 cards and a coin for Caesar."""

from __future__ import annotations

from collections.abc import Sequence

from quadriga.engine.game import Game, lazy_import
from quadriga.engine.text.catalogues import Words
from quadriga.games.avecaesar.board import LONGEST
from quadriga.games.avecaesar.explain import explain, explain_after, has_hidden_effects
from quadriga.games.avecaesar.learn.coach import coach
from quadriga.games.avecaesar.learn.facts import facts
from quadriga.games.avecaesar.learn.positions import place
from quadriga.games.avecaesar.notation import roller, secrecy, section, target, text
from quadriga.games.avecaesar.options import OPTIONS, check_options, new, options_from_flag
from quadriga.games.avecaesar.rules import hidden, turn
from quadriga.games.avecaesar.rules.moves import BOTTOMS, MOST_LEGAL
from quadriga.games.avecaesar.state import SEATS, State, Tables
from quadriga.games.avecaesar.view import View, view, views
from quadriga.games.avecaesar.why_illegal import why_illegal


def _render_svg(t: Tables, seen: View | None = None, caption: Sequence[str] = ()) -> str:
    from quadriga.games.avecaesar.drawing.render_svg import render_svg

    return render_svg(t.raced[seen.race - 1 if seen else 0], seen, caption)


def _hand(t: Tables, seen: View, say: Words) -> list[str]:
    return [str(card) for card in seen.hand]


GAME = Game(
    id="ave-caesar",
    version=2,
    package=__name__,
    min_seats=3,
    max_seats=SEATS,
    options=OPTIONS,
    check_options=check_options,
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
    max_legal=MOST_LEGAL,
    max_outcomes=LONGEST,
    observation=lambda seats: hidden.OBSERVED,
    tallies=hidden.TALLIES,
    remember=hidden.remember,
    tally=hidden.tally,
    text=text,
    target=target,
    roller=roller,
    section=section,
    view=view,
    views=views,
    render_text=lazy_import("quadriga.games.avecaesar.drawing.render_text", "render_text"),
    render_status=lazy_import("quadriga.games.avecaesar.drawing.render_text", "render_status"),
    hand=_hand,
    explain=explain,
    explain_after=explain_after,
    has_hidden_effects=has_hidden_effects,
    why_illegal=why_illegal,
    secrecy=secrecy,
    options_from_flag=options_from_flag,
    render_svg=_render_svg,
    geometry=lazy_import("quadriga.games.avecaesar.drawing.page", "geometry"),
    place=place,
    facts=facts,
    coach=coach,
)
