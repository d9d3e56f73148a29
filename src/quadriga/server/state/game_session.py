"""A game in progress: the match, and the numbered events that each viewpoint is told of.

The session is pure: it uses no clock, no socket and no disk. Moves are grouped in batches, one batch per event of
the log. A batch gets the same numbers whether it is played now or read from the log, so the numbers that clients
know survive a restart.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import msgspec

from quadriga.engine.game import NOBODY, Game
from quadriga.engine.kernels.slots import CHANCE
from quadriga.engine.match.dice import Dice
from quadriga.engine.match.entry import Entry, last_to_act
from quadriga.engine.match.match import Match
from quadriga.engine.match.options import Options
from quadriga.engine.parts.display import OPEN, SILENT
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.parts import Note
from quadriga.server.state.events import LoggedMove
from quadriga.server.state.game_event import ASKED, HIDDEN, OPENLY, VEILED, GameEvent
from quadriga.server.state.snapshot import SnapshotBody, new_body

RECENT = 256  # events that a client which was away may catch up on


class GameSession:
    """A match, and what each viewpoint is told of it."""

    def __init__(self, game: Game, options: Options, seats: int, dice: Dice, all_windows: bool = True) -> None:
        self.match = Match(game, options, seats, dice, automatic=False)
        if game.reactions is not None:
            game.reactions.ask_all(self.match.t, all_windows)
        self.game = game
        self.deal = game.deal_family(self.match.t)  # the actions that are deals, if there are any
        self.seat_count = seats
        self.numbers = [0] * (seats + 1)  # of the last event, by viewpoint
        self.recent: deque[GameEvent] = deque(maxlen=RECENT)
        self.origins: list[str] = []  # the `by` of each entry of the match
        self.in_window: list[bool] = []  # whether each entry was made in a reaction window
        self.forced: list[bool] = []  # whether each entry is a pass without a choice
        self.chance_count = 0
        self.batches = 0  # a bot's choice is valid as long as this number is the same
        self._all_openly = [OPENLY] * (seats + 1)
        self._has_secrets = game.display.secrecy is not None
        self._batch: list[GameEvent] = []
        self._by_the_rules: Match | None = None
        self._scratch = self.match.s.copy()  # holds an earlier position while it is looked at
        self._explained: tuple[bytes, dict[int, list[Note]]] = b"", {}  # effects of actions in a position
        self._last_asked = NOBODY
        self._window_position: bytes | None = None  # the position in which the last batch left a window open
        self._update_actor()

    # Whose decision it is.

    def _update_actor(self) -> None:
        """Find who decides now, and in which window. Called after every change of the position."""
        match, reactions = self.match, self.game.reactions
        self.actor = match.actor  # a seat, CHANCE or OVER
        self.open_window: str | None = None
        self.window: str | None = None  # the open window, if nobody may know which seat is asked in it
        if reactions is not None and self.actor >= 0:
            self.open_window = reactions.window(match.t, match.s)
            if self.open_window is not None and reactions.hides_actor(match.t, match.s):
                self.window = self.open_window

    @property
    def roller(self) -> int:
        """The seat whose dice are to be rolled by hand; NOBODY if none are."""
        match = self.match
        is_dice_roll = self.game.notation.is_dice_roll
        if self.actor != CHANCE or is_dice_roll is None or not is_dice_roll(match.t, match.s):
            return NOBODY
        return self.game.notation.roller(match.t, match.s)

    @property
    def mover(self) -> int:
        """The seat whose move it is, whoever is asked to react to it; NOBODY if none is."""
        reactions = self.game.reactions
        return NOBODY if reactions is None else reactions.mover(self.match.t, self.match.s)

    @property
    def part(self) -> int:
        """The number of the race."""
        reactions = self.game.reactions
        return 0 if reactions is None else reactions.chapter(self.match.t, self.match.s)

    @property
    def can_deal(self) -> bool:
        """True if the asked seat may make a deal, such as a bribe."""
        return self.deal in self.match.actions()

    @property
    def is_asked_to_deal(self) -> bool:
        """True if the seat is asked only because it could make a deal."""
        return self.game.asked_to_deal(self.match.t, self.match.s)

    def concerns_actor(self, knows_hand: bool) -> bool:
        """Return whether the open window concerns the asked seat; see `Game.concerns_actor`."""
        return self.game.concerns_actor(self.match.t, self.match.s, knows_hand, last_to_act(self.match.entries))

    @property
    def has_nothing_to_play(self) -> bool:
        """True if the asked seat can only pass, or make a deal that it has to announce."""
        return self.match.actions().keys() <= {"pass", self.deal}

    @property
    def undoer(self) -> int:
        """The seat that may take back its last move, or NOBODY.

        Nothing may have been rolled, drawn, asked or decided after that move.
        """
        if not self.origins or self.origins[-1] != "person" or self.in_window[-1] or self.window is not None:
            return NOBODY
        seat = self.match.entries[-1].seat
        return NOBODY if seat is None else seat

    def may_undo(self, seat: int) -> bool:
        """Return whether a seat may take back its last move."""
        return seat >= 0 and self.undoer == seat

    # Moves.

    def act(self, text: str, by: str) -> LoggedMove:
        """Play an action of the asked seat; raise IllegalActionError, with nothing changed, if it is illegal."""
        before, in_window = self.match.here, self.open_window is not None
        entry = self.match.play(text)
        is_forced = in_window and entry.legal == ("pass",)
        # The legal actions of the past take memory; whoever needs them plays the log again (`match_by_the_rules`).
        self.match.entries[-1] = entry = msgspec.structs.replace(entry, legal=())
        return self._add(entry, before, in_window, by, is_forced)

    def roll(self) -> LoggedMove:
        """Let the dice pick one outcome of chance."""
        match = self.match
        assert match.dice is not None
        before = match.here
        picked = match.dice.pick(self.chance_count, match.outcomes())
        return self._add(match.apply_outcome(picked), before, False, "dice", False)

    def _add(self, entry: Entry, before: bytes, in_window: bool, by: str, is_forced: bool) -> LoggedMove:
        """Add an entry of the match to the batch, with what each viewpoint is shown of it."""
        self.origins.append(by)
        self.in_window.append(in_window)
        self.forced.append(is_forced)
        self.chance_count += entry.chance
        self._update_actor()
        level = OPEN
        if self._has_secrets:
            self._scratch.assign(before)
            level = self.game.display.secrecy_of(self.match.t, self._scratch, entry.actions[0])
        game_event = GameEvent(
            "chance" if entry.chance else "play", entry, by, None, self._shown(entry, level, by), level == OPEN
        )
        if any(game_event.shown):
            notes = self._known_effects(before, entry)
            if notes is None:
                game_event.explain_later(self.match, before, self.match.here)
            else:
                game_event.explain(notes)
            bots = self.game.bots
            if by == "bot" and bots is not None and bots.reason is not None:
                self._scratch.assign(before)
                game_event.say(bots.reason(self.match.t, self._scratch, entry.actions))
        self._batch.append(game_event)
        return LoggedMove(entry.seat, entry.text, entry.actions, by, is_forced)

    def remember_effects(self, effects: dict[int, list[Note]]) -> None:
        """Remember the effects of legal actions here that depend on no hidden cards: one of them may follow."""
        self._explained = self.match.here, effects

    def _known_effects(self, before: bytes, entry: Entry) -> list[Note] | None:
        """Return the effects of an entry if its player was told them in the position before."""
        position, effects = self._explained
        return effects.get(entry.actions[0]) if position == before and len(entry.actions) == 1 else None

    def _shown(self, entry: Entry, level: int, by: str) -> list[int]:
        """Return how each viewpoint is shown an entry (OPENLY, VEILED or HIDDEN), by its level of secrecy."""
        if level == OPEN:
            return self._all_openly
        own = -1 if entry.seat is None else entry.seat
        if level == SILENT:
            shown = [HIDDEN] * (self.seat_count + 1)
            if by == "person":
                shown[own + 1] = OPENLY
        else:
            shown = [VEILED] * (self.seat_count + 1)
            if own >= 0:
                shown[own + 1] = OPENLY
        return shown

    def undo(self, seat: int) -> str:
        """Take a seat's last move back, and return its text. The log keeps both the move and the undo."""
        last = self.match.undo()
        self._update_actor()
        self.origins.pop()
        self.in_window.pop()
        self.forced.pop()
        is_open = self.game.display.secrecy_of(self.match.t, self.match.s, last.actions[0]) == OPEN
        shown = [OPENLY if is_open else VEILED] * (self.seat_count + 1)
        shown[seat + 1] = OPENLY
        self._batch.append(GameEvent("undo", last, "person", None, shown))
        return last.text

    def end_batch(self, ref: str | None = None, released: Sequence[int] = ()) -> list[GameEvent]:
        """End a batch: number its events for every viewpoint that is shown them, and return them.

        `released` are the seats that a timed window has asked and that it asks no more.
        """
        batch, self._batch = self._batch, []
        self.batches += 1
        if batch and ref is not None:
            batch[0].ref = ref
        actor = self.actor
        if not any(each.open for each in batch):
            noticed = [any(column) for column in zip(*(each.shown for each in batch), strict=True)]
            if not all(noticed):
                batch.append(self._asked_event({actor, self._last_asked, *released}, noticed))
        self._last_asked = actor
        self._window_position = None if self.window is None else self.match.here
        for each in batch:
            self._number(each)
        self.recent.extend(batch)
        return batch

    def _asked_event(self, turned: set[int], noticed: list[bool]) -> GameEvent:
        """Return an event for the viewpoints that were shown nothing of the batch.

        It tells the seats that have `turned` that they are asked now, asked something else, or asked no more, and
        everybody that the public position has changed. An answer to an earlier question has a lower number.
        """
        has_moved = self._window_position is None or self.match.view(NOBODY) != self._public_view(
            self._window_position
        )
        shown = []
        for seat in range(NOBODY, self.seat_count):
            has_changed = has_moved or (seat >= 0 and seat in turned)
            shown.append(ASKED if has_changed and not noticed[seat + 1] else HIDDEN)
        return GameEvent("asked", None, "table", None, shown)

    def _public_view(self, position: bytes) -> msgspec.Struct:
        """Return an earlier position as spectators saw it."""
        self._scratch.assign(position)
        return self.game.display.view(self.match.t, self._scratch, NOBODY)

    def _number(self, game_event: GameEvent) -> None:
        if game_event.open:
            self.numbers = [number + 1 for number in self.numbers]
        else:
            pairs = zip(self.numbers, game_event.shown, strict=True)
            self.numbers = [number + (shown != HIDDEN) for number, shown in pairs]
        game_event.numbers = self.numbers

    def remembered(self, seat: int) -> list[GameEvent]:
        """Return the last events that a viewpoint was shown."""
        return [each for each in self.recent if each.shown[seat + 1]]

    def since(self, seat: int, after: int) -> list[GameEvent] | None:
        """Return the events that a viewpoint was shown after a number; None if they are not remembered any more."""
        viewpoint = seat + 1
        if after == self.numbers[viewpoint]:
            return []
        found = [each for each in self.remembered(seat) if each.numbers[viewpoint] > after]
        if after > self.numbers[viewpoint] or not found or found[0].numbers[viewpoint] != after + 1:
            return None
        return found

    # Reading the log.

    def replay(self, move: LoggedMove, trusted: bool) -> None:
        """Play one entry of the log: by its numbers if this version of the game wrote it, otherwise by its text."""
        match = self.match
        before, in_window = match.here, self.open_window is not None
        if trusted:
            legal = None if move.by == "dice" else ()
            entry = match.append_unchecked(move.seat, move.text, legal, tuple(move.actions))
        elif move.by == "dice":
            entry = match.happen(move.text)
        elif match.actor != move.seat:
            raise RoomError("act.not-asked")
        else:
            entry = match.play(move.text)
        self._add(entry, before, in_window, move.by, move.is_forced)

    def skip(self, move: LoggedMove) -> None:
        """Remember one entry of the log without playing it: a snapshot after it has the position."""
        legal = None if move.by == "dice" else ()
        self.match.entries.append(Entry(move.seat, move.text, legal, tuple(move.actions), None))
        self.origins.append(move.by)
        self.in_window.append(True)  # so that it cannot be undone
        self.forced.append(move.is_forced)
        self.chance_count += legal is None

    def skip_undo(self) -> None:
        """Remove the last entry without changing the position: a snapshot after it has the position."""
        for kept in (self.match.entries, self.origins, self.in_window, self.forced):
            kept.pop()

    def snapshot(self, rules: bytes) -> SnapshotBody:
        """Return the position between two batches."""
        match = self.match
        return new_body(
            rules=rules,
            entries=len(match.entries),
            state=match.s.tobytes(),
            mark=match.mark,
            sections=[(n, entry.section) for n, entry in enumerate(match.entries) if entry.section is not None],
            numbers=self.numbers,
            asked=self._last_asked,
            public=self._window_position,
        )

    def resume(self, body: SnapshotBody) -> None:
        """Take the position of a snapshot, after all entries before it were skipped."""
        entries = self.match.entries
        for number, section in body.sections:
            entries[number] = msgspec.structs.replace(entries[number], section=section)
        self.match.resume(entries, body.state, body.mark)
        self._update_actor()
        self.numbers, self._last_asked, self._window_position = list(body.numbers), body.asked, body.public

    def match_by_the_rules(self) -> Match:
        """Return the match as the rules have it: a seat that can only pass in a window is not asked at all."""
        if self._by_the_rules is not None and self.match.over:
            return self._by_the_rules
        match = Match(self.game, self.match.options, self.seat_count, self.match.dice, automatic=False)
        for entry, is_forced in zip(self.match.entries, self.forced, strict=True):
            if entry.chance:
                match.happen(entry.text)
            elif not is_forced:
                match.play(entry.text)
        self._by_the_rules = match
        return match
