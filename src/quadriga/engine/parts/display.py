"""The display of a game: what a seat may see of a position, and how it is drawn and explained."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol

from quadriga.engine.parts.variables import InT, InV, S, T, V
from quadriga.engine.text.catalogues import Localised, Message, Words

if TYPE_CHECKING:
    from rich.text import Text

OPEN = 0  # every seat may read the text of the action
VEILED = 1  # only the seat that acted may read it; the others see that it acted
SILENT = 2  # the other seats may not notice the action at all


class Note(NamedTuple):
    """One effect of an action, or one reason against it, with the id of the rule that says so."""

    rule: str
    message: Message


Reasons = dict[str, list[Note]]
"""The cards, markers and payments that a seat cannot play now, by name, each with the reasons."""


class RenderText(Protocol[InT, InV]):
    """Draws a view in a terminal."""

    def __call__(
        self, t: InT, seen: InV, say: Words, width: int = 80, marks: Mapping[str, str] | None = None
    ) -> Text:
        """Return a view as text `width` columns wide, narrow if these are few; `marks` are numbers on spaces."""
        ...


class RenderSvg(Protocol[InT, InV]):
    """Draws the board as SVG."""

    def __call__(self, t: InT, seen: InV | None = None, caption: Sequence[str] = ()) -> str:
        """Return the board, with the pieces of a view if there is one, and lines of text below."""
        ...


@dataclass(frozen=True, eq=False, kw_only=True)
class Display(Generic[T, S, V]):
    """What a seat may see, and how it is shown."""

    view: Callable[[T, S, int], V]
    """Return all that a seat may see; NOBODY is a spectator. Nothing else shows a state to anyone."""

    views: Callable[[T, S, Sequence[int], Sequence[int] | None], Sequence[V]] | None = None
    """Return the views of several seats at once, with the legal actions if they are known. None: one by one."""

    render_text: RenderText[T, V]
    """Draw a view in a terminal."""

    render_low: RenderText[T, V] | None = None
    """Draw a view in a terminal of 24 lines. None: `render_text` does."""

    render_status: Callable[[T, V, Words], Text] | None = None
    """Return the lines of a view that stand below a picture of the board. None: there are none."""

    render_svg: RenderSvg[T, V] | None = None
    """Draw the board as SVG. None: there is no picture."""

    geometry: Callable[[T], dict[str, object]] | None = None
    """Return the board as JSON, for a page. None: the page shows a view as a list."""

    hand: Callable[[T, V, Words], Sequence[str]] | None = None
    """Return the names of the hidden cards in a view. None: there are none."""

    seat_name: Callable[[T, int], Message] | None = None
    """Return the name of a seat. None: seats have numbers."""

    name_outcome: Callable[[T, S, int], str | Localised | Message] | None = None
    """Return what a veiled outcome gives its own seat, such as the name of a card. None: its notation."""

    explain: Callable[[T, S, Sequence[int]], list[Note]]
    """Return the public effects of an action, given by its pieces, or of an outcome."""

    explain_after: Callable[[T, S, S, Sequence[int]], list[Note]] | None = None
    """Return the same effects as `explain`, from the states before and after. None: `explain` is called."""

    has_hidden_effects: Callable[[T, S, int], bool] | None = None
    """Return whether the effects of an action may depend on what the actor does not know. The answer itself may
    not. None: all may, if the game hides anything."""

    why_illegal: Callable[[T, S, int], Reasons] | None = None
    """Return the reasons why cards, pieces or payments of a seat cannot be played now, as far as it may know. None:
    no reasons are given."""

    secrecy: Callable[[T, S, int], int] | None = None
    """Return how secret an action is: OPEN, VEILED or SILENT to other seats. None: every action is open."""

    def views_for(self, t: T, s: S, seats: Sequence[int], actions: Sequence[int] | None = None) -> Sequence[V]:
        """Return the view of each seat. `actions` are the legal actions, if the caller has them already."""
        if self.views is None:
            return [self.view(t, s, seat) for seat in seats]
        return self.views(t, s, seats, actions)

    def name_of(self, t: T, seat: int) -> Message:
        """Return the name of a seat: the game's own, or its number."""
        if self.seat_name is None:
            return Message("seat.name", {"number": seat + 1})
        return self.seat_name(t, seat)

    def may_depend_on_hidden(self, t: T, s: S, action: int) -> bool:
        """Return whether the effects of an action may depend on what the actor does not know."""
        return self.has_hidden_effects is None or self.has_hidden_effects(t, s, action)

    def board(self, t: T) -> dict[str, object]:
        """Return the board as JSON, for a page; nothing if the page shows a view as a list."""
        return {} if self.geometry is None else self.geometry(t)

    def secrecy_of(self, t: T, s: S, action: int) -> int:
        """Return how secret an action is to other seats: OPEN, VEILED or SILENT."""
        return OPEN if self.secrecy is None else self.secrecy(t, s, action)
