"""The common part of lessons and puzzles in the terminal: a position, numbered actions, one chosen action."""

from __future__ import annotations

import msgspec
from rich.console import Console
from rich.text import Text

from quadriga.cli.terminal.glossary import look_up, sentence
from quadriga.cli.terminal.prompt import Command, PlayerLeftError, Prompt, read_line
from quadriga.engine.match.match import Match
from quadriga.engine.parts.display import Note
from quadriga.engine.text import catalogues
from quadriga.engine.text.catalogues import Words
from quadriga.engine.text.wrapping import wrap
from quadriga.games import find


class Exercise:
    """Positions of a game in which somebody chooses an action. `q` leaves, `? WORD` explains a word."""

    def __init__(self, id: str, say: Words, commands: dict[str, Command] | None = None) -> None:
        self.game = find(id)
        self.say = catalogues.of(say.language, "quadriga.cli", self.game.package)
        self.console = Console(highlight=False)
        own = {"q": self._quit, "?": self._explain}
        self.prompt = Prompt(self.console, self.say, {**own, **(commands or {})}, self.read)

    def print(self, sentence: str, style: str = "", indent: int = 0) -> None:
        """Print a sentence within the width of the terminal."""
        self.console.print(wrap(Text(sentence, style), self.console.width, indent), end="", soft_wrap=True)

    def draw(self, match: Match, view: msgspec.Struct) -> None:
        """Print a position."""
        drawing = self.game.display.render_text(match.t, view, self.say, self.console.width, match.marks())
        self.console.print(drawing, soft_wrap=not self.console.is_terminal, end="")

    def effects(self, notes: list[Note]) -> str:
        """Return what an action does, in words."""
        return ", ".join(self.say.text(note.message) for note in notes)

    def choose(self, question: str, texts: list[str]) -> str | None:
        """Ask for an action, by its number or its text; return None if a command was given instead."""
        chosen: list[str] = []

        def take(line: str) -> bool:
            if line.isdecimal() and 1 <= int(line) <= len(texts):
                line = texts[int(line) - 1]
            if line not in texts:
                self.console.print(self.say("cli.learn.unknown", n=len(texts)), style="red", markup=False)
                return False
            chosen.append(line)
            return True

        return chosen[0] if self.prompt.ask(question, take) else None

    def read(self, question: str) -> str:
        """Read a line; raise PlayerLeftError at the end of the input."""
        return read_line(self.console, question)

    def _quit(self, rest: str) -> bool:
        raise PlayerLeftError

    def _explain(self, rest: str) -> bool:
        for term in look_up(self.game, rest, self.say.language):
            self.print(sentence(term, self.say), indent=2)
        return False
