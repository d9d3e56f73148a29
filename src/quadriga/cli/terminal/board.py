"""Print a game in the terminal: positions, legal actions, what happens, and why something cannot be played."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.console import Console
from rich.text import Text

from quadriga.cli.terminal import saves
from quadriga.cli.terminal.saves import Seating
from quadriga.engine.game import NOBODY
from quadriga.engine.kernels.struct import Struct
from quadriga.engine.match.compounds import illegal, parse
from quadriga.engine.match.entry import Entry
from quadriga.engine.match.match import Match
from quadriga.engine.parts.display import OPEN, SILENT, Note
from quadriga.engine.text.catalogues import Words
from quadriga.engine.text.wrapping import wrap
from quadriga.learn.coach import Coaching


class Board:
    """The output of one game. People who share the terminal do not see each other's hidden cards."""

    def __init__(self, seating: Seating, console: Console, say: Words, read: Callable[[str], str]) -> None:
        self.seating = seating
        self.match = seating.match
        self.game = self.match.game
        self.console = console
        self.say = say
        self._read = read  # asks a question
        self._shown_to = NOBODY  # the seat that was shown the position last
        self._shown_after = 0  # the number of entries at that time

    def is_human(self, seat: int) -> bool:
        """Return whether a human plays this seat."""
        return self.seating.kinds[seat] == saves.HUMAN

    def name(self, seat: int) -> str:
        """Return the name of a seat."""
        return self.say.text(self.game.display.name_of(self.match.t, seat))

    def show(self, seat: int) -> None:
        """Print the position as a seat sees it, after the terminal was handed over to that seat."""
        self._hand_over(seat)
        self.console.print()
        match, marks = self.match, self.match.marks() if self.match.actor == seat else {}
        display, view, width = self.game.display, match.view(seat), self.console.width
        drawing = display.render_text(match.t, view, self.say, width, marks)
        lines = drawing.plain.count("\n") + len(match.actions()) + 2  # with the actions and the question
        if display.render_low is not None and self.console.is_terminal and lines > self.console.height:
            drawing = display.render_low(match.t, view, self.say, width, marks)
        self.console.print(drawing, soft_wrap=not self.console.is_terminal, end="")
        self._shown_to, self._shown_after = seat, len(self.match.entries)

    def show_first(self, seat: int) -> None:
        """Print the position if nothing was printed yet, or if another seat looks at the terminal."""
        if self._shown_to != seat:
            self.show(seat)

    def show_if_changed(self, seat: int) -> None:
        """Print the position, unless the seat has seen it and only a roll came after that leads to no space."""
        since = self.match.entries[max(self._shown_after, 0) :]
        is_roll = len(since) == 1 and since[0].chance and not self.match.marks()
        if self._shown_to != seat or (since and not is_roll):
            self.show(seat)

    def forget(self) -> None:
        """Print the position again at the next occasion."""
        self._shown_to = NOBODY if not self._is_shared() else self._shown_to
        self._shown_after = 0

    def as_notated(self, typed: str) -> str:
        """Return what a player typed as the notation has it: upper and lower case do not matter here.

        Raises IllegalActionError, in the notation that the terminal shows, if it is not legal.
        """
        match, notation = self.match, self.game.notation
        by_fold = {self.shown(action).casefold(): text for text, action in match.actions().items()}
        found = by_fold.get(" ".join(typed.casefold().split()))
        if found is not None:
            return found
        if notation.compounds is None:
            raise illegal(match, typed, notation.show)
        parse_shown = notation.compounds.parse_shown
        written = typed if parse_shown is None else parse_shown(match.t, match.s, typed)
        parse(match, written, typed, notation.show)
        return written

    def shown(self, *actions: int) -> str:
        """Return the notation of an action in this position as the terminal shows it."""
        return shown_text(self.match, self.match.s, actions)

    def show_end(self) -> None:
        """Print the last position as the first human sees it, without handing over."""
        self._shown_to, self._shown_after = NOBODY, 0
        self.show(next((seat for seat in range(self.match.seats) if self.is_human(seat)), 0))

    def list_actions(self, coaching: Coaching | None = None) -> None:
        """Print the legal actions, numbered, each with its effects, and with the numbers of the coach if given."""
        actions = {self.shown(action): action for action in self.match.actions().values()}
        notation = {action: text for text, action in self.match.actions().items()}
        width = max(map(len, actions), default=0)
        for message in coaching.position if coaching else []:
            self.print(f"  {self.say.text(message)}", style="cyan", indent=2)
        for number, (text, action) in enumerate(actions.items(), 1):
            effects = self._effects(self.game.display.explain(self.match.t, self.match.s, (action,)))
            self.print(f"  {number:>2}  {text:<{width}}  {effects}", indent=8)
            if coaching and (said := coaching.actions.get(notation[action])):
                numbers = "; ".join(self.say.text(message) for message in said)
                self.print(f"        {numbers}", style="cyan", indent=8)

    def explain_actions(self) -> None:
        """Print for every legal action its effects, with the ids of the rules."""
        actions = self.match.actions().values()
        if not actions:
            self.console.print(self.say("cli.play.only-roll"))
        for action in actions:
            self._print_notes(self.shown(action), self.game.display.explain(self.match.t, self.match.s, (action,)))
        self.console.print(self.say("cli.play.rules", game=self.game.id), style="dim")

    def explain_illegal(self, asked: str) -> None:
        """Print why things of the player cannot be played now: all, or those whose names begin with `asked`."""
        match = self.match
        seat = match.actor if match.actor >= 0 else self.game.notation.roller(match.t, match.s)
        reasons = match.why_illegal(seat)
        start = asked.casefold()
        found = [thing for thing in reasons if thing.casefold() == start]
        found = found or [thing for thing in reasons if thing.casefold().startswith(start)]
        if not reasons:
            self.console.print(self.say("cli.play.all-playable"))
        elif not found:
            self.console.print(self.say("cli.play.not-barred", asked=asked, things=list(reasons)), markup=False)
        for thing in found:
            self._print_notes(thing, reasons[thing])

    def announce(self, act: Callable[[], Entry]) -> tuple[list[Note], int | None]:
        """Let something happen, and print it as far as the people at the terminal may know.

        Return the effects that were printed, and the seat that acted.
        """
        before = self.match.s.copy()
        entry = act()
        who = self.name(entry.seat) if entry.seat is not None else self.say("cli.play.chance")
        is_own = entry.seat is not None and self.is_human(entry.seat) and not self._is_watched(entry.seat)
        secrecy = OPEN if is_own else self.game.display.secrecy_of(self.match.t, before, entry.actions[0])
        if secrecy == SILENT:
            return [], entry.seat
        notes = [*self.game.display.explain(self.match.t, before, entry.actions), *self._said(before, entry)]
        effects = self._effects(notes)
        if entry.chance:
            what = self._outcome(before, entry.actions[0], effects) if is_own else effects
        else:
            what = effects if secrecy != OPEN else f"{shown_text(self.match, before, entry.actions)}  {effects}"
        self.print(self.say("cli.play.did", who=who, what=what), indent=6)
        return notes, entry.seat

    def _said(self, before: Struct, entry: Entry) -> list[Note]:
        """Return what a bot that has acted says about it to the person at the terminal."""
        bots = self.game.bots
        if entry.seat is None or self.is_human(entry.seat) or bots is None or bots.reason is None:
            return []
        said = bots.reason(self.match.t, before, entry.actions)
        if said is None:
            return []
        return [said.note] if any(self.is_human(each) and not self._is_watched(each) for each in said.seats) else []

    def _outcome(self, before: Struct, action: int, effects: str) -> str:
        """Return what an outcome has done for its own seat, which may know more than others."""
        t, display = self.match.t, self.game.display
        if display.secrecy_of(t, before, action) == OPEN:
            return effects
        notation = shown_text(self.match, before, (action,))
        name = notation if display.name_outcome is None else display.name_outcome(t, before, action)
        return self.say("cli.play.drawn", effects=effects, name=name)

    def print(self, sentence: str, *, indent: int, style: str = "") -> None:
        """Print a sentence that continues indented where the terminal is too narrow for it."""
        page = wrap(Text(sentence, style), self.console.width, indent)
        self.console.print(page, end="", soft_wrap=True)

    def _effects(self, notes: list[Note]) -> str:
        return ", ".join(self.say.text(note.message) for note in notes)

    def _print_notes(self, title: str, notes: list[Note]) -> None:
        self.console.print(f"  {title}", style="bold", markup=False)
        for note in notes:
            self.print(f"      {note.rule:<8} {self.say.text(note.message)}", indent=15)

    def _is_shared(self) -> bool:
        """Return whether several people share the terminal and may not see each other's cards."""
        return self.game.rules.has_hidden_information and sum(map(self.is_human, range(self.match.seats))) > 1

    def _is_watched(self, seat: int) -> bool:
        """Return whether another human than the one at this seat looks at the terminal."""
        return self._is_shared() and self._shown_to != seat

    def _hand_over(self, seat: int) -> None:
        """Clear the terminal, and wait until the player of this seat looks at it alone."""
        if self._is_shared() and self._shown_to not in (NOBODY, seat):
            self.console.clear()
            self._read(self.say("cli.play.hand-over", name=self.name(seat)))


def shown_text(match: Match, s: Struct, actions: Sequence[int]) -> str:
    """Return the notation of an action in a position as the terminal shows it: there all numbers begin with 1."""
    return match.game.notation.show(match.t, s, actions)
