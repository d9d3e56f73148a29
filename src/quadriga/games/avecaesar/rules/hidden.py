"""Hidden information in Ave Caesar, the hands and the order of decks: observations and redeals; also tallies."""

from __future__ import annotations

from quadriga.engine.kernels.kernel import Ints, Shorts, kernel
from quadriga.engine.kernels.rng import Rng, below
from quadriga.engine.kernels.slots import OWN_COUNTS
from quadriga.games.avecaesar.board import MOST_SPACES
from quadriga.games.avecaesar.rules.cards import number, one, only_sixes, random_card, size, unplayed
from quadriga.games.avecaesar.rules.knowledge import FIRST, lacks
from quadriga.games.avecaesar.rules.moves import FINISH, SPAN, can_move, find_moves
from quadriga.games.avecaesar.rules.six import leads
from quadriga.games.avecaesar.rules.turn import actor
from quadriga.games.avecaesar.state import MOVE, RACING, SEATS, VALUES, WRECKED, State, Tables

WORDS = 4  # numbers of 14 bits that hold the hands ruled out
PER_SEAT = 13 + WORDS + VALUES
OBSERVED = SEATS * PER_SEAT + 2 * VALUES + 10


@kernel
def distance(t: Tables, s: State, seat: int) -> int:
    """Return the fewest steps to the finish."""
    return steps_left(t, s.race, s.lap[seat], s.coin[seat] == 1, s.space[seat])


@kernel
def steps_left(t: Tables, race: int, lap: int, coin: bool, space: int) -> int:
    """Return the fewest steps to the finish from a space, with or without the coin."""
    return t.to_go[race, (lap * 2 + (1 if coin else 0)) * MOST_SPACES + space]


@kernel
def _observe_seat(t: Tables, s: State, seat: int, at: int, out: Shorts) -> None:
    """Write the public information about a seat."""
    cards = unplayed(s, seat)
    known = s.ruled_out[seat]
    out[at] = 1
    out[at + 1] = s.status[seat]
    out[at + 2] = s.lap[seat]
    out[at + 3] = s.space[seat]
    out[at + 4] = distance(t, s, seat) if s.status[seat] == RACING else 0
    out[at + 5] = s.coin[seat]
    out[at + 6] = s.dishonoured[seat]
    out[at + 7] = size(s.hand[seat])
    out[at + 8] = size(s.deck[seat]) + s.unders[seat]
    out[at + 9] = s.points[seat]
    out[at + 10] = s.finish[seat]
    out[at + 11] = lacks(t, s, seat)
    out[at + 12] = 1 if actor(t, s) == seat else 0
    for word in range(WORDS):
        out[at + 13 + word] = (known >> (14 * word)) & 0x3FFF
    for value in range(VALUES):
        out[at + 13 + WORDS + value] = number(cards, value + 1)


@kernel
def observe(t: Tables, s: State, seat: int, out: Shorts) -> None:
    """Write all seats clockwise from the own one, the own hand and deck, and the state of the tournament."""
    for i in range(len(out)):
        out[i] = 0
    observe_again(t, s, seat, out)


@kernel
def observe_again(t: Tables, s: State, seat: int, out: Shorts) -> None:
    """Write the same over zeros, or over an earlier observation in the same game."""
    first = max(seat, 0)
    for k in range(t.seats):
        other = first + k if first + k < t.seats else first + k - t.seats
        _observe_seat(t, s, other, k * PER_SEAT, out)
    at = SEATS * PER_SEAT
    hand = s.hand[seat] if seat >= 0 else 0
    deck = s.deck[seat] if seat >= 0 else 0
    for value in range(VALUES):
        out[at + value] = number(hand, value + 1)
        out[at + VALUES + value] = number(deck, value + 1)
    at += 2 * VALUES
    out[at] = s.race
    out[at + 1] = t.races
    out[at + 2] = s.phase
    out[at + 3] = t.spaces[s.race]
    out[at + 4] = t.gate[s.race]
    out[at + 5] = s.finishers
    out[at + 6] = s.begun
    out[at + 7] = s.misses
    out[at + 8] = s.free
    out[at + 9] = s.lifted


@kernel
def _ways_to_draw(cards: int, hand: int) -> int:
    """Return the number of ways to draw a hand from these cards."""
    total = 1
    for value in range(1, VALUES + 1):
        n = number(cards, value)
        k = number(hand, value)
        for i in range(k):
            total = total * (n - i) // (i + 1)
    return total


@kernel
def _fits(t: Tables, s: State, seat: int, hand: int, stuck: int) -> bool:
    """Return whether a seat could hold this hand, given which seat decides in which phase.

    `stuck` is 1 or 0 if it is known whether the seat holds only 6s, and else -1.
    """
    if stuck >= 0 and only_sixes(hand) != (stuck == 1):
        return False
    if actor(t, s) != seat:
        return True
    true_hand = s.hand[seat]
    s.hand[seat] = hand
    moves = can_move(t, s, seat)
    s.hand[seat] = true_hand
    return moves == (s.phase == MOVE)


@kernel
def _deal_hand(t: Tables, s: State, seat: int, stuck: int, rng: Rng) -> int:
    """Return a random hand of the right size, from the distribution of those that fit and are not ruled out."""
    cards = unplayed(s, seat)
    held = size(s.hand[seat])
    chosen = s.hand[seat]
    total = 0
    first = FIRST[held]
    for i in range(first, FIRST[held + 1]):
        hand = t.hands[i]
        ways = _ways_to_draw(cards, hand)
        if ways and not (s.ruled_out[seat] >> (i - first)) & 1 and _fits(t, s, seat, hand, stuck):
            total += ways
            if below(rng, total) < ways:
                chosen = hand
    return chosen


@kernel
def _exception_in_play(t: Tables, s: State) -> bool:
    """AC-4.3: return whether a leader with only 6s is to decide, which reveals something about other leaders."""
    seat = actor(t, s)
    return s.phase == MOVE and s.begun == 1 and s.free == 0 and only_sixes(s.hand[seat]) and leads(t, s, seat)


@kernel
def redeal(t: Tables, s: State, seat: int, rng: Rng) -> None:
    """Determinize for a seat: deal the others hands and decks consistent with what it has seen, the actor last."""
    asked = actor(t, s)
    exception = asked == seat and asked >= 0 and _exception_in_play(t, s)
    for turn in range(2):
        for other in range(t.seats):
            if other != seat and (other == asked) == (turn == 1):
                stuck = -1
                if exception and s.status[other] == RACING and leads(t, s, other):
                    stuck = 1 if only_sixes(s.hand[other]) else 0
                _redeal_seat(t, s, other, stuck, rng)
    if s.phase == MOVE:
        find_moves(t, s, asked)


@kernel
def _redeal_seat(t: Tables, s: State, seat: int, stuck: int, rng: Rng) -> None:
    """Give one seat a random hand, deck and cards under the deck."""
    cards = unplayed(s, seat)
    hand = _deal_hand(t, s, seat, stuck, rng)
    rest = cards - hand
    s.hand[seat] = hand
    for i in range(s.unders[seat]):
        value = random_card(rest, rng)
        s.under[seat, i] = value
        rest -= one(value)
    s.deck[seat] = rest


@kernel
def _dishonoured(t: Tables, s: State) -> int:
    """Return how often chariots have been dishonoured in this race."""
    total = 0
    for seat in range(t.seats):
        total += s.dishonoured[seat]
    return total


@kernel
def _wrecked(t: Tables, s: State) -> int:
    """Return how many chariots are wrecked."""
    total = 0
    for seat in range(t.seats):
        total += 1 if s.status[seat] == WRECKED else 0
    return total


@kernel
def remember(t: Tables, s: State) -> int:
    """Return phase, race, missed turns in a row, dishonoured and wrecked chariots, one byte each, for `tally`."""
    return s.phase | s.race << 8 | s.misses << 16 | _dishonoured(t, s) << 24 | _wrecked(t, s) << 32


@kernel
def tally(t: Tables, before: int, s: State, action: int, counts: Ints) -> None:
    """Count finishes, missed turns, dishonoured chariots and wrecks."""
    phase = before & 255
    if phase == MOVE and action % SPAN == FINISH:
        counts[OWN_COUNTS] += 1
    if (before >> 8) & 255 != s.race:
        return
    missed = s.misses - (0 if phase == MOVE else (before >> 16) & 255)  # a move ends the row of missed turns
    counts[OWN_COUNTS + 1] += max(missed, 0)
    counts[OWN_COUNTS + 2] += _dishonoured(t, s) - ((before >> 24) & 255)
    counts[OWN_COUNTS + 3] += _wrecked(t, s) - (before >> 32)
