"""What a seat may see of Ben Hvrt: the table, its own hand, and what it knows of the others'."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

import msgspec
import numpy as np
from msgspec.structs import replace

from quadriga.engine.game import NOBODY
from quadriga.games.benhvrt.actions import PLAY, STEP
from quadriga.games.benhvrt.operations import PA, PB, WINDOWS
from quadriga.games.benhvrt.rules.chariots import owner, takes_part
from quadriga.games.benhvrt.rules.hidden import building_offer, openly_asked, seen_window, sees_offer
from quadriga.games.benhvrt.rules.maintenance import chariot_in_turn, item, upkeep
from quadriga.games.benhvrt.rules.offers import ANSWER
from quadriga.games.benhvrt.rules.piles import size
from quadriga.games.benhvrt.rules.race import AFTER_ROLL
from quadriga.games.benhvrt.rules.turn import MOST_LEGAL, legal
from quadriga.games.benhvrt.state import (
    AUCTION,
    DECK,
    DISCARD,
    GIVE,
    MAINTENANCE,
    MARKET,
    MOVING,
    OVER,
    PLAYED,
    RACE,
    SERIES,
    SHIFT,
    WANT,
    WINDOW,
    State,
    Tables,
)

STAGES = ("before", "roll", "roll", "keep-die", "rolled", "steps", "speed", "lever", "between", "between")
PHASE = 1  # the place on the stack of auction, market, maintenance or race: above the series
_SPELT = 2000  # piles that are remembered


def _bytes(first: str, after: str) -> slice:
    """Where some fields are in the record, from one to the one after the last."""
    fields = State.dtype.fields
    assert fields is not None
    return slice(fields[first][1], fields[after][1])


_OF_CHARIOTS = _bytes("driver", "stalled")
_OF_PLAYERS = _bytes("purse", "pot"), _bytes("pile", "know"), _bytes("face_down", "due"), _bytes("ready", "rollers")
_PHASES = {AUCTION: "auction", MARKET: "market", MAINTENANCE: "maintenance", RACE: "race"}


class Bribe(msgspec.Struct, frozen=True):
    """An open bribe."""

    to: int
    card: str
    chariot: int | None
    money: int


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """What the looking seat sees of a player."""

    seat: int
    purse: int
    cards: int
    known: list[str]  # cards of his that the looking seat knows of
    plays: bool  # has a chariot in this race
    ready: bool
    offers_made: int
    auction_cards: int
    bribe: Bribe | None
    die: int | None  # cast for the deal


class Chariot(msgspec.Struct, frozen=True, kw_only=True):
    """A chariot, as everybody sees it."""

    number: int
    seat: int
    driver: str | None
    improvements: list[str]
    entered: bool
    racing: bool
    place: int | None  # over the finish as number ...
    square: str | None
    lap: int
    speed: int
    next_roll: int | None  # an instruction for its next roll
    moved: bool


class Lot(msgspec.Struct, frozen=True):
    """The card that is up for auction."""

    card: str
    price: int
    auctioneer: int
    bid: int | None  # what a bid costs now; None while the auctioneer may buy
    bidders: list[int]


class Offer(msgspec.Struct, frozen=True):
    """An offer on the table; what is in it only the two see."""

    maker: int
    to: int
    give: list[str] | None
    give_money: int | None
    want: list[str] | None
    want_money: int | None


class Due(msgspec.Struct, frozen=True):
    """A card whose maintenance is due."""

    card: str
    chariot: int
    cost: int


class Move(msgspec.Struct, frozen=True):
    """The move under way."""

    chariot: int
    stage: str
    natural: int | None
    roll: int | None
    steps: int
    dice: list[int]


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A position of Ben Hvrt, ready for JSON."""

    game: str = "ben-hvrt"
    seat: int  # who looks
    race: int
    races: int
    laps: int | None
    series: list[int | None]  # laps of all races; None where they are rolled
    phase: str
    turn: int | None  # who is to decide, as far as everybody knows
    asked: bool  # whether the looking seat is
    dealer: int | None
    pot: int
    deck: int
    discards: list[str]
    hand: list[str]
    players: list[Player]
    chariots: list[Chariot]
    lot: Lot | None
    offer: Offer | None
    due: Due | None
    move: Move | None
    window: str | None
    target: int | None  # the passed chariot of a window, for whom it is asked
    targets: list[str]  # squares that the looking seat can step or shift to, in the order of its legal actions
    answering: list[str]  # cards just played that can still be answered, the newest last
    stalled: int


def _names(t: Tables, s: State, pile: int) -> list[str]:
    return _spelt(t, s.pile[pile, 0], s.pile[pile, 1], s.pile[pile, 2])


def _spelt(t: Tables, ones: int, twos: int = 0, fours: int = 0) -> list[str]:
    """The names of the cards whose planes these are; most piles stay as they are for a while."""
    found = t.spelt.get((ones, twos, fours))
    if found is None:
        if len(t.spelt) >= _SPELT:
            t.spelt.clear()
        found = []
        mask = ones | twos | fours
        while mask:
            kind = (mask & -mask).bit_length() - 1
            copies = (ones >> kind & 1) + 2 * (twos >> kind & 1) + 4 * (fours >> kind & 1)
            found += [t.cards[kind].name] * copies
            mask &= mask - 1
        t.spelt[ones, twos, fours] = found
    return found


def _player(t: Tables, s: State, seat: int) -> Player:
    bribe = None
    if s.bribe_card[seat] and not (s.building and s.asked == seat):
        card = t.cards[s.bribe_card[seat] - 1].name
        bribe = Bribe(
            s.bribe_to[seat],
            card,
            s.bribe_chariot[seat] - 1 if s.bribe_chariot[seat] else None,
            s.bribe_money[seat],
        )
    return Player(
        seat=seat,
        purse=s.purse[seat],
        cards=size(s, seat),
        known=[],
        plays=takes_part(t, s, seat),
        ready=bool(s.ready >> seat & 1),
        offers_made=s.offers_made[seat],
        auction_cards=s.face_down[seat],
        bribe=bribe,
        die=s.cast[seat] or None,
    )


def _all_players(t: Tables, s: State) -> list[Player]:
    """All of them, made anew only where something of theirs has changed."""
    raw = s.raw
    made_of = [raw[part].tobytes() for part in _OF_PLAYERS], s.entered, s.asked if s.building else NOBODY
    known, players = t.lately.get("players", (None, []))
    if known != made_of:
        players = [_player(t, s, seat) for seat in range(t.seats)]
        t.lately["players"] = made_of, players
    return cast("list[Player]", players)


def _all_chariots(t: Tables, s: State) -> list[Chariot]:
    """The same of all chariots."""
    made_of = s.raw[_OF_CHARIOTS].tobytes()
    known, chariots = t.lately.get("chariots", (None, []))
    if known != made_of:
        places = [s.finisher[place] - 1 for place in range(s.finishers)]
        chariots = [_chariot(t, s, number, places) for number in range(t.chariots)]
        t.lately["chariots"] = made_of, chariots
    return cast("list[Chariot]", chariots)


def _known_to(t: Tables, s: State, looking: int, players: list[Player]) -> list[Player]:
    """The players as somebody sees them who may know some of their cards."""
    know, seen = s.know, list(players)
    for seat in range(len(players)):
        ones, twos = know[looking, 2 * seat], know[looking, 2 * seat + 1]
        if (ones or twos) and seat != looking:
            seen[seat] = replace(players[seat], known=_spelt(t, ones, twos))
    return seen


def _chariot(t: Tables, s: State, number_: int, places: list[int]) -> Chariot:
    racing = bool(s.racing >> number_ & 1)
    return Chariot(
        number=number_,
        seat=owner(t, number_),
        driver=t.cards[s.driver[number_] - 1].name if s.driver[number_] else None,
        improvements=_spelt(t, s.improvements[number_]),
        entered=bool(s.entered >> number_ & 1),
        racing=racing,
        place=places.index(number_) + 1 if number_ in places else None,
        square=t.track.squares[s.square[number_]].text if racing else None,
        lap=s.lap[number_],
        speed=s.speed[number_],
        next_roll=s.next_roll[number_] or None,
        moved=bool(s.moved >> number_ & 1),
    )


def _lot(t: Tables, s: State) -> Lot | None:
    if not s.lot:
        return None
    card = t.cards[s.lot - 1]
    bidders = [seat for seat in range(t.seats) if s.bidders >> seat & 1]
    return Lot(card.name, card.price, s.seat[PHASE], s.round or None, bidders)


def _offer(t: Tables, s: State, looking: int) -> Offer | None:
    top = s.depth - 1
    if s.task[top] != MARKET or s.at[top] != ANSWER:
        return None
    if not sees_offer(s, looking):
        return Offer(s.seat[top], s.offer_to, None, None, None, None)
    give, want = _names(t, s, GIVE), _names(t, s, WANT)
    return Offer(s.seat[top], s.offer_to, give, s.give_money, want, s.want_money)


def _due(t: Tables, s: State) -> Due | None:
    if s.task[s.depth - 1] != MAINTENANCE:
        return None
    kind = item(t, s)
    return Due(t.cards[kind].name, chariot_in_turn(t, s), upkeep(t, s, kind))


def _move(t: Tables, s: State) -> Move | None:
    for place in range(s.depth):
        if s.task[place] == MOVING:
            stage = STAGES[s.at[place]]
            rolled = s.at[place] >= AFTER_ROLL
            return Move(
                s.mover,
                stage,
                s.natural if rolled else None,
                s.roll if rolled else None,
                s.steps,
                [die for die in (s.dice[0], s.dice[1]) if die],
            )
    return None


def phase_of(s: State) -> str:
    """The part of a race that is under way."""
    if s.asked == OVER:
        return "over"
    for place in range(1, s.depth):
        if s.task[place] in _PHASES:
            return _PHASES[s.task[place]]
    return "cast" if s.task[s.depth - 1] == SERIES and s.laps == 0 and s.at[0] == 0 else "deal"


def _targets(t: Tables, s: State, actions: Sequence[int] | None) -> list[str]:
    if actions is None:
        out = np.zeros(MOST_LEGAL, np.int64)
        actions = out[: legal(t, s, out.data)].tolist()
    squares = t.track.squares
    return sorted([squares[action - STEP].text for action in actions if STEP <= action < PLAY])


def _public(t: Tables, s: State) -> View:
    """The position as everybody sees it."""
    window = seen_window(t, s, NOBODY)
    turn = openly_asked(t, s)
    return View(
        seat=NOBODY,
        race=min(s.race + 1, t.races),
        races=t.races,
        laps=s.laps or None,
        series=[t.laps[race] or None for race in range(t.races)],
        phase=phase_of(s),
        turn=turn if turn >= 0 else None,
        asked=False,
        dealer=s.dealer if s.at[0] else None,
        pot=s.pot,
        deck=size(s, DECK),
        discards=_names(t, s, DISCARD),
        hand=[],
        players=_all_players(t, s),
        chariots=_all_chariots(t, s),
        lot=_lot(t, s),
        offer=None if building_offer(s) else _offer(t, s, NOBODY),
        due=_due(t, s),
        move=_move(t, s),
        window=WINDOWS[window] if window else None,
        target=s.target[s.depth - 1] if window == PB else None,
        targets=[],
        answering=[t.cards[s.kind[place]].name for place in range(s.depth) if s.task[place] == PLAYED],
        stalled=s.stalled,
    )


def _own(t: Tables, s: State, seat: int, public: View, actions: Sequence[int] | None = None) -> View:
    """The same with what only one seat sees."""
    if seat < 0:
        return public
    top = s.depth - 1
    mine = s.asked == seat
    window = s.window[top] if mine and s.task[top] == WINDOW else 0
    return replace(
        public,
        seat=seat,
        asked=mine,
        hand=_names(t, s, seat),
        players=_known_to(t, s, seat, public.players),
        offer=public.offer and _offer(t, s, seat),
        window=WINDOWS[window] if window else public.window,
        target=s.target[top] if window in (PB, PA) else public.target,
        targets=_targets(t, s, actions) if mine and s.task[top] in (MOVING, SHIFT) else [],
    )


def view(t: Tables, s: State, seat: int) -> View:
    """The position as a seat sees it."""
    return _own(t, s, seat, _public(t, s))


def views(t: Tables, s: State, seats: Iterable[int], actions: Sequence[int] | None) -> list[View]:
    """The same for several seats: what everybody sees is looked at once."""
    public = _public(t, s)
    return [_own(t, s, seat, public, actions) for seat in seats]
