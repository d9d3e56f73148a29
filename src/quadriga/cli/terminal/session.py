"""Playing in the terminal: the position, what can be done, and one line to say what is to be done."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from quadriga.cli.terminal import saves
from quadriga.cli.terminal.saves import Seating
from quadriga.engine import files
from quadriga.engine.errors import QuadrigaError
from quadriga.engine.game import NOBODY, SILENT
from quadriga.engine.kernels.slots import CHANCE
from quadriga.engine.match import trace
from quadriga.engine.match.dice import FairDice
from quadriga.engine.match.match import FAMILY, Entry, Match
from quadriga.engine.text import catalogues
from quadriga.engine.text.catalogues import Words
from quadriga.players import Perspective

_WHY = ("why", "pourquoi")
_WINDOWS = ("PR", "RO", "PB", "PA", "BM", "RE")


class _LeftError(Exception):
    """The player wants to go, or has gone."""


class Terminal:
    """One table on one terminal."""

    def __init__(self, seating: Seating, say: Words, *, record: str = "", auto: bool = False) -> None:
        self.seating = seating
        self.match = seating.match
        self.game = self.match.game
        self.say = catalogues.of(say.language, "quadriga.cli", self.game.package)
        self.console = Console(highlight=False)
        self.record = record
        self.auto = auto
        self.stops = set(_WINDOWS)  # windows in which the player wants to be asked
        self._seen_by = (NOBODY, 0)  # who was shown the position last, and after how many entries

    def run(self) -> None:
        """Play until the game is over or the player leaves; what was played is never lost."""
        self._greet()
        try:
            while not self.match.over:
                self._go_on()
            self._end()
        except (_LeftError, KeyboardInterrupt):
            self._leave()

    def _greet(self) -> None:
        show = self.console.print
        show(self.say(f"{self.game.id}.title"), style="bold", markup=False)
        dice = self.match.dice
        if isinstance(dice, FairDice):
            show(self.say("cli.play.fair", commitment=dice.commitment), style="dim")
        show(self.say("cli.play.keys"), style="dim", markup=False)
        if self.match.entries:
            show(self.say("cli.play.resumed", n=len(self.match.entries)))

    def _go_on(self) -> None:
        match = self.match
        if match.actor == CHANCE:
            roller = self.game.roller(match.t, match.s)
            by_hand = self.game.is_dice_roll(match.t, match.s) and not self.auto
            if roller != NOBODY and by_hand and self._human(roller):
                self._show(roller)
                if not self._asked(self.say("cli.play.roll", name=self._name(roller)), self._roll_answer):
                    return
            self._tell(match.roll_once)
        elif player := self.seating.player(match.actor):
            text = player.decide(Perspective(match))
            self._tell(lambda: match.play(text))
        elif (window := self.game.window(match.t, match.s)) and window not in self.stops:
            match.play("pass")
        else:
            if self._seen_by != (match.actor, len(match.entries) - 1):  # his own roll has changed nothing
                self._show(match.actor)
            self._list()
            question = self.say("cli.play.move", name=self._name(match.actor), n=len(match.legal()))
            self._asked(question, self._move_answer)

    def _asked(self, question: str, answer: Callable[[str], bool]) -> bool:
        """Ask until there is an answer that means something; False where the position has changed."""
        while True:
            text = self._read(question)
            command, _, rest = text.partition(" ")
            try:
                if command == "q":
                    raise _LeftError
                if command == "s":
                    self._save(rest.strip())
                elif command == "u":
                    if self._undo():
                        return False
                elif command == "?":
                    self._explain()
                elif command in _WHY:
                    self._why(rest.strip())
                elif command == "b":
                    self._show(max(self.match.actor, 0))
                elif command == "w":
                    self._set_stops(rest)
                elif answer(text):
                    return True
            except QuadrigaError as fault:
                self.console.print(fault.text(self.say.language), style="red", markup=False)

    def _read(self, question: str) -> str:
        """One line from the player."""
        self.console.print(question, style="bold", end=" ", markup=False)
        try:
            return self.console.input().strip()
        except EOFError:
            self.console.print()
            raise _LeftError from None

    def _roll_answer(self, text: str) -> bool:
        if text:
            self.console.print(self.say("cli.play.only-roll"), style="red")
        return not text

    def _move_answer(self, text: str) -> bool:
        legal = self.match.legal()
        if text.isdecimal() and 1 <= int(text) <= len(legal):
            text = legal[int(text) - 1]
        if not text:
            return False
        if text.endswith(FAMILY):
            text = self._put_together(text)
            if not text:
                return False
        self._tell(lambda: self.match.play(text))
        return True

    def _put_together(self, family: str) -> str:
        """Ask for the pieces of an offer or a bribe one by one; what is not finished never happened."""
        draft = self.match.clone()
        pieces = [draft.actions()[family]]
        self.game.step(draft.t, draft.s, pieces[0])
        while self.game.is_unfinished(draft.t, draft.s):
            chosen = self._piece(draft)
            if not chosen:
                self.console.print(self.say("cli.play.dropped"), style="dim")
                return ""
            for piece in chosen:
                pieces.append(piece)
                self.game.step(draft.t, draft.s, piece)
        return self.game.format_compound(self.match.t, self.match.s, pieces)

    def _piece(self, draft: Match) -> list[int]:
        """The next piece: one of a list, or a sum of money; nothing where the player thinks better of it."""
        options = draft.actions()
        if all(text.startswith("digit ") for text in options):
            answer = self._read(self.say("cli.play.how-much"))
            if not answer.isascii() or not answer.isdecimal() or len(answer) > 4:
                return []
            digits = [f"digit {digit}" for digit in answer.zfill(4)]
            probe = draft.clone()
            found = []
            for digit in digits:
                actions = probe.actions()
                if digit not in actions:
                    self.console.print(self.say("cli.play.too-much"), style="red")
                    return self._piece(draft)
                found.append(actions[digit])
                self.game.step(probe.t, probe.s, actions[digit])
            return found
        for number, (text, action) in enumerate(options.items(), 1):
            notes = self.game.explain(draft.t, draft.s, (action,))
            self.console.print(f"  {number:>2}  {self.say.said(notes[0].said)} ({text})", markup=False)
        answer = self._read(self.say("cli.play.which", n=len(options)))
        if not answer.isdecimal() or not 1 <= int(answer) <= len(options):
            return []
        return [list(options.values())[int(answer) - 1]]

    def _set_stops(self, rest: str) -> None:
        """In which windows the player wants to be asked; in the others he passes by himself."""
        asked = rest.upper().split()
        if asked == ["ALL"]:
            self.stops = set(_WINDOWS)
        elif asked == ["NONE"]:
            self.stops = set()
        elif asked and set(asked) <= set(_WINDOWS):
            self.stops = set(asked)
        shown = [window for window in _WINDOWS if window in self.stops]
        self.console.print(self.say("cli.play.stops", windows=shown or "-", known=_WINDOWS), markup=False)

    def _undo(self) -> bool:
        """Take a human's own last move back, unless something was rolled or decided since."""
        entries = self.match.entries
        seat = entries[-1].seat if entries else None
        if seat is None or not self._human(seat) or not self.match.may_undo(seat):
            self.console.print(self.say("cli.play.no-undo"), style="red")
            return False
        self.console.print(self.say("cli.play.undone", text=self.match.undo().text))
        return True

    def _tell(self, act: Callable[[], Entry]) -> None:
        """Let something happen, and say what it was."""
        before = self.match.s.copy()
        entry = act()
        who = self._name(entry.seat) if entry.seat is not None else self.say("cli.play.chance")
        own = entry.seat is not None and self._human(entry.seat) and not self._looked_on(entry.seat)
        secret = 0 if own else self.game.secrecy(self.match.t, before, entry.actions[0])
        if secret == SILENT:
            return
        notes = self.game.explain(self.match.t, before, entry.actions)
        what = ", ".join(self.say.said(note.said) for note in notes)
        shown = "" if secret or (entry.chance and not own) else f"{entry.text}  "
        self.console.print(self.say("cli.play.did", who=who, what=shown + what), markup=False)

    def _looked_on(self, seat: int) -> bool:
        """Whether another human who shares the terminal is looking at it, and not the one at this seat."""
        humans = [each for each in range(self.match.seats) if self._human(each)]
        return self.game.has_hidden_information and len(humans) > 1 and self._seen_by[0] != seat

    def _hand_over(self, seat: int) -> None:
        """Where people share the terminal and hide cards, the one before has looked away before this one looks."""
        humans = [each for each in range(self.match.seats) if self._human(each)]
        if self.game.has_hidden_information and len(humans) > 1 and self._seen_by[0] not in (NOBODY, seat):
            self.console.clear()
            self._read(self.say("cli.play.hand-over", name=self._name(seat)))

    def _show(self, seat: int) -> None:
        self._hand_over(seat)
        self.console.print()
        drawing = self.game.render_text(self.match.t, self.match.view(seat), self.say)
        self.console.print(drawing, soft_wrap=not self.console.is_terminal, end="")
        self._seen_by = (seat, len(self.match.entries))

    def _list(self) -> None:
        """The legal actions, numbered, each with what it does."""
        actions = self.match.actions()
        width = max(map(len, actions), default=0)
        for number, (text, action) in enumerate(actions.items(), 1):
            notes = self.game.explain(self.match.t, self.match.s, (action,))
            what = ", ".join(self.say.said(note.said) for note in notes)
            self.console.print(f"  {number:>2}  {text:<{width}}  {what}", markup=False)

    def _explain(self) -> None:
        """The rules of this move: for every legal action the rules that it meets."""
        actions = self.match.actions()
        if not actions:
            self.console.print(self.say("cli.play.only-roll"))
        for text, action in actions.items():
            self.console.print(f"  {text}", style="bold", markup=False)
            for note in self.game.explain(self.match.t, self.match.s, (action,)):
                self.console.print(f"      {note.rule:<8} {self.say.said(note.said)}", markup=False)
        self.console.print(self.say("cli.play.rules", game=self.game.id), style="dim")

    def _why(self, asked: str) -> None:
        """Why things of one's own cannot be played now, or those whose names begin so; with the rules."""
        match = self.match
        seat = match.actor if match.actor >= 0 else self.game.roller(match.t, match.s)
        barred = match.why_illegal(seat)
        begin = asked.casefold()
        found = [thing for thing in barred if thing.casefold() == begin]
        found = found or [thing for thing in barred if thing.casefold().startswith(begin)]
        if not barred:
            self.console.print(self.say("cli.play.all-playable"))
        elif not found:
            self.console.print(self.say("cli.play.not-barred", asked=asked, things=list(barred)), markup=False)
        for thing in found:
            self.console.print(f"  {thing}", style="bold", markup=False)
            for note in barred[thing]:
                self.console.print(f"      {note.rule:<8} {self.say.said(note.said)}", markup=False)

    def _end(self) -> None:
        self._seen_by = (NOBODY, 0)
        self._show(next((seat for seat in range(self.match.seats) if self._human(seat)), 0))
        best = max(self.match.scores)
        winners = [self._name(seat) for seat, points in enumerate(self.match.scores) if points == best]
        self.console.print(self.say("cli.play.won", names=winners), style="bold")
        dice = self.match.dice
        if isinstance(dice, FairDice):
            self.console.print(self.say("cli.play.seed", seed=dice.seed.hex()), style="dim")
        if self.record:
            self._write_record(self.record)
        elif any(map(self._human, range(self.match.seats))):
            self._offer_record()

    def _offer_record(self) -> None:
        try:
            text = self.console.input(self.say("cli.play.offer-record") + " ").strip()
        except EOFError:
            return
        command, _, name = text.partition(" ")
        if command == "s":
            self._write_record(name.strip() or self._file_name())

    def _write_record(self, path: str) -> None:
        files.write_text(path, trace.dumps(self.match))
        self.console.print(self.say("cli.play.recorded", path=path), markup=False)

    def _save(self, path: str) -> None:
        path = path or self._file_name()
        saves.write(self.seating, path)
        self.console.print(self.say("cli.play.saved", path=path), markup=False)

    def _leave(self) -> None:
        """Leaving saves, where there is something to save."""
        if any(not entry.chance for entry in self.match.entries):
            self._save("")

    def _file_name(self) -> str:
        stem = f"{self.game.id}-{time.strftime('%Y%m%d-%H%M%S')}"
        names = (f"{stem}{suffix}.jsonl" for suffix in ("", *(f"-{n}" for n in range(2, 100))))
        return next(name for name in names if not Path(name).exists())

    def _human(self, seat: int) -> bool:
        return self.seating.kinds[seat] == saves.HUMAN

    def _name(self, seat: int) -> str:
        return self.say.said(self.game.seat_name(self.match.t, seat))
