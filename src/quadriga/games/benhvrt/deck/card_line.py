"""Write a card in one line: name, kind, price, upkeep, window and effect."""

from __future__ import annotations

from quadriga.engine.text.catalogues import Words
from quadriga.games.benhvrt.deck.card import Card
from quadriga.games.benhvrt.deck.operations import TYPES, WINDOWS


def card_line(card: Card, say: Words) -> str:
    """Return a card in one line, with the upkeep of an Improvement or a Driver."""
    window = WINDOWS[card.window]
    upkeep = card.upkeep_message
    return say(
        "ben-hvrt.card.line" if upkeep is None else "ben-hvrt.card.line-upkeep",
        upkeep="" if upkeep is None else say.text(upkeep),
        name=card.names.get(say.language, card.name),
        kind=say(f"ben-hvrt.card.{TYPES[card.type]}"),
        price=card.price,
        window=say("ben-hvrt.window.always" if window == "-" else f"ben-hvrt.window.{window}"),
        text=card.texts.get(say.language, ""),
    )
