"""Parameters of the search player: `500`, `2s`, `500+no-net`, and `500+thrifty`, which has a temper of the game."""

from __future__ import annotations

import re

from quadriga.engine.errors import OptionError
from quadriga.engine.game import Game
from quadriga.players.greedy import temper_bit

PLAYOUTS = 500
MOST_PLAYOUTS = 1_000_000
LONGEST_S = 600
_NO_NET = "no-net"
_ALLOWED = f"1..{MOST_PLAYOUTS} | 0.01s..{LONGEST_S}s, each also with +{_NO_NET}"


def uses_network(text: str) -> bool:
    """Return whether a search player uses the network: `500+no-net` does not."""
    return _NO_NET not in text.split("+")


def temper_of(game: Game, text: str) -> int:
    """Return the bit of the temper of a search player, `500+thrifty`; 0 if it has none."""
    found = [word for word in text.split("+")[1:] if word != _NO_NET]
    known = () if game.bots is None else game.bots.tempers
    if len(found) > 1 or not set(found) <= set(known):
        allowed = [_ALLOWED, *(f"+{each}" for each in known)]
        raise OptionError("player.parameter", name="search", value=text, allowed=allowed)
    return temper_bit(game, found[0]) if found else 0


def budget(text: str) -> tuple[int, float]:
    """Return the playouts and seconds of `500` or `2s`; one of the two is 0."""
    asked = text.partition("+")[0]
    found = re.fullmatch(r"(\d[\d_]{0,9})|(\d{1,3}(?:\.\d{1,3})?)s", asked or str(PLAYOUTS), re.ASCII)
    playouts = int(found[1]) if found and found[1] else 0
    seconds = float(found[2]) if found and found[2] else 0.0
    if not (1 <= playouts <= MOST_PLAYOUTS or 0.01 <= seconds <= LONGEST_S):
        raise OptionError("player.parameter", name="search", value=text, allowed=_ALLOWED)
    return playouts, seconds
