"""Solve puzzles in the terminal: find the best move, then see the value of every move and how sure it is."""

from __future__ import annotations

import time

from quadriga.cli.terminal.exercise import Exercise
from quadriga.cli.terminal.prompt import PlayerLeftError
from quadriga.engine.match.match import Match
from quadriga.engine.text.catalogues import Words
from quadriga.learn.puzzles import Puzzle, find_puzzle, of_the_day, puzzles, start

_DAY_S = 86_400


class PuzzleSession(Exercise):
    """Puzzles of a game one after the other: first the named one, or that of the day."""

    def __init__(self, game: str, say: Words, first: str = "") -> None:
        super().__init__(game, say)
        self.today = of_the_day(game, int(time.time()) // _DAY_S)
        self.first = find_puzzle(game, first) if first else self.today

    def run(self) -> None:
        """Show puzzles until the player leaves."""
        self.console.print(self.say("cli.puzzles.keys"), style="dim", markup=False)
        known = puzzles(self.game.id)
        place = known.index(self.first)
        try:
            while True:
                self._solve(known[place % len(known)])
                place += 1
        except PlayerLeftError:
            return

    def _solve(self, puzzle: Puzzle) -> None:
        match = start(self.game.id, puzzle)
        seat, say, show = match.actor, self.say, self.console.print
        show()
        grade = say(f"cli.puzzles.grade-{puzzle.grade}")
        name = say.text(match.game.display.name_of(match.t, seat))
        today = f" · {say('cli.puzzles.day')}" if puzzle == self.today else ""
        title = say("cli.puzzles.title", id=puzzle.id, grade=grade, name=name)
        show(f"{title}{today}", style="bold", markup=False)
        self.draw(match, match.view(seat))
        effects = self._effects_of_all(match)
        texts = list(effects)
        width = max(map(len, texts))
        for number, text in enumerate(texts, 1):
            self.print(f"  {number:>2}  {text:<{width}}  {effects[text]}", indent=width + 8)
        chosen = None
        while chosen is None:
            chosen = self.choose(say("cli.puzzles.ask"), texts)
        self._answer(puzzle, chosen, effects)

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
            self.print(say("cli.puzzles.right", what=what), "green")
        else:
            self.print(say("cli.puzzles.wrong", best=puzzle.best, lost=say.percent(lost, 1), what=what), "yellow")
        width = max(map(len, effects))
        for text in sorted(effects, key=lambda text: -puzzle.values[text]):
            marks = [say("cli.puzzles.yours")] if text == chosen else []
            marks += [say("cli.puzzles.obvious")] if text == puzzle.obvious else []
            note = f" ({', '.join(marks)})" if marks else ""
            value = say.percent(puzzle.values[text], 1)
            if not puzzle.is_exact:
                value += f" ± {say.percent(puzzle.errors[text], 1)}"
            row = f"  {value:>7}  {text:<{width}}  {effects[text]}{note}"
            self.print(row, indent=len(value) + width + 6)
        if not puzzle.is_exact:
            error = say.percent(puzzle.lead_error, 1)
            self.print(say("cli.puzzles.sure", lead=say.percent(puzzle.lead, 1), error=error), "dim")

    def _effects_of_all(self, match: Match) -> dict[str, str]:
        return {
            text: self.effects(self.game.display.explain(match.t, match.s, (action,)))
            for text, action in match.actions().items()
        }
