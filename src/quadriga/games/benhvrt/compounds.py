"""Write offers and bribes from their parts: seats by number, cards by name, Ducats as numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quadriga.engine.errors import IllegalActionError
from quadriga.games.benhvrt.deck import PACKAGE
from quadriga.games.benhvrt.state import State, Tables


def build_offer(t: Tables, s: State, parts: Mapping[str, object]) -> str:
    """Return the notation of an offer to a seat. Raises IllegalActionError for parts that make none.

    >>> import quadriga
    >>> match = quadriga.new("ben-hvrt", seed=3)
    >>> while "offer" not in match.families():
    ...     _ = match.push(match.legal()[-1])
    >>> match.offer(to=1 - match.actor, give=[5], want=["Tow Rope"])
    'offer 1 give 5 for Tow Rope'
    """
    to = _number("to", parts.get("to"))
    return f"offer {to} give {_side(t, 'give', parts)} for {_side(t, 'want', parts)}"


def build_bribe(t: Tables, s: State, parts: Mapping[str, object]) -> str:
    """Return the notation of a bribe: Ducats for a seat that plays a card, on a chariot if the card takes one.

    >>> import quadriga
    >>> match = quadriga.new("ben-hvrt", seed=3, bribes=True, series=[1])
    >>> while "bribe" not in match.families():
    ...     _ = match.push(match.legal()[-1])
    >>> match.bribe(to=1 - match.actor, card="Rich Aunt", money=7)
    'bribe 1 Rich Aunt 7'
    """
    to, chariot = _number("to", parts.get("to")), parts.get("chariot")
    on = "" if chariot is None else f" {_number('chariot', chariot)}"
    return f"bribe {to} {_card(t, 'card', parts.get('card'))}{on} {_number('money', parts.get('money'))}"


def _side(t: Tables, name: str, parts: Mapping[str, object]) -> str:
    """Return a side of an offer: cards in code-point order, then money; or `nothing`."""
    given = parts.get(name, ())
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise _refuse(name, given)
    money = [_number(name, part) for part in given if not isinstance(part, str)]
    cards = sorted(_card(t, name, part) for part in given if isinstance(part, str))
    total = sum(money)
    return ", ".join([*cards, *([str(total)] if total else [])]) or "nothing"


def _card(t: Tables, name: str, value: object) -> str:
    known = [card.name for card in t.cards]
    if value not in known:
        raise IllegalActionError("parts.card", package=PACKAGE, part=name, name=value, known=known)
    return str(value)


def _number(name: str, value: object) -> int:
    if type(value) is not int or value < 0:
        raise _refuse(name, value)
    return value


def _refuse(name: str, value: object) -> IllegalActionError:
    return IllegalActionError(f"parts.{name}", package=PACKAGE, value=value)
