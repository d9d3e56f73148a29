"""Play a game in the terminal to its end."""

from __future__ import annotations

import time
from pathlib import Path

from rich.console import Console

from quadriga.cli.terminal import saves
from quadriga.cli.terminal.board import Board
from quadriga.cli.terminal.compound import ask_compound
from quadriga.cli.terminal.prompt import PlayerLeftError, Prompt
from quadriga.cli.terminal.saves import Seating
from quadriga.engine import files
from quadriga.engine.game import NOBODY
from quadriga.engine.kernels.slots import CHANCE
from quadriga.engine.match import trace
from quadriga.engine.match.dice import FairDice
from quadriga.engine.match.entry import FAMILY
from quadriga.engine.text import catalogues
from quadriga.engine.text.catalogues import Words
from quadriga.players import Perspective


class Session:
    """One game at one terminal."""

    def __init__(self, seating: Seating, say: Words, *, record: str = "", auto: bool = False) -> None:
        self.seating = seating
        self.match = seating.match
        self.game = self.match.game
        self.say = catalogues.of(say.language, "quadriga.cli", self.game.package)
        self.console = Console(highlight=False)
        self.record = record
        self.auto = auto
        self.windows = self.game.hidden_windows
        self.stops = set(self.windows)  # reaction windows in which the player is asked
        self.board = Board(seating, self.console, self.say)
        self.prompt = Prompt(
            self.console,
            self.say,
            {
                "q": self._quit,
                "s": self._save,
                "u": self._undo,
                "?": self._explain,
                "why": self._why,
                "pourquoi": self._why,
                "b": self._show,
                "w": self._set_stops,
            },
        )

    def run(self) -> None:
        """Play until the game is over or the player leaves. Leaving saves the game."""
        self._greet()
        try:
            while not self.match.over:
                self._continue()
            self._end()
        except (PlayerLeftError, KeyboardInterrupt):
            if any(not entry.chance for entry in self.match.entries):
                self._save("")

    def _greet(self) -> None:
        show = self.console.print
        show(self.say(f"{self.game.id}.title"), style="bold", markup=False)
        dice = self.match.dice
        if isinstance(dice, FairDice):
            show(self.say("cli.play.fair", commitment=dice.commitment), style="dim")
        show(self.say("cli.play.keys"), style="dim", markup=False)
        if self.match.entries:
            show(self.say("cli.play.resumed", n=len(self.match.entries)))

    def _continue(self) -> None:
        """Let chance, a bot or a human act once."""
        match = self.match
        if match.actor == CHANCE:
            self._roll()
        elif player := self.seating.player(match.actor):
            text = player.decide(Perspective(match))
            self.board.announce(lambda: match.play(text))
        elif (window := self.game.window(match.t, match.s)) and window not in self.stops:
            match.play("pass")
        else:
            self.board.show_if_changed(match.actor)
            self.board.list_actions()
            question = self.say("cli.play.move", name=self.board.name(match.actor), n=len(match.actions()))
            self.prompt.ask(question, self._take_move)

    def _roll(self) -> None:
        """Roll or draw; ask first if a human rolls the dice."""
        match = self.match
        roller = self.game.roller(match.t, match.s)
        asks = self.game.is_dice_roll(match.t, match.s) and not self.auto
        if roller != NOBODY and asks and self.board.is_human(roller):
            self.board.show(roller)
            question = self.say("cli.play.roll", name=self.board.name(roller))
            if not self.prompt.ask(question, self._take_roll):
                return
        self.board.announce(match.roll_once)

    def _take_roll(self, text: str) -> bool:
        """Return whether the player pressed Enter."""
        if text:
            self.console.print(self.say("cli.play.only-roll"), style="red")
        return not text

    def _take_move(self, text: str) -> bool:
        """Play a move given by number or in notation; return whether one was played."""
        legal = list(self.match.actions())
        if text.isdecimal() and 1 <= int(text) <= len(legal):
            text = legal[int(text) - 1]
        if text.endswith(FAMILY) and text in legal:
            text = ask_compound(self.match, text, self.console, self.say)
        if not text:
            return False
        self.board.announce(lambda: self.match.play(text))
        return True

    def _quit(self, rest: str) -> bool:
        raise PlayerLeftError

    def _explain(self, rest: str) -> bool:
        self.board.explain_actions()
        return False

    def _why(self, asked: str) -> bool:
        self.board.explain_illegal(asked)
        return False

    def _show(self, rest: str) -> bool:
        self.board.show(max(self.match.actor, 0))
        return False

    def _set_stops(self, rest: str) -> bool:
        """Choose the reaction windows in which the player is asked; in the others they pass."""
        asked = rest.upper().split()
        if asked == ["ALL"]:
            self.stops = set(self.windows)
        elif asked == ["NONE"]:
            self.stops = set()
        elif asked and set(asked) <= set(self.windows):
            self.stops = set(asked)
        shown = [window for window in self.windows if window in self.stops]
        sentence = self.say("cli.play.stops", windows=shown or "-", known=self.windows or "-")
        self.console.print(sentence, markup=False)
        return False

    def _undo(self, rest: str) -> bool:
        """Take back a human's last move, unless something was rolled or decided since."""
        entries = self.match.entries
        seat = entries[-1].seat if entries else None
        if seat is None or not self.board.is_human(seat) or not self.match.may_undo(seat):
            self.console.print(self.say("cli.play.no-undo"), style="red")
            return False
        self.console.print(self.say("cli.play.undone", text=self.match.undo().text))
        return True

    def _end(self) -> None:
        """Print the result and the seed, and write the record or offer to."""
        self.board.show_end()
        best = max(self.match.scores)
        winners = [self.board.name(seat) for seat, points in enumerate(self.match.scores) if points == best]
        self.console.print(self.say("cli.play.won", names=winners), style="bold")
        dice = self.match.dice
        if isinstance(dice, FairDice):
            self.console.print(self.say("cli.play.seed", seed=dice.seed.hex()), style="dim")
        if self.record:
            self._write_record(self.record)
        elif any(map(self.board.is_human, range(self.match.seats))):
            self._offer_record()

    def _offer_record(self) -> None:
        try:
            text = self.console.input(self.say("cli.play.offer-record") + " ").strip()
        except EOFError:
            return
        command, _, name = text.partition(" ")
        if command == "s":
            self._write_record(name.strip() or self._new_file_name())

    def _write_record(self, path: str) -> None:
        files.write_text(path, trace.dumps(self.match))
        self.console.print(self.say("cli.play.recorded", path=path), markup=False)

    def _save(self, path: str) -> bool:
        path = path or self._new_file_name()
        saves.write(self.seating, path)
        self.console.print(self.say("cli.play.saved", path=path), markup=False)
        return False

    def _new_file_name(self) -> str:
        stem = f"{self.game.id}-{time.strftime('%Y%m%d-%H%M%S')}"
        names = (f"{stem}{suffix}.jsonl" for suffix in ("", *(f"-{n}" for n in range(2, 100))))
        return next(name for name in names if not Path(name).exists())
