"""Nim, the smallest game: it has the three parts that every game has, no chance, and no text but English."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from quadriga.engine.game import NOBODY, Game
from quadriga.engine.kernels.kernel import Ints, Shorts, kernel
from quadriga.engine.kernels.slots import OVER
from quadriga.engine.kernels.struct import Struct, i8
from quadriga.engine.match.options import Options, Whole
from quadriga.engine.parts import Display, Notation, Rules
from quadriga.engine.parts.display import Note
from quadriga.engine.text.catalogues import Message, Words

if TYPE_CHECKING:
    from rich.text import Text

MOST = 3  # matches at once


class Tables(Struct):
    """What the options set."""

    seats = i8()


class State(Struct):
    """The matches that are left, and whose turn it is."""

    left = i8()
    turn = i8()


class View(msgspec.Struct, frozen=True):
    """The same for every seat: nothing is hidden."""

    left: int
    turn: int


def new(options: Options, seats: int) -> tuple[Tables, State]:
    """Return the tables and the first state."""
    t, s = Tables(), State()
    t.seats, s.left = seats, options["matches"]
    return t, s


@kernel
def actor(t: Tables, s: State) -> int:
    """Return the seat to take matches, or OVER."""
    return s.turn if s.left else OVER


@kernel
def legal(t: Tables, s: State, out: Ints) -> int:
    """Write the numbers of matches that can be taken."""
    n = min(s.left, MOST)
    for i in range(n):
        out[i] = i + 1
    return n


@kernel
def outcomes(t: Tables, s: State, out: Ints, weights: Ints) -> int:
    """Return 0: there is no chance."""
    return 0


@kernel
def step(t: Tables, s: State, action: int) -> None:
    """Take matches. The seat that takes the last one stays on turn: it has won."""
    s.left -= action
    if s.left:
        s.turn = (s.turn + 1) % t.seats


@kernel
def scores(t: Tables, s: State, out: Ints) -> None:
    """Write 1 for the winner."""
    for seat in range(t.seats):
        out[seat] = 1 if s.left == 0 and seat == s.turn else 0


@kernel
def observe(t: Tables, s: State, seat: int, out: Shorts) -> None:
    """Write the matches that are left, and the turn."""
    out[0] = s.left
    out[1] = s.turn


def draw(t: Tables, seen: View, say: Words, width: int = 80, marks: Mapping[str, str] | None = None) -> Text:
    """Return a view for a terminal."""
    from rich.text import Text

    return Text("|" * seen.left + "\n")


def explain(t: Tables, s: State, actions: Sequence[int]) -> list[Note]:
    """Return what an action does."""
    return [Note("N-1", Message("nim.why.takes", {"n": actions[0]}))]


GAME: Game[Tables, State, View] = Game(
    id="nim",
    version=1,
    package=__name__,
    min_seats=2,
    max_seats=4,
    options=(Whole("matches", 12, low=4, high=60),),
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
        actions=MOST + 1,
        max_legal=MOST,
        max_outcomes=1,
        observation=lambda seats: 2,
    ),
    notation=Notation(text=lambda t, s, action: f"take {action}", roller=lambda t, s: NOBODY),
    display=Display(view=lambda t, s, seat: View(s.left, s.turn), render_text=draw, explain=explain),
)
