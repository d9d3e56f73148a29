"""The interface of a game: eight functions over tables and a state, and how to write, view and render them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from quadriga.engine.advice import Advice
from quadriga.engine.errors import OptionError
from quadriga.engine.kernels import slots
from quadriga.engine.kernels.kernel import Ints, Shorts, kernel
from quadriga.engine.kernels.record import Record
from quadriga.engine.kernels.rng import Rng
from quadriga.engine.match import options as opts
from quadriga.engine.match.options import Option, Options
from quadriga.engine.text.catalogues import Message, Words

if TYPE_CHECKING:
    from rich.text import Text


NOBODY = -1
"""The seat of a spectator, and the owner of an outcome of chance that belongs to no seat."""


OPEN = 0  # every seat may read the text of the action
VEILED = 1  # only the seat that acted may read it; the others see that it acted
SILENT = 2  # the other seats may not notice the action at all


@kernel
def nothing_hidden(t: slots.Tables, s: slots.State, seat: int, rng: Rng) -> None:
    """Change nothing: the `redeal` of a game without hidden information."""


@kernel
def nothing_remembered(t: slots.Tables, s: slots.State) -> int:
    """Return 0: the `remember` of a game without counts of its own."""
    return 0


@kernel
def nothing_counted(t: slots.Tables, before: int, s: slots.State, action: int, counts: Ints) -> None:
    """Count nothing: the `tally` of a game without counts of its own."""


def any_options(options: Options, seats: int) -> None:
    """Accept the options: the `check_options` of a game whose options all go together."""


def never(t: Any, s: Any) -> bool:
    """Return False: the `is_dice_roll` of a game without dice."""
    return False


def no_compounds(t: Any, s: Any, text: str) -> list[int] | None:
    """Return None: the `parse_compound` of a game whose actions are all single integers."""
    return None


def no_compound_text(t: Any, s: Any, actions: Sequence[int]) -> str:
    """Fail: the `format_compound` of a game whose actions are all single integers."""
    raise NotImplementedError


def no_builder(t: Any, s: Any, family: str, parts: Mapping[str, object]) -> str:
    """Fail: the `build_compound` of a game whose actions are all single integers."""
    raise NotImplementedError


def as_typed(t: Any, s: Any, text: str) -> str:
    """Return a text unchanged: the `parse_shown` of a game whose actions are all single integers."""
    return text


def no_target(t: Any, s: Any, action: int) -> str | None:
    """Return None: the `target` of a game whose actions lead nowhere."""
    return None


def no_proposal(t: Any, s: Any, family: str, rng: Rng) -> str | None:
    """Return None: the `propose_compound` of a game whose actions are all single integers."""
    return None


def may_depend_on_hidden(t: Any, s: Any, action: int) -> bool:
    """Return True: the `has_hidden_effects` of a game that does not know better."""
    return True


def always_open(t: Any, s: Any, action: int) -> int:
    """Return OPEN: the `secrecy` of a game whose actions every seat may read."""
    return OPEN


def no_window(t: Any, s: Any) -> str | None:
    """Return None: the `window` of a game without reactions."""
    return None


def no_mover(t: Any, s: Any) -> int:
    """Return NOBODY: the `mover` of a game without reactions."""
    return NOBODY


def single_part(t: Any, s: Any) -> int:
    """Return 0: the `part` of a game that is not divided into races."""
    return 0


def ignore_ask_all(t: Any, every: bool) -> None:
    """Do nothing: the `ask_all` of a game without reactions."""


def no_flags(flag: str, text: str) -> dict[str, object]:
    """Refuse a flag: the `options_from_flag` of a game without flags of its own."""
    raise OptionError("option.flag", flag=flag)


def no_svg(t: Any, seen: Any = None, caption: Sequence[str] = ()) -> str:
    """Refuse: the `render_svg` of a game without a picture of its board."""
    raise OptionError("picture.none")


def no_place(t: Any, s: Any, description: Mapping[str, object]) -> None:
    """Refuse: the `place` of a game whose positions cannot be described."""
    raise OptionError("position.none")


def no_facts(t: Any, s: Any, after: Any, seat: int, action: int) -> dict[str, int | float]:
    """Return nothing: the `facts` of a game without lessons."""
    return {}


def no_coach(t: Any, s: Any, seat: int, chances: Mapping[int, float]) -> Advice:
    """Return nothing: the `coach` of a game without one."""
    return Advice([], {})


def no_status(t: Any, seen: Any, say: Words) -> Text:
    """Return nothing: the `render_status` of a game without a picture."""
    from rich.text import Text

    return Text()


def no_hand(t: Any, seen: Any, say: Words) -> Sequence[str]:
    """Return nothing: the `hand` of a game without hidden cards."""
    return ()


def no_geometry(t: Any) -> dict[str, Any]:
    """Return nothing: the `geometry` of a game that a page shows as text."""
    return {}


def no_sections(t: Any, s: Any) -> dict[str, object] | None:
    """Return None: the `section` of a game that is not divided into races."""
    return None


def lazy_import(module: str, name: str) -> Callable[..., Any]:
    """Return a function that imports its module on the first call, since libraries for drawing load slowly."""
    return lambda *arguments: getattr(import_module(module), name)(*arguments)


class Note(NamedTuple):
    """One effect of an action, or one reason against it, with the id of the rule that says so."""

    rule: str
    message: Message


Reasons = dict[str, list[Note]]
"""The cards, markers and payments that a seat cannot play now, by name, each with the reasons."""


def no_reasons(t: Any, s: Any, seat: int) -> Reasons:
    """Return nothing: the `why_illegal` of a game that gives no reasons."""
    return {}


def numbered_seat(t: Any, seat: int) -> Message:
    """Return "Seat N": the `seat_name` of a game without names for its seats."""
    return Message("seat.name", {"number": seat + 1})


Views = Callable[[Any, Any, Sequence[int], Sequence[int] | None], Sequence[msgspec.Struct]]
"""A function of the tables, the state, seats, and the legal actions if they are known; returns a view per seat."""

ExplainAfter = Callable[[Any, Any, Any, Sequence[int]], list[Note]]
"""A function of the tables, the states before and after an action or outcome, and its integers."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Game:
    """A game as the other packages use it. Registering one under `quadriga.games` makes it playable everywhere."""

    id: str
    version: int  # raised when the behaviour of the rules changes, and only then
    package: str  # the package with the game's `words/`
    min_seats: int
    max_seats: int
    options: tuple[Option, ...]

    tables: type[Record]
    state: type[Record]
    check_options: Callable[[Options, int], None] = any_options  # refuses options that do not go together
    new: Callable[[Options, int], tuple[Any, Any]]
    actor: Callable[[Any, Any], int]
    legal: Callable[[Any, Any, Ints], int]
    outcomes: Callable[[Any, Any, Ints, Ints], int]
    roll: Callable[[Any, Any, Rng, Ints, Ints], int] = slots.roll_by_weight
    choose: Callable[[Any, Any, Rng, Ints], int] = slots.choose_listed
    step: Callable[[Any, Any, int], None]
    scores: Callable[[Any, Any, Ints], None]
    observe: Callable[[Any, Any, int, Shorts], None]
    redeal: Callable[[Any, Any, int, Rng], None] = nothing_hidden

    actions: int  # actions are integers below this
    max_legal: int  # legal actions at one decision, at most
    max_outcomes: int  # outcomes at one roll or draw, at most
    observation: Callable[[int], int]  # by the number of seats: how many numbers `observe` writes

    advise: Callable[[Any, Any, Rng, Ints, int, int], int] = slots.random_action  # rules of thumb, for bots
    advice_parts: tuple[str, ...] = ()  # parts of the rules of thumb that a bot can be told to leave out

    tallies: tuple[str, ...] = ()  # the names of what `tally` counts
    remember: Callable[[Any, Any], int] = nothing_remembered  # what `tally` needs from before a step
    tally: Callable[[Any, int, Any, int, Ints], None] = nothing_counted
    playout: Callable[[Any, Any, Rng, Ints, Ints, Ints], None] = slots.play_randomly

    text: Callable[[Any, Any, int], str]  # the notation of an action or outcome in this position
    has_fixed_outcome_texts: bool = False  # whether an outcome has the same text in every position
    is_unfinished: Callable[[Any, Any], bool] = never  # whether a compound action lacks pieces
    parse_compound: Callable[[Any, Any, str], list[int] | None] = no_compounds  # the pieces of a compound action
    format_compound: Callable[[Any, Any, Sequence[int]], str] = no_compound_text  # the notation of the pieces
    build_compound: Callable[[Any, Any, str, Mapping[str, object]], str] = no_builder  # the notation of named parts
    propose_compound: Callable[[Any, Any, str, Rng], str | None] = no_proposal  # a sensible action of a family
    shown_text: Callable[[Any, Any, Sequence[int]], str] | None = None  # the notation as a terminal shows it
    parse_shown: Callable[[Any, Any, str], str] = as_typed  # the notation of a compound action typed there
    target: Callable[[Any, Any, int], str | None] = no_target  # the space of the board that an action leads to
    roller: Callable[[Any, Any], int]  # the seat that rolls or draws now, or NOBODY
    section: Callable[[Any, Any], dict[str, object] | None] = no_sections  # the heading of the current part

    view: Callable[[Any, Any, int], msgspec.Struct]  # all that a seat may see; nothing else shows a state
    views: Views | None = None  # the same for several seats at once, where the game has a faster way
    render_text: Callable[..., Text]  # (tables, view, words, columns, marks by space): a view, for a terminal
    render_status: Callable[[Any, Any, Words], Text] = (
        no_status  # (tables, view, words): the same without the board
    )
    hand: Callable[[Any, Any, Words], Sequence[str]] = no_hand  # the names of the hidden cards in a view
    explain: Callable[[Any, Any, Sequence[int]], list[Note]]  # the public effects of an action or outcome
    explain_after: ExplainAfter | None = None  # the same, where the state after it is known already
    # Whether the effects of an action may depend on what the actor does not know; itself, that does not.
    has_hidden_effects: Callable[[Any, Any, int], bool] = may_depend_on_hidden
    why_illegal: Callable[[Any, Any, int], Reasons] = no_reasons  # why a seat's own things cannot be played now
    seat_name: Callable[[Any, int], Message] = numbered_seat
    is_dice_roll: Callable[[Any, Any], bool] = never  # whether the outcome due is dice that a player rolls
    secrecy: Callable[[Any, Any, int], int] = always_open  # OPEN, VEILED or SILENT: what others learn of an action
    window: Callable[[Any, Any], str | None] = no_window  # the reaction window that the actor is asked in
    hidden_windows: tuple[str, ...] = ()  # windows in which nobody may notice which seat is asked
    hides_actor: Callable[[Any, Any], bool] = never  # whether that is so in this position
    mover: Callable[[Any, Any], int] = no_mover  # the seat whose move others react to, or NOBODY
    part: Callable[[Any, Any], int] = single_part  # the number of the race, for wishes that hold for one race
    ask_all: Callable[[Any, bool], None] = ignore_ask_all  # makes windows also ask seats that can only pass
    options_from_flag: Callable[[str, str], dict[str, object]] = no_flags  # by a flag of the command line
    render_svg: Callable[..., str] = no_svg  # (tables, view, lines below): the board, with a view's pieces if given
    geometry: Callable[[Any], dict[str, Any]] = no_geometry  # the board of the tables as JSON, for a page
    place: Callable[[Any, Any, Mapping[str, Any]], None] = no_place  # sets up a described position, for lessons
    # Numbers about an action that lessons name, from the states before and after it; chances are floats.
    facts: Callable[[Any, Any, Any, int, int], dict[str, int | float]] = no_facts
    # What matters to a seat now, in numbers: (tables, a state that fits what the seat knows, seat, exact chances to
    # win by action where somebody has them). It must be the same for every such state.
    coach: Callable[[Any, Any, int, Mapping[int, float]], Advice] = no_coach
    usual_seats: int = 4  # the number of seats of a new table, within `min_seats` and `max_seats`

    def resolve_options(self, given: Mapping[str, object], seats: int | None) -> tuple[Options, int]:
        """Return all options, checked, with defaults for the missing ones, and the number of seats."""
        seats = self.min_seats if seats is None else seats
        if type(seats) is not int or not self.min_seats <= seats <= self.max_seats:
            raise OptionError("option.seats", seats=seats, least=self.min_seats, most=self.max_seats)
        options = opts.resolve(self.options, given, seats)
        self.check_options(options, seats)
        return options, seats

    def views_for(
        self, t: Any, s: Any, seats: Sequence[int], actions: Sequence[int] | None = None
    ) -> Sequence[msgspec.Struct]:
        """Return the view of each seat. `actions` are the legal actions, if the caller has them already."""
        if self.views is None:
            return [self.view(t, s, seat) for seat in seats]
        return self.views(t, s, seats, actions)

    @property
    def has_picture(self) -> bool:
        """Return whether the game can be drawn as SVG."""
        return self.render_svg is not no_svg

    @property
    def has_coach(self) -> bool:
        """Return whether the game can say what matters in numbers."""
        return self.coach is not no_coach

    @property
    def has_hidden_information(self) -> bool:
        """Return whether seats see different things."""
        return self.redeal is not nothing_hidden

    @property
    def bindings(self) -> dict[object, object]:
        """Return the game's kernel for each slot of the drivers, and its records."""
        rules = ("actor", "legal", "outcomes", "roll", "choose", "step", "scores", "observe", "redeal")
        measures = ("remember", "tally", "playout", "advise")
        return {
            slots.Tables: self.tables,
            slots.State: self.state,
            **{getattr(slots, name): getattr(self, name) for name in rules + measures},
        }

    def scratch(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return two arrays for drivers to write to: legal actions or outcomes, and weights."""
        size = max(self.max_legal, self.max_outcomes)
        return np.zeros(size, np.int64), np.zeros(size, np.int64)
