"""The structures of a view of Ben Hvrt."""

from __future__ import annotations

import msgspec


class Bribe(msgspec.Struct, frozen=True):
    """An open bribe."""

    to: int
    card: str
    chariot: int | None
    money: int


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """A player as the viewer sees them."""

    seat: int
    purse: int
    cards: int
    known: list[str]  # cards in their hand that the viewer knows of
    plays: bool  # whether they have a chariot in this race
    ready: bool
    offers_made: int
    auction_cards: int
    bribe: Bribe | None
    die: int | None  # their die for the deal


class Chariot(msgspec.Struct, frozen=True, kw_only=True):
    """A chariot. Everything about it is public."""

    number: int
    seat: int
    driver: str | None
    improvements: list[str]
    entered: bool
    racing: bool
    place: int | None  # the order over the finish, from 1
    square: str | None
    lap: int
    speed: int
    next_roll: int | None  # an instruction for its next roll
    moved: bool


class Lot(msgspec.Struct, frozen=True):
    """The card for sale in the auction."""

    card: str
    price: int
    auctioneer: int
    bid: int | None  # the cost of a bid now; None while the auctioneer may buy
    bidders: list[int]


class Offer(msgspec.Struct, frozen=True):
    """An open offer. Only its maker and its receiver see the contents."""

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
    """A position of Ben Hvrt, as it is sent to clients."""

    game: str = "ben-hvrt"
    seat: int  # the viewer
    race: int
    races: int
    laps: int | None
    series: list[int | None]  # laps of all races; None where they are rolled
    phase: str
    turn: int | None  # the seat to decide, by public information
    asked: bool  # whether the viewer is to decide
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
    target: int | None  # the passed chariot of a window, if the viewer is asked there
    targets: list[str]  # squares that the viewer can step or shift to
    reach: dict[str, str]  # squares that the viewer can drive to, each with the square before it on the way
    answering: list[str]  # played cards that can still be answered, the newest last
    stalled: int
