"""A game at a table: the match, and what each viewpoint notices of it, in numbers of its own.

All of it is pure: no clock, no socket, no disk. What has happened goes through `Play.keep` in batches, one batch a
line of the log, whether it happens now or is read from the log again: so the numbers are the same after a restart.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import msgspec

from quadriga.engine.game import NOBODY, OPEN, SILENT, Game, Note, always_open
from quadriga.engine.kernels.slots import CHANCE
from quadriga.engine.match.dice import Dice
from quadriga.engine.match.match import Entry, Match
from quadriga.engine.match.options import Options
from quadriga.server.protocol.errors import RoomError
from quadriga.server.rooms.snapshot import SnapshotBody, standing

if TYPE_CHECKING:
    from quadriga.engine.kernels.machine import Machine

HIDDEN, OPENLY, VEILED, ASKED = range(4)  # what a viewpoint notices of a happening
KEPT = 256  # happenings that a client which was away may catch up on


class Done(msgspec.Struct, frozen=True, array_like=True):
    """One entry of a batch, as the log has it."""

    seat: int | None
    text: str
    actions: tuple[int, ...]
    by: str  # "person", "bot", "dice", or "table": a pass for who has set no stop
    lone: bool = False  # a pass in a window by who could do nothing else: by the rules he is not even asked


class GameEvent:
    """Something that has happened, and the number under which each viewpoint has noticed it."""

    __slots__ = ("_before", "_match", "_notes", "by", "entry", "kind", "numbers", "open", "ref", "shown")

    def __init__(
        self, kind: str, entry: Entry | None, by: str, ref: str | None, shown: list[int], open: bool = False
    ) -> None:
        self.kind = kind
        self.entry = entry
        self.by = by
        self.ref = ref
        self.open = open  # whether all notice all of it
        self.shown = shown  # by viewpoint: the spectators' first, then the seats'
        self.numbers: list[int] = []
        self._match: Match | None = None
        self._before = b""
        self._notes: list[Note] | None = None

    def explained_by(self, match: Match, before: bytes) -> None:
        """Remember the position before, for notes that somebody may want."""
        self._match, self._before = match, before

    @property
    def notes(self) -> list[Note]:
        """What it did, for all to hear."""
        if self._notes is None:
            if self._match is None or self.entry is None:
                return []
            game, t = self._match.game, self._match.t
            before = game.state(memoryview(bytearray(self._before)))
            self._notes = game.explain(t, before, self.entry.actions)
            self._match = None
        return self._notes


class GameSession:
    """A match as the people at the table notice it."""

    def __init__(self, game: Game, options: Options, seats: int, dice: Dice, all_windows: bool = True) -> None:
        self.match = Match(game, options, seats, dice, automatic=False)
        game.ask_all(self.match.t, all_windows)
        self.game = game
        self.seat_count = seats
        self.numbers = [0] * (seats + 1)
        self.recent: deque[GameEvent] = deque(maxlen=KEPT)
        self.bys: list[str] = []  # who has made each entry of the match
        self.windows: list[bool] = []  # whether it was made in a window
        self.lone: list[bool] = []
        self.chances = 0
        self.batches = 0  # that were kept: what a bot thinks about is the same as long as this is
        self._open = [OPENLY] * (seats + 1)
        self.is_compiled = False  # whether compiled kernels play
        self._secretive = game.secrecy is not always_open
        self._batch: list[GameEvent] = []
        self._true: Match | None = None
        self._before = self.match.s.copy()  # the position before what happens now
        self._asked = NOBODY
        self._public: bytes | None = None  # the position in which a window was left open
        self._look()

    def use_machine(self, machine: Machine) -> None:
        """From here on let compiled kernels play."""
        self.match.use_machine(machine)
        self.is_compiled = True

    # What is due.

    def _look(self) -> None:
        """After every change: who is to decide now, and in which window."""
        match, game = self.match, self.game
        self.actor = match.actor  # a seat, CHANCE or OVER
        self._inside = game.window(match.t, match.s) if self.actor >= 0 else None  # the window, whatever window
        # The window that is open, if nobody may notice who is asked in it.
        hidden = self._inside is not None and game.hides_actor(match.t, match.s)
        self.window = self._inside if hidden else None

    @property
    def roller(self) -> int:
        """Whose dice are to be thrown by hand; NOBODY where they are not."""
        match = self.match
        if self.actor != CHANCE or not self.game.is_dice_roll(match.t, match.s):
            return NOBODY
        return self.game.roller(match.t, match.s)

    @property
    def turn(self) -> int:
        """Who is to do something as far as everybody knows."""
        if self.window is not None:
            return NOBODY
        return self.roller if self.actor == CHANCE else max(self.actor, NOBODY)

    @property
    def can_only_pass(self) -> bool:
        """Whether the asked seat has nothing to choose."""
        return self.match.legal() == ["pass"]

    @property
    def undoer(self) -> int:
        """Who may take back his last move, with nothing rolled, drawn, asked or decided after it; or NOBODY."""
        if not self.bys or self.bys[-1] != "person" or self.windows[-1] or self.window is not None:
            return NOBODY
        seat = self.match.entries[-1].seat
        return NOBODY if seat is None else seat

    def may_undo(self, seat: int) -> bool:
        """Whether a seat may take back its last move."""
        return seat >= 0 and self.undoer == seat

    # What happens.

    def act(self, text: str, by: str) -> Done:
        """Somebody's action, if it is legal."""
        before, inside = self.match.here, self._inside is not None
        entry = self.match.play(text)
        return self._done(entry, before, inside, by, inside and entry.legal == ("pass",))

    def chance(self) -> Done:
        """The dice pick one outcome."""
        match = self.match
        assert match.dice is not None
        before = match.here
        picked = match.dice.pick(self.chances, match.outcomes())
        return self._done(match.apply_outcome(picked), before, False, "dice", False)

    def _done(self, entry: Entry, before: bytes, inside: bool, by: str, lone: bool) -> Done:
        self.bys.append(by)
        self.windows.append(inside)
        self.lone.append(lone)
        self.chances += entry.chance
        self._look()
        level = OPEN
        if self._secretive:
            self._before.assign(before)
            level = self.game.secrecy(self.match.t, self._before, entry.actions[0])
        own = -1 if entry.seat is None else entry.seat
        if level == SILENT:
            shown = [HIDDEN] * (self.seat_count + 1)
            if by == "person":
                shown[own + 1] = OPENLY
        elif level == OPEN:
            shown = self._open
        else:
            shown = [VEILED] * (self.seat_count + 1)
            if own >= 0:
                shown[own + 1] = OPENLY
        kind = "chance" if entry.chance else "play"
        game_event = GameEvent(kind, entry, by, None, shown, level == OPEN)
        game_event.explained_by(self.match, before)
        self._batch.append(game_event)
        return Done(entry.seat, entry.text, entry.actions, by, lone)

    def undo(self, seat: int) -> str:
        """Take a seat's last move back; the log keeps both."""
        last = self.match.undo()
        self._look()
        self.bys.pop()
        self.windows.pop()
        self.lone.pop()
        open_to_all = self.game.secrecy(self.match.t, self.match.s, last.actions[0]) == OPEN
        shown = [OPENLY if open_to_all else VEILED] * (self.seat_count + 1)
        shown[seat + 1] = OPENLY
        self._batch.append(GameEvent("undo", last, "person", None, shown))
        return last.text

    def keep(self, ref: str | None = None) -> list[GameEvent]:
        """End a batch: number what has happened for everybody who notices it."""
        batch, self._batch = self._batch, []
        self.batches += 1
        if batch and ref is not None:
            batch[0].ref = ref
        actor = self.actor
        if not any(each.open for each in batch):
            noticed = [any(column) for column in zip(*(each.shown for each in batch), strict=True)]
            if not all(noticed):
                batch.append(self._stirred(actor, noticed))
        self._asked = actor
        self._public = None if self.window is None else self.match.here
        for each in batch:
            self._count(each)
        self.recent.extend(batch)
        return batch

    def _stirred(self, actor: int, noticed: list[bool]) -> GameEvent:
        """For those who have noticed nothing: whether they are asked now, or the table has visibly gone on."""
        moved = self._public is None or self.match.view(NOBODY) != self._seen(self._public)
        shown = []
        for seat in range(NOBODY, self.seat_count):
            changed = moved or (seat >= 0 and (seat == actor) != (seat == self._asked))
            shown.append(ASKED if changed and not noticed[seat + 1] else HIDDEN)
        return GameEvent("asked", None, "table", None, shown)

    def _seen(self, position: bytes) -> msgspec.Struct:
        """An earlier position as everybody saw it."""
        self._before.assign(position)
        return self.game.view(self.match.t, self._before, NOBODY)

    def _count(self, game_event: GameEvent) -> None:
        if game_event.open:
            self.numbers = [number + 1 for number in self.numbers]
        else:
            pairs = zip(self.numbers, game_event.shown, strict=True)
            self.numbers = [number + (shown != HIDDEN) for number, shown in pairs]
        game_event.numbers = self.numbers

    # What a viewpoint has missed.

    def since(self, seat: int, after: int) -> list[GameEvent] | None:
        """What a viewpoint has noticed after a number; None where that is not known any more."""
        viewpoint = seat + 1
        if after == self.numbers[viewpoint]:
            return []
        found = [each for each in self.recent if each.shown[viewpoint] and each.numbers[viewpoint] > after]
        if after > self.numbers[viewpoint] or not found or found[0].numbers[viewpoint] != after + 1:
            return None
        return found

    # From the log again.

    def again(self, done: Done, trusted: bool) -> None:
        """One entry of the log: its numbers where this version of the game has written it, else its text."""
        match = self.match
        before, inside = match.here, self._inside is not None
        if trusted:
            legal = None if done.by == "dice" else ()
            entry = match.append_unchecked(done.seat, done.text, legal, tuple(done.actions))
        elif done.by == "dice":
            entry = match.happen(done.text)
        elif match.actor != done.seat:
            raise RoomError("act.not-asked")
        else:
            entry = match.play(done.text)
        self._done(entry, before, inside, done.by, done.lone)

    def skip(self, done: Done) -> None:
        """One entry of the log that a snapshot stands for: it is remembered, and not played."""
        legal = None if done.by == "dice" else ()
        self.match.entries.append(Entry(done.seat, done.text, legal, tuple(done.actions), None))
        self.bys.append(done.by)
        self.windows.append(True)  # nobody takes it back
        self.lone.append(done.lone)
        self.chances += legal is None

    def skip_undo(self) -> None:
        """The same of an undo."""
        for kept in (self.match.entries, self.bys, self.windows, self.lone):
            kept.pop()

    def standing(self, rules: bytes) -> SnapshotBody:
        """How the game stands between two batches."""
        match = self.match
        return standing(
            rules=rules,
            entries=len(match.entries),
            state=match.s.tobytes(),
            mark=match.mark,
            sections=[(n, entry.section) for n, entry in enumerate(match.entries) if entry.section is not None],
            numbers=self.numbers,
            asked=self._asked,
            public=self._public,
        )

    def resume(self, kept: SnapshotBody) -> None:
        """Stand there, after all entries before it were skipped."""
        entries = self.match.entries
        for number, section in kept.sections:
            entries[number] = msgspec.structs.replace(entries[number], section=section)
        self.match.resume(entries, kept.state, kept.mark)
        self._look()
        self.numbers, self._asked, self._public = list(kept.numbers), kept.asked, kept.public

    def true_match(self) -> Match:
        """The match by the letter of the rules: who can only pass in a window is not asked at all."""
        if self._true is not None and self.match.over:
            return self._true
        match = Match(self.game, self.match.options, self.seat_count, self.match.dice, automatic=False)
        for entry, lone in zip(self.match.entries, self.lone, strict=True):
            if entry.chance:
                match.happen(entry.text)
            elif not lone:
                match.play(entry.text)
        self._true = match
        return match
