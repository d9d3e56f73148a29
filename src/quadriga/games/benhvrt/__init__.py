"""Ben Hvrt, a chariot race with dice, cards and auctions."""

from __future__ import annotations

from quadriga.engine.game import Game
from quadriga.engine.parts import Display, Notation, Races, Reactions, Rules, Teaching
from quadriga.engine.parts.notation import Compounds
from quadriga.engine.parts.rules import Utilities
from quadriga.engine.text.catalogues import Words
from quadriga.games.benhvrt import notation
from quadriga.games.benhvrt.actions import ACTIONS
from quadriga.games.benhvrt.bots import BOTS
from quadriga.games.benhvrt.compounds import build_bribe, build_offer
from quadriga.games.benhvrt.concern import concerns
from quadriga.games.benhvrt.deals import DEALS
from quadriga.games.benhvrt.deck import KINDS
from quadriga.games.benhvrt.drawing import draw_status, draw_svg, draw_text, page_geometry
from quadriga.games.benhvrt.explain import explain, explain_after, has_hidden_effects, name_outcome
from quadriga.games.benhvrt.learn.coach import coach
from quadriga.games.benhvrt.learn.facts import facts
from quadriga.games.benhvrt.learn.positions import place
from quadriga.games.benhvrt.learn.puzzle_setup import PUZZLES
from quadriga.games.benhvrt.options import OPTIONS, check_options, new, options_from_flag
from quadriga.games.benhvrt.orders import ORDERS
from quadriga.games.benhvrt.propose import propose_compound
from quadriga.games.benhvrt.rules import hidden, observation, turn
from quadriga.games.benhvrt.rules.chariots import is_racing
from quadriga.games.benhvrt.state import SEATS, State, Tables
from quadriga.games.benhvrt.study import STUDY
from quadriga.games.benhvrt.view import view, views
from quadriga.games.benhvrt.view_types import View
from quadriga.games.benhvrt.why_illegal import why_illegal


def _hand(t: Tables, seen: View, say: Words) -> list[str]:
    names = {card.name: card.names.get(say.language, card.name) for card in t.cards}
    return [names[card] for card in seen.hand]


def _bounds(t: Tables, s: State) -> tuple[float, float]:
    """Return the least and the most Ducats: one seat may hold all of them, but no more."""
    return 0.0, float(sum(s.purse[seat] for seat in range(len(s.purse))))


def _racing(t: Tables, s: State) -> list[int]:
    return [seat for seat in range(t.seats) if is_racing(t, s, seat)]


__all__ = ["GAME", "View"]

GAME: Game[Tables, State, View] = Game(
    id="ben-hvrt",
    version=3,
    package=__name__,
    min_seats=2,
    max_seats=SEATS,
    options=OPTIONS,
    check_options=check_options,
    options_from_flag=options_from_flag,
    rules=Rules(
        tables=Tables,
        state=State,
        new=new,
        actor=turn.actor,
        legal=turn.legal,
        outcomes=turn.outcomes,
        roll=turn.roll,
        step=turn.step,
        scores=turn.scores,
        observe=observation.observe,
        observe_again=observation.observe_again,
        redeal=hidden.redeal,
        actions=ACTIONS,
        max_legal=turn.MOST_LEGAL,
        max_outcomes=KINDS,
        observation=lambda seats: observation.OBSERVED,
        utilities=Utilities(longest=10_000_000, bounds=_bounds),
    ),
    notation=Notation(
        text=notation.text,
        roller=notation.roller,
        is_dice_roll=notation.is_dice_roll,
        target=notation.target,
        section=notation.section,
        shown_text=notation.shown_text,
        compounds=Compounds(
            is_unfinished=notation.is_unfinished,
            parse=notation.parse_compound,
            format=notation.format_compound,
            builders={"offer": build_offer, "bribe": build_bribe},
            propose=propose_compound,
            parse_shown=notation.parse_shown,
        ),
    ),
    display=Display(
        view=view,
        views=views,
        render_text=draw_text,
        render_status=draw_status,
        render_svg=draw_svg,
        geometry=page_geometry,
        hand=_hand,
        name_outcome=name_outcome,
        explain=explain,
        explain_after=explain_after,
        has_hidden_effects=has_hidden_effects,
        why_illegal=why_illegal,
        secrecy=notation.secrecy,
    ),
    races=Races(number=notation.race_number, racing=_racing),
    reactions=Reactions(
        windows=notation.HIDDEN_WINDOWS,
        window=notation.window,
        hides_actor=notation.hides_actor,
        mover=notation.mover,
        chapter=notation.race_number,
        ask_all=notation.ask_all,
        concerns=concerns,
        deals=DEALS,
    ),
    teaching=Teaching(place=place, facts=facts, coach=coach, puzzles=PUZZLES),
    bots=BOTS,
    orders=ORDERS,
    study=STUDY,
)
