"""Message catalogues: every sentence that a person reads, by id, in English and French.

A catalogue is a TOML file `words/LANGUAGE.toml` beside the code that speaks. A message may use `{name}`
for its parameters; one that counts is a table with `one` and `other`, chosen by the parameter `n`.
"""

from __future__ import annotations

import os
import tomllib
from functools import cache
from importlib import resources
from string import Formatter
from typing import NamedTuple

LANGUAGES = ("en", "fr")
BASE = "quadriga.engine"

Message = str | dict[str, str]


class Said(NamedTuple):
    """A message that is still to be put into a language."""

    id: str
    parameters: dict[str, object]


class Localised(NamedTuple):
    """A text that has its own translations, such as a card's name in a deck."""

    texts: tuple[tuple[str, str], ...]

    def text(self, language: str) -> str:
        """The text in a language, or the first there is."""
        return dict(self.texts).get(language, self.texts[0][1])


class Words:
    """The messages of some packages in one language: `words("play.turn", name="Black")`."""

    def __init__(self, language: str, messages: dict[str, Message]) -> None:
        self.language = language
        self.messages = messages

    def __call__(self, id: str, /, **parameters: object) -> str:
        """The message with this id, its parameters filled in."""
        message = self.messages[id]
        if isinstance(message, dict):
            message = message[self.plural(parameters["n"])]
        return _FORMATTER.vformat(message, (), {name: self._value(value) for name, value in parameters.items()})

    def said(self, message: Said) -> str:
        """A message that was made without knowing the language."""
        return self(message.id, **message.parameters)

    def _value(self, value: object) -> object:
        """Put a parameter into the language: translated texts, messages within messages, lists of either."""
        if isinstance(value, Localised):
            return value.text(self.language)
        if isinstance(value, Said):
            return self.said(value)
        return [self._value(each) for each in value] if isinstance(value, list) else value

    def __contains__(self, id: str) -> bool:
        return id in self.messages

    def plural(self, n: object) -> str:
        """Which form a count takes: French says 0 in the singular."""
        single = n in (0, 1) if self.language == "fr" else n == 1
        return "one" if single else "other"


class _Listing(Formatter):
    """Formats lists as people write them."""

    def format_field(self, value: object, format_spec: str) -> str:
        if isinstance(value, list | tuple):
            return ", ".join(map(str, value))
        return str(super().format_field(value, format_spec))


_FORMATTER = _Listing()


@cache
def of(language: str, *packages: str) -> Words:
    """The messages of the engine and of `packages` in a language."""
    messages: dict[str, Message] = {}
    for package in (BASE, *packages):
        messages |= catalogue(package, language)
    return Words(language, messages)


@cache
def catalogue(package: str, language: str) -> dict[str, Message]:
    """The messages of one package, flattened: table names joined with dots."""
    text = resources.files(package).joinpath("words", f"{language}.toml").read_text("utf-8")
    return _flat("", tomllib.loads(text))


def _flat(prefix: str, tree: dict[str, object]) -> dict[str, Message]:
    flat: dict[str, Message] = {}
    for key, value in tree.items():
        if isinstance(value, dict) and set(value) != {"one", "other"}:
            flat |= _flat(f"{prefix}{key}.", value)
        else:
            flat[prefix + key] = value  # type: ignore[assignment]
    return flat


def preferred(environment: dict[str, str] | None = None) -> str:
    """The language that the environment asks for, English where it asks for none of ours."""
    environment = dict(os.environ) if environment is None else environment
    for name in ("QUADRIGA_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        asked = environment.get(name, "").lower()[:2]
        if asked:
            return asked if asked in LANGUAGES else "en"
    return "en"
