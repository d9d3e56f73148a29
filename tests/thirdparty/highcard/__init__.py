"""A small game of chance and hidden cards, as a third party would bring it.

Every seat is dealt two cards of 1 to N, then two tricks are played, the leader first; the highest card takes
the trick and leads the next. The winner of the first trick draws a card, which only he sees.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from quadriga.engine.game import Game
from quadriga.engine.kernels.bits import count, lowest
from quadriga.engine.kernels.kernel import Ints, Shorts, kernel
from quadriga.engine.kernels.record import Record, i8, i8s, i32, i32s
from quadriga.engine.kernels.rng import Rng, below
from quadriga.engine.kernels.slots import CHANCE, OVER, OWN_COUNTS
from quadriga.engine.match.options import Options, Whole
from quadriga.engine.parts import Display, Notation, Rules, Study
from quadriga.engine.parts.display import Note
from quadriga.engine.parts.study import Column, Tallies
from quadriga.engine.text.catalogues import Message, Words

MOST = 4
CARDS = 12
DEAL, PLAY, DRAW, DONE = 0, 1, 2, 3


class Tables(Record):
    seats = i8()
    cards = i8()


class State(Record):
    hand = i32s(MOST)  # bit per card
    pool = i32()  # cards that nobody holds
    table = i8s(MOST)  # the card of each seat in this trick, 0 for none
    points = i8s(MOST)
    phase = i8()
    turn = i8()
    done = i8()  # cards dealt, or cards in the trick
    trick = i8()


def new(options: Options, seats: int) -> tuple[Tables, State]:
    t, s = Tables(), State()
    t.seats, t.cards = seats, options["cards"]
    s.pool = (2 << t.cards) - 2
    return t, s


@kernel
def actor(t: Tables, s: State) -> int:
    if s.phase == PLAY:
        return s.turn
    return OVER if s.phase == DONE else CHANCE


@kernel
def write(mask: int, out: Ints) -> int:
    n = 0
    while mask:
        out[n] = lowest(mask)
        mask &= mask - 1
        n += 1
    return n


@kernel
def legal(t: Tables, s: State, out: Ints) -> int:
    return write(s.hand[s.turn], out)


@kernel
def outcomes(t: Tables, s: State, out: Ints, weights: Ints) -> int:
    n = write(s.pool, out)
    for i in range(n):
        weights[i] = 1
    return n


@kernel
def take_trick(t: Tables, s: State) -> None:
    best = 0
    for seat in range(t.seats):
        if s.table[seat] > s.table[best]:
            best = seat
    for seat in range(t.seats):
        s.table[seat] = 0
    s.points[best] += 1
    s.turn = best
    s.done = 0
    s.trick += 1
    s.phase = DRAW if s.trick == 1 else DONE


@kernel
def step(t: Tables, s: State, action: int) -> None:
    if s.phase == PLAY:
        s.hand[s.turn] &= ~(1 << action)
        s.table[s.turn] = action
        s.turn = (s.turn + 1) % t.seats
        s.done += 1
        if s.done == t.seats:
            take_trick(t, s)
        return
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
    for seat in range(t.seats):
        out[seat] = s.points[seat]


@kernel
def observe(t: Tables, s: State, seat: int, out: Shorts) -> None:
    for card in range(1, CARDS + 1):
        out[card - 1] = (s.hand[seat] >> card) & 1 if seat >= 0 else 0
    for other in range(MOST):
        out[CARDS + other] = s.table[other]
        out[CARDS + MOST + other] = s.points[other]
        out[CARDS + 2 * MOST + other] = count(s.hand[other])
    out[CARDS + 3 * MOST] = s.turn
    out[CARDS + 3 * MOST + 1] = s.phase


@kernel
def redeal(t: Tables, s: State, seat: int, rng: Rng) -> None:
    unknown = s.pool
    for other in range(t.seats):
        if other != seat:
            unknown |= s.hand[other]
    for other in range(t.seats):
        if other != seat:
            held = count(s.hand[other])
            s.hand[other] = 0
            for _ in range(held):
                left = below(rng, count(unknown))
                rest = unknown
                while left:
                    rest &= rest - 1
                    left -= 1
                s.hand[other] |= 1 << lowest(rest)
                unknown &= ~(1 << lowest(rest))
    s.pool = unknown


@kernel
def remember(t: Tables, s: State) -> int:
    return s.phase


@kernel
def tally(t: Tables, before: int, s: State, action: int, counts: Ints) -> None:
    if before == PLAY:
        counts[OWN_COUNTS] += action


class View(msgspec.Struct, frozen=True):
    """The view of a seat: its own hand, the trick, the points, and how many cards the others hold."""

    seat: int
    hand: list[int]
    held: list[int]
    table: list[int]
    points: list[int]
    turn: int | None


def view(t: Tables, s: State, seat: int) -> View:
    seats = range(t.seats)
    return View(
        seat=seat,
        hand=[c for c in range(1, CARDS + 1) if seat >= 0 and s.hand[seat] >> c & 1],
        held=[s.hand[other].bit_count() for other in seats],
        table=[s.table[other] for other in seats],
        points=[s.points[other] for other in seats],
        turn=None if s.phase == DONE else s.turn,
    )


def draw(t: Tables, seen: View, say: Words, width: int = 80, marks: Any = None) -> Any:
    from rich.text import Text

    return Text(f"hand {seen.hand} table {seen.table} points {seen.points}\n")


def text(t: Tables, s: State, action: int) -> str:
    return f"play {action}" if s.phase == PLAY else f"deal {action}"


def explain(t: Tables, s: State, actions: Sequence[int]) -> list[Note]:
    (action,) = actions
    if s.phase == PLAY:
        return [Note("HC-1", Message("highcard.why.plays", {"card": action}))]
    return [Note("HC-1", Message("highcard.why.dealt", {}))]


def section(t: Tables, s: State) -> dict[str, object] | None:
    return None if s.phase == DEAL else {"trick": s.trick + 1}


GAME: Game[Tables, State, View] = Game(
    id="highcard",
    version=1,
    package=__name__,
    min_seats=2,
    max_seats=MOST,
    options=(Whole("cards", 12, low=9, high=CARDS),),
    rules=Rules(
        tables=Tables,
        state=State,
        new=new,
        actor=actor,
        legal=legal,
        outcomes=outcomes,
        step=step,
        scores=scores,
        observe=observe,
        redeal=redeal,
        actions=CARDS + 1,
        max_legal=3,
        max_outcomes=CARDS,
        observation=lambda seats: CARDS + 3 * MOST + 2,
    ),
    notation=Notation(text=text, roller=lambda t, s: s.turn, section=section),
    display=Display(view=view, render_text=draw, explain=explain),
    study=Study(
        package=__name__,
        tallies=Tallies(
            columns=(Column("pips", "int", "The pips of the cards played."),), remember=remember, count=tally
        ),
    ),
)
