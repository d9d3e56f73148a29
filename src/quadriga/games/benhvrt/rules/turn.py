"""The functions of Ben Hvrt: actor, outcomes, legal actions, transitions and scores.

The task on top of the stack decides what happens next.
"""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.engine.kernels.rng import Rng, below
from quadriga.games.benhvrt.rules.cards import roll_again, run_played
from quadriga.games.benhvrt.rules.phases.auction import answer_auction, legal_auction, run_auction, turn_up_card
from quadriga.games.benhvrt.rules.phases.maintenance import (
    answer_maintenance,
    legal_maintenance,
    run_maintenance,
    run_supply,
)
from quadriga.games.benhvrt.rules.phases.market import answer_market, legal_market, run_market
from quadriga.games.benhvrt.rules.phases.race import answer_move, apply_die, legal_move, run_move, run_race
from quadriga.games.benhvrt.rules.phases.series import (
    apply_series_die,
    deal_card,
    draw_card,
    run_deal,
    run_draw,
    run_series,
)
from quadriga.games.benhvrt.rules.phases.steps import answer_shift, legal_shifts, run_passing, run_shift
from quadriga.games.benhvrt.rules.piles import card_at, held, number, size
from quadriga.games.benhvrt.rules.windows import answer_window, legal_window, run_window
from quadriga.games.benhvrt.state import (
    AUCTION,
    CHANCE,
    DEAL,
    DECK,
    DRAW,
    MAINTENANCE,
    MARKET,
    MOVING,
    NOT_ASKED,
    PASSING,
    PLAYED,
    RACE,
    SERIES,
    SHIFT,
    SUPPLY,
    WINDOW,
    State,
    Tables,
)

FACES = 6
MOST_LEGAL = 1024  # enough for a hand of cards that each name two of twelve chariots


@kernel
def actor(t: Tables, s: State) -> int:
    """Return the seat to decide, CHANCE or OVER."""
    return s.asked


@kernel
def is_dealing(s: State) -> bool:
    """Return whether the next outcome is a card; else it is a die."""
    task = s.task[s.depth - 1]
    return task == DEAL or task == DRAW or task == AUCTION


@kernel
def outcomes(t: Tables, s: State, out: Ints, weights: Ints) -> int:
    """Write the faces of a die, or the unseen cards, and their weights; return how many."""
    n = 0
    if not is_dealing(s):
        for face in range(1, FACES + 1):
            out[n] = face
            weights[n] = 1
            n += 1
        return n
    kinds = held(s, DECK)
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        out[n] = kind
        weights[n] = number(s, DECK, kind)
        n += 1
    return n


@kernel
def roll(t: Tables, s: State, rng: Rng, out: Ints, weights: Ints) -> int:
    """Return a random outcome of chance, as drawing one of `outcomes` by weight does."""
    if is_dealing(s):
        return card_at(s, DECK, below(rng, size(s, DECK)))
    return below(rng, FACES) + 1


@kernel
def legal(t: Tables, s: State, out: Ints) -> int:
    """Write the legal actions of the actor; return how many."""
    top = s.depth - 1
    task = s.task[top]
    return legal_move(t, s, top, out) if task == MOVING else _legal_elsewhere(t, s, top, task, out)


@kernel
def _legal_elsewhere(t: Tables, s: State, top: int, task: int, out: Ints) -> int:
    """Write the legal actions outside of moves. Most decisions are in moves: without this part they are inlined."""
    if task == WINDOW:
        return legal_window(t, s, top, out)
    if task == MARKET:
        return legal_market(t, s, top, out)
    if task == AUCTION:
        return legal_auction(t, s, top, out)
    if task == MAINTENANCE:
        return legal_maintenance(t, s, out)
    return legal_shifts(t, s, out)


@kernel
def step(t: Tables, s: State, action: int) -> None:
    """Apply an answer or an outcome, and continue to the next decision or outcome."""
    chance = s.asked == CHANCE
    s.asked = NOT_ASKED
    if chance:
        _apply_outcome(t, s, s.depth - 1, action)
    else:
        _apply_answer(t, s, s.depth - 1, action)
    advance(t, s)


@kernel
def advance(t: Tables, s: State) -> None:
    """Run the task on top of the stack until a decision or an outcome is needed."""
    while s.asked == NOT_ASKED:
        _run(t, s, s.depth - 1)


@kernel
def _apply_outcome(t: Tables, s: State, top: int, outcome: int) -> None:
    """Pass an outcome to the task on top of the stack."""
    task = s.task[top]
    if task == MOVING:
        apply_die(t, s, top, outcome)
    elif task == DEAL:
        deal_card(t, s, top, outcome)
    elif task == AUCTION:
        turn_up_card(t, s, top, outcome)
    elif task == DRAW:
        draw_card(t, s, top, outcome)
    elif task == PLAYED:
        roll_again(t, s, outcome)
    else:
        apply_series_die(t, s, top, outcome)


@kernel
def _apply_answer(t: Tables, s: State, top: int, action: int) -> None:
    """Pass an answer to the task on top of the stack."""
    task = s.task[top]
    if task == MOVING:
        answer_move(t, s, top, action)
    else:
        _answer_elsewhere(t, s, top, task, action)


@kernel
def _answer_elsewhere(t: Tables, s: State, top: int, task: int, action: int) -> None:
    """Apply an answer outside of moves."""
    if task == WINDOW:
        answer_window(t, s, top, action)
    elif task == MARKET:
        answer_market(t, s, top, action)
    elif task == AUCTION:
        answer_auction(t, s, top, action)
    elif task == MAINTENANCE:
        answer_maintenance(t, s, action)
    else:
        answer_shift(t, s, action)


@kernel
def _run(t: Tables, s: State, top: int) -> None:
    """Run the task on top of the stack by one stage."""
    task = s.task[top]
    if task == WINDOW:
        run_window(t, s, top)
    elif task == MOVING:
        run_move(t, s, top)
    elif task == PASSING:
        run_passing(t, s, top)
    elif task == PLAYED:
        run_played(t, s, top)
    elif task == RACE:
        run_race(t, s, top)
    elif task == AUCTION:
        run_auction(t, s, top)
    elif task == MARKET:
        run_market(t, s, top)
    elif task == MAINTENANCE:
        run_maintenance(t, s)
    elif task == SUPPLY:
        run_supply(t, s)
    elif task == DEAL:
        run_deal(t, s, top)
    elif task == DRAW:
        run_draw(t, s, top)
    elif task == SHIFT:
        run_shift(t, s, top)
    elif task == SERIES:
        run_series(t, s, top)


@kernel
def scores(t: Tables, s: State, out: Ints) -> None:
    """BH-8.4: write the Ducats of each seat."""
    for seat in range(t.seats):
        out[seat] = s.purse[seat]
