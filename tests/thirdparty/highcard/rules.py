"""The rules of High Card.

HC-1: every seat is dealt two cards of 1 to N, then two tricks are played, the leader first; the highest card takes
the trick and leads the next. HC-2: the winner of the first trick draws a card, which only they see. HC-3 is an
option: when all cards of a trick are on the table, a seat that holds card N may knock, and the trick counts twice.
"""

from __future__ import annotations

from highcard.state import CARDS, DONE, DRAW, KNOCK, MOST, PASS, PLAY, WINDOW, State, Tables
from quadriga.engine.kernels.bits import count, lowest
from quadriga.engine.kernels.kernel import Ints, Shorts, kernel
from quadriga.engine.kernels.rng import Rng, below
from quadriga.engine.kernels.slots import CHANCE, OVER
from quadriga.engine.match.options import Options

OBSERVED = CARDS + 3 * MOST + 4


def new(options: Options, seats: int) -> tuple[Tables, State]:
    """Return the tables and the first state."""
    t, s = Tables(), State()
    t.seats, t.cards, t.knocking = seats, options["cards"], int(options["knocking"])
    s.pool = (2 << t.cards) - 2
    return t, s


@kernel
def actor(t: Tables, s: State) -> int:
    """Return the seat to decide, CHANCE or OVER."""
    if s.phase == PLAY:
        return s.turn
    if s.phase == WINDOW:
        return s.asked
    return OVER if s.phase == DONE else CHANCE


@kernel
def write(mask: int, out: Ints) -> int:
    """Write the cards of a mask; return how many."""
    n = 0
    while mask:
        out[n] = lowest(mask)
        mask &= mask - 1
        n += 1
    return n


@kernel
def may_knock(t: Tables, s: State, seat: int) -> bool:
    """HC-3: return whether a seat holds the highest card and has not shown it."""
    return (s.hand[seat] >> t.cards) & 1 == 1 and s.knocked == 0


@kernel
def legal(t: Tables, s: State, out: Ints) -> int:
    """Write the cards that the seat can play, or what it can do in a window."""
    if s.phase == PLAY:
        return write(s.hand[s.turn], out)
    out[0] = PASS
    out[1] = KNOCK
    return 2 if may_knock(t, s, s.asked) else 1


@kernel
def outcomes(t: Tables, s: State, out: Ints, weights: Ints) -> int:
    """Write the cards that can be dealt, each as likely as any other."""
    n = write(s.pool, out)
    for i in range(n):
        weights[i] = 1
    return n


@kernel
def take_trick(t: Tables, s: State) -> None:
    """HC-1: give the trick to the highest card."""
    best = 0
    for seat in range(t.seats):
        if s.table[seat] > s.table[best]:
            best = seat
    for seat in range(t.seats):
        s.table[seat] = 0
    s.points[best] += 1 + s.double
    s.double = 0
    s.asked = 0
    s.turn = best
    s.done = 0
    s.trick += 1
    s.phase = DRAW if s.trick == 1 else DONE


@kernel
def ask_from(t: Tables, s: State, first: int) -> None:
    """HC-3: ask the next seat from `first` on, or end the window."""
    for seat in range(first, t.seats):
        if may_knock(t, s, seat) or t.ask_all:
            s.phase = WINDOW
            s.asked = seat
            return
    take_trick(t, s)


@kernel
def play(t: Tables, s: State, card: int) -> None:
    """Put a card on the table. The last card of a trick ends it, or opens the window before that."""
    s.hand[s.turn] &= ~(1 << card)
    s.table[s.turn] = card
    if card == t.cards:
        s.knocked = 0
    s.turn = (s.turn + 1) % t.seats
    s.done += 1
    if s.done == t.seats:
        if t.knocking:
            ask_from(t, s, 0)
        else:
            take_trick(t, s)


@kernel
def step(t: Tables, s: State, action: int) -> None:
    """Apply an action or a card that is dealt."""
    if s.phase == PLAY:
        play(t, s, action)
    elif s.phase == WINDOW:
        if action == KNOCK:
            s.knocked = s.asked + 1
            s.double = 1
            take_trick(t, s)
        else:
            ask_from(t, s, s.asked + 1)
    else:
        s.pool &= ~(1 << action)
        s.hand[s.turn] |= 1 << action
        if s.phase == DRAW:
            s.phase = PLAY
            return
        s.turn = (s.turn + 1) % t.seats
        s.done += 1
        if s.done == 2 * t.seats:
            s.done = 0
            s.phase = PLAY


@kernel
def scores(t: Tables, s: State, out: Ints) -> None:
    """Write the points of each seat."""
    for seat in range(t.seats):
        out[seat] = s.points[seat]


@kernel
def observe(t: Tables, s: State, seat: int, out: Shorts) -> None:
    """Write what a seat may see, as numbers: its hand, the trick, points, numbers of cards, and the turn."""
    for card in range(1, CARDS + 1):
        out[card - 1] = (s.hand[seat] >> card) & 1 if seat >= 0 else 0
    for other in range(MOST):
        out[CARDS + other] = s.table[other]
        out[CARDS + MOST + other] = s.points[other]
        out[CARDS + 2 * MOST + other] = count(s.hand[other])
    out[CARDS + 3 * MOST] = s.turn
    out[CARDS + 3 * MOST + 1] = s.phase
    out[CARDS + 3 * MOST + 2] = s.knocked
    out[CARDS + 3 * MOST + 3] = 1 if s.phase == WINDOW and s.asked == seat else 0


@kernel
def redeal(t: Tables, s: State, seat: int, rng: Rng) -> None:
    """Deal anew what a seat cannot know: all cards but its own, and but a highest card that was shown."""
    shown = 1 << t.cards if s.knocked else 0
    unknown = s.pool
    for other in range(t.seats):
        if other != seat:
            unknown |= s.hand[other]
    unknown &= ~shown
    for other in range(t.seats):
        if other != seat:
            kept = shown if other == s.knocked - 1 else 0
            missing = count(s.hand[other] & ~kept)
            s.hand[other] = kept
            for _ in range(missing):
                left = below(rng, count(unknown))
                rest = unknown
                while left:
                    rest &= rest - 1
                    left -= 1
                s.hand[other] |= 1 << lowest(rest)
                unknown &= ~(1 << lowest(rest))
    s.pool = unknown
