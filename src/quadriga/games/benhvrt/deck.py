"""Decks: cards as data. What a card does is built from a closed set of operations (BH-7.7).

A deck file is TOML, a `[[card]]` a kind. Everything is checked before anything is built, and what is wrong is
said with the line, where there is one, and the reason; all of it at once.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from quadriga.engine.errors import OptionError
from quadriga.engine.text.catalogues import Said
from quadriga.games.benhvrt import custom_files
from quadriga.games.benhvrt.custom_files import Lines, failures, is_name
from quadriga.games.benhvrt.operations import (
    CHARIOT,
    CODES,
    DEAREST,
    DRIVER,
    EVENT,
    MOVE,
    NOTHING,
    OPS,
    RE,
    TYPES,
    WINDOWS,
)

PACKAGE = "quadriga.games.benhvrt"
KINDS = 48  # of cards, at the most
COPIES = 7  # of a kind
CARDS = 240  # in all
OPERATIONS = 3  # of a card
ANSWERS = 12  # cards with window RE: they can answer each other
ADDED = 100  # to one roll, or taken off it, by all cards together
WAGERED = 120  # by all cards together
DRAWN = 20  # cards at once

PER = ("-", "move", "lap")
NEVER_MORE, PER_MOVE, PER_LAP = range(3)
_NUMBERED = re.compile(r"(?: \d+)+")


@dataclass(frozen=True)
class Amount:
    """A number that may depend on the laps of a race: half of `halves` times the laps, rounded up, and `flat`."""

    flat: int = 0
    halves: int = 0


_FORMULAS = {"n": Amount(halves=2), "n/2": Amount(halves=1), "2n": Amount(halves=4)}


_RATES = {0: "ben-hvrt.upkeep.flat", 1: "ben-hvrt.upkeep.half", 2: "ben-hvrt.upkeep.lap", 4: "ben-hvrt.upkeep.two"}


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
    flavours: dict[str, str]  # a line to smile at; it means nothing

    @property
    def upkeep_said(self) -> Said | None:
        """What it costs in every race, in words; None of a card that is played once."""
        if self.type in (MOVE, EVENT):
            return None
        return Said(_RATES[self.upkeep.halves], {"n": self.upkeep.flat})


def read(document: object, text: str | None = None) -> tuple[list[Card], list[OptionError]]:
    """The good cards of a deck, by name, and everything that is wrong with the others."""
    where = Lines(text)
    content = document if isinstance(document, dict) else {}
    faults = [_refuse("top", where.field(key), key) for key in sorted(set(content) - {"card"}, key=str)]
    given = content.get("card")
    if not isinstance(given, list) or not 1 <= len(given) <= KINDS:
        return [], [*faults, _refuse("cards", where.field("card"), None, most=KINDS)]
    if len(where.cards) != len(given):
        where = Lines(None)
    cards: list[Card] = []
    totals = _Totals()
    for number, each in enumerate(given):
        reader = _Reader(each, number, where)
        if wrong := reader.faults():
            faults += wrong
            continue
        try:
            card = reader.card()
            _check_names(card.name, [other.name for other in cards], where.card(number, "name"))
            cards.append(card)
            totals.add(card, where.card(number, "copies"))
        except OptionError as fault:
            faults.append(fault)
    return sorted(cards, key=lambda card: card.name), faults


def checked(document: object, text: str | None = None) -> list[Card]:
    """The cards of a deck, by name; or an error that says where it is wrong and what would be right."""
    cards, faults = read(document, text)
    if faults:
        raise faults[0]
    return cards


def _check_names(name: str, others: list[str], line: int | None) -> None:
    """No two names that could be taken for each other where one is read in an action (BH-7.7)."""
    for other in others:
        if name == other:
            raise _refuse("twice", line, name)
        if name.casefold() == other.casefold():
            raise _refuse("case", line, name, other=other)
        if _NUMBERED.fullmatch(name.removeprefix(other)):
            raise _refuse("numbers", line, name, other=other)
        if _NUMBERED.fullmatch(other.removeprefix(name)):
            raise _refuse("numbers", line, other, other=name)


class _Totals:
    """What all cards together may be: more would not fit into a hand, a roll or the work under way."""

    def __init__(self) -> None:
        self.sums = {"many": 0, "answers": 0, "added": 0, "taken-off": 0, "wagers": 0}

    def add(self, card: Card, line: int | None) -> None:
        """Count a card; the one with which there is too much is refused."""
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
                raise _refuse(code, line, card.name, most=most)


def _refuse(code: str, line: int | None, name: object, **parameters: object) -> OptionError:
    fault = OptionError(f"deck.{code}", package=PACKAGE, name=name, **parameters)
    return fault if line is None else OptionError("deck.at", package=PACKAGE, line=line, reason=fault)


class _Reader:
    """Reads one card."""

    def __init__(self, given: object, number: int, where: Lines) -> None:
        self.given: dict[str, Any] = given if isinstance(given, dict) else {}
        self.number = number
        self.where = where
        name = self.given.get("name")
        self.name = name[:40] if isinstance(name, str) else f"#{number + 1}"

    def refuse(self, code: str, at: str | None, /, **parameters: object) -> OptionError:
        """The error for a field of this card."""
        return _refuse(code, self.where.card(self.number, at), self.name, **parameters)

    def faults(self) -> list[OptionError]:
        """Everything that is wrong with the card; what hangs on a wrong field is not looked at."""
        known = {"name", "kind", "copies", "price", "upkeep", "window", "per", "does", "text", "flavour", "fr"}
        foreign = sorted(set(self.given) - known, key=str)
        found = [self.refuse("field", str(key), field=key, known=sorted(known)) for key in foreign]
        found += failures(self._name)
        hangs_on = failures(self._type, self._window, self._per)
        found += hangs_on or failures(self._does, self._upkeep)
        return found + failures(self._copies, self._price, self._texts)

    def card(self) -> Card:
        """The card, all of it checked."""
        does, takes = self._does()
        names, texts, flavours = self._texts()
        return Card(
            name=self._name(),
            type=self._type(),
            copies=self._copies(),
            price=self._price(),
            upkeep=self._upkeep(),
            window=self._window(),
            per=self._per(),
            does=does,
            takes=takes,
            texts=texts,
            names=names,
            flavours=flavours,
        )

    def _type(self) -> int:
        return self._word("kind", TYPES)

    def _window(self) -> int:
        return self._word("window", WINDOWS, "-")

    def _per(self) -> int:
        return self._word("per", PER, "-")

    def _copies(self) -> int:
        return self._whole("copies", 1, COPIES)

    def _price(self) -> int:
        return self._whole("price", 0, DEAREST)

    def _name(self) -> str:
        name = self.given.get("name")
        if not is_name(name):
            raise self.refuse("name", "name")
        spelt = all(sign.isalnum() or sign in " '’-" for sign in name) and any(sign.isalpha() for sign in name)
        if not spelt or {"for", "nothing"} & set(name.split()):
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

    def _upkeep(self) -> Amount:
        if self._type() in (MOVE, EVENT):
            if "upkeep" in self.given:
                raise self.refuse("upkeep-none", "upkeep")
            return Amount()
        amount = _amount(self.given.get("upkeep"), 0, DEAREST)
        if amount is None:
            raise self.refuse("amount", "upkeep", field="upkeep", most=DEAREST, known=list(_FORMULAS))
        return amount

    def _does(self) -> tuple[tuple[tuple[int, int, int], ...], int]:
        type_, window, per = self._type(), self._window(), self._per()
        given = self.given.get("does")
        if not isinstance(given, list) or not 1 <= len(given) <= OPERATIONS:
            raise self.refuse("does", "does", most=OPERATIONS)
        named = [self._operation(each, type_, window) for each in given]
        found = [OPS[word] for word in named]
        choices = [word for word, operation in zip(named, found, strict=True) if not operation.in_force]
        does = [self._numbers(word, each[1:]) for word, each in zip(named, given, strict=True)]
        self._no_doubles(named, does)
        takes = self._takes(choices, window)
        if type_ == DRIVER and len(choices) > 1:
            raise self.refuse("choices", "does", operation=choices[1])
        if window and not choices:
            raise self.refuse("window-none", "window")
        limited = any(operation.limited for operation in found)
        if limited and not per:
            raise self.refuse("per", "per")
        if per and not limited:
            raise self.refuse("per-none", "per")
        if type_ == DRIVER:  # his choice comes first: it is what `use` does
            does.sort(key=lambda each: each[0] not in [CODES[word] for word in choices])
        return tuple(does), takes

    def _takes(self, words: list[str], window: int) -> int:
        """What the card is told when it is played: one thing, though several operations may act on one chariot."""
        told = [(word, OPS[word].windows[window]) for word in words if OPS[word].windows[window]]
        for word, what in told[1:]:
            if not what == told[0][1] == CHARIOT:
                raise self.refuse("operation-takes", "does", operation=word)
        return told[0][1] if told else NOTHING

    def _operation(self, given: object, type_: int, window: int) -> str:
        """The word of an operation that a card of this type and window can have."""
        word = given[0] if isinstance(given, list) and given else given
        if not isinstance(given, list) or not isinstance(word, str) or word not in OPS:
            found = word[:40] if isinstance(word, str) else "?"
            raise self.refuse("operation", "does", operation=found, known=list(OPS))
        operation = OPS[word]
        if type_ not in operation.types:
            raise self.refuse("operation-kind", "does", operation=word, known=[TYPES[t] for t in operation.types])
        if not operation.in_force and window not in operation.windows:
            names = [WINDOWS[each] for each in sorted(operation.windows)]
            reason = OptionError(f"deck.why.{operation.refused.get(window, 'none')}", package=PACKAGE)
            raise self.refuse("operation-window", "window", operation=word, known=names, reason=reason)
        return word

    def _numbers(self, word: str, numbers: list[object]) -> tuple[int, int, int]:
        operation = OPS[word]
        if operation.amount:
            if len(numbers) != 1:
                raise self.refuse("operation-numbers", "does", operation=word, count=1)
            amount = _amount(numbers[0], 1, DRAWN)
            if amount is None:
                raise self.refuse("operation-amount", "does", operation=word, most=DRAWN, known=list(_FORMULAS))
            return operation.code, amount.flat, amount.halves
        if len(numbers) != len(operation.ranges):
            raise self.refuse("operation-numbers", "does", operation=word, count=len(operation.ranges))
        whole = [0, 0]
        for i, (value, (least, most)) in enumerate(zip(numbers, operation.ranges, strict=True)):
            if type(value) is not int or not least <= value <= most:
                raise self.refuse("operation-number", "does", operation=word, least=least, most=most)
            whole[i] = value
        return operation.code, whole[0], whole[1]

    def _no_doubles(self, named: list[str], does: list[tuple[int, int, int]]) -> None:
        """An operation stands once on a card; only different natural rolls may each count as something."""
        seen = set()
        for word, (_, one, _) in zip(named, does, strict=True):
            key = (word, one if word == "natural" else 0)
            if key in seen:
                raise self.refuse("operation-twice", "does", operation=word)
            seen.add(key)

    def _texts(self) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
        """Names, texts and flavours by language; what is left out is shown in English, or not at all."""
        french = self.given.get("fr", {})
        if not isinstance(french, dict) or set(french) - {"name", "text", "flavour"}:
            raise self.refuse("french", "fr")
        names = {"en": self.name, "fr": french.get("name", self.name)}
        if "name" in french and not is_name(names["fr"]):
            raise self.refuse("french", "fr")
        return names, self._sentences("text", french), self._sentences("flavour", french)

    def _sentences(self, field: str, french: dict[str, Any]) -> dict[str, str]:
        english = self.given.get(field, "")
        found = {"en": english, "fr": french.get(field, english)}
        for language, value in found.items():
            if not isinstance(value, str) or len(value) > 300 or not value.isprintable():
                raise self.refuse("text", field if language == "en" else "fr")
        return found


def _amount(value: object, least: int, most: int) -> Amount | None:
    """A number in a range, or one that depends on the laps."""
    if isinstance(value, str):
        return _FORMULAS.get(value)
    return Amount(flat=value) if type(value) is int and least <= value <= most else None


@cache
def own_deck() -> tuple[Card, ...]:
    """The deck that comes with the game."""
    text = resources.files(PACKAGE).joinpath("data", "deck.toml").read_text("utf-8")
    return tuple(checked(tomllib.loads(text), text))


def check_file(path: str) -> list[Card]:
    """The cards of a deck file; what is wrong is said with its line."""
    return custom_files.good(path, checked)[1]
