"""Data for drawing a game of Ben Hvrt: the track, the cards and the die, as JSON."""

from __future__ import annotations

from typing import Any

from quadriga.engine.text import catalogues
from quadriga.engine.text.catalogues import Message, as_json
from quadriga.games.benhvrt.board import Square, Track
from quadriga.games.benhvrt.deck import PACKAGE
from quadriga.games.benhvrt.deck.operations import TAKES, TYPES, WINDOWS
from quadriga.games.benhvrt.drawing.geometry import shape
from quadriga.games.benhvrt.names import place_name
from quadriga.games.benhvrt.rules.chariots import owner
from quadriga.games.benhvrt.state import Tables

DIE = 6


def geometry(t: Tables) -> dict[str, Any]:
    """Return the track, the square ahead of each square and its name, the cards, and the laps of each race."""
    cards = [
        {
            "name": card.name,
            "names": card.names,
            "texts": card.texts,
            "flavours": card.flavours,
            "upkeep": _in_all_languages(card.upkeep_message),
            "type": TYPES[card.type],
            "copies": card.copies,
            "price": card.price,
            "window": WINDOWS[card.window],
            "takes": TAKES[card.takes],
        }
        for card in t.cards
    ]
    squares = t.track.squares
    return {
        "track": shape(t.track),
        "ahead": {square.text: squares[t.track.ahead(place)].text for place, square in enumerate(squares)},
        "places": {square.text: as_json(place_name(square)) for square in squares},
        "terms": {square.text: _term(t.track, square) for square in squares},
        "cards": cards,
        "seats": t.seats,
        "chariots": t.chariots,
        "owners": [owner(t, chariot) for chariot in range(t.chariots)],
        "laps": [t.laps[race] or None for race in range(t.races)],
        "roll_mean": (DIE + 1) / 2,
    }


def _term(track: Track, square: Square) -> str:
    """Return the entry of the glossary for a square. A custom track may have curves that are not shorter inside."""
    section = track.sections[track.section_of(square)[0]]
    return "curve" if section.is_curve and list(section.squares) == sorted(set(section.squares)) else "lane"


def _in_all_languages(message: Message | None) -> dict[str, str] | None:
    return message and {
        language: catalogues.of(language, PACKAGE).text(message) for language in catalogues.LANGUAGES
    }
