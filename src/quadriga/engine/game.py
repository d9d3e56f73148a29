"""What a game is: eight functions over tables and a state, and how to write, see and draw them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from quadriga.engine.errors import OptionError
from quadriga.engine.kernels import slots
from quadriga.engine.kernels.kernel import Ints, Shorts, kernel
from quadriga.engine.kernels.record import Record
from quadriga.engine.kernels.rng import Rng
from quadriga.engine.match import options as opts
from quadriga.engine.match.options import Option, Options
from quadriga.engine.text.catalogues import Said, Words

if TYPE_CHECKING:
    from rich.text import Text


NOBODY = -1
"""The seat that owns nothing: a spectator's, and that of chance which is nobody's."""


OPEN = 0  # everybody may read the text of an action,
VEILED = 1  # ... only its maker may, though all see that he has done something,
SILENT = 2  # ... and nobody else may notice it at all


@kernel
def nothing_hidden(t: slots.Tables, s: slots.State, seat: int, rng: Rng) -> None:
    """The `redeal` of a game in which everybody sees everything."""


@kernel
def nothing_counted(t: slots.Tables, before: slots.State, after: slots.State, action: int, counts: Ints) -> None:
    """The `tally` of a game that counts nothing of its own."""


def all_agree(options: Options, seats: int) -> None:
    """The `agree` of a game whose options all go together."""


def never(t: Any, s: Any) -> bool:
    """The `throws` of a game without dice."""
    return False


def no_families(t: Any, s: Any, text: str) -> list[int] | None:
    """The `compose` of a game whose actions are all single integers."""
    return None


def no_compound(t: Any, s: Any, actions: Sequence[int]) -> str:
    """The `compound` of such a game."""
    raise NotImplementedError


def no_proposal(t: Any, s: Any, family: str, rng: Rng) -> str | None:
    """The `propose` of such a game."""
    return None


def nothing_secret(t: Any, s: Any, action: int) -> int:
    """The `secret` of a game whose actions everybody may read."""
    return OPEN


def no_window(t: Any, s: Any) -> str | None:
    """The `window` of a game without reactions."""
    return None


def asks_nobody(t: Any, every: bool) -> None:
    """The `ask_all` of such a game."""


def no_shorthand(flag: str, text: str) -> dict[str, object]:
    """The `shorthand` of a game that has no flags of its own."""
    raise OptionError("option.flag", flag=flag)


def no_picture(t: Any) -> str:
    """The `picture` of a game that has none."""
    raise OptionError("picture.none")


def no_geometry(t: Any) -> dict[str, Any]:
    """Return nothing: the `geometry` of a game that a page shows as text."""
    return {}


def no_sections(t: Any, s: Any) -> dict[str, object] | None:
    """The `section` of a game that is not divided into races."""
    return None


def imported(module: str, name: str) -> Callable[..., Any]:
    """Return a function that imports its module when it is called: to draw takes libraries that load slowly."""
    return lambda *arguments: getattr(import_module(module), name)(*arguments)


class Note(NamedTuple):
    """One thing that an action does, and the rule that says so."""

    rule: str
    said: Said


Barred = dict[str, list[Note]]
"""Things of a seat's own that it cannot play now (a card, a marker, a way to pay), each with the reasons."""


def nothing_barred(t: Any, s: Any, seat: int) -> Barred:
    """The `barred` of a game that gives no reasons."""
    return {}


def numbered(t: Any, seat: int) -> Said:
    """The `name` of a seat in a game that has no names for them."""
    return Said("seat.name", {"number": seat + 1})


Views = Callable[[Any, Any, Sequence[int], Sequence[int] | None], Sequence[msgspec.Struct]]
"""What several seats may see, and what who is asked can do, where that is known already."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Game:
    """A game as the rest of the house sees it. Registering one of these is all that it takes to play it."""

    id: str
    version: int  # raised only when behaviour changes
    package: str  # where its words are
    least: int  # seats
    most: int
    options: tuple[Option, ...]

    tables: type[Record]
    state: type[Record]
    agree: Callable[[Options, int], None] = all_agree  # refuses options that do not go together
    new: Callable[[Options, int], tuple[Any, Any]]
    actor: Callable[[Any, Any], int]
    legal: Callable[[Any, Any, Ints], int]
    outcomes: Callable[[Any, Any, Ints, Ints], int]
    roll: Callable[[Any, Any, Rng, Ints, Ints], int] = slots.by_weight
    step: Callable[[Any, Any, int], None]
    scores: Callable[[Any, Any, Ints], None]
    observe: Callable[[Any, Any, int, Shorts], None]
    redeal: Callable[[Any, Any, int, Rng], None] = nothing_hidden

    actions: int  # actions are integers below this
    most_legal: int  # at one decision
    most_outcomes: int  # at one roll or draw
    observation: Callable[[int], int]  # how many numbers `observe` writes, by seats

    advise: Callable[[Any, Any, Rng, Ints, int, int], int] = slots.anything  # rules of thumb, for bots
    parts: tuple[str, ...] = ()  # of those rules: what bots can be told to play without

    tallies: tuple[str, ...] = ()  # what `tally` counts
    tally: Callable[[Any, Any, Any, int, Ints], None] = nothing_counted

    text: Callable[[Any, Any, int], str]  # an action or outcome, in this position, in notation
    same_rolls: bool = False  # whether the text of an outcome says the same of it in every position
    unfinished: Callable[[Any, Any], bool] = never  # whether an action is being put together from pieces
    compose: Callable[[Any, Any, str], list[int] | None] = no_families  # the pieces of one that is written out
    compound: Callable[[Any, Any, Sequence[int]], str] = no_compound  # ... and the text of the pieces
    propose: Callable[[Any, Any, str, Rng], str | None] = no_proposal  # a sensible member of a family
    roller: Callable[[Any, Any], int]  # whose outcome of chance is due, or NOBODY's
    section: Callable[[Any, Any], dict[str, object] | None] = no_sections  # the heading it is played under

    view: Callable[[Any, Any, int], msgspec.Struct]  # the only door from a state to a person
    views: Views | None = None  # quicker, for several
    draw: Callable[[Any, Any, Words], Text]  # a view, for the terminal; the tables are public
    explain: Callable[[Any, Any, Sequence[int]], list[Note]]  # what an action or outcome does here, for all to hear
    barred: Callable[[Any, Any, int], Barred] = nothing_barred  # why a seat's own things cannot be played now
    name: Callable[[Any, int], Said] = numbered  # what a seat is called
    throws: Callable[[Any, Any], bool] = never  # whether the outcome due is dice in somebody's hand
    secret: Callable[[Any, Any, int], int] = nothing_secret  # OPEN, VEILED or SILENT: what others notice of it
    window: Callable[[Any, Any], str | None] = no_window  # the reaction window that the actor is asked in
    hidden_windows: tuple[str, ...] = ()  # those in which nobody may notice who is asked,
    hides_asked: Callable[[Any, Any], bool] = never  # ... and whether that is so in this position
    ask_all: Callable[[Any, bool], None] = asks_nobody  # makes windows ask seats that can only pass, too
    shorthand: Callable[[str, str], dict[str, object]] = no_shorthand  # options by a flag of the command line
    picture: Callable[[Any], str] = no_picture  # the board of the tables as SVG
    geometry: Callable[[Any], dict[str, Any]] = no_geometry  # the board of the tables as JSON, for a page that draws
    usual: int = 4  # how many seats a table has if nobody chooses, within `least` and `most`

    def settle(self, given: Mapping[str, object], seats: int | None) -> tuple[Options, int]:
        """Checked options and number of seats."""
        seats = self.least if seats is None else seats
        if type(seats) is not int or not self.least <= seats <= self.most:
            raise OptionError("option.seats", seats=seats, least=self.least, most=self.most)
        options = opts.settle(self.options, given, seats)
        self.agree(options, seats)
        return options, seats

    def seen(
        self, t: Any, s: Any, seats: Sequence[int], actions: Sequence[int] | None = None
    ) -> Sequence[msgspec.Struct]:
        """What several seats may see; `actions` are what who is asked can do, where that is known already."""
        if self.views is None:
            return [self.view(t, s, seat) for seat in seats]
        return self.views(t, s, seats, actions)

    @property
    def hidden(self) -> bool:
        """Whether seats see different things."""
        return self.redeal is not nothing_hidden

    @property
    def bindings(self) -> dict[object, object]:
        """Return the game's kernel for each slot of the drivers, and its records."""
        kernels = ("actor", "legal", "outcomes", "roll", "step", "scores", "observe", "redeal", "tally", "advise")
        return {
            slots.Tables: self.tables,
            slots.State: self.state,
            **{getattr(slots, name): getattr(self, name) for name in kernels},
        }

    def scratch(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Room for legal actions or outcomes, and for weights: what drivers must be lent."""
        room = max(self.most_legal, self.most_outcomes)
        return np.zeros(room, np.int64), np.zeros(room, np.int64)
