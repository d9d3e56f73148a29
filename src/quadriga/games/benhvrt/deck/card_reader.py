"""Read and check one card of a deck file (BH-7.7)."""

from __future__ import annotations

from typing import Any

from quadriga.engine.errors import OptionError
from quadriga.games.benhvrt.custom_files import Lines, failures, is_name
from quadriga.games.benhvrt.deck.card import COPIES, DRAWN, OPERATIONS, PACKAGE, PER, Amount, Card
from quadriga.games.benhvrt.deck.operations import (
    CHARIOT,
    CODES,
    DEAREST,
    DRIVER,
    EVENT,
    MOVE,
    NOTHING,
    OPS,
    TYPES,
    WINDOWS,
)

_FORMULAS = {"n": Amount(halves=2), "n/2": Amount(halves=1), "2n": Amount(halves=4)}


def deck_refuse(code: str, line: int | None, name: object, **parameters: object) -> OptionError:
    """Return the error for a card or a deck, with the line if it is known."""
    fault = OptionError(f"deck.{code}", package=PACKAGE, name=name, **parameters)
    return fault if line is None else OptionError("deck.at", package=PACKAGE, line=line, reason=fault)


class CardReader:
    """Reads and checks one card of a deck file."""

    def __init__(self, given: object, number: int, where: Lines) -> None:
        self.given: dict[str, Any] = given if isinstance(given, dict) else {}
        self.number = number
        self.where = where
        name = self.given.get("name")
        self.name = name[:40] if isinstance(name, str) else f"#{number + 1}"

    def refuse(self, code: str, at: str | None, /, **parameters: object) -> OptionError:
        """Return the error for a field of this card."""
        return deck_refuse(code, self.where.table(self.number, at), self.name, **parameters)

    def faults(self) -> list[OptionError]:
        """Return all errors of the card. A field that depends on a wrong field is not checked."""
        known = {"name", "kind", "copies", "price", "upkeep", "window", "per", "does", "text", "flavour", "fr"}
        foreign = sorted(set(self.given) - known, key=str)
        found = [self.refuse("field", str(key), field=key, known=sorted(known)) for key in foreign]
        found += failures(self._name)
        blocking = failures(self._type, self._window, self._per)
        found += blocking or failures(self._does, self._upkeep)
        return found + failures(self._copies, self._price, self._texts)

    def card(self) -> Card:
        """Return the card. Raise OptionError for the first error."""
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
        if type_ == DRIVER:  # the choice comes first, because `use` applies the first operation
            does.sort(key=lambda each: each[0] not in [CODES[word] for word in choices])
        return tuple(does), takes

    def _takes(self, words: list[str], window: int) -> int:
        """Return what the player names with the card: one thing, though several operations may act on a chariot."""
        named = [(word, OPS[word].windows[window]) for word in words if OPS[word].windows[window]]
        for word, what in named[1:]:
            if not what == named[0][1] == CHARIOT:
                raise self.refuse("operation-takes", "does", operation=word)
        return named[0][1] if named else NOTHING

    def _operation(self, given: object, type_: int, window: int) -> str:
        """Return the word of an operation, checked for the type and window of the card."""
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
        """Check that no operation occurs twice on a card, except `natural` for different rolls."""
        seen = set()
        for word, (_, one, _) in zip(named, does, strict=True):
            key = (word, one if word == "natural" else 0)
            if key in seen:
                raise self.refuse("operation-twice", "does", operation=word)
            seen.add(key)

    def _texts(self) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
        """Return names, texts and flavours by language. English replaces what is missing in French."""
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
    """Return a number in a range, or one that depends on the laps; None for anything else."""
    if isinstance(value, str):
        return _FORMULAS.get(value)
    return Amount(flat=value) if type(value) is int and least <= value <= most else None
