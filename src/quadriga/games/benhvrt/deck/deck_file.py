"""Read and check a deck file.

A deck file is TOML, with a `[[card]]` for each kind. All errors are reported at once, each with its line if known.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources

from quadriga.engine.errors import OptionError
from quadriga.games.benhvrt import custom_files
from quadriga.games.benhvrt.custom_files import Lines
from quadriga.games.benhvrt.deck.card import ADDED, ANSWERS, CARDS, KINDS, PACKAGE, WAGERED, Card
from quadriga.games.benhvrt.deck.card_reader import CardReader, deck_refuse
from quadriga.games.benhvrt.deck.operations import CODES, RE

_NUMBERED = re.compile(r"(?: \d+)+")


def read(document: object, text: str | None = None) -> tuple[list[Card], list[OptionError]]:
    """Return the valid cards of a deck, by name, and the errors of the others."""
    where = Lines(text, "card")
    content = document if isinstance(document, dict) else {}
    faults = [deck_refuse("top", where.field(key), key) for key in sorted(set(content) - {"card"}, key=str)]
    given = content.get("card")
    if not isinstance(given, list) or not 1 <= len(given) <= KINDS:
        return [], [*faults, deck_refuse("cards", where.field("card"), None, most=KINDS)]
    if len(where.tables) != len(given):
        where = Lines(None, "card")
    cards: list[Card] = []
    totals = _Totals()
    for number, each in enumerate(given):
        reader = CardReader(each, number, where)
        if wrong := reader.faults():
            faults += wrong
            continue
        try:
            card = reader.card()
            _check_names(card.name, [other.name for other in cards], where.table(number, "name"))
            cards.append(card)
            totals.add(card, where.table(number, "copies"))
        except OptionError as fault:
            faults.append(fault)
    return sorted(cards, key=lambda card: card.name), faults


def checked(document: object, text: str | None = None) -> list[Card]:
    """Return the cards of a deck, by name. Raise OptionError for the first error."""
    cards, faults = read(document, text)
    if faults:
        raise faults[0]
    return cards


def _check_names(name: str, others: list[str], line: int | None) -> None:
    """BH-7.7: check that a name cannot be confused with another in the text of an action."""
    for other in others:
        if name == other:
            raise deck_refuse("twice", line, name)
        if name.casefold() == other.casefold():
            raise deck_refuse("case", line, name, other=other)
        if _NUMBERED.fullmatch(name.removeprefix(other)):
            raise deck_refuse("numbers", line, name, other=other)
        if _NUMBERED.fullmatch(other.removeprefix(name)):
            raise deck_refuse("numbers", line, other, other=name)


class _Totals:
    """The totals over all cards, which are limited so that hands, rolls and the stack do not overflow."""

    def __init__(self) -> None:
        self.sums = {"many": 0, "answers": 0, "added": 0, "taken-off": 0, "wagers": 0}

    def add(self, card: Card, line: int | None) -> None:
        """Count a card. Raise OptionError for the card that exceeds a limit."""
        numbers = {name: [one for code, one, _ in card.does if code == CODES[name]] for name in ("add", "wager")}
        more = {
            "many": (1, CARDS),
            "answers": (int(card.window == RE), ANSWERS),
            "added": (sum(n for n in numbers["add"] if n > 0), ADDED),
            "taken-off": (-sum(n for n in numbers["add"] if n < 0), ADDED),
            "wagers": (sum(numbers["wager"]), WAGERED),
        }
        for code, (number, most) in more.items():
            former = self.sums[code]
            self.sums[code] += number * card.copies
            if former <= most < self.sums[code]:
                raise deck_refuse(code, line, card.name, most=most)


@cache
def own_deck() -> tuple[Card, ...]:
    """Return the built-in deck."""
    text = resources.files(PACKAGE).joinpath("data", "deck.toml").read_text("utf-8")
    return tuple(checked(tomllib.loads(text), text))


def check_file(path: str) -> list[Card]:
    """Return the cards of a deck file. Raise OptionError with the line of the first error."""
    return custom_files.good(path, checked)[1]
