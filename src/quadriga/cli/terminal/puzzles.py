"""Solve puzzles of Ur in the terminal: find the best move, then see the exact value of every move."""

from __future__ import annotations

import time

from rich.console import Console
from rich.text import Text

from quadriga.cli.terminal.prompt import PlayerLeftError, Prompt, read_line
from quadriga.engine.game import Note
from quadriga.engine.text import catalogues
from quadriga.engine.text.catalogues import Words
from quadriga.engine.text.wrapping import wrap
from quadriga.learn.puzzles import Puzzle, find_puzzle, of_the_day, puzzles, start

_DAY_S = 86_400


class PuzzleSession:
    """Puzzles one after the other: first the named one, or that of the day."""

    def __init__(self, say: Words, first: str = "") -> None:
        self.first = find_puzzle(first) if first else of_the_day(int(time.time()) // _DAY_S)
        self.say = catalogues.of(say.language, "quadriga.cli", start(self.first).game.package)
        self.console = Console(highlight=False)
        self.prompt = Prompt(self.console, self.say, {"q": self._quit}, self._read)

    def run(self) -> None:
        """Show puzzles until the player leaves."""
        self.console.print(self.say("cli.puzzles.keys"), style="dim", markup=False)
        known = puzzles()
        place = known.index(self.first)
        try:
            while True:
                self._solve(known[place % len(known)])
                place += 1
        except PlayerLeftError:
            return

    def _solve(self, puzzle: Puzzle) -> None:
        match = start(puzzle)
        say, show = self.say, self.console.print
        show()
        grade = say(f"cli.puzzles.grade-{puzzle.grade}")
        show(say("cli.puzzles.title", id=puzzle.id, grade=grade), style="bold", markup=False)
        drawing = match.game.render_text(match.t, match.view(0), say, self.console.width, match.marks())
        show(drawing, soft_wrap=not self.console.is_terminal, end="")
        texts = list(match.actions())
        effects = {
            text: self._effects(match.game.explain(match.t, match.s, (match.actions()[text],))) for text in texts
        }
        width = max(map(len, texts))
        for number, text in enumerate(texts, 1):
            self._print(f"  {number:>2}  {text:<{width}}  {effects[text]}", indent=8)
        chosen: list[str] = []
        self.prompt.ask(say("cli.puzzles.ask"), lambda line: self._choose(line, texts, chosen))
        lost = puzzle.values[puzzle.best] - puzzle.values[chosen[0]]
        if lost == 0:
            self._print(say("cli.puzzles.right"), "green")
        else:
            self._print(say("cli.puzzles.wrong", best=puzzle.best, lost=say.percent(lost, 1)), "yellow")
        for text in sorted(texts, key=lambda text: -puzzle.values[text]):
            self._print(f"  {say.percent(puzzle.values[text], 1):>7}  {text:<{width}}  {effects[text]}", indent=11)

    def _effects(self, notes: list[Note]) -> str:
        return ", ".join(self.say.text(note.message) for note in notes)

    def _choose(self, line: str, texts: list[str], chosen: list[str]) -> bool:
        if line.isdecimal() and 1 <= int(line) <= len(texts):
            line = texts[int(line) - 1]
        if line not in texts:
            self.console.print(self.say("cli.learn.unknown", n=len(texts)), style="red", markup=False)
            return False
        chosen.append(line)
        return True

    def _read(self, question: str) -> str:
        return read_line(self.console, question)

    def _quit(self, rest: str) -> bool:
        raise PlayerLeftError

    def _print(self, sentence: str, style: str = "", indent: int = 0) -> None:
        self.console.print(wrap(Text(sentence, style), self.console.width, indent), end="", soft_wrap=True)
