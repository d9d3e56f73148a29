"""Ave Caesar, a chariot race of three laps with 24 cards and a coin for Caesar."""

from __future__ import annotations

from quadriga.engine.game import Game
from quadriga.engine.parts import Display, Notation, Races, Rules, Teaching
from quadriga.engine.parts.rules import Utilities
from quadriga.engine.text.catalogues import Words
from quadriga.games.avecaesar.board import LONGEST
from quadriga.games.avecaesar.bots import BOTS
from quadriga.games.avecaesar.drawing import draw_low, draw_status, draw_svg, draw_text, page_geometry
from quadriga.games.avecaesar.explain import explain, explain_after, has_hidden_effects
from quadriga.games.avecaesar.learn.coach import coach
from quadriga.games.avecaesar.learn.facts import facts
from quadriga.games.avecaesar.learn.positions import place
from quadriga.games.avecaesar.learn.puzzle_setup import PUZZLES
from quadriga.games.avecaesar.notation import name_outcome, roller, secrecy, section, target, text
from quadriga.games.avecaesar.options import OPTIONS, check_options, new, options_from_flag
from quadriga.games.avecaesar.orders import ORDERS
from quadriga.games.avecaesar.rules import hidden, turn
from quadriga.games.avecaesar.rules.knowledge import KNOWLEDGE
from quadriga.games.avecaesar.rules.moves import BOTTOMS, MOST_LEGAL
from quadriga.games.avecaesar.rules.race import REWARDS, racing
from quadriga.games.avecaesar.state import SEATS, State, Tables
from quadriga.games.avecaesar.study import STUDY
from quadriga.games.avecaesar.view import View, view, views
from quadriga.games.avecaesar.why_illegal import why_illegal


def _hand(t: Tables, seen: View, say: Words) -> list[str]:
    return [str(card) for card in seen.hand]


def _bounds(t: Tables, s: State) -> tuple[float, float]:
    """Return the least and the most points: a seat may win every race."""
    return 0.0, float(REWARDS[0] * t.races)


def _race(t: Tables, s: State) -> int:
    return s.race


def _racing(t: Tables, s: State) -> list[int]:
    """Return the seats that race, once a card has been played."""
    found = racing(t, s) if s.begun else 0
    return [seat for seat in range(t.seats) if found >> seat & 1]


__all__ = ["GAME", "View"]

GAME: Game[Tables, State, View] = Game(
    id="ave-caesar",
    version=2,
    package=__name__,
    min_seats=3,
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
        choose=turn.choose,
        step=turn.step,
        scores=turn.scores,
        observe=hidden.observe,
        observe_again=hidden.observe_again,
        redeal=hidden.redeal,
        knowledge=KNOWLEDGE,
        actions=BOTTOMS + LONGEST,
        max_legal=MOST_LEGAL,
        max_outcomes=LONGEST,
        observation=lambda seats: hidden.OBSERVED,
        utilities=Utilities(longest=20_000, bounds=_bounds),
    ),
    notation=Notation(text=text, roller=roller, target=target, section=section),
    display=Display(
        view=view,
        views=views,
        render_text=draw_text,
        render_low=draw_low,
        render_status=draw_status,
        render_svg=draw_svg,
        geometry=page_geometry,
        hand=_hand,
        name_outcome=name_outcome,
        explain=explain,
        explain_after=explain_after,
        has_hidden_effects=has_hidden_effects,
        why_illegal=why_illegal,
        secrecy=secrecy,
    ),
    teaching=Teaching(place=place, facts=facts, coach=coach, puzzles=PUZZLES),
    bots=BOTS,
    orders=ORDERS,
    study=STUDY,
    races=Races(number=_race, racing=_racing),
)
