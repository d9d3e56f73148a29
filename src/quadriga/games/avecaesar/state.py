"""The records of Ave Caesar: a tournament, and the tables of its courses."""

from __future__ import annotations

from quadriga.engine.kernels.struct import Struct, i8, i8grid, i8s, i16grid, i32s, i64grid, i64s
from quadriga.games.avecaesar.board import LAPS, MOST_SPACES, WINDOW, Course

SEATS = 6
RACES = 8
VALUES = 6  # cards of 1 to 6
COPIES = 4  # of each (AC-2.1)
HAND = 3
CARDS = VALUES * COPIES
LISTED = MOST_SPACES + WINDOW
DISTANCES = (LAPS + 1) * 2 * MOST_SPACES
HANDS = 84  # different hands of 0 to 3 cards: 1, 6, 21 and 56

CUT = 0  # a card is cut for the first place (AC-2.2)
DEAL = 1  # the hands are drawn
MOVE = 2  # a player is to play a card
BOTTOM = 3  # a player who missed a turn is to put a card under the deck (AC-V2)
REFILL = 4  # a card is drawn to replace one
DONE = 5

RACING = 0
FINISHED = 1
OUT = 2  # left the track without finishing (AC-3.4, AC-4.5)
WRECKED = 3  # AC-V3


class Tables(Struct):
    """The constants of a tournament: players, variants, and each race's course with its spaces in driving order."""

    plain = ("raced",)
    raced: list[Course]  # race by race, for names and drawings; not visible to kernels

    seats = i8()
    races = i8()
    start_by_place = i8()  # AC-V1
    bottom_card = i8()  # AC-V2
    crash_and_burn = i8()  # AC-V3
    dishonour = i8()  # AC-V4
    spaces = i8s(RACES)  # the number of spaces
    gate = i8s(RACES)  # the space from which the alley is entered,
    entrance = i64s(RACES)  # ... and its first space, as a bit of the window ahead
    steps = i64grid(2 * RACES, LISTED)  # the spaces one step on, as bits of the window ahead: [race * 2 + enter,
    # space]; the list of spaces goes on past the line, and with `enter` the gate leads into the alley
    rank = i8grid(RACES, MOST_SPACES)  # the order of the spaces; equal stations have equal ranks
    alley = i8grid(RACES, MOST_SPACES)  # 1 in the alley
    keeping = i64grid(RACES, MOST_SPACES)  # destinations that keep the alley (AC-5.4), as bits of the window ahead
    start = i8grid(RACES, SEATS)  # positions I, II, ...
    hands = i32s(HANDS)  # every hand, packed, by its number (rules/knowledge.py)
    with_card = i8grid(HANDS, VALUES + 1)  # the index, among the hands of its size, of a hand with one more card,
    with_any = i64s(HANDS)  # ... and all hands that a hand and one more card make, as bits
    holding = i64grid(HAND + 1, 2 << VALUES)  # the hands of a size that hold one of several values, all as bits
    to_go = i16grid(RACES, DISTANCES)  # fewest steps to the finish: [(lap * 2 + coin) * MOST_SPACES + space]; a
    # chariot that has lost the alley need not stop there


class State(Struct):
    """The state of a tournament. Cards are packed: four bits for the number of each value."""

    points = i8s(SEATS)  # over the tournament so far
    race = i8()  # number, from 0
    phase = i8()  # CUT, DEAL, MOVE, BOTTOM, REFILL or DONE
    order = i8s(SEATS)  # the seats in turn order, first start position first
    at = i8()  # the seat to move, as an index of `order`
    hand = i32s(SEATS)  # packed
    deck = i32s(SEATS)  # packed: cards to draw in unknown order
    under = i8grid(SEATS, CARDS)  # AC-V2: cards put under the deck, the first to be drawn first
    unders = i8s(SEATS)  # the number of cards put under the deck
    space = i8s(SEATS)  # the space of the chariot, or the last one before it left the track
    lap = i8s(SEATS)  # 0 before the first crossing
    coin = i8s(SEATS)  # 1 while it is still to be paid
    dishonoured = i8s(SEATS)  # AC-5.5
    status = i8s(SEATS)  # RACING, FINISHED, OUT or WRECKED
    finish = i8s(SEATS)  # 1 for the first over the finish, and so on; 0 for the rest
    finishers = i8()  # the number of chariots that finished, honoured or not
    begun = i8()  # 1 once a card has been played in this race (AC-4.2)
    misses = i8()  # missed turns in a row (AC-4.5)
    lifted = i8()  # seats, as bits, whose next turn is free of AC-4.1
    free = i8()  # 1 while the turn is such a turn
    moves = i64s(VALUES)  # destinations of each card of the player to move, as bits ahead; bit 0 is the finish
    ruled_out = i64s(SEATS)  # hands of the present size, as bits, that a seat is known not to hold
    cut = i8s(SEATS)  # cards cut for the first place
    cutters = i8()  # seats, as bits, that are still to cut,
    tied = i8()  # ... and seats that are tied for the highest card
    dealt = i8()  # cards dealt so far
