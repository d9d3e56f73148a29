"""The names of the spaces of Ur in messages: a step of the mover's path, with its motif."""

from __future__ import annotations

from quadriga.engine.text.catalogues import Message
from quadriga.games.ur.board import MOTIFS
from quadriga.games.ur.state import BEN, Tables
from quadriga.games.ur.view import space_of


def place_name(t: Tables, seat: int, step: int) -> Message:
    """Return the name of a step of a seat's path, with its motif; outside Ben's rules only Rosettes matter."""
    space = space_of(t, seat, step)
    motif = MOTIFS[space]
    named = motif if t.rules == BEN or motif == "rosette" else "plain"
    return Message(f"ur.place.{named}", {"step": step, "space": space})
