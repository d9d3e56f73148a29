"""The state of a room, and how each event of the log changes it.

A room applies an event in memory, appends it to the log, and broadcasts it only then. If the write fails, the state
is read from the log again (`log_reader`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from quadriga.engine.errors import OptionError
from quadriga.engine.game import NOBODY, Game
from quadriga.engine.kernels.slots import CHANCE, OVER
from quadriga.engine.match import options as opts
from quadriga.engine.match.dice import Dice, FairDice, SeededDice
from quadriga.engine.match.options import Options
from quadriga.engine.parts.orders import Given
from quadriga.games import find
from quadriga.server.seats.seat import SeatInfo, Vacancy
from quadriga.server.seats.votes import RUNNING, OpenVotes
from quadriga.server.state.day_events import Deadline, SetDays, TimeLost, Vacation
from quadriga.server.state.events import (
    Ask,
    AskedWindows,
    AskWhen,
    Ballot,
    BotControl,
    ClientSeed,
    CoachAgreed,
    Deal,
    HintTaken,
    Invite,
    LoggedMove,
    Moves,
    Mute,
    OrderEnded,
    OrderGiven,
    Pace,
    React,
    Rematch,
    RoomEvent,
    Rush,
    Setup,
    Sit,
    Start,
    Status,
    Undo,
)
from quadriga.server.state.game_event import GameEvent
from quadriga.server.state.game_session import GameSession
from quadriga.server.state.snapshot import pack, rules_hash
from quadriga.server.storage.base import Snapshot

ERASED_NAME = "—"  # of a person who has deleted their account
CLOSED = "closed"  # the status of a game that was begun under rules that are no longer played
_ALWAYS_ASKED_BEFORE_0_2 = frozenset(("PR", "PB"))  # windows of Ben Hvrt that version 0.1 always asked in
_REFS = 512  # client references that are remembered, so that no move is made twice


class RoomState:
    """The state of a room after the events of its log."""

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
            # The current rules have no such options: take the defaults, and close the room.
            self.options, self.seat_count = self.game.resolve_options({}, setup.seats)
            self.status = CLOSED
        tables = self.game.rules.new(self.options, self.seat_count)[0]  # not kept: those of a course are large
        self.seat_names = [self.game.display.name_of(tables, seat) for seat in range(self.seat_count)]
        self.seats = [SeatInfo(asked_windows=self._all_windows) for _ in range(self.seat_count)]
        self._always_asked: frozenset[str] = frozenset()  # windows that a seat cannot turn off
        self.client_seeds: list[str] | None = None
        self.session: GameSession | None = None
        self.closed_moves: list[LoggedMove] = []  # of a closed room: the moves of its log, which are not played
        self.pace = setup.pace  # milliseconds that a bot takes for a move
        self.rushed_race: int | None = None  # the race whose rest bots play without waiting
        self.left: list[int] = []  # milliseconds on the players' clocks
        self.days = setup.days  # the pace by days; None: live
        self.deadline: Deadline | None = None  # the last one: see `deadlines`
        self.lost: set[str] = set()  # holders who have lost their seats by time
        self.muted: dict[str, set[str]] = {}
        self.open_votes = OpenVotes()
        self.is_coach_agreed = False
        self.seated: dict[str, set[int]] = {}  # the seats that each person has or had in this room
        self.hinted: set[int] = set()  # seats that have asked for a hint
        self.rematch: str | None = None
        self.last_order = 0  # the number of the last standing order
        self.next = 1  # the number of the next event
        self.is_ahead = False  # whether moves were made that are not in the log yet
        self.hash = b""  # of the last event, or the start of the chain
        self.resumed = 0  # the number of the event whose snapshot was used
        self.refs: dict[tuple[int, str], None] = {}  # the seat and the reference of each move, in order

    @property
    def goes_on_alone(self) -> bool:
        """True if bots move also while nobody looks: by days, and in tournaments, which wait for the result."""
        return self.days is not None or self.setup.tournament is not None

    @property
    def _all_windows(self) -> frozenset[str]:
        return frozenset(self.game.windows)

    # Snapshots.

    @cached_property
    def rules(self) -> bytes:
        """The hash of the rules that snapshots are tied to."""
        return rules_hash(self.game, self.game.rules.new(self.options, self.seat_count)[0])

    def snapshot(self) -> Snapshot | None:
        """Return a snapshot of the game after the last event."""
        return None if self.session is None else Snapshot(self.next - 1, pack(self.session.snapshot(self.rules)))

    # Reading the state.

    def dice(self, client_seeds: list[str] | None = None) -> Dice:
        """Return the dice of this room; fair dice need the client seeds to roll, but not to commit."""
        if self.setup.dice == "seeded":
            return SeededDice(int(self.setup.seed))
        return FairDice(client_seeds or [""] * self.seat_count, bytes.fromhex(self.setup.seed))

    @property
    def over(self) -> bool:
        """True if there is nothing more to play."""
        return self.status in ("over", "ended", CLOSED)

    @property
    def asks_in_all_windows(self) -> bool:
        """True if every reaction window asks whatever a seat holds; games of 0.1 did not."""
        return not self._always_asked

    @property
    def has_coach(self) -> bool:
        """True if players may ask the coach: all have agreed, or only one person plays; never in a tournament."""
        holders = {info.holder for info in self.seats if info.kind == "person"}
        is_allowed = self.setup.tournament is None and (self.is_coach_agreed or len(holders) == 1)
        return self.game.has_coach and is_allowed

    @property
    def is_rolled_by_hand(self) -> bool:
        """True if a person is to roll the dice."""
        roller = NOBODY if self.session is None or self.setup.rolls != "hand" else self.session.roller
        return roller >= 0 and not self.seats[roller].played_by_bot

    @property
    def waits_for_undo(self) -> bool:
        """True if chance is next, and waits so that the last move of a person can be taken back."""
        session = self.session
        return session is not None and self.setup.undo and session.actor == CHANCE and session.undoer != NOBODY

    @property
    def race_of_bots(self) -> int | None:
        """The number of the race under way if only bots are left in it; None otherwise."""
        races, session = self.game.races, self.session
        if races is None or session is None or self.status != "playing":
            return None
        t, s = session.match.t, session.match.s
        racing = races.racing(t, s)
        return races.number(t, s) if racing and not any(map(self.is_person, racing)) else None

    @property
    def is_rushed(self) -> bool:
        """True if bots play without waiting."""
        return self.rushed_race is not None and self.rushed_race == self.race_of_bots

    def is_person(self, seat: int) -> bool:
        """Return whether a person decides for a seat."""
        return seat >= 0 and not self.seats[seat].played_by_bot

    def seats_of(self, holder: str) -> list[int]:
        """Return the seats of a person."""
        return [n for n, info in enumerate(self.seats) if info.kind == "person" and info.holder == holder]

    def former_seats(self, holder: str) -> list[int]:
        """Return the seats that a vote has taken from a person, who may ask to return."""
        return [n for n, info in enumerate(self.seats) if info.vacancy and info.vacancy.holder == holder]

    def names(self, besides: int = -1) -> list[str]:
        """Return the names of all seats but one."""
        return [info.name for n, info in enumerate(self.seats) if info.name and n != besides]

    def host(self, counts: Callable[[str], bool], besides: str = "") -> str:
        """Return the holder who has the host's rights, or "" if nobody has.

        Before the start that is the creator. In a running game, while the creator is removed or long gone, it is
        the first seated person who `counts`. Nobody decides about their own return: `besides`.
        """
        creator = self.setup.host
        if self.status not in RUNNING:
            return creator
        seated = [info.holder for info in self.seats if info.kind == "person"]
        is_creator_in = creator in seated or creator not in self.seated
        candidates = [creator, *seated] if is_creator_in else seated
        return next((each for each in candidates if each != besides and counts(each)), "")

    def has_played(self, seat: int, ref: str | None) -> bool:
        """Return whether a seat's move with this client reference is in the log already."""
        return ref is not None and (seat, ref) in self.refs

    def remember(self, seat: int, ref: str | None) -> None:
        """Remember the client reference of a move, so that it is not made twice."""
        if ref is not None and not self.has_played(seat, ref):
            self.refs[seat, ref] = None
            if len(self.refs) > _REFS:
                del self.refs[next(iter(self.refs))]

    # Moves that are not in the log yet.

    def play(self, kind: str, seat: int = NOBODY, text: str = "", by: str = "") -> list[LoggedMove]:
        """Make a move: "act", "roll" or "undo"; return it as the log has it, an undo as nothing.

        Raise IllegalActionError, with nothing changed, if an action is illegal.
        """
        assert self.session is not None
        made: list[LoggedMove] = []
        match kind:
            case "act":
                made.append(self.session.act(text, by))
            case "roll":
                made.append(self.session.roll())
            case "undo":
                self.session.undo(seat)
        self.is_ahead = True
        return made

    def play_again(self, moves: Sequence[LoggedMove]) -> None:
        """Make moves that the log of another room of the same rules has."""
        assert self.session is not None
        for move in moves:
            self.session.replay(move, trusted=True)
        self.is_ahead = True

    # Applying events.

    def apply(self, event: RoomEvent) -> list[GameEvent]:
        """Apply an event; return the game events of moves and undos that were read from the log."""
        match event:
            case Moves():
                return self._replay_moves(event)
            case Undo():
                assert self.session is not None
                self.session.undo(event.seat)
                return self.end_batch(event.seat, event.ref)
            case Sit():
                self._sit(event)
            case ClientSeed():
                self.seats[event.seat].client_seed = event.client_seed
            case Start():
                self.version = event.version or self.setup.version
                self._start(event)
            case BotControl():
                self.seats[event.seat].bot_controlled = event.on
                self.seats[event.seat].is_absent = event.on and event.absent
            case Status():
                self.status = event.status
                self.open_votes.drop_disallowed(event.status)
            case AskedWindows():
                self.seats[event.seat].asked_windows = self._always_asked.union(event.windows)
            case Pace():
                self.pace = event.pace
            case Rush():
                self.rushed_race = event.race
            case AskWhen():
                self.seats[event.seat].asked_when = event.when
            case React():
                self.seats[event.seat].wants_to_react = event.on
            case Deal():
                self.seats[event.seat].announces_deal = event.on
            case OrderGiven():
                self.seats[event.seat].orders[event.number] = Given(event.order, event.moment)
                self.last_order = event.number
            case OrderEnded():
                self.seats[event.seat].orders.pop(event.number, None)
            case Mute():
                names = self.muted.setdefault(event.holder, set())
                names.add(event.name) if event.on else names.discard(event.name)
            case Ballot():
                self.open_votes.count((event.kind, event.seat), event.by, event.on)
            case CoachAgreed():
                self.is_coach_agreed = event.on
                self.open_votes.close("coach")
            case HintTaken():
                self.hinted.add(event.seat)
            case Invite():
                if (vacancy := self.seats[event.seat].vacancy) is not None:
                    vacancy.invite, vacancy.invited_by = event.code, event.by
            case Ask():
                if (vacancy := self.seats[event.seat].vacancy) is not None:
                    vacancy.asks = True
            case Rematch():
                self.rematch = event.table
            case SetDays():
                self.days, self.deadline = event.days, None
                self.open_votes.close("days")
                self.open_votes.close("live")
            case Deadline():
                self.deadline = event
            case Vacation():
                self.seats[event.seat].vacation_until = event.until
            case TimeLost():
                self.lost.add(self.seats[event.seat].holder)
        return []

    def _sit(self, event: Sit) -> None:
        before = self.seats[event.seat]
        name = ERASED_NAME if event.erased else event.name
        info = SeatInfo(
            event.kind, name, event.holder, event.bot, event.client_seed, asked_windows=self._all_windows
        )
        if self.status in RUNNING and event.kind != "person":
            was_removed = before.kind == "person"
            info.vacancy = Vacancy(before.holder, before.name) if was_removed else before.vacancy
        if event.holder:
            self.seated.setdefault(event.holder, set()).add(event.seat)
            self.lost.discard(event.holder)
        self.seats[event.seat] = info
        if self.status == "waiting":
            self.options = self._options_for_people()
        if event.kind == "person":
            self.is_coach_agreed = False  # the newcomer has not agreed
        self.open_votes.drop_seat(event.seat)
        for each in self.seats:  # a removed host's invitations are void
            if each.vacancy is not None and each.vacancy.invited_by == before.holder != "":
                each.vacancy.invite = each.vacancy.invited_by = ""

    def _options_for_people(self) -> Options:
        """Return the options, with the defaults for the people or bots who have seats now."""
        people = any(info.kind == "person" for info in self.seats)
        return self.game.resolve_options(self.setup.options, self.setup.seats, people)[0]

    @property
    def open_options(self) -> Options:
        """The options that nobody has chosen, and that depend on whether a person plays. The start fixes them."""
        names = opts.open_until_start(self.game.options, self.setup.options)
        return {name: self.options[name] for name in names}

    def fix_options(self, start: Start) -> None:
        """Take the options that the start has fixed."""
        self.options, _ = self.game.resolve_options(self.setup.options | start.options, self.setup.seats)

    def _start(self, start: Start) -> None:
        self.client_seeds = start.client_seeds
        self.fix_options(start)
        self.status = "playing"
        dice = self.dice(start.client_seeds)
        self.session = GameSession(self.game, self.options, self.seat_count, dice, start.all_windows)
        if not start.all_windows:
            self._always_asked = _ALWAYS_ASKED_BEFORE_0_2
            for info in self.seats:
                info.asked_windows |= _ALWAYS_ASKED_BEFORE_0_2
        if self.setup.clock is not None:
            self.left = [self.setup.clock.seconds * 1000] * self.seat_count

    def _replay_moves(self, event: Moves) -> list[GameEvent]:
        assert self.session is not None
        trusted = self.version == self.game.version
        for move in event.done:
            self.session.replay(move, trusted)
        if event.left is not None:
            self.left = event.left
        for seat, ref in event.answers:
            self.remember(seat, ref)
        return self.end_batch(event.seat, event.ref, event.released)

    def end_batch(self, seat: int, ref: str | None, released: Sequence[int] = ()) -> list[GameEvent]:
        """End a batch of moves: number its events, remember its reference, and update the status."""
        assert self.session is not None
        self.remember(seat, ref)
        self.check_end()
        return self.session.end_batch(ref, released)

    def check_end(self) -> None:
        """Set the status if the game is over."""
        if self.session is not None and self.session.actor == OVER:
            self.status = "over"
            self.open_votes.drop_disallowed("over")
