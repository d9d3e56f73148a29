"""The reaction windows in which the players at a terminal want to be asked, and the deals that they announce."""

from __future__ import annotations

from rich.console import Console

from quadriga.engine.match.match import Match
from quadriga.engine.text.catalogues import Words


class Reactions:
    """Who is asked in a window. The others pass without being asked."""

    def __init__(self, match: Match, console: Console, say: Words) -> None:
        self.match = match
        self.game = match.game
        self.console = console
        self.say = say
        self.windows = self.game.windows
        self.asked_windows = set(self.windows)  # windows in which the players are asked
        self.deal = self.game.deal_family(match.t)  # the actions that are deals, if there are any
        self.deals: set[int] = set()  # seats that are asked in the next window in which they can deal (BH-7.9)

    def passes(self) -> bool:
        """Return whether the actor is not asked: they have said so, or could only deal and did not announce it."""
        t, s, seat = self.match.t, self.match.s, self.match.actor
        if seat in self.deals and self.deal in self.match.actions():
            return False
        window = self.game.window_of(t, s)
        return (window is not None and window not in self.asked_windows) or self.game.asked_to_deal(t, s)

    def ask(self) -> None:
        """Note that the actor is asked now; a deal that they have announced can be made."""
        if self.deal in self.match.actions():
            self.deals.discard(self.match.actor)

    def announce_deal(self, rest: str) -> bool:
        """Let the player be asked in the next window in which they can deal, or take that back."""
        actor = self.match.actor
        seat = actor if actor >= 0 else self.game.notation.roller(self.match.t, self.match.s)
        self.deals ^= {seat}
        self.console.print(self.say("cli.play.deal-next" if seat in self.deals else "cli.play.deal-none"))
        return False

    def choose_stops(self, rest: str) -> bool:
        """Choose the windows in which the players are asked; in the others they pass."""
        asked = rest.upper().split()
        if asked == ["ALL"]:
            self.asked_windows = set(self.windows)
        elif asked == ["NONE"]:
            self.asked_windows = set()
        elif asked and set(asked) <= set(self.windows):
            self.asked_windows = set(asked)
        shown = [window for window in self.windows if window in self.asked_windows]
        sentence = self.say("cli.play.stops", windows=shown or "-", known=self.windows or "-")
        self.console.print(sentence, markup=False)
        return False
