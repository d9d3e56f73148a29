"""Solve puzzles in the terminal: find the best move, then see the value of every move and how sure it is."""

from __future__ import annotations

import time

from rich.console import Console
from rich.text import Text

from quadriga.cli.terminal.glossary import look_up, sentence
from quadriga.cli.terminal.prompt import PlayerLeftError, Prompt, read_line
from quadriga.engine.game import Note
from quadriga.engine.match.match import Match
from quadriga.engine.text import catalogues
from quadriga.engine.text.catalogues import Words
from quadriga.engine.text.wrapping import wrap
from quadriga.games import find
from quadriga.learn.puzzles import Puzzle, find_puzzle, of_the_day, puzzles, start

_DAY_S = 86_400


class PuzzleSession:
    """Puzzles of a game one after the other: first the named one, or that of the day."""

    def __init__(self, game: str, say: Words, first: str = "") -> None:
        self.game = game
        self.today = of_the_day(game, int(time.time()) // _DAY_S)
        self.first = find_puzzle(game, first) if first else self.today
        self.say = catalogues.of(say.language, "quadriga.cli", find(game).package)
        self.console = Console(highlight=False)
        self.prompt = Prompt(self.console, self.say, {"q": self._quit, "?": self._explain}, self._read)

    def run(self) -> None:
        """Show puzzles until the player leaves."""
        self.console.print(self.say("cli.puzzles.keys"), style="dim", markup=False)
        known = puzzles(self.game)
        place = known.index(self.first)
        try:
            while True:
                self._solve(known[place % len(known)])
                place += 1
        except PlayerLeftError:
            return

    def _solve(self, puzzle: Puzzle) -> None:
        match = start(self.game, puzzle)
        seat, say, show = match.actor, self.say, self.console.print
        show()
        grade = say(f"cli.puzzles.grade-{puzzle.grade}")
        name = say.text(match.game.seat_name(match.t, seat))
        today = f" · {say('cli.puzzles.day')}" if puzzle == self.today else ""
        title = say("cli.puzzles.title", id=puzzle.id, grade=grade, name=name)
        show(f"{title}{today}", style="bold", markup=False)
        drawing = match.game.render_text(match.t, match.view(seat), say, self.console.width, match.marks())
        show(drawing, soft_wrap=not self.console.is_terminal, end="")
        effects = self._effects_of_all(match)
        texts = list(effects)
        width = max(map(len, texts))
        for number, text in enumerate(texts, 1):
            self._print(f"  {number:>2}  {text:<{width}}  {effects[text]}", indent=width + 8)
        chosen: list[str] = []
        while not self.prompt.ask(say("cli.puzzles.ask"), lambda line: self._choose(line, texts, chosen)):
            pass
        self._answer(puzzle, chosen[0], effects)

    def _answer(self, puzzle: Puzzle, chosen: str, effects: dict[str, str]) -> None:
        """Print whether the move is the best one, and the value of every move."""
        say = self.say
        lost = puzzle.values[puzzle.best] - puzzle.values[chosen]
        if puzzle.is_exact:
            what = say("cli.puzzles.exact")
        else:
            what = say(
                "cli.puzzles.chance" if puzzle.seats == 2 else "cli.puzzles.share", n=say.decimal(puzzle.playouts)
            )
        if lost == 0:
            self._print(say("cli.puzzles.right", what=what), "green")
        else:
            self._print(say("cli.puzzles.wrong", best=puzzle.best, lost=say.percent(lost, 1), what=what), "yellow")
        width = max(map(len, effects))
        for text in sorted(effects, key=lambda text: -puzzle.values[text]):
            marks = [say("cli.puzzles.yours")] if text == chosen else []
            marks += [say("cli.puzzles.obvious")] if text == puzzle.obvious else []
            note = f" ({', '.join(marks)})" if marks else ""
            value = say.percent(puzzle.values[text], 1)
            if not puzzle.is_exact:
                value += f" ± {say.percent(puzzle.errors[text], 1)}"
            row = f"  {value:>7}  {text:<{width}}  {effects[text]}{note}"
            self._print(row, indent=len(value) + width + 6)
        if not puzzle.is_exact:
            error = say.percent(puzzle.lead_error, 1)
            self._print(say("cli.puzzles.sure", lead=say.percent(puzzle.lead, 1), error=error), "dim")

    def _effects_of_all(self, match: Match) -> dict[str, str]:
        explain = match.game.explain
        return {
            text: self._effects(explain(match.t, match.s, (action,))) for text, action in match.actions().items()
        }

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

    def _explain(self, rest: str) -> bool:
        for term in look_up(find(self.game), rest, self.say.language):
            self._print(sentence(term, self.say), indent=2)
        return False

    def _print(self, sentence: str, style: str = "", indent: int = 0) -> None:
        self.console.print(wrap(Text(sentence, style), self.console.width, indent), end="", soft_wrap=True)
