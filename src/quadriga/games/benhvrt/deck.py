"""Decks: cards as data. What a card does is built from the closed set of operations below (BH-7.7).

A deck file is TOML, a `[[card]]` a kind. Everything is checked before anything is built, and what is wrong is
said with the line, where there is one, and the reason.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import count
from typing import Any, NamedTuple

from quadriga.engine import files
from quadriga.engine.errors import FileError, OptionError

PACKAGE = "quadriga.games.benhvrt"
KINDS = 48  # of cards, at the most
COPIES = 7  # of a kind
OPERATIONS = 3  # of a card
ANSWERS = 12  # cards with window RE: they can answer each other
DEAREST = 99

TYPES = ("Move", "Event", "Improvement", "Driver")
MOVE, EVENT, IMPROVEMENT, DRIVER = range(4)
WINDOWS = ("-", "AU", "PR", "RO", "PB", "PA", "BM", "RE")
ALWAYS, AU, PR, RO, PB, PA, BM, RE = range(8)
PER = ("-", "move", "lap")
NEVER_MORE, PER_MOVE, PER_LAP = range(3)
TAKES = ("nothing", "value", "chariot", "opposing chariot", "two chariots")
NOTHING, VALUE, CHARIOT, RIVAL, PAIR = range(5)

_numbers = count(1)


class Operation(NamedTuple):
    """A thing that a card can do: its code, who may do it and when, and the numbers that it needs."""

    code: int
    types: tuple[int, ...]
    windows: tuple[int, ...]
    ranges: tuple[tuple[int, int], ...] = ()
    amount: bool = False  # a number of cards, or one that depends on the laps
    takes: int = NOTHING
    limited: bool = False  # needs `per`


def _op(
    types: tuple[int, ...] | int,
    windows: tuple[int, ...] | int,
    *ranges: tuple[int, int],
    amount: bool = False,
    takes: int = NOTHING,
    limited: bool = False,
) -> Operation:
    all_types = (types,) if isinstance(types, int) else types
    all_windows = (windows,) if isinstance(windows, int) else windows
    return Operation(next(_numbers), all_types, all_windows, ranges, amount, takes, limited)


OPS = {
    "add": _op(MOVE, RO, (-6, 6)),  # to the roll
    "set": _op(MOVE, RO, (1, 6)),  # the roll
    "again": _op(MOVE, RO),  # the real die is rolled again
    "halt": _op(EVENT, PA),  # the mover's move ends
    "shift": _op(EVENT, PA, (1, 6)),  # the mover by so many squares
    "retire": _op(EVENT, PB),  # the target's Driver
    "slow-to": _op(EVENT, PB, (1, 6)),  # the target's Speed
    "choose": _op(EVENT, PR, takes=VALUE),  # what the own mover rolls
    "hasten": _op(EVENT, PR, (1, 5)),  # the own mover's Speed
    "next-roll": _op(EVENT, BM, (1, 6), takes=CHARIOT),  # of a named chariot
    "cancel": _op(EVENT, RE),  # the card just played
    "draw": _op(EVENT, (AU, PR, BM), amount=True),
    "poach": _op(EVENT, AU, takes=PAIR),  # an opponent's Driver for his price
    "wager": _op(EVENT, BM, (1, DEAREST), takes=RIVAL),  # on a named chariot
    "when-passed": _op(IMPROVEMENT, ALWAYS, (-5, 5)),  # this chariot's Speed
    "when-passing": _op(IMPROVEMENT, ALWAYS, (-5, 5)),  # the other's Speed
    "natural": _op((IMPROVEMENT, DRIVER), ALWAYS, (1, 6), (1, 6)),  # counts as
    "shield": _op(IMPROVEMENT, ALWAYS),  # against PA and PB Events
    "start-speed": _op(IMPROVEMENT, ALWAYS, (1, 5)),
    "keep-speed": _op(IMPROVEMENT, ALWAYS, limited=True),
    "free-lane": _op(IMPROVEMENT, ALWAYS),  # the first change of each move
    "supply": _op(IMPROVEMENT, ALWAYS, amount=True),  # cards after maintenance
    "choose-roll": _op(DRIVER, PR, (1, 6), limited=True),
    "two-dice": _op(DRIVER, PR, limited=True),
    "slow": _op(DRIVER, PB, (1, 5), limited=True),  # the target
    "skim": _op(DRIVER, RO, (0, 6), (0, DEAREST), limited=True),  # off the own roll, out of the pot
    "calm": _op(DRIVER, ALWAYS),  # the first opposing Move card on each roll has no effect
    "stubborn": _op(DRIVER, ALWAYS),  # the first retirement of a race fails
    "heirs": _op(DRIVER, ALWAYS, amount=True),  # cards when he is discarded
}
CODES = {name: operation.code for name, operation in OPS.items()}


@dataclass(frozen=True)
class Amount:
    """A number that may depend on the laps of a race: half of `halves` times the laps, rounded up, and `flat`."""

    flat: int = 0
    halves: int = 0


_FORMULAS = {"n": Amount(halves=2), "n/2": Amount(halves=1), "2n": Amount(halves=4)}


@dataclass(frozen=True)
class Card:
    """A kind of card."""

    name: str
    type: int
    copies: int
    price: int
    upkeep: Amount
    window: int
    per: int
    does: tuple[tuple[int, int, int], ...]  # operations: code and two numbers
    takes: int
    texts: dict[str, str]
    names: dict[str, str]

    def has(self, operation: str) -> bool:
        """Whether an operation is among what the card does."""
        return any(code == CODES[operation] for code, _, _ in self.does)


class Locator:
    """Where in a deck file a card's field stands; without the text of the file nowhere."""

    def __init__(self, text: str | None) -> None:
        self.lines = [] if text is None else text.splitlines()
        self.starts = [n for n, line in enumerate(self.lines) if line.strip().startswith("[[card]]")]

    def __call__(self, card: int, field: str | None = None) -> int | None:
        """The line of a field, or of the card where it has no such field."""
        if card >= len(self.starts):
            return None
        start = self.starts[card]
        end = self.starts[card + 1] if card + 1 < len(self.starts) else len(self.lines)
        for number in range(start, end):
            if field and self.lines[number].split("=")[0].strip() == field:
                return number + 1
        return start + 1


def checked(document: object, text: str | None = None) -> list[Card]:
    """The cards of a deck, by name; or an error that says where it is wrong and what would be right."""
    where = Locator(text)
    given = document.get("card") if isinstance(document, dict) else None
    if not isinstance(given, list) or not 1 <= len(given) <= KINDS:
        raise _refuse("cards", None, None, most=KINDS)
    cards: list[Card] = []
    for number, each in enumerate(given):
        card = _Reader(each, number, where).card()
        if any(card.name == other.name for other in cards):
            raise _refuse("twice", where(number, "name"), card.name)
        cards.append(card)
    if sum(card.copies for card in cards if card.window == RE) > ANSWERS:
        raise _refuse("answers", None, None, most=ANSWERS)
    return sorted(cards, key=lambda card: card.name)


def _refuse(code: str, line: int | None, name: object, **parameters: object) -> OptionError:
    fault = OptionError(f"deck.{code}", package=PACKAGE, name=name, **parameters)
    return fault if line is None else OptionError("deck.at", package=PACKAGE, line=line, reason=fault)


class _Reader:
    """Reads one card."""

    def __init__(self, given: object, number: int, where: Locator) -> None:
        self.given: dict[str, Any] = given if isinstance(given, dict) else {}
        self.number = number
        self.where = where
        self.name: object = self.given.get("name", f"#{number + 1}")

    def refuse(self, code: str, at: str | None, /, **parameters: object) -> OptionError:
        """The error for a field of this card."""
        return _refuse(code, self.where(self.number, at), self.name, **parameters)

    def card(self) -> Card:
        """The card, all of it checked."""
        known = {"name", "kind", "copies", "price", "upkeep", "window", "per", "does", "text", "fr"}
        if foreign := sorted(set(self.given) - known):
            raise self.refuse("field", str(foreign[0]), field=foreign[0], known=sorted(known))
        name = self._name()
        type_ = self._word("kind", TYPES)
        window = self._word("window", WINDOWS, "-")
        per = self._word("per", PER, "-")
        does, takes = self._does(type_, window, per)
        texts, names = self._texts(name)
        return Card(
            name=name,
            type=type_,
            copies=self._whole("copies", 1, COPIES),
            price=self._whole("price", 0, DEAREST),
            upkeep=self._upkeep(type_),
            window=window,
            per=per,
            does=does,
            takes=takes,
            texts=texts,
            names=names,
        )

    def _name(self) -> str:
        name = self.given.get("name")
        if not isinstance(name, str) or not 1 <= len(name) <= 40 or not name.isprintable() or name != name.strip():
            raise self.refuse("name", "name")
        if "," in name or any(letter.isdigit() for letter in name) or {"for", "nothing"} & set(name.split()):
            raise self.refuse("name-words", "name")
        return name

    def _word(self, field: str, words: tuple[str, ...], default: str | None = None) -> int:
        value = self.given.get(field, default)
        if not isinstance(value, str) or value not in words:
            raise self.refuse("word", field, field=field, known=[word for word in words if word != "-"])
        return words.index(value)

    def _whole(self, field: str, least: int, most: int) -> int:
        value = self.given.get(field)
        if type(value) is not int or not least <= value <= most:
            raise self.refuse("number", field, field=field, least=least, most=most)
        return value

    def _upkeep(self, type_: int) -> Amount:
        if type_ in (MOVE, EVENT):
            if "upkeep" in self.given:
                raise self.refuse("upkeep-none", "upkeep")
            return Amount()
        return self._amount("upkeep", self.given.get("upkeep"))

    def _amount(self, field: str, value: object) -> Amount:
        if isinstance(value, str) and value in _FORMULAS:
            return _FORMULAS[value]
        if type(value) is int and 0 <= value <= DEAREST:
            return Amount(flat=value)
        raise self.refuse("amount", field, field=field, most=DEAREST, known=list(_FORMULAS))

    def _does(self, type_: int, window: int, per: int) -> tuple[tuple[tuple[int, int, int], ...], int]:
        given = self.given.get("does")
        if not isinstance(given, list) or not 1 <= len(given) <= OPERATIONS:
            raise self.refuse("does", "does", most=OPERATIONS)
        takes, limited, does, asked = NOTHING, False, [], ALWAYS
        for each in given:
            if not isinstance(each, list) or not each or not isinstance(each[0], str) or each[0] not in OPS:
                found = each[0] if isinstance(each, list) and each else each
                raise self.refuse("operation", "does", operation=found, known=list(OPS))
            operation = OPS[each[0]]
            if type_ not in operation.types:
                names = [TYPES[t] for t in operation.types]
                raise self.refuse("operation-kind", "does", operation=each[0], known=names)
            if operation.windows != (ALWAYS,):
                asked = window
                if window not in operation.windows:
                    names = [WINDOWS[w] for w in operation.windows]
                    raise self.refuse("operation-window", "window", operation=each[0], known=names)
            if operation.takes:
                if takes:
                    raise self.refuse("operation-takes", "does", operation=each[0])
                takes = operation.takes
            limited |= operation.limited
            does.append(self._numbers(each[0], operation, each[1:]))
        if asked != window:
            raise self.refuse("window-none", "window")
        if limited != bool(per):
            raise self.refuse("per" if limited else "per-none", "per")
        return tuple(does), takes

    def _numbers(self, word: str, operation: Operation, numbers: list[object]) -> tuple[int, int, int]:
        if operation.amount:
            if len(numbers) != 1:
                raise self.refuse("operation-numbers", "does", operation=word, count=1)
            amount = self._amount("does", numbers[0])
            return operation.code, amount.flat, amount.halves
        if len(numbers) != len(operation.ranges):
            raise self.refuse("operation-numbers", "does", operation=word, count=len(operation.ranges))
        for value, (least, most) in zip(numbers, operation.ranges, strict=True):
            if type(value) is not int or not least <= value <= most:
                raise self.refuse("operation-number", "does", operation=word, least=least, most=most)
        one, two = ([*numbers, 0, 0])[:2]
        return operation.code, int(one), int(two)  # type: ignore[call-overload]

    def _texts(self, name: str) -> tuple[dict[str, str], dict[str, str]]:
        french = self.given.get("fr", {})
        values = [self.given.get("text", ""), *(french.values() if isinstance(french, dict) else [None])]
        if any(not isinstance(value, str) or len(value) > 300 or not value.isprintable() for value in values):
            raise self.refuse("text", "text")
        if set(french) - {"name", "text"}:
            raise self.refuse("text", "fr")
        text = self.given.get("text", "")
        return (
            {"en": text, "fr": french.get("text", text)},
            {"en": name, "fr": french.get("name", name)},
        )


@cache
def own_deck() -> tuple[Card, ...]:
    """The deck that comes with the game."""
    text = resources.files(PACKAGE).joinpath("data", "deck.toml").read_text("utf-8")
    return tuple(checked(tomllib.loads(text), text))


def check_file(path: str) -> list[Card]:
    """The cards of a deck file; what is wrong is said with its line."""
    document, text = files.read_document(path)
    try:
        return checked(document, text)
    except OptionError as fault:
        raise FileError("file.refused", path=path, reason=fault) from None
