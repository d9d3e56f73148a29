"""Message catalogues: every sentence for people, by id, in English and French.

A catalogue is a TOML file `words/LANGUAGE.toml` in the package that uses it. It holds a template for each id, with
`{name}` for parameters. A template with a count is a table with `one` and `other`, chosen by the parameter `n`.
"""

from __future__ import annotations

import os
import tomllib
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from string import Formatter
from typing import NamedTuple

from quadriga.engine.text import glossary

ENGLISH = "en"
LANGUAGES = (ENGLISH, "fr")
BASE = "quadriga.engine"

Template = str | dict[str, str]


class Message(NamedTuple):
    """A message by its id and parameters, before a language is chosen."""

    id: str
    parameters: dict[str, object]


def as_json(message: Message) -> dict[str, object]:
    """Return a message with its parameters as JSON, for a client that has the catalogues."""
    given = {
        name: as_json(value) if isinstance(value, Message) else value for name, value in message.parameters.items()
    }
    return {"id": message.id, "with": given}


class Localised(NamedTuple):
    """A text with its own translations, such as the name of a card in a deck."""

    texts: tuple[tuple[str, str], ...]

    def text(self, language: str) -> str:
        """Return the text in a language, or the first text if there is none."""
        return dict(self.texts).get(language, self.texts[0][1])


class Words:
    """The message templates of some packages in one language: `words("play.turn", name="Black")`."""

    def __init__(self, language: str, templates: dict[str, Template]) -> None:
        self.language = language
        self.templates = templates

    def __call__(self, id: str, /, **parameters: object) -> str:
        """Return the text of the message with this id and these parameters."""
        template = self.templates[id]
        if isinstance(template, dict):
            template = template[self.plural(parameters["n"])]
        return _FORMATTER.vformat(template, (), {name: self._value(value) for name, value in parameters.items()})

    def text(self, message: Message) -> str:
        """Return the text of a message in this language."""
        return self(message.id, **message.parameters)

    def _value(self, value: object) -> object:
        """Return a parameter in this language: a text, a message inside the message, or a list of these."""
        if isinstance(value, Localised):
            return value.text(self.language)
        if isinstance(value, Message):
            return self.text(value)
        return [self._value(each) for each in value] if isinstance(value, list) else value

    def decimal(self, value: float, digits: int = 0) -> str:
        """Return a number with so many digits after the point, as this language writes it."""
        text = f"{value:_.{digits}f}"
        return text.replace("_", "\u202f").replace(".", ",") if self.language == "fr" else text.replace("_", ",")

    def percent(self, share: float, digits: int = 0, sign: str = "") -> str:
        """Return a share as a percentage, as this language writes it."""
        text = f"{100 * share:{sign}.{digits}f}"
        return text.replace(".", ",") + "\u202f%" if self.language == "fr" else text + "%"

    def __contains__(self, id: str) -> bool:
        return id in self.templates

    def plural(self, n: object) -> str:
        """Return the form that a count takes, `one` or `other`; 0 is singular in French."""
        single = n in (0, 1) if self.language == "fr" else n == 1
        return "one" if single else "other"


class _ListFormatter(Formatter):
    """Format lists with commas."""

    def format_field(self, value: object, format_spec: str) -> str:
        if isinstance(value, list | tuple):
            return ", ".join(map(str, value))
        return str(super().format_field(value, format_spec))


_FORMATTER = _ListFormatter()


@cache
def of(language: str, *packages: str) -> Words:
    """Return the words of the engine and of `packages` in a language, in English where a package has no others."""
    templates: dict[str, Template] = {}
    for package in (BASE, *packages):
        templates |= catalogue(package, ENGLISH)
        if language != ENGLISH and has_language(package, language):
            templates |= catalogue(package, language)
    return Words(language, templates)


def rules_page(package: str, language: str) -> Traversable:
    """Return the file with the rules of a game in a language, or in English. It may not exist."""
    words = resources.files(package).joinpath("words")
    own = words.joinpath(f"rules.{language}.md")
    return own if own.is_file() else words.joinpath(f"rules.{ENGLISH}.md")


def has_language(package: str, language: str) -> bool:
    """Return whether a package has a catalogue in a language. Only English is required."""
    return resources.files(package).joinpath("words", f"{language}.toml").is_file()


@cache
def catalogue(package: str, language: str) -> dict[str, Template]:
    """Return the templates of one package by id: the names of the tables, joined with dots, and its glossary."""
    text = resources.files(package).joinpath("words", f"{language}.toml").read_text("utf-8")
    return _flatten("", tomllib.loads(text)) | glossary.messages(package, language)


def _flatten(prefix: str, tree: dict[str, object]) -> dict[str, Template]:
    flat: dict[str, Template] = {}
    for key, value in tree.items():
        if isinstance(value, dict) and set(value) != {"one", "other"}:
            flat |= _flatten(f"{prefix}{key}.", value)
        else:
            flat[prefix + key] = value  # type: ignore[assignment]
    return flat


def preferred(environment: dict[str, str] | None = None) -> str:
    """Return the language that the environment asks for, or English if there is no catalogue for it."""
    environment = dict(os.environ) if environment is None else environment
    for name in ("QUADRIGA_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        asked = environment.get(name, "").lower()[:2]
        if asked:
            return asked if asked in LANGUAGES else "en"
    return "en"
