"""The records of Ben Hvrt: a series with a stack of tasks under way, and the tables of deck and track."""

from __future__ import annotations

from quadriga.engine.kernels.struct import Struct, i8, i8grid, i8s, i16, i16grid, i16s, i32, i32s, i64grid, i64s
from quadriga.games.benhvrt.board import CHARIOTS, SIDES, SQUARES, Track
from quadriga.games.benhvrt.deck import KINDS, OPERATIONS, Card
from quadriga.games.benhvrt.deck.operations import WINDOWS

SEATS = 12
RACES = 24
VALUES = 72  # numbers by which bots judge, at most
DEPTH = 36  # of the stack: vetoes on vetoes are the deepest
PILES = SEATS + 4
DECK = SEATS  # unseen cards: the deck, and the auction cards that are face down
DISCARD = SEATS + 1
GIVE = SEATS + 2  # the cards that an offer gives,
WANT = SEATS + 3  # ... and those that it asks for
TRACK_SQUARES = SQUARES + 2
TRACK_WORDS = TRACK_SQUARES // 32  # of 32 squares each

# Tasks of the frames on the stack.
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

MOST_WINDOWS = 1  # `ask_all`: every window but PR and PB asks all seats, as in rooms of version 0.1,
ALL_WINDOWS = 2  # ... or every window asks all seats that might hold a card for it

NOT_ASKED = -3  # no seat is asked: the next task runs
CHANCE = -1
OVER = -2


class Tables(Struct):
    """The constants of a series: players, races, the deck by kind in the order of names, and the track."""

    plain = ("cards", "name_cache", "track", "view_cache")
    cards: tuple[Card, ...]  # for names and texts; not visible to kernels
    view_cache: dict[
        str, tuple[object, list[object]]
    ]  # a cache of parts of the view, with the bytes they depend on
    name_cache: dict[tuple[int, int, int], list[str]]  # a cache of the names of the cards in a pile, by its planes
    track: Track

    seats = i8()
    chariots = i8()
    races = i8()
    laps = i8s(RACES)  # of each race; 0: rolled before it
    penalty = i8()  # 1 if the last place costs all cards (BH-8.3)
    offers = i8()  # the number of offers that a player may make in a market
    bribes = i8()  # 1 if they are allowed
    values = i16s(2 * VALUES)  # numbers by which bots judge (bots/values.py): as they were learned, and as by hand
    ask_all = i8()  # which windows also ask seats that can only pass, so that the others learn nothing

    kinds = i8()
    type = i8s(KINDS)
    copies = i8s(KINDS)
    price = i8s(KINDS)
    upkeep = i8s(KINDS)  # a fixed part,
    upkeep_halves = i8s(KINDS)  # ... and twice the Ducats for each lap
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
    lane = i8s(TRACK_SQUARES)
    rear = i16s(TRACK_SQUARES)
    front = i16s(TRACK_SQUARES)
    ahead = i8s(TRACK_SQUARES)
    behind = i8s(TRACK_SQUARES)
    last = i8s(TRACK_SQUARES)  # 1 if the square ends at the line
    sides = i8s(TRACK_SQUARES)
    beside = i8grid(TRACK_SQUARES, SIDES)
    passes = i64grid(TRACK_SQUARES, TRACK_WORDS)  # squares whose chariots a step to a square passes (BH-6.9)
    to_line = i16grid(2, TRACK_SQUARES)  # fewest steps over the line: before the last lap, and in the last lap
    grid = i8s(CHARIOTS)
    grid_rank = i8s(CHARIOTS)


class State(Struct):
    """The state of a series."""

    purse = i32s(SEATS)
    pot = i32()
    race = i8()  # number, from 0
    laps = i8()  # of this race; 0 before it is known
    dealer = i8()
    asked = i8()  # the actor: a seat, CHANCE or OVER

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
    taken = i64s(TRACK_WORDS)  # squares with a chariot, as bits; `rules.chariots` keeps it true to `square`
    lap = i8s(CHARIOTS)
    speed = i8s(CHARIOTS)
    best = i16s(CHARIOTS)  # the greatest distance so far
    next_roll = i8s(CHARIOTS)  # an instruction for it, 0 for none
    driver_used = i8s(CHARIOTS)  # the lap, from 1, of the Driver's last once-per-lap choice
    lever_used = i8s(CHARIOTS)  # the same for the Improvement that keeps the Speed
    shaken = i16()  # chariots, as bits, whose stubborn Driver has withstood a retirement
    moved = i16()  # in this turn, as bits
    finisher = i8s(CHARIOTS)  # chariot + 1, in order of finishing
    finishers = i8()
    stalled = i8()  # turns in a row in which no chariot advanced
    advanced = i8()  # 1 if a chariot advanced in this turn
    begun = i8()  # 1 from the first move on
    stake = i8grid(SEATS, CHARIOTS)  # side wagers, in Ducats
    priority = i8()  # the seat that windows ask first

    # The move under way.
    mover = i8()
    natural = i8()
    roll = i8()
    steps = i8()  # steps left of the allowance
    passed = i16()  # in this move, as bits
    free_lane = i8()  # 1 while a lane change costs nothing
    dice = i8s(2)  # where two are rolled
    two_dice = i8()
    calmed = i8()  # 1 once a calm Driver has cancelled a Move card
    driver_acted = i8()  # 1 once the Driver's choice was used in this move
    halted = i8()

    # The auction.
    lot = i8()  # kind + 1 of the card for sale
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

    # Bribes, by the seat that offers them.
    bribe_to = i8s(SEATS)
    bribe_card = i8s(SEATS)  # kind + 1
    bribe_chariot = i8s(SEATS)  # chariot + 1, 0 for none
    bribe_money = i16s(SEATS)
    building = i8()  # the stage of the bribe that the actor puts together, 0 for none
    digits = i8()  # the digits given so far of the money of an offer or a bribe

    # Maintenance, and the supply after it.
    due_turn = i8()  # seats from the dealer's left that are done
    due_which = i8()  # which of a player's chariots
    due_kind = i8()  # the lowest kind of Improvement that is not done; DRIVER_FIRST before the Driver is done

    # A passing, and a chariot that is shifted.
    to_pass = i16()  # targets whose windows are not done, as bits
    shifted = i8()
    shift_left = i8()  # squares

    # The dealer's dice.
    cast = i8s(SEATS)
    rollers = i16()
    tied = i16()

    # The stack of tasks, the newest last; `rules.stack` says which task uses which fields.
    depth = i8()
    task = i8s(DEPTH)
    at = i8s(DEPTH)  # its stage
    seat = i8s(DEPTH)  # its seat
    window = i8s(DEPTH)  # the open window, or the one in which the card was played
    target = i8s(DEPTH)  # the passed chariot of that window
    passes = i8s(DEPTH)  # in a row, in a window
    kind = i8s(DEPTH)  # of the card played
    way = i8s(DEPTH)  # the argument of that card: a value, a chariot, or two
    vetoed = i8s(DEPTH)  # 1 if that card has no effect
    to_draw = i8s(DEPTH)  # cards

    row = i8()  # of the values by which a bot judges, while it does
