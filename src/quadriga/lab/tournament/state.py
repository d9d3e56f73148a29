"""The state of a tournament after its log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal

from msgspec import Struct, field

from quadriga.lab.tournament.log import POINT, Begin, End, Enter, Event, Leave, Pair, Plan, Result, Return, points

Status = Literal["open", "running", "over", "aborted"]


class Table(Struct):
    """A table, and what its players gain."""

    id: str
    round: int
    players: list[int]  # in the order of their seats
    places: list[int] | None = None  # by seat; empty if nobody has won anything
    gained: list[int] = []
    why: str = ""

    @property
    def is_open(self) -> bool:
        """True until there is a result."""
        return self.places is None


class Player(Struct):
    """A player, with all that pairings and standings have to know."""

    number: int
    kind: str
    is_active: bool = True
    why_left: str = ""
    points: int = 0
    games: int = 0  # with a result
    firsts: int = 0
    byes: list[int] = field(default_factory=list)  # rounds
    tables: list[Table] = field(default_factory=list)
    met: Counter[int] = field(default_factory=Counter)  # how often, by player
    seats: Counter[int] = field(default_factory=Counter)  # how often, by start place
    lean: int = 0  # towards late start places, if above 0; 60 for the last place of a table
    playing: str = ""  # the open table


class State(Struct):
    """A tournament."""

    plan: Plan
    players: list[Player] = field(default_factory=list)
    tables: dict[str, Table] = field(default_factory=dict)
    pairings: list[Pair] = field(default_factory=list)
    status: Status = "open"
    began: int = 0
    ended: int = 0
    open_tables: dict[str, Table] = field(default_factory=dict)
    freed: dict[int, int] = field(default_factory=dict)  # of an arena: when a player was last at a table
    number: int = 0  # of events

    @property
    def round(self) -> int:
        """The number of the last pairing; 0 before the first."""
        return len(self.pairings)

    @property
    def active(self) -> list[Player]:
        """The players who are paired, in the order in which they entered."""
        return [each for each in self.players if each.is_active]

    def apply(self, event: Event) -> None:
        """Change the state by one event."""
        self.number += 1
        match event:
            case Enter():
                assert event.player == len(self.players)
                self.players.append(Player(event.player, event.kind))
            case Leave():
                player = self.players[event.player]
                player.is_active, player.why_left = False, event.why
            case Return():
                player = self.players[event.player]
                player.is_active, player.why_left = True, ""
            case Begin():
                self.status, self.began = "running", event.at
            case Pair():
                self._pair(event)
            case Result():
                self._finish(event)
            case End():
                self.status, self.ended = event.why, event.at
                self.open_tables.clear()

    def _pair(self, event: Pair) -> None:
        self.pairings.append(event)
        ids = event.ids or [f"{self.round}.{number}" for number in range(1, len(event.tables) + 1)]
        for table_id, numbers in zip(ids, event.tables, strict=True):
            table = Table(table_id, self.round, numbers)
            self.tables[table_id] = self.open_tables[table_id] = table
            for seat, number in enumerate(numbers):
                player = self.players[number]
                player.tables.append(table)
                player.seats[seat] += 1
                player.lean += lean(seat, len(numbers))
                player.met.update(other for other in numbers if other != number)
                player.playing = table_id
        for number in event.byes:
            self.players[number].byes.append(self.round)
            self.players[number].points += POINT

    def _finish(self, event: Result) -> None:
        table = self.open_tables.pop(event.table)
        table.places, table.why = event.places, event.why
        table.gained = points(event.places) if event.places else [0] * len(table.players)
        for number, gained in zip(table.players, table.gained, strict=True):
            player = self.players[number]
            player.points += gained
            player.playing = ""
            self.freed[number] = event.at
            if event.places:
                player.games += 1
        for number, place in zip(table.players, event.places, strict=False):
            self.players[number].firsts += place == 1


def lean(seat: int, seats: int) -> int:
    """Return where a start place lies: -60 for the first of a table, 60 for the last."""
    return 60 * (2 * seat - (seats - 1)) // (seats - 1) if seats > 1 else 0


def state_of(plan: Plan, events: Iterable[Event]) -> State:
    """Return the state after a log."""
    state = State(plan)
    for event in events:
        state.apply(event)
    return state
