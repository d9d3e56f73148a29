"""A table as its log tells it: every change is a line, and the table is what the lines add up to.

A room applies a change in memory, writes its line, and only then tells anybody; where the writing fails it
reads the log again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import msgspec
from msgspec import Struct

from quadriga.engine.errors import OptionError, QuadrigaError
from quadriga.engine.game import Game
from quadriga.engine.kernels.slots import OVER
from quadriga.engine.match.dice import Dice, FairDice, SeededDice
from quadriga.games import find
from quadriga.server.protocol.parts import Clock
from quadriga.server.rooms.played_game import KEPT, Done, GameEvent, GameSession
from quadriga.server.rooms.snapshot import Snapshot, SnapshotBody, Step, fitting, packed, rules
from quadriga.server.seats.ballots import RUNNING, OpenVotes
from quadriga.server.storage.base import StoredEvent, now
from quadriga.server.storage.chain import next_hash

_WITHOUT_STOPS = frozenset(("PR", "PB"))  # windows of Ben Hvrt that had no stops in version 0.1
CLOSED = "closed"  # the status of a game that was begun under rules which are not played any more
_REFS = 512  # of a table that are remembered, so that nothing is played twice


class Setup(Struct, frozen=True, kw_only=True):
    """How a table was set up; `seed` is the dice's secret."""

    game: str
    version: int
    options: dict[str, Any]
    seats: int
    public: bool
    rolls: str
    clock: Clock | None
    pace: int
    dice: str
    seed: str
    bots: int
    host: str
    before: str | None = None  # the table that this is the rematch of,
    heirs: dict[str, list[int]] = {}  # ... and which seats its people have here


class Sit(Struct, frozen=True):
    """Somebody sits down, or a chair is emptied."""

    seat: int
    kind: str
    name: str = ""
    holder: str = ""
    bot: str | None = None
    word: str = ""


class Word(Struct, frozen=True):
    """A word for the dice."""

    seat: int
    word: str


class Start(Struct, frozen=True):
    """The game begins; the words are fixed."""

    words: list[str]
    all_windows: bool = False  # whether every reaction window asks whatever a seat holds; games of 0.1 did not
    version: int | None = None  # of the game's rules; None: that of the set-up


class Moves(Struct, frozen=True, omit_defaults=True):
    """Entries of the match that go together."""

    done: list[Done]
    ref: str | None = None
    seat: int = -1
    left: list[int] | None = None  # on the players' clocks


class Undo(Struct, frozen=True, omit_defaults=True):
    """A seat takes its last move back."""

    seat: int
    ref: str | None = None


class Cover(Struct, frozen=True):
    """A bot plays for somebody, or does so no more."""

    seat: int
    on: bool


class Status(Struct, frozen=True):
    """Paused, playing again, or ended by vote."""

    status: str


class Stops(Struct, frozen=True):
    """The windows in which a seat wants to be asked."""

    seat: int
    windows: list[str]


class Mute(Struct, frozen=True):
    """Somebody hears somebody no more."""

    holder: str
    name: str
    on: bool


class Ballot(Struct, frozen=True):
    """Seats vote for something that needs several, or take it back; `seat` is whom a removal is about."""

    kind: str
    seat: int | None
    by: list[int]
    on: bool


class Invite(Struct, frozen=True):
    """The host invites a newcomer to a seat that a vote has emptied; without a code the invitation is withdrawn."""

    seat: int
    code: str
    by: str


class Ask(Struct, frozen=True):
    """The former holder of a seat asks to return."""

    seat: int


class Rematch(Struct, frozen=True):
    """The table that goes on from here."""

    table: str


RoomEvent = Sit | Word | Start | Moves | Undo | Cover | Status | Stops | Mute | Ballot | Invite | Ask | Rematch
KINDS: dict[str, type[Any]] = {
    kind.__name__.lower(): kind
    for kind in (Sit, Word, Start, Moves, Undo, Cover, Status, Stops, Mute, Ballot, Invite, Ask, Rematch)
}
DECODERS = {name: msgspec.json.Decoder(kind) for name, kind in KINDS.items()}
SETUP = msgspec.json.Decoder(Setup)


@dataclass
class Vacancy:
    """A seat that a vote has emptied: whose it was, whether they ask to return, and who may come instead."""

    holder: str
    name: str
    asks: bool = False
    invite: str = ""  # the code of the host's invitation,
    invited_by: str = ""  # ... and the host who made it


@dataclass
class SeatInfo:
    """A chair at the table."""

    kind: str = "open"  # open, person, bot
    name: str = ""
    holder: str = ""
    bot: str | None = None
    word: str = ""
    bot_controlled: bool = False
    stops: frozenset[str] = field(default_factory=frozenset)
    vacancy: Vacancy | None = None

    @property
    def played_by_bot(self) -> bool:
        """Whether a bot decides here."""
        return self.kind != "person" or self.bot_controlled


class RoomState:
    """What the log of a table adds up to."""

    def __init__(self, id: str, setup: Setup) -> None:
        self.id = id
        self.setup = setup
        self.version = setup.version  # of the rules that the game was begun under
        self.game: Game = find(setup.game)
        self.status = "waiting"
        try:
            self.options, self.seat_count = self.game.resolve_options(setup.options, setup.seats)
        except OptionError:
            if setup.version == self.game.version:
                raise
            self.options, self.seat_count = self.game.resolve_options(
                {}, setup.seats
            )  # these rules have no such options
            self.status = CLOSED
        self.tables = self.game.new(self.options, self.seat_count)[0]
        every = frozenset(self.game.hidden_windows)
        self.seats = [SeatInfo(stops=every) for _ in range(self.seat_count)]
        self._always_asked: frozenset[str] = frozenset()  # windows that no stop can be turned off for
        self.words: list[str] | None = None
        self.play: GameSession | None = None
        self.log: list[Done] = []  # of a closed table: what was done, which is not played again
        self.left: list[int] = []
        self.muted: dict[str, set[str]] = {}
        self.open_votes = OpenVotes()
        self.seated: dict[str, set[int]] = {}  # the seats that each person has or had in this room
        self.rematch: str | None = None
        self.next = 1  # the number of the next line
        self.hash = b""  # of the last line, or what the chain begins with
        self.resumed = 0  # the line whose snapshot stood for all before it
        self._refs: deque[tuple[int, str]] = deque(maxlen=_REFS)

    @classmethod
    def read(
        cls,
        id: str,
        setup: bytes,
        lines: list[StoredEvent],
        snapshots: Sequence[Snapshot] = (),
        status: str | None = None,
    ) -> RoomState:
        """A table from its log; a snapshot that fits stands for what came before it.

        A game that was begun under other rules is not played again, unless `status`, which the store keeps,
        says that it has ended: then its log may still fit. Otherwise the table is closed.
        """
        state = cls(id, SETUP.decode(setup))
        bodies: list[RoomEvent] = [DECODERS[line.kind].decode(line.body) for line in lines]
        begun = state._begun_under(bodies)
        if state.status != CLOSED and begun in (None, state.game.version):
            return cls._replayed(state, lines, bodies, snapshots)
        if state.status != CLOSED and status in ("over", "ended"):
            with suppress(QuadrigaError, AssertionError, LookupError, ValueError):
                old = cls._replayed(cls(id, state.setup), lines, bodies, ())
                if old.status == status:
                    return old
        state._close(bodies)
        state.next = lines[-1].number + 1 if lines else 1
        return state

    def _begun_under(self, bodies: Sequence[RoomEvent]) -> int | None:
        """The version of the rules that the game was begun under; None before the start."""
        started = [body for body in bodies if isinstance(body, Start)]
        return (started[0].version or self.setup.version) if started else None

    def _close(self, bodies: Sequence[RoomEvent]) -> None:
        """Take over everything but the game itself, which goes on no more."""
        for body in bodies:
            match body:
                case Start():
                    self.words = body.words
                    self.version = body.version or self.setup.version
                case Moves():
                    self.log += body.done
                case Undo():
                    self.log.pop()
                case _:
                    self.apply(body)
        self.status = CLOSED
        self.open_votes.standing(CLOSED)

    @classmethod
    def _replayed(
        cls, state: Self, lines: list[StoredEvent], bodies: list[RoomEvent], snapshots: Sequence[Snapshot]
    ) -> RoomState:
        number, kept = state._shortcut(lines, bodies, snapshots) or (0, None)
        for line, body in zip(lines, bodies, strict=True):
            state.next, state.hash = line.number + 1, line.hash
            if line.number > number or not isinstance(body, Moves | Undo):
                state.apply(body)
            else:
                state._skip(body)
            if kept is not None and line.number == number:
                state._resume(number, kept)
        return state

    def _shortcut(
        self, lines: list[StoredEvent], bodies: list[RoomEvent], snapshots: Sequence[Snapshot]
    ) -> tuple[int, SnapshotBody] | None:
        if not snapshots or self._begun_under(bodies) != self.game.version:
            return None
        steps = [
            Step(line.number, len(body.done), 0) if isinstance(body, Moves) else Step(line.number, 0, 1)
            for line, body in zip(lines, bodies, strict=True)
            if isinstance(body, Moves | Undo)
        ]
        return fitting(snapshots, steps, self.rules, KEPT)

    def _skip(self, body: Moves | Undo) -> None:
        assert self.play is not None
        if isinstance(body, Moves):
            for done in body.done:
                self.play.skip(done)
            if body.left is not None:
                self.left = body.left
        else:
            self.play.skip_undo()
        if body.ref is not None:
            self._refs.append((body.seat, body.ref))

    def _resume(self, number: int, kept: SnapshotBody) -> None:
        assert self.play is not None
        self.play.resume(kept)
        self.resumed = number
        self._notice_end()

    @cached_property
    def rules(self) -> bytes:
        """What its snapshots are tied to."""
        return rules(self.game, self.tables)

    def snapshot(self) -> Snapshot | None:
        """How the game stands after the last line."""
        return None if self.play is None else Snapshot(self.next - 1, packed(self.play.standing(self.rules)))

    def next_event(self, body: RoomEvent) -> StoredEvent:
        """The next line of the log; `next` has moved on."""
        number, self.next = self.next, self.next + 1
        at, kind, raw = now(), type(body).__name__.lower(), msgspec.json.encode(body)
        self.hash = next_hash(self.hash, number, at, kind, raw)
        return StoredEvent(number, at, kind, raw, self.hash)

    def dice(self, words: list[str] | None = None) -> Dice:
        """The dice of this table; fair ones need the words to roll, not to commit."""
        if self.setup.dice == "seeded":
            return SeededDice(int(self.setup.seed))
        return FairDice(words or [""] * self.seat_count, bytes.fromhex(self.setup.seed))

    @property
    def over(self) -> bool:
        """Whether there is nothing more to play."""
        return self.status in ("over", "ended", CLOSED)

    def seats_of(self, holder: str) -> list[int]:
        """The seats that somebody has."""
        return [n for n, info in enumerate(self.seats) if info.kind == "person" and info.holder == holder]

    def former_seats(self, holder: str) -> list[int]:
        """The seats that a vote has taken from somebody, who may ask to return."""
        return [n for n, info in enumerate(self.seats) if info.vacancy and info.vacancy.holder == holder]

    def names(self, besides: int = -1) -> list[str]:
        """The names at the table."""
        return [info.name for n, info in enumerate(self.seats) if info.name and n != besides]

    def played(self, seat: int, ref: str | None) -> bool:
        """Whether a seat's act with this reference is in the log already."""
        return ref is not None and (seat, ref) in self._refs

    def apply(self, body: RoomEvent) -> list[GameEvent]:
        """What a line does; for moves and undo, of lines that are read again."""
        match body:
            case Moves():
                return self._moves_again(body)
            case Undo():
                assert self.play is not None
                self.play.undo(body.seat)
                return self.settled(body.seat, body.ref)
            case Sit():
                self._sit(body)
            case Word():
                self.seats[body.seat].word = body.word
            case Start():
                self.version = body.version or self.setup.version
                self._start(body)
            case Cover():
                self.seats[body.seat].bot_controlled = body.on
            case Status():
                self.status = body.status
                self.open_votes.standing(body.status)
            case Stops():
                self.seats[body.seat].stops = self._always_asked.union(body.windows)
            case Mute():
                names = self.muted.setdefault(body.holder, set())
                names.add(body.name) if body.on else names.discard(body.name)
            case Ballot():
                self.open_votes.count(body.kind, body.seat, body.by, body.on)
            case Invite():
                if (vacancy := self.seats[body.seat].vacancy) is not None:
                    vacancy.invite, vacancy.invited_by = body.code, body.by
            case Ask():
                if (vacancy := self.seats[body.seat].vacancy) is not None:
                    vacancy.asks = True
            case Rematch():
                self.rematch = body.table
        return []

    def _sit(self, body: Sit) -> None:
        before = self.seats[body.seat]
        every = frozenset(self.game.hidden_windows)
        info = SeatInfo(body.kind, body.name, body.holder, body.bot, body.word, stops=every)
        if self.status in RUNNING and body.kind != "person":
            removed = before.kind == "person"
            info.vacancy = Vacancy(before.holder, before.name) if removed else before.vacancy
        if body.holder:
            self.seated.setdefault(body.holder, set()).add(body.seat)
        self.seats[body.seat] = info
        self.open_votes.vacated(body.seat)
        for each in self.seats:  # a removed host's invitations are void
            if each.vacancy is not None and each.vacancy.invited_by == before.holder != "":
                each.vacancy.invite = each.vacancy.invited_by = ""

    def _start(self, start: Start) -> None:
        self.words = start.words
        self.status = "playing"
        self.play = GameSession(self.game, self.options, self.seat_count, self.dice(start.words), start.all_windows)
        if not start.all_windows:
            self._always_asked = _WITHOUT_STOPS
            for info in self.seats:
                info.stops |= _WITHOUT_STOPS
        if self.setup.clock is not None:
            self.left = [self.setup.clock.seconds * 1000] * self.seat_count

    def _moves_again(self, body: Moves) -> list[GameEvent]:
        assert self.play is not None
        trusted = self.version == self.game.version
        for done in body.done:
            self.play.again(done, trusted)
        if body.left is not None:
            self.left = body.left
        return self.settled(body.seat, body.ref)

    def settled(self, seat: int, ref: str | None) -> list[GameEvent]:
        """End a batch of moves: number it, remember its reference, and notice the end of the game."""
        assert self.play is not None
        if ref is not None:
            self._refs.append((seat, ref))
        self._notice_end()
        return self.play.keep(ref)

    def _notice_end(self) -> None:
        if self.play is not None and self.play.actor == OVER:
            self.status = "over"
            self.open_votes.standing("over")
