"""Options set a game up. Each has a name, a default and a check that names the allowed values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from quadriga.engine import files
from quadriga.engine.errors import OptionError
from quadriga.engine.text.catalogues import Words

Options = dict[str, Any]
"""Checked options by name, as a trace's header carries them."""


@dataclass(frozen=True)
class Option(ABC):
    """One option. Its default may depend on the options before it and on the number of seats."""

    name: str
    default: object | Callable[[Options, int], object]
    is_display: bool = False
    """True if the option changes the display only; a trace's header leaves it out unless it was changed."""
    with_people: object = field(default=None, kw_only=True)
    """The default at a table where a person sits when the game starts; None if that makes no difference."""

    @abstractmethod
    def allowed(self) -> str:
        """Return the allowed values, in notation that needs no translation."""

    @abstractmethod
    def check(self, value: object) -> object:
        """Return the value as a header carries it; raise OptionError if it is not allowed."""

    @abstractmethod
    def parse(self, text: str) -> object:
        """Return the value of a text from the command line, not yet checked."""

    def from_python(self, value: object) -> object:
        """Return a value given in Python as a header carries it, not yet checked."""
        return list(value) if isinstance(value, tuple) else value

    def form(self) -> dict[str, object]:
        """Return the kind of input that a form needs for this option, with its limits, as JSON."""
        return {"type": "other"}

    def default_for(self, options: Options, seats: int) -> object:
        """Return the default, given the options that come before this one."""
        return self.default(options, seats) if callable(self.default) else self.default

    def words(self) -> Sequence[str]:
        """Return the words that a value can be or contain, if there are any."""
        return ()

    def refuse(self, value: object) -> OptionError:
        """Return the error for a value that is not allowed."""
        words = list(self.words())
        wrong = next((each for each in value if each not in words), None) if isinstance(value, list) else value
        return OptionError(
            "option.value", name=self.name, value=value, allowed=self.allowed(), wrong=wrong, known=words
        )


@dataclass(frozen=True)
class Choice(Option):
    """An option that takes one of several words."""

    choices: tuple[str, ...] = ()

    def allowed(self) -> str:
        """Return the words."""
        return " | ".join(self.choices)

    def words(self) -> Sequence[str]:
        """Return the words."""
        return self.choices

    def check(self, value: object) -> object:
        """Return the word."""
        if not isinstance(value, str) or value not in self.choices:
            raise self.refuse(value)
        return value

    def parse(self, text: str) -> object:
        """Return the text."""
        return text

    def form(self) -> dict[str, object]:
        """Return the words to choose one from."""
        return {"type": "choice", "choices": list(self.choices)}


@dataclass(frozen=True)
class Whole(Option):
    """An option that takes a whole number in a range."""

    low: int = 0
    high: int = 0

    def allowed(self) -> str:
        """Return the range."""
        return f"{self.low}..{self.high}"

    def check(self, value: object) -> object:
        """Return the number."""
        if type(value) is not int or not self.low <= value <= self.high:
            raise self.refuse(value)
        return value

    def parse(self, text: str) -> object:
        """Return the number, or the text if it is not a number."""
        return int(text) if text.lstrip("-").isascii() and text.lstrip("-").isdecimal() else text

    def form(self) -> dict[str, object]:
        """Return the range."""
        return {"type": "whole", "low": self.low, "high": self.high}


@dataclass(frozen=True)
class Flag(Option):
    """An option that is true or false."""

    def allowed(self) -> str:
        """Return the two words."""
        return "true | false"

    def check(self, value: object) -> object:
        """Return the value."""
        if type(value) is not bool:
            raise self.refuse(value)
        return value

    def parse(self, text: str) -> object:
        """Return the value of a usual word for yes or no, or the text if it is none."""
        return {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}.get(text, text)

    def form(self) -> dict[str, object]:
        """Return the form of a box to tick."""
        return {"type": "flag"}


@dataclass(frozen=True)
class Several(Option):
    """An option that takes a list of words, on the command line with commas between them."""

    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 0
    repeats: bool = False

    def words(self) -> Sequence[str]:
        """Return the words."""
        return self.choices

    def from_python(self, value: object) -> object:
        """Return a list; a text is read as on the command line."""
        return self.parse(value) if isinstance(value, str) else super().from_python(value)

    def allowed(self) -> str:
        """Return how many of which words."""
        return f"{self.least}..{self.most} of: {', '.join(self.choices)}"

    def check(self, value: object) -> object:
        """Return a copy of the list."""
        if not isinstance(value, list) or not self.least <= len(value) <= self.most:
            raise self.refuse(value)
        if any(not isinstance(word, str) or word not in self.choices for word in value):
            raise self.refuse(value)
        if not self.repeats and len(set(value)) != len(value):
            raise self.refuse(value)
        return list(value)

    def parse(self, text: str) -> object:
        """Return the words between the commas."""
        return [word.strip() for word in text.split(",")] if text else []

    def form(self) -> dict[str, object]:
        """Return the words to choose from, and how many."""
        limits = {"least": self.least, "most": self.most, "repeats": self.repeats}
        return {"type": "several", "choices": list(self.choices), **limits}


class FileReport(NamedTuple):
    """The result of a check of a user's file: faults, or facts as JSON and lines for people."""

    faults: Sequence[OptionError] = ()
    facts: Mapping[str, object] = {}
    lines: Callable[[Words, bool], list[str]] = (
        lambda say, in_full: []
    )  # with the game's words; in full if asked to


@dataclass(frozen=True)
class Document(Option):
    """An option that takes the content of a user's file, or None for the built-in one.

    The game checks the content, and a header carries all of it.
    """

    def allowed(self) -> str:
        """Return the placeholder for a file."""
        return "FILE"

    def check(self, value: object) -> object:
        """Return the value: None or a JSON object."""
        if value is not None and not isinstance(value, dict):
            raise self.refuse(value)
        return value

    def parse(self, text: str) -> object:
        """Return the content of a TOML or JSON file."""
        return self.read(text, files.read_small(text))

    def form(self) -> dict[str, object]:
        """Return the form of a file to choose."""
        return {"type": "document"}

    def read(self, name: str, content: bytes) -> object:
        """Return the parsed content of a file of this name."""
        return files.parse_document(name, content)[0]

    def report(self, path: str) -> FileReport:
        """Return all faults of a file, or what is in it: for `quadriga NAME check FILE`. Raises FileError."""
        self.read(path, files.read_small(path))
        return FileReport()


def resolve(known: Sequence[Option], given: Mapping[str, object], seats: int, people: bool = False) -> Options:
    """Return all options in their order: the given ones, checked, and defaults for the others.

    `people` says whether a person plays.
    """
    for name in given:
        if all(name != option.name for option in known):
            raise OptionError("option.unknown", name=name, known=[o.name for o in known] or "-")
    resolved: Options = {}
    for option in known:
        usual = option.default_for(resolved, seats)
        if people and option.with_people is not None:
            usual = option.with_people
        resolved[option.name] = option.check(given.get(option.name, usual))
    return resolved


def parse(known: Sequence[Option], texts: Sequence[str]) -> dict[str, object]:
    """Return options from the command line, each written `name=value`."""
    given: dict[str, object] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise OptionError("option.form", text=text)
        if name in given:
            raise OptionError("option.twice", name=name)
        option = next((o for o in known if o.name == name), None)
        given[name] = option.parse(value) if option else value
    return given


def for_header(known: Sequence[Option], options: Options, seats: int) -> Options:
    """Return the options that a header carries: all but display options and files that have their defaults."""
    return {
        option.name: options[option.name]
        for option in known
        if not (
            (option.is_display or isinstance(option, Document))
            and options[option.name] == option.default_for(options, seats)
        )
    }


def open_until_start(known: Sequence[Option], given: Mapping[str, object]) -> list[str]:
    """Return the names of the options that nobody has given, and that depend on whether a person plays."""
    return [option.name for option in known if option.with_people is not None and option.name not in given]


def chosen(known: Sequence[Option], options: Options, given: Mapping[str, object], seats: int) -> Options:
    """Return the options of a table that waits for players: as in a header, without those that are still open."""
    still_open = open_until_start(known, given)
    return {name: value for name, value in for_header(known, options, seats).items() if name not in still_open}
