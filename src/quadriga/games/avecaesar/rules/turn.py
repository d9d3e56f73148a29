"""Turns of Ave Caesar (AC-3, AC-4.5): actor, legal actions, transitions and scores."""

from __future__ import annotations

from quadriga.engine.kernels.bits import count, lowest, without_lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.engine.kernels.rng import Rng, below
from quadriga.engine.kernels.slots import CHANCE, OVER
from quadriga.games.avecaesar.board import LAPS, LONGEST
from quadriga.games.avecaesar.rules.cards import draw, left_to_draw, number, one, put_under, random_card
from quadriga.games.avecaesar.rules.knowledge import after_bottom, after_draw, after_miss, after_move
from quadriga.games.avecaesar.rules.moves import BOTTOMS, FINISH, SPAN, find_moves
from quadriga.games.avecaesar.rules.paths import can_pass, wrecks_of
from quadriga.games.avecaesar.rules.race import cut_card, end_race, racing
from quadriga.games.avecaesar.rules.six import crashes
from quadriga.games.avecaesar.state import (
    BOTTOM,
    COPIES,
    CUT,
    DEAL,
    DONE,
    FINISHED,
    HAND,
    MOVE,
    OUT,
    RACING,
    REFILL,
    VALUES,
    WRECKED,
    State,
    Tables,
)


@kernel
def seat_to_act(s: State) -> int:
    """Return the seat to move, cut or draw."""
    if s.phase == CUT:
        return lowest(s.cutters)
    if s.phase == DEAL:
        return s.dealt // HAND
    return s.order[s.at]


@kernel
def actor(t: Tables, s: State) -> int:
    """Return the seat to decide, CHANCE or OVER."""
    if s.phase == MOVE or s.phase == BOTTOM:
        return s.order[s.at]
    return OVER if s.phase == DONE else CHANCE


@kernel
def outcomes(t: Tables, s: State, out: Ints, weights: Ints) -> int:
    """Write the cards that can be cut from a full deck (AC-2.2) or drawn, and their weights; return how many.

    Cards put under the deck are drawn last, in their order.
    """
    seat = seat_to_act(s)
    if s.phase != CUT and s.deck[seat] == 0:
        out[0] = s.under[seat, 0]
        weights[0] = 1
        return 1
    n = 0
    for value in range(1, VALUES + 1):
        copies = COPIES if s.phase == CUT else number(s.deck[seat], value)
        if copies:
            out[n] = value
            weights[n] = copies
            n += 1
    return n


@kernel
def roll(t: Tables, s: State, rng: Rng, out: Ints, weights: Ints) -> int:
    """Return a random outcome of chance, distributed as `outcomes` by weight."""
    seat = seat_to_act(s)
    if s.phase == CUT:
        return below(rng, VALUES * COPIES) // COPIES + 1
    if s.deck[seat] == 0:
        return s.under[seat, below(rng, 1)]
    return random_card(s.deck[seat], rng)


@kernel
def choose(t: Tables, s: State, rng: Rng, out: Ints) -> int:
    """Return a random legal action, each equally likely."""
    if s.phase != MOVE:
        return out[below(rng, legal(t, s, out))]
    total = 0
    for card in range(LONGEST):
        total += count(s.moves[card])
    left = below(rng, total)
    card = 0
    while left >= count(s.moves[card]):
        left -= count(s.moves[card])
        card += 1
    return card * SPAN + lowest(without_lowest(s.moves[card], left))


@kernel
def legal(t: Tables, s: State, out: Ints) -> int:
    """Write the moves of the player to move, or the cards to put under the deck; return how many."""
    seat = s.order[s.at]
    n = 0
    if s.phase == MOVE:
        for card in range(LONGEST):
            targets = s.moves[card]
            while targets:
                out[n] = card * SPAN + lowest(targets)
                n += 1
                targets &= targets - 1
        return n
    for value in range(1, VALUES + 1):
        if number(s.hand[seat], value):
            out[n] = BOTTOMS + value - 1
            n += 1
    return n


@kernel
def step(t: Tables, s: State, action: int) -> None:
    """Apply a cut, a draw, a move or a card put under the deck, and continue to the next decision or outcome."""
    if s.phase == MOVE:
        _play_card(t, s, s.order[s.at], action // SPAN + 1, action % SPAN)
    elif s.phase == REFILL:
        draw(s, s.order[s.at], action)
        s.ruled_out[s.order[s.at]] = after_draw(t, s, s.order[s.at])
        pass_turn(t, s)
    elif s.phase == BOTTOM:
        put_under(s, s.order[s.at], action - BOTTOMS + 1)
        s.ruled_out[s.order[s.at]] = after_bottom(t, s, s.order[s.at])
        s.phase = REFILL
    elif s.phase == CUT:
        cut_card(t, s, action)
    else:
        draw(s, seat_to_act(s), action)
        s.dealt += 1
        if s.dealt == HAND * t.seats:
            s.dealt = 0
            s.at = t.seats - 1
            pass_turn(t, s)


@kernel
def _play_card(t: Tables, s: State, seat: int, card: int, ahead: int) -> None:
    """AC-3.1: play one card and move exactly that many steps; then draw, or leave the track (AC-3.4)."""
    s.ruled_out[seat] = after_move(t, s, seat, card, ahead)
    s.hand[seat] -= one(card)
    for value in range(VALUES):
        s.moves[value] = 0
    s.begun = 1
    s.misses = 0
    if ahead == FINISH:
        s.finishers += 1
        s.finish[seat] = s.finishers
        s.status[seat] = FINISHED
    else:
        drive(t, s, seat, ahead)
        if s.hand[seat] == 0 and left_to_draw(s, seat) == 0:  # AC-3.4
            s.status[seat] = OUT
    if s.status[seat] == RACING and left_to_draw(s, seat):
        s.phase = REFILL
    else:
        pass_turn(t, s)


@kernel
def drive(t: Tables, s: State, seat: int, ahead: int) -> None:
    """Move a chariot. A lap begins over the line; in the alley the coin is paid (AC-5.1, AC-5.5)."""
    race = s.race
    space = s.space[seat] + ahead
    crossing = space >= t.spaces[race]
    if crossing:
        space -= t.spaces[race]
        s.lap[seat] += 1
    s.space[seat] = space
    if t.alley[race, space]:
        s.coin[seat] = 0
    elif crossing and s.lap[seat] == LAPS and s.coin[seat]:
        s.dishonoured[seat] = 1


@kernel
def pass_turn(t: Tables, s: State) -> None:
    """Pass the turn to the next chariot that can move, through missed turns, crashes and the end of the race."""
    left = racing(t, s)
    while left:
        s.at = next_racing(t, s)
        seat = s.order[s.at]
        s.free = (s.lifted >> seat) & 1
        s.lifted &= ~(1 << seat)
        if crashes(t, s, seat):
            s.status[seat] = WRECKED
            s.misses = 0
            left = racing(t, s)
            if not any_can_finish(t, s):
                left = 0
        elif find_moves(t, s, seat):
            s.phase = MOVE
            return
        else:
            s.ruled_out[seat] = after_miss(t, s, seat)
            s.misses += 1
            if s.misses == 2 * count(left):  # AC-4.5: no chariot has moved in the lifted round
                left = 0
            else:
                if s.misses == count(left):
                    s.lifted = left
                if t.bottom_card and left_to_draw(s, seat):
                    s.phase = BOTTOM
                    return
    end_race(t, s)


@kernel
def next_racing(t: Tables, s: State) -> int:
    """Return the index in the turn order of the next racing chariot."""
    at = s.at
    for _ in range(t.seats):
        at = at + 1 if at + 1 < t.seats else 0
        if s.status[s.order[at]] == RACING:
            return at
    return at


@kernel
def any_can_finish(t: Tables, s: State) -> bool:
    """AC-V3: return whether any chariot has a route to the finish past the wrecks."""
    wrecks = wrecks_of(t, s)
    for seat in range(t.seats):
        if s.status[seat] == RACING and can_pass(t, s, seat, wrecks, LAPS + 1, 0):
            return True
    return False


@kernel
def scores(t: Tables, s: State, out: Ints) -> None:
    """AC-6.2: write the points over the tournament."""
    for seat in range(t.seats):
        out[seat] = s.points[seat]
