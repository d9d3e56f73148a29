"""Read lines from the player, and answer the commands among them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping

from rich.console import Console

from quadriga.engine.errors import QuadrigaError
from quadriga.engine.text.catalogues import Words

Command = Callable[[str], bool]
"""Takes the rest of the line; returns whether the position has changed."""


class PlayerLeftError(Exception):
    """The player has left the game or closed the input."""


def read_line(console: Console, question: str) -> str:
    """Ask a question and return the player's line. Raises PlayerLeftError at the end of the input."""
    console.print(question, style="bold", end=" ", markup=False, soft_wrap=True)
    try:
        return console.input().strip()
    except (EOFError, OSError):  # the input has ended, or the terminal is closed
        with contextlib.suppress(OSError):
            console.print()
        raise PlayerLeftError from None


class Prompt:
    """Ask questions whose answers may be commands, such as `?` or `s FILE`, instead."""

    def __init__(
        self,
        console: Console,
        say: Words,
        commands: Mapping[str, Command],
        read: Callable[[str], str],
    ) -> None:
        self.console = console
        self.say = say
        self.commands = commands
        self.read = read  # asks a question

    def ask(self, question: str, answer: Callable[[str], bool]) -> bool:
        """Ask until `answer` accepts a line; return False if a command has changed the position instead."""
        while True:
            line = self.read(question)
            word, _, rest = line.partition(" ")
            try:
                if word.casefold() in self.commands:
                    if self.commands[word.casefold()](rest.strip()):
                        return False
                elif answer(line):
                    return True
            except QuadrigaError as fault:
                self.console.print(fault.text(self.say.language), style="red", markup=False)
