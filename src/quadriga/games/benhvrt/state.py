"""A series of Ben Hvrt as a record: purses, cards, chariots, and a stack of work that is under way."""

from __future__ import annotations

from quadriga.engine.kernels.record import Record, i8, i8grid, i8s, i16, i16grid, i16s, i32, i32s, i64grid, i64s
from quadriga.games.benhvrt.board import CHARIOTS, SIDES, SQUARES, Track
from quadriga.games.benhvrt.deck import KINDS, OPERATIONS, Card
from quadriga.games.benhvrt.operations import WINDOWS

SEATS = 12
RACES = 24
DEPTH = 36  # of work under way: vetoes on vetoes are the deepest
PILES = SEATS + 4
DECK = SEATS  # cards that nobody has seen: the deck, and auction cards that lie face down
DISCARD = SEATS + 1
GIVE = SEATS + 2  # what an offer gives,
WANT = SEATS + 3  # ... and what it asks for
SQUARES_ = SQUARES + 2

# Tasks: what the work on the stack is.
SERIES = 1
DEAL = 2
DRAW = 3
AUCTION = 4
MARKET = 5
MAINTENANCE = 6
SUPPLY = 7
RACE = 8
MOVING = 9  # one chariot
PASSING = 10
WINDOW = 11
PLAYED = 12
SHIFT = 13

MOST_WINDOWS = 1  # `ask_all`: every window but PR and PB asks all, as at tables of version 0.1,
ALL_WINDOWS = 2  # ... or every window asks whoever might hold a card for it

NOT_ASKED = -3  # nobody is: the work goes on
CHANCE = -1
OVER = -2


class Tables(Record):
    """What does not change: the players, the series, the deck by kind in order of names, and the track."""

    plain = ("cards", "lately", "spelt", "track")
    cards: tuple[Card, ...]  # for names and texts: no kernel sees these
    lately: dict[str, tuple[object, list[object]]]  # parts of a view by name: what they were made of last, and they
    spelt: dict[tuple[int, int, int], list[str]]  # piles by their planes, as names
    track: Track

    seats = i8()
    chariots = i8()
    races = i8()
    laps = i8s(RACES)  # of each race; 0: rolled before it
    caligula = i8()  # BH-8.3
    offers = i8()  # that a player may make in a market
    bribes = i8()  # 1 if they are allowed
    ask_all = i8()  # which windows ask players who hold nothing, too: at a table, so that nobody notices

    kinds = i8()
    type = i8s(KINDS)
    copies = i8s(KINDS)
    price = i8s(KINDS)
    upkeep = i8s(KINDS)  # a fixed part,
    upkeep_halves = i8s(KINDS)  # ... and half so many Ducats a lap
    window = i8s(KINDS)
    per = i8s(KINDS)
    takes = i8s(KINDS)
    op = i8grid(KINDS, OPERATIONS)
    one = i8grid(KINDS, OPERATIONS)
    two = i8grid(KINDS, OPERATIONS)
    in_window = i64s(len(WINDOWS))  # kinds of Move and Event cards by window, as bits
    of_type = i64s(4)  # kinds by type, as bits
    doing = i64s(32)  # kinds by operation, as bits

    squares = i16()
    lap_length = i16()
    lane = i8s(SQUARES_)
    rear = i16s(SQUARES_)
    front = i16s(SQUARES_)
    ahead = i8s(SQUARES_)
    behind = i8s(SQUARES_)
    last = i8s(SQUARES_)  # 1 if the square ends at the line
    sides = i8s(SQUARES_)
    beside = i8grid(SQUARES_, SIDES)
    to_line = i16grid(2, SQUARES_)  # fewest steps over the line: with laps to come, and in the last lap
    grid = i8s(CHARIOTS)
    grid_rank = i8s(CHARIOTS)


class State(Record):
    """Where the series stands."""

    purse = i32s(SEATS)
    pot = i32()
    race = i8()  # number, from 0
    laps = i8()  # of this race; 0 before it is known
    dealer = i8()
    asked = i8()  # who is to decide: a seat, CHANCE or OVER

    # Cards. Bit k of plane p of a pile stands for 2 ** p cards of kind k.
    pile = i64grid(PILES, 3)  # hands, then DECK, DISCARD, GIVE, WANT
    know = i64grid(
        SEATS, 2 * SEATS
    )  # [observer, 2 * holder + plane]: cards known to be in a hand, at most 3 a kind
    face_down = i8s(SEATS)  # auction cards
    due = i8s(SEATS)  # cards still to be dealt

    # Chariots; chariot c belongs to seat c modulo the seats.
    driver = i8s(CHARIOTS)  # kind + 1, 0 for none
    improvements = i64s(CHARIOTS)  # kinds, as bits
    entered = i16()  # in this race, as bits
    racing = i16()  # on the track, as bits
    square = i8s(CHARIOTS)
    lap = i8s(CHARIOTS)
    speed = i8s(CHARIOTS)
    best = i16s(CHARIOTS)  # the furthest it has come
    next_roll = i8s(CHARIOTS)  # an instruction for it, 0 for none
    driver_used = i8s(CHARIOTS)  # the lap, from 1, of the Driver's last once-per-lap choice
    lever_used = i8s(CHARIOTS)  # likewise of the Improvement that keeps the Speed
    shaken = i16()  # stubborn Drivers that have withstood once, as bits
    moved = i16()  # in this turn, as bits
    finisher = i8s(CHARIOTS)  # chariot + 1, in order of finishing
    finishers = i8()
    stalled = i8()  # turns in a row that brought nobody further
    advanced = i8()  # 1 if somebody came further in this turn
    begun = i8()  # 1 from the first move on
    stake = i8grid(SEATS, CHARIOTS)  # side wagers, in Ducats
    priority = i8()  # who is asked first in windows

    # The move under way.
    mover = i8()
    natural = i8()
    roll = i8()
    steps = i8()  # of the allowance that are left
    passed = i16()  # in this move, as bits
    free_lane = i8()  # 1 while a lane change costs nothing
    dice = i8s(2)  # where two are rolled
    two_dice = i8()
    calmed = i8()  # 1 once a Driver has shrugged a Move card off
    driver_acted = i8()  # 1 once the Driver's choice was used in this move
    halted = i8()

    # The auction.
    lot = i8()  # kind + 1 of the card that is up
    round = i8()
    bidders = i16()  # still in, as bits
    bids_asked = i8()  # seats that have had their turn in this round

    # The market.
    ready = i16()  # as bits
    offers_made = i8s(SEATS)
    offer_to = i8()
    give_money = i16()
    want_money = i16()
    least_kind = i8()  # the lowest kind that may be named next: cards are named in order

    # Bribes, by who offers them.
    bribe_to = i8s(SEATS)
    bribe_card = i8s(SEATS)  # kind + 1
    bribe_chariot = i8s(SEATS)  # chariot + 1, 0 for none
    bribe_money = i16s(SEATS)
    building = i8()  # the stage of the bribe that the asked player puts together, 0 for none
    digits = i8()  # of the money of an offer or a bribe that are given

    # Maintenance, and what is drawn after it.
    due_turn = i8()  # seats from the dealer's left that are done
    due_which = i8()  # which of a player's chariots
    due_kind = i8()  # the lowest kind of Improvement that is still to come; DRIVER_FIRST while the Driver is

    # A passing, and a chariot that is shifted.
    to_pass = i16()  # targets whose windows are still to come, as bits
    shifted = i8()
    shift_left = i8()  # squares

    # The dealer's dice.
    cast = i8s(SEATS)
    rollers = i16()
    tied = i16()

    # Work under way, the newest last; `rules.stack` says which task uses what.
    depth = i8()
    task = i8s(DEPTH)
    at = i8s(DEPTH)  # its stage
    seat = i8s(DEPTH)  # whose it is
    window = i8s(DEPTH)  # which window is open, or was when the card was played
    target = i8s(DEPTH)  # the passed chariot of that window
    passes = i8s(DEPTH)  # in a row, in a window
    kind = i8s(DEPTH)  # of the card played
    way = i8s(DEPTH)  # what that card was told: a value, a chariot, or two
    vetoed = i8s(DEPTH)  # 1 if that card has no effect
    to_draw = i8s(DEPTH)  # cards
