"""The names of chariots, squares and laps of Ben Hvrt in messages. A chariot is named after its player."""

from __future__ import annotations

from quadriga.engine.game import NOBODY
from quadriga.engine.text.catalogues import Message
from quadriga.games.benhvrt.board import Square
from quadriga.games.benhvrt.rules.chariots import owner
from quadriga.games.benhvrt.state import Tables

# A player's only chariot, the first of two, the second of two.
_OF = ("ben-hvrt.chariot.of", "ben-hvrt.chariot.first", "ben-hvrt.chariot.second")
_THEIR = ("ben-hvrt.chariot.their", "ben-hvrt.chariot.their-first", "ben-hvrt.chariot.their-second")
_YOUR = ("ben-hvrt.chariot.your", "ben-hvrt.chariot.your-first", "ben-hvrt.chariot.your-second")
_ROMAN = ("I", "II", "III", "IV", "V", "VI")


def chariot_name(t: Tables, chariot: int, *, actor: int = NOBODY, reader: int = NOBODY) -> Message:
    """Return the name of a chariot.

    It is "their chariot" in a sentence about what its own player (`actor`) does, "your chariot" in one that
    its own player (`reader`) reads, else its player's name. With two chariots each the name says which one.
    """
    seat, two_each = owner(t, chariot), t.chariots > t.seats
    which = 1 + (chariot >= t.seats) if two_each else 0
    if seat == actor:
        return Message(_THEIR[which], {})
    return Message(_YOUR[which], {}) if seat == reader else Message(_OF[which], {"seat": seat + 1})


def place_name(square: Square) -> Message:
    """Return the name of a square: its lane, counted from the inside, and its number from the Finish Line."""
    which = "square" if square.index else "first"
    return Message(f"ben-hvrt.place.{which}", {"lane": square.lane, "index": square.index, "space": square.text})


def lap_name(lap: int) -> str:
    """Return a lap as it is counted on the board: I from the grid on (BH-1.4)."""
    return _ROMAN[max(lap, 1) - 1]
