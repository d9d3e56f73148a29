"""Play a game in the terminal to its end."""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from quadriga.cli.terminal import saves
from quadriga.cli.terminal.board import Board
from quadriga.cli.terminal.compound import ask_compound
from quadriga.cli.terminal.departure import Departure
from quadriga.cli.terminal.glossary import look_up, sentence
from quadriga.cli.terminal.hints import print_hint
from quadriga.cli.terminal.prompt import PlayerLeftError, Prompt, read_line
from quadriga.cli.terminal.reactions import Reactions
from quadriga.cli.terminal.saves import Seating
from quadriga.cli.terminal.thinking import Thinking
from quadriga.engine import files
from quadriga.engine.errors import FileError
from quadriga.engine.game import NOBODY
from quadriga.engine.kernels.slots import CHANCE
from quadriga.engine.match import trace
from quadriga.engine.match.dice import FairDice
from quadriga.engine.match.entry import FAMILY, Entry
from quadriga.engine.text import catalogues
from quadriga.engine.text.catalogues import Words
from quadriga.learn.coach import coaching
from quadriga.learn.first_race import Tip, Tutor


class Session:
    """One game at one terminal."""

    def __init__(
        self,
        seating: Seating,
        say: Words,
        *,
        saved: str = "",
        record: str = "",
        auto: bool = False,
        tutor: Tutor | None = None,
    ) -> None:
        self.seating = seating
        self.match = seating.match
        self.game = self.match.game
        self.say = catalogues.of(say.language, "quadriga.cli", self.game.package)
        self.console = Console(highlight=False)
        self.record = record
        self.auto = auto
        self.tutor = tutor  # of a first race
        self.is_coached = False
        self.reactions = Reactions(self.match, self.console, self.say)
        self.departure = Departure()
        self.board = Board(seating, self.console, self.say, self._read)
        self.thinking = Thinking(seating, self.departure, self.console, self.say)
        self.prompt = Prompt(
            self.console,
            self.say,
            {
                "q": self._quit,
                "s": self._save_new,
                "s!": self._save,
                "u": self._undo,
                "h": self._hint,
                "?": self._explain,
                "why": self._why,
                "pourquoi": self._why,
                "b": self._show,
                **({"coach": self._coach} if self.game.has_coach else {}),
                **({"w": self.reactions.choose_stops} if self.reactions.windows else {}),
                **({"d": self.reactions.announce_deal} if self.reactions.deal else {}),
            },
            self._read,
        )
        self._own_files: set[Path] = set()  # saved by this session
        self._saved = saved  # the file that was resumed or saved last, which leaving updates

    def run(self) -> int:
        """Play until the game is over or the player leaves, and return the exit code.

        Leaving saves the game: in the file that it was resumed from or saved in, if there is one.
        """
        with self.departure:
            try:
                self._greet()
                self.thinking.start()
                while not self.match.over:
                    self.departure.check()
                    self._continue()
                self._end()
            except PlayerLeftError:
                if any(not entry.chance for entry in self.match.entries) and not self.match.over:
                    self._save_somewhere()
        return 128 + self.departure.number if self.departure.number else 0

    def _read(self, question: str) -> str:
        with self.departure.waiting():
            return read_line(self.console, question)

    def _greet(self) -> None:
        show = self.console.print
        show(self.say(f"{self.game.id}.title"), style="bold", markup=False)
        dice = self.match.dice
        if isinstance(dice, FairDice):
            show(self.say("cli.play.fair", commitment=dice.commitment), style="dim")
        if any(map(self.board.is_human, range(self.match.seats))):
            keys = [
                "explain",
                "why-card" if self.game.rules.has_hidden_information else "why",
                "hint",
                "undo",
                "board",
            ]
            keys += ["coach"] if self.game.has_coach else []
            keys += ["windows"] if self.reactions.windows else []
            keys += [*(["deal"] if self.reactions.deal else []), "save", "quit"]
            said = [self.say(f"cli.play.key.{key}") for key in keys]
            self.board.print(self.say("cli.play.keys", keys=said), style="dim", indent=0)
        if self.match.entries:
            show(self.say("cli.play.resumed", n=len(self.match.entries)))

    def _continue(self) -> None:
        """Let chance, a bot or a human act once."""
        match = self.match
        if match.actor == CHANCE:
            self._roll()
        elif self.seating.player(match.actor):
            text = self.thinking.decide()
            self._announce(lambda: match.push(text))
        elif self.reactions.passes():
            match.push("pass")
        else:
            self.reactions.ask()
            self.board.show_if_changed(match.actor)
            if self.tutor is not None:
                self._tip(self.tutor.see(match.view(match.actor), match.actions()))
            self.board.list_actions(coaching(match, match.actor) if self.is_coached else None)
            question = self.say("cli.play.move", name=self.board.name(match.actor), n=len(match.actions()))
            self.prompt.ask(question, self._take_move)

    def _roll(self) -> None:
        """Roll or draw; ask first if a human rolls the dice."""
        match = self.match
        roller = self.game.notation.roller(match.t, match.s)
        is_dice_roll = self.game.notation.is_dice_roll
        asks = is_dice_roll is not None and is_dice_roll(match.t, match.s) and not self.auto
        if roller != NOBODY and asks and self.board.is_human(roller):
            self.board.show_first(roller)
            question = self.say("cli.play.roll", name=self.board.name(roller))
            if not self.prompt.ask(question, self._take_roll):
                return
        self._announce(match.roll_once)

    def _announce(self, act: Callable[[], Entry]) -> None:
        """Let something happen and print it; in a first race, say what is new about it."""
        notes, seat = self.board.announce(act)
        if self.tutor is not None:
            self._tip(self.tutor.hear(notes, seat))

    def _tip(self, tip: Tip | None) -> None:
        if tip is not None:
            self.board.print(f"» {tip.text(self.say.language)}", style="yellow", indent=2)

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
        elif text.isdecimal() and text not in legal:
            self.console.print(self.say("cli.play.number", n=len(legal)), style="red")
            return False
        else:
            text = self.board.as_notated(text)
        if text.endswith(FAMILY) and text in legal:
            text = ask_compound(self.match, text, self.console, self.say, self._read)
        if not text:
            return False
        self._announce(lambda: self.match.push(text))
        return True

    def _quit(self, rest: str) -> bool:
        raise PlayerLeftError

    def _hint(self, rest: str) -> bool:
        if self.match.actor >= 0:
            print_hint(self.match, self.thinking, self.board, self.say)
        else:
            self.console.print(self.say("cli.play.only-roll"), style="red")
        return False

    def _coach(self, rest: str) -> bool:
        """Switch the coach on or off; several people at the terminal must all agree to it."""
        if not self.is_coached and sum(map(self.board.is_human, range(self.match.seats))) > 1:
            agreed = self._read(self.say("cli.play.coach-agreed")).casefold()
            if agreed not in self.say("cli.play.yes").split():
                return False
        self.is_coached = not self.is_coached
        self.console.print(self.say("cli.play.coach-on" if self.is_coached else "cli.play.coach-off"))
        if self.is_coached and self.match.actor >= 0:
            self.board.list_actions(coaching(self.match, self.match.actor))
        return False

    def _explain(self, rest: str) -> bool:
        """Explain the legal actions, or a word of the game: `? rosette`."""
        if not rest:
            self.board.explain_actions()
        for term in look_up(self.game, rest, self.say.language) if rest else []:
            self.board.print(sentence(term, self.say), indent=2)
        return False

    def _why(self, asked: str) -> bool:
        self.board.explain_illegal(asked)
        return False

    def _show(self, rest: str) -> bool:
        self.board.show(max(self.match.actor, 0))
        return False

    def _undo(self, rest: str) -> bool:
        """Take back a human's last move: against bots always, among people if nothing came after it."""
        if not self._may_undo():
            self.console.print(self.say("cli.play.no-undo"), style="red")
            return False
        last = self.match.pop()
        while last.chance or last.seat is None or not self.board.is_human(last.seat):
            last = self.match.pop()
        self.console.print(self.say("cli.play.undone", text=self.board.shown(*last.actions)), markup=False)
        self.board.forget()
        return True

    def _may_undo(self) -> bool:
        entries = self.match.entries
        if sum(map(self.board.is_human, range(self.match.seats))) == 1:
            return any(not each.chance and self.board.is_human(each.seat or 0) for each in entries)
        seat = entries[-1].seat if entries else None
        return seat is not None and self.board.is_human(seat) and self.match.may_undo(seat)

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
        while True:
            command, _, name = self._read(self.say("cli.play.offer-record")).partition(" ")
            if command.casefold() not in ("s", "s!"):
                return
            try:
                self._write_record(name.strip() or self._new_file_name(), refuse=command != "s!")
            except FileError as fault:
                self.console.print(fault.text(self.say.language), style="red", markup=False)
            else:
                return

    def _write_record(self, path: str, refuse: bool = False) -> None:
        if refuse:
            _refuse_existing(path)
        files.write_text(path, trace.dumps(self.match))
        self.console.print(self.say("cli.play.recorded", path=path), markup=False, soft_wrap=True)

    def _save_new(self, path: str) -> bool:
        if path and Path(path).absolute() not in self._own_files:
            _refuse_existing(path)
        return self._save(path)

    def _save(self, path: str) -> bool:
        path = path or self._new_file_name()
        saves.write(self.seating, path)
        self._own_files.add(Path(path).absolute())
        self._saved = path
        with contextlib.suppress(OSError):  # the terminal may be closed
            self.console.print(self.say("cli.play.saved", path=path), markup=False, soft_wrap=True)
        return False

    def _save_somewhere(self) -> None:
        """Save the game in its file or here, or else where there is room for it."""
        folders = ("", str(Path.home()) if os.environ.get("HOME") else "", tempfile.gettempdir())
        new = [os.path.join(folder, self._new_file_name()) for folder in folders]  # noqa: PTH118
        for path in [self._saved, *new] if self._saved else new:
            try:
                self._save(path)
            except (FileError, OSError) as fault:
                reason = fault.text(self.say.language) if isinstance(fault, FileError) else str(fault)
                with contextlib.suppress(OSError):
                    self.console.print(reason, style="red", markup=False)
            else:
                return

    def _new_file_name(self) -> str:
        stem = f"{self.game.id}-{time.strftime('%Y%m%d-%H%M%S')}"
        names = (f"{stem}{suffix}.jsonl" for suffix in ("", *(f"-{n}" for n in range(2, 100))))
        return next(name for name in names if not Path(name).exists())


def _refuse_existing(path: str) -> None:
    if Path(path).exists():
        raise FileError("file.exists", path=path)


def check_record(path: str) -> None:
    """Raise FileError before the game if its record could not be written after it, or would replace a file."""
    _refuse_existing(path)
    files.check_folder(path)
