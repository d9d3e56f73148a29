"""Set up positions of Ur from a description: markers by step, and the roll."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from quadriga.engine.errors import OptionError
from quadriga.games.ur.board import TURN_BACK
from quadriga.games.ur.state import MOVE, ROLL, State, Tables


class Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position. Markers are steps, dotted ones with a dot: `black = "4 4 15."`."""

    black: str = ""  # the markers of seat 0 on the board
    white: str = ""  # ... and of seat 1
    roll: int | None = None  # the roll to move by; None before the roll
    turn: Literal[0, 1] = 0
    off: tuple[int, int] = (0, 0)


_DECODER = msgspec.json.Decoder(Position)


def place(t: Tables, s: State, description: Mapping[str, Any]) -> None:
    """Set up a position; markers that are neither on the board nor off are at home."""
    position = _read(description)
    for seat, markers in enumerate((position.black, position.white)):
        s.blank[seat] = s.dotted[seat] = s.blank_twin[seat] = s.dotted_twin[seat] = 0
        for marker in markers.split():
            dotted = marker.endswith(".")
            step = int(marker.rstrip("."))
            bit = 1 << (TURN_BACK - step if dotted else step)
            single, twin = (s.dotted, s.dotted_twin) if dotted else (s.blank, s.blank_twin)
            (twin if single[seat] & bit else single)[seat] |= bit
        s.off[seat] = position.off[seat]
    s.turn = position.turn
    s.phase = ROLL if position.roll is None else MOVE
    s.roll = position.roll or 0


def _read(description: Mapping[str, Any]) -> Position:
    try:
        return _DECODER.decode(msgspec.json.encode(description))
    except msgspec.ValidationError as fault:
        raise OptionError("position.shape", reason=str(fault)) from None
