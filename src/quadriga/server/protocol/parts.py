"""Types that occur in several messages and answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from quadriga.engine.parts.orders import Order
from quadriga.server.protocol.fields import one_of


class Texts(Struct, frozen=True):
    """A text in every language."""

    en: str
    fr: str


class CatalogueMessage(Struct, frozen=True):
    """A message whose text is in the catalogues (`GET /api/words/{language}`)."""

    id: str
    parameters: dict[str, Any] = msgspec.field(name="with")
    """Values for the parameters of the text."""


class Note(Struct, frozen=True):
    """One effect of an action, with the id of its rule. Its text is in the catalogues."""

    rule: str
    id: str
    parameters: dict[str, Any] = msgspec.field(name="with")
    """Values for the parameters of the text."""


class Refusal(Struct):
    """An error: the reason why the server refuses something."""

    code: str
    parameters: dict[str, Any] = msgspec.field(name="with")
    """Details of the error."""
    text: Texts
    """The sentence for people."""


class Action(Struct, omit_defaults=True):
    """A legal action."""

    text: str
    """The action in the game's notation."""
    notes: list[Note] | UnsetType = UNSET
    """The effects of the action, as far as the seat can know. Missing for clients that want no explanations."""
    family: bool = False
    """True if the client has to complete the text, for example `offer *`."""


class Event(Struct, omit_defaults=True):
    """An event as one viewpoint sees it."""

    number: int
    """Counts the events of this viewpoint, without gaps."""
    kind: Annotated[str, one_of("play", "chance", "undo", "asked")]
    """`asked`: the seat is asked now, or no longer. Nobody else is told."""
    seat: int | UnsetType | None = UNSET
    """The acting seat; null if nobody acts."""
    text: str | UnsetType | None = UNSET
    """The action or outcome; null if this viewpoint may not see it."""
    notes: list[Note] | UnsetType = UNSET
    by: Annotated[str, one_of("person", "bot")] | UnsetType = UNSET
    """Of kind `play`: a person or a bot chose the action."""
    ref: str | UnsetType | None = UNSET
    """The client's reference; only the seat that sent it gets it."""
    section: dict[str, Any] | UnsetType | None = UNSET
    """The heading before this event, if a new section begins, for example a race."""


class StandingOrder(Struct):
    """A standing order, as its owner sees it."""

    number: int
    order: Order
    words: CatalogueMessage


class EndedOrder(Struct):
    """A standing order that has just ended."""

    number: int
    how: Annotated[str, one_of("cancelled", "done", "illegal", "over", "undone")]
    """`illegal`: its action was not legal when its turn came, and the seat is asked itself. `over`: it could not
    give an action any more. `undone`: its move was taken back."""
    words: CatalogueMessage


class OrderThing(Struct):
    """Something that a standing order can be about."""

    of: str
    name: Any
    """A text, a text by language, or a message."""


class OrderNumbers(Struct):
    """The numbers that a standing order can have."""

    least: int
    most: int
    usual: int
    """The number that is suggested."""


class OrderForm(Struct):
    """Standing orders that a seat can give now, of one kind and condition."""

    kind: str
    when: str
    words: CatalogueMessage
    things: list[OrderThing]
    """Empty: the order is about nothing."""
    numbers: OrderNumbers | None


class ClockFace(Struct):
    """The clocks at the moment of sending."""

    left: list[int]
    """Milliseconds left, by seat."""
    runs: int | None
    """The seat whose clock runs, as far as everybody may know."""
    mine: int | None
    """Milliseconds that this seat has for what it is asked now."""


class Clock(Struct, forbid_unknown_fields=True, frozen=True):
    """Time for each move, or for all moves of a player. At zero a bot makes the move."""

    kind: Literal["move", "player"]
    seconds: Annotated[int, Meta(ge=1, le=86_400)]
    increment: Annotated[int, Meta(ge=0, le=3600)] = 0
    """Seconds that a player gets after each move."""


class Days(Struct, forbid_unknown_fields=True, frozen=True):
    """The pace by days: the time for each move, and what happens when it is over."""

    days: Annotated[int, Meta(ge=1, le=7)]
    """Days that a person has for a move."""
    late: Literal["bot", "lose"] = "bot"
    """`bot`: a bot plays for the person until they come back. `lose`: they lose their seat to a bot."""


class TableDeadline(Struct):
    """The time until which a person has to move, in a game by days."""

    seat: int
    due: int
    """Milliseconds since 1970."""
    warned: bool
    """True if less than a quarter of the time is left."""


class Vacated(Struct):
    """A seat whose player a vote has removed."""

    name: str
    """The removed player."""
    asks: bool
    """True if they ask to return."""
    invited: bool
    """True if an invitation for a newcomer is open."""
    late: bool
    """True if they did not move in time, and lost the seat by it; no vote has removed them."""
    host: int | None
    """The seat of the host who decides about this one; null if no seat does."""


class TableSeat(Struct):
    """A seat of a table."""

    seat: int
    called: CatalogueMessage
    """The game's name for it: Black, White, …"""
    kind: Annotated[str, one_of("person", "bot", "open")]
    name: str
    """The player's name; empty for an open seat."""
    reserved: str | None
    """The name of the player for whom an open seat of a rematch is kept."""
    bot: str | None
    """The kind of bot."""
    host: bool
    """True if the host sits here."""
    device: int | None
    """Seats with the same number share a device; null if no person sits."""
    here: bool
    """True if the person is connected."""
    away: int | None
    """Milliseconds until a bot takes over from a person who is offline."""
    covered: bool
    """True while a bot plays for the person."""
    word: str
    """The seat's word for the dice."""
    vacation: int | None
    """The latest end of the person's vacation, in milliseconds since 1970; null if they are on none."""
    vacated: Vacated | None


class OpenVote(Struct):
    """A vote that is open."""

    kind: Annotated[str, one_of("remove", "pause", "resume", "end", "coach", "days", "live")]
    seat: int | None
    """The seat to remove."""
    by: list[int]
    """The seats that agree."""
    of: list[int]
    """The seats that count."""
    need: int
    """The number of agreeing seats that decides."""


class TableDice(Struct):
    """The dice of a table."""

    kind: Annotated[str, one_of("fair", "seeded")]
    commitment: str | None
    """The SHA-256 of the seed in hexadecimal; null for seeded dice."""
    words: list[str] | None
    """The players' words, fixed at the start."""
    seed: str | None
    """The seed in hexadecimal, once the game is over; of seeded dice always."""


class Table(Struct):
    """The public state of a table."""

    id: str
    game: str
    options: dict[str, Any]
    public: bool
    """True if the table is listed."""
    status: Annotated[str, one_of("waiting", "playing", "paused", "over", "ended", "closed")]
    """`ended`: by vote. `closed`: begun under rules that are no longer played."""
    seats: list[TableSeat]
    watching: int
    """The number of spectators."""
    rolls: Annotated[str, one_of("auto", "hand")]
    """`auto`: the server rolls. `hand`: the player whose turn it is asks for it (message `roll`)."""
    clock: Clock | None
    days: Days | None
    """The pace by days; null in a live game."""
    deadline: TableDeadline | None
    """The deadline of a game by days: the seat that has to move, and until when."""
    pace: int
    """Milliseconds that a bot takes for a move."""
    beat: int | None
    """Milliseconds that a reaction window lasts among people. 0: every window asks everybody, and waits. Null: the
    game has no windows, or the server sets no time."""
    undo: bool
    """True if dice and cards wait for a moment after a person's move, so that it can be taken back."""
    coach: bool
    """True if players may ask the coach: everybody has agreed to it, or only one person plays."""
    turn: int | None
    """The seat to move when this was sent, as far as everybody may know."""
    dice: TableDice
    votes: list[OpenVote]
    scores: Sequence[float] | None
    """The result by seat, once the game is over."""
    rematch: str | None
    """The id of the table that plays again."""
    tournament: str | None = None
    """The tournament that the table belongs to."""


class ChatLine(Struct):
    """A chat message."""

    number: int
    at: int
    """The time of sending, in milliseconds since 1970."""
    seat: int
    """The sender's seat; -1 for a spectator."""
    name: str
    text: str
