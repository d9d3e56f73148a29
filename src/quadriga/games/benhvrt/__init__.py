"""Ben Hvrt, a chariot race with dice, cards and auctions."""

from __future__ import annotations

from collections.abc import Sequence

from quadriga.engine.game import Game, lazy_import
from quadriga.engine.text.catalogues import Words
from quadriga.games.benhvrt.actions import ACTIONS
from quadriga.games.benhvrt.compounds import build_compound
from quadriga.games.benhvrt.deck import KINDS
from quadriga.games.benhvrt.explain import explain, explain_after, has_hidden_effects
from quadriga.games.benhvrt.learn.coach import coach
from quadriga.games.benhvrt.learn.facts import facts
from quadriga.games.benhvrt.learn.positions import place
from quadriga.games.benhvrt.notation import (
    HIDDEN_WINDOWS,
    ask_all,
    format_compound,
    hides_actor,
    is_dice_roll,
    is_unfinished,
    mover,
    parse_compound,
    parse_shown,
    race_number,
    roller,
    secrecy,
    section,
    shown_text,
    target,
    text,
    window,
)
from quadriga.games.benhvrt.options import OPTIONS, check_options, new, options_from_flag
from quadriga.games.benhvrt.propose import propose_compound
from quadriga.games.benhvrt.rules import hidden, turn
from quadriga.games.benhvrt.state import SEATS, State, Tables
from quadriga.games.benhvrt.view import view, views
from quadriga.games.benhvrt.view_types import View
from quadriga.games.benhvrt.why_illegal import why_illegal


def _render_svg(t: Tables, seen: View | None = None, caption: Sequence[str] = ()) -> str:
    from quadriga.games.benhvrt.drawing.render_svg import render_svg

    return render_svg(t.track, seen, caption)


def _hand(t: Tables, seen: View, say: Words) -> list[str]:
    names = {card.name: card.names.get(say.language, card.name) for card in t.cards}
    return [names[card] for card in seen.hand]


GAME = Game(
    id="ben-hvrt",
    version=2,
    package=__name__,
    min_seats=2,
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
    actions=ACTIONS,
    max_legal=turn.MOST_LEGAL,
    max_outcomes=KINDS,
    observation=lambda seats: hidden.OBSERVED,
    tallies=hidden.TALLIES,
    remember=hidden.remember,
    tally=hidden.tally,
    text=text,
    is_unfinished=is_unfinished,
    parse_compound=parse_compound,
    format_compound=format_compound,
    build_compound=build_compound,
    propose_compound=propose_compound,
    shown_text=shown_text,
    parse_shown=parse_shown,
    target=target,
    roller=roller,
    section=section,
    view=view,
    views=views,
    render_text=lazy_import("quadriga.games.benhvrt.drawing.render_text", "render_text"),
    render_status=lazy_import("quadriga.games.benhvrt.drawing.render_text", "render_status"),
    hand=_hand,
    explain=explain,
    explain_after=explain_after,
    has_hidden_effects=has_hidden_effects,
    why_illegal=why_illegal,
    is_dice_roll=is_dice_roll,
    secrecy=secrecy,
    window=window,
    hidden_windows=HIDDEN_WINDOWS,
    hides_actor=hides_actor,
    mover=mover,
    part=race_number,
    ask_all=ask_all,
    options_from_flag=options_from_flag,
    render_svg=_render_svg,
    geometry=lazy_import("quadriga.games.benhvrt.drawing.page", "geometry"),
    place=place,
    facts=facts,
    coach=coach,
)
