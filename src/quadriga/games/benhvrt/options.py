"""The options of Ben Hvrt, and its tables and first position."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache

from quadriga.engine import files
from quadriga.engine.errors import OptionError
from quadriga.engine.match.options import Document, FileReport, Flag, Option, Options, Whole
from quadriga.games.benhvrt import deck, track_file
from quadriga.games.benhvrt.board import CHARIOTS, Track
from quadriga.games.benhvrt.bots.values import BY_HAND_ROW, LEARNED_ROW, VALUES
from quadriga.games.benhvrt.custom_files import good
from quadriga.games.benhvrt.deck import Card
from quadriga.games.benhvrt.deck.operations import EVENT, MOVE
from quadriga.games.benhvrt.file_reports import report_deck, report_track
from quadriga.games.benhvrt.rules.piles import put
from quadriga.games.benhvrt.rules.stack import push
from quadriga.games.benhvrt.rules.turn import advance
from quadriga.games.benhvrt.state import DECK, NOT_ASKED, RACES, SERIES, State, Tables

SERIES_BY_NAME = {
    "basic": (1, 2, 4),
    "jupiter": (1, 2, 4, 6),
    "julius": (2, 3, 4, 5),
    "augustus": (2, 2, 2, 6),
    "mercury": (1, 2, 3, 4, 1, 2, 3, 4),
    "hercules": (1, 2, 3, 4, 5, 6),
    "saturn": (2, 2, 4, 2, 2, 6),
    "rose-derby": (4, 3, 2, 1, 6),
    "iris-derby": (3, 2, 1, 4, 6),
    "caligula": (0, 0, 0, 0, 0, 0),
}  # BH-2.2
PURSE = 100
LONGEST = RACES // 2


@dataclass(frozen=True)
class SeriesOption(Option):
    """A series by name, or a list of laps."""

    def allowed(self) -> str:
        """Return the names, and the form of a list."""
        return f"{' | '.join(SERIES_BY_NAME)} | 1..{LONGEST} numbers of laps, each 1..6"

    def check(self, value: object) -> object:
        """Return a valid name or list of laps."""
        if isinstance(value, str) and value in SERIES_BY_NAME:
            return value
        if isinstance(value, list) and 1 <= len(value) <= LONGEST:
            if all(type(laps) is int and 1 <= laps <= 6 for laps in value):
                return list(value)
        raise self.refuse(value)

    def parse(self, text: str) -> object:
        """Return a name, or a list from numbers with commas."""
        parts = [part.strip() for part in text.split(",")]
        if all(part.isascii() and part.isdecimal() for part in parts):
            return [int(part) for part in parts]
        return text

    def form(self) -> dict[str, object]:
        """Return the names to choose from, and the limits of a custom list."""
        numbers = {"low": 1, "high": 6, "least": 1, "most": LONGEST}
        return {"type": "other", "choices": list(SERIES_BY_NAME), "numbers": numbers}


@dataclass(frozen=True)
class DeckFile(Document):
    """A custom deck. An error in its file is reported with the line."""

    def read(self, name: str, content: bytes) -> object:
        """Return the content of a valid deck file."""
        return files.parse_checked(name, content, deck.checked)[0]

    def report(self, path: str) -> FileReport:
        """Return all faults of a deck file, or its cards."""
        return report_deck(path)


@dataclass(frozen=True)
class TrackFile(Document):
    """A custom track. An error in its file is reported with the line."""

    def read(self, name: str, content: bytes) -> object:
        """Return the content of a valid track file."""
        return files.parse_checked(name, content, track_file.checked)[0]

    def report(self, path: str) -> FileReport:
        """Return all faults of a track file, or its lanes."""
        return report_track(path)


def _default_chariots(options: Options, seats: int) -> int:
    """BH-2.1: return two chariots each for two or three players, one each for more."""
    return 2 if seats <= 3 else 1


def _default_penalty(options: Options, seats: int) -> bool:
    """BH-8.3: return whether the last place costs all cards: in the Caligula series it does."""
    return bool(options["series"] == "caligula")


OPTIONS: tuple[Option, ...] = (
    SeriesOption("series", "basic"),
    Flag("double", False),
    Whole("offers", 3, low=0, high=9),
    Flag("bribes", False, with_people=True),  # BH-7.5
    Whole("chariots", _default_chariots, low=1, high=2),
    Flag("penalty", _default_penalty),
    DeckFile("deck", None),
    TrackFile("track", None),
)


def options_from_flag(flag: str, text: str) -> dict[str, object]:
    """Return the options of `--deck FILE` and `--track FILE`."""
    if flag == "deck":
        return {"deck": good(text, deck.checked)[0]}
    if flag == "track":
        return {"track": good(text, track_file.checked)[0]}
    raise OptionError("option.flag", flag=flag)


def _cache_key(document: object) -> str:
    """Return a document as JSON, for use as a cache key. Values that JSON lacks, such as dates, become null."""
    try:
        return json.dumps(document, default=lambda _: None, skipkeys=True)
    except RecursionError:
        return "{}"  # deeper than any valid deck or track, so it is refused as an empty one


@lru_cache(maxsize=16)
def _deck(document: str) -> tuple[Card, ...]:
    return tuple(deck.checked(json.loads(document)))


@lru_cache(maxsize=16)
def _track(document: str) -> Track:
    return track_file.checked(json.loads(document))


def cards_of(options: Options) -> tuple[Card, ...]:
    """Return the deck of the game."""
    return deck.own_deck() if options["deck"] is None else _deck(_cache_key(options["deck"]))


def track_of(options: Options) -> Track:
    """Return the track of the game."""
    return track_file.own_track() if options["track"] is None else _track(_cache_key(options["track"]))


def check_options(options: Options, seats: int) -> None:
    """Check that deck and track fit together, and that there are not too many chariots or races."""
    if seats * options["chariots"] > CHARIOTS:
        two_each = CHARIOTS // 2
        raise OptionError("chariots.many", package=deck.PACKAGE, seats=seats, most=CHARIOTS, two_each=two_each)
    cards_of(options)
    places = len(track_of(options).places)
    if seats * options["chariots"] > places:
        raise OptionError("chariots.grid", package=deck.PACKAGE, seats=seats, most=places)
    if len(_laps(options)) > RACES:
        raise OptionError("series.long", package=deck.PACKAGE, most=RACES)


def _laps(options: Options) -> tuple[int, ...]:
    """BH-2.2: return the laps of each race. A doubled series runs the whole list twice."""
    series = options["series"]
    laps = SERIES_BY_NAME[series] if isinstance(series, str) else tuple(series)
    return laps * 2 if options["double"] else laps


def new(options: Options, seats: int) -> tuple[Tables, State]:
    """BH-2.1 to BH-2.3: return the tables, and a state in which all seats are to roll for the deal."""
    t = Tables()
    t.seats = seats
    t.chariots = seats * options["chariots"]
    laps = _laps(options)
    t.races = len(laps)
    for race, number in enumerate(laps):
        t.laps[race] = number
    t.penalty = options["penalty"]
    t.offers = options["offers"]
    t.bribes = options["bribes"]
    t.cards = cards_of(options)
    for row, numbers in ((LEARNED_ROW, VALUES.learned), (BY_HAND_ROW, VALUES.by_hand)):
        for at, value in enumerate(numbers):
            t.values[row + at] = value
    t.name_cache, t.view_cache = {}, {}
    t.track = track_of(options)
    _fill_cards(t)
    _fill_track(t)
    s = State()
    for kind, card in enumerate(t.cards):
        for _ in range(card.copies):
            put(s, DECK, kind)
    for seat in range(seats):
        s.purse[seat] = PURSE * (t.chariots // seats)
    s.rollers = s.tied = (1 << seats) - 1
    push(s, SERIES, 0)
    s.asked = NOT_ASKED
    advance(t, s)
    return t, s


def _fill_cards(t: Tables) -> None:
    """Write the tables of the deck."""
    t.kinds = len(t.cards)
    for kind, card in enumerate(t.cards):
        t.type[kind] = card.type
        t.copies[kind] = card.copies
        t.price[kind] = card.price
        t.upkeep[kind] = card.upkeep.flat
        t.upkeep_halves[kind] = card.upkeep.halves
        t.window[kind] = card.window
        t.per[kind] = card.per
        t.takes[kind] = card.takes
        t.of_type[card.type] |= 1 << kind
        if card.type in (MOVE, EVENT):
            t.in_window[card.window] |= 1 << kind
        for i, (code, one, two) in enumerate(card.does):
            t.op[kind, i] = code
            t.one[kind, i] = one
            t.two[kind, i] = two
            t.doing[code] |= 1 << kind


def _fill_track(t: Tables) -> None:
    """Write the tables of the track."""
    track = t.track
    t.squares = len(track.squares)
    t.lap_length = track.lap
    for place, square in enumerate(track.squares):
        t.lane[place] = square.lane
        t.rear[place] = square.rear
        t.front[place] = square.front
        t.ahead[place] = track.ahead(place)
        t.behind[place] = track.behind(place)
        t.last[place] = square.front == track.lap
        beside = track.beside(place)
        t.sides[place] = len(beside)
        for i, other in enumerate(beside):
            t.beside[place, i] = other
            if track.squares[other].front <= square.front:
                t.passes[place, other >> 5] |= 1 << (other & 31)
    for lap, finishing in enumerate((False, True)):
        for place, steps in enumerate(track.to_line(finishing)):
            t.to_line[lap, place] = steps
    for place, (start, rank) in enumerate(track.places):
        t.grid[place] = start
        t.grid_rank[place] = rank
