"""Messages that clients send over the socket."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from quadriga.engine.parts.orders import Order
from quadriga.server.protocol.fields import Name, Number, Pace, Ref, Seat, When, Word


class FromClient(Struct, tag_field="type", forbid_unknown_fields=True):
    """Any message from a client."""

    ref: Ref | None = None
    """A reference of the client's choice; the answer carries it back."""


class Hello(FromClient, tag="hello"):
    """Introduce the client: its token, its seat, and the last event that it has seen. The first message."""

    token: Annotated[str, Meta(max_length=400)] | None = None
    """Without a token the client watches."""
    seat: Seat | None = None
    """One of the token's seats; the first without it."""
    after: Number | None = None
    """The number of the last event that the client has seen from this seat."""
    explain: bool = True
    """False: send no notes. Bots do not need them."""
    name: Name | None = None
    """A spectator's name in the chat."""


class Act(FromClient, tag="act", kw_only=True):
    """Take an action."""

    number: Number
    """The number of the position that the action was chosen at."""
    action: Annotated[str, Meta(min_length=1, max_length=2000)]
    seat: Seat | None = None


class Roll(FromClient, tag="roll", kw_only=True):
    """Roll the dice, at a table where `rolls` is `hand`."""

    number: Number
    seat: Seat | None = None


class Undo(FromClient, tag="undo", kw_only=True):
    """Take the last move back."""

    number: Number
    seat: Seat | None = None


class Look(FromClient, tag="look", kw_only=True):
    """Look from another of the token's seats. A `view` follows."""

    seat: Seat
    after: Number | None = None


class SetAskedWindows(FromClient, tag="stops", kw_only=True):
    """Choose the reaction windows in which the seat wants to be asked."""

    windows: Annotated[list[Annotated[str, Meta(max_length=8)]], Meta(max_length=16)]
    seat: Seat | None = None


class SetAskedWhen(FromClient, tag="asks", kw_only=True):
    """Choose on which occasions the seat wants to be asked in reaction windows."""

    when: When
    """`concerns`: on its own roll, when a card hurts it, and when a rival whom it could stop finishes or passes it.
    `could`: whenever it could play something. `always`: in every window, whatever it holds."""
    seat: Seat | None = None


class React(FromClient, tag="react", kw_only=True):
    """React: `hold` the open window if it lasts a beat. Otherwise be asked in the next window in which the seat
    might play something, or no longer."""

    on: bool = True
    seat: Seat | None = None


class Skip(FromClient, tag="skip", kw_only=True):
    """Pass in all reaction windows until the seat's next move, or for this race; null: be asked again."""

    until: Literal["move", "race"] | None
    seat: Seat | None = None


class AnnounceDeal(FromClient, tag="deal", kw_only=True):
    """Be asked in the next reaction window in which the seat can make a deal (a bribe), or no longer."""

    on: bool
    seat: Seat | None = None


class Hold(FromClient, tag="hold"):
    """Ask for more time in the open reaction window. The others notice only that it lasts."""

    seat: Seat | None = None


class GiveOrder(FromClient, tag="order", kw_only=True):
    """Give a standing order, which the server carries out when the seat is asked. Only the seat is told.

    It replaces one that differs in its number only, unless it is one of several moves in a row."""

    order: Order
    seat: Seat | None = None


class CancelOrder(FromClient, tag="cancel", kw_only=True):
    """Cancel a standing order of the seat; null: all of them."""

    order: Number | None
    """The number of the order."""
    seat: Seat | None = None


class ListOrders(FromClient, tag="orders"):
    """Ask for the seat's standing orders, and for those that it can give now."""

    seat: Seat | None = None


class PreviewOrder(FromClient, tag="preview", kw_only=True):
    """Ask what a standing order would have done in the seat's last decisions."""

    order: Order
    seat: Seat | None = None


class SetDiceWord(FromClient, tag="word", kw_only=True):
    """Choose the seat's word for the dice, before the start."""

    word: Word
    seat: Seat | None = None


class Chat(FromClient, tag="chat", kw_only=True):
    """Send a chat message to everybody."""

    text: Annotated[str, Meta(min_length=1, max_length=500)]


class Mute(FromClient, tag="mute", kw_only=True):
    """Hide somebody's chat messages, or show them again."""

    name: Name
    on: bool = True


class Vote(FromClient, tag="vote", kw_only=True):
    """Vote for something that several players have to agree to, or withdraw the vote."""

    kind: Literal["remove", "pause", "resume", "end", "coach", "days", "live"]
    """`days`: play on by days. `live`: play on live, once everybody who plays is here."""
    seat: Seat | None = None
    """The seat to remove."""
    on: bool = True


class Hint(FromClient, tag="hint", kw_only=True):
    """Ask what the strongest bot would do."""

    number: Number
    seat: Seat | None = None


class Coach(FromClient, tag="coach"):
    """Ask the coach what matters now, in numbers. Only where the table has one."""

    seat: Seat | None = None


class Why(FromClient, tag="why"):
    """Ask why the seat's cards, pieces or other options cannot be played now."""

    seat: Seat | None = None


class SetPace(FromClient, tag="pace", kw_only=True):
    """Change the time that bots take for a move: by the only person at the table, or by the host."""

    pace: Pace
    """In milliseconds."""


class Rush(FromClient, tag="rush"):
    """Play the rest of this race without waiting: once only bots are left in it, by anybody who plays."""


class Leave(FromClient, tag="leave"):
    """Give the seats up before the start; leave them to a bot after it."""


class Back(FromClient, tag="back"):
    """Take the seats back from the bot. A `hello` with their token does so too."""


class Ping(FromClient, tag="ping"):
    """Ask whether the connection works. The answer is `pong`."""


ClientMessage = (
    Hello
    | Act
    | Roll
    | Undo
    | Look
    | SetAskedWindows
    | SetAskedWhen
    | React
    | Skip
    | AnnounceDeal
    | Hold
    | GiveOrder
    | CancelOrder
    | ListOrders
    | PreviewOrder
    | SetDiceWord
    | Chat
    | Mute
    | Vote
    | Hint
    | Coach
    | Why
    | SetPace
    | Rush
    | Leave
    | Back
    | Ping
)
DECODER: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
