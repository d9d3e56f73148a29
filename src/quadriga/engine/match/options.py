"""Options: how a game is set up. Each knows its default, and says what would be right of what it refuses."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quadriga.engine import files
from quadriga.engine.errors import OptionError

Options = dict[str, Any]
"""Checked options by name, as they stand in a trace's header."""


@dataclass(frozen=True)
class Option(ABC):
    """One option: its name, and its default, which may depend on the options before it and on the seats."""

    name: str
    default: object | Callable[[Options, int], object]
    display: bool = False
    """A matter of display only: left out of a trace's header unless it was changed."""

    @abstractmethod
    def allowed(self) -> str:
        """What would be right, in notation that needs no language."""

    @abstractmethod
    def check(self, value: object) -> object:
        """The value as it stands in a header, or an error."""

    @abstractmethod
    def parse(self, text: str) -> object:
        """A value from the command line, not yet checked."""

    def default_for(self, options: Options, seats: int) -> object:
        """The default where these options were settled before."""
        return self.default(options, seats) if callable(self.default) else self.default

    def refuse(self, value: object) -> OptionError:
        """The error for a value that this option does not take."""
        return OptionError("option.value", name=self.name, value=value, allowed=self.allowed())


@dataclass(frozen=True)
class Choice(Option):
    """One of several words."""

    choices: tuple[str, ...] = ()

    def allowed(self) -> str:
        """The words."""
        return " | ".join(self.choices)

    def check(self, value: object) -> object:
        """One of the words, as it is."""
        if not isinstance(value, str) or value not in self.choices:
            raise self.refuse(value)
        return value

    def parse(self, text: str) -> object:
        """The word."""
        return text


@dataclass(frozen=True)
class Whole(Option):
    """A whole number in a range."""

    low: int = 0
    high: int = 0

    def allowed(self) -> str:
        """The range."""
        return f"{self.low}..{self.high}"

    def check(self, value: object) -> object:
        """A number in the range."""
        if type(value) is not int or not self.low <= value <= self.high:
            raise self.refuse(value)
        return value

    def parse(self, text: str) -> object:
        """The number, or the text where it is none."""
        return int(text) if text.lstrip("-").isascii() and text.lstrip("-").isdecimal() else text


@dataclass(frozen=True)
class Flag(Option):
    """Yes or no."""

    def allowed(self) -> str:
        """The two words."""
        return "true | false"

    def check(self, value: object) -> object:
        """True or false."""
        if type(value) is not bool:
            raise self.refuse(value)
        return value

    def parse(self, text: str) -> object:
        """The usual words for yes and no."""
        return {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}.get(text, text)


@dataclass(frozen=True)
class Several(Option):
    """A list of words, as many as there may be; on the command line with commas."""

    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 0
    repeats: bool = False

    def allowed(self) -> str:
        """How many of which words."""
        return f"{self.least}..{self.most} of: {', '.join(self.choices)}"

    def check(self, value: object) -> object:
        """A list of the words."""
        if not isinstance(value, list) or not self.least <= len(value) <= self.most:
            raise self.refuse(value)
        if any(not isinstance(word, str) or word not in self.choices for word in value):
            raise self.refuse(value)
        if not self.repeats and len(set(value)) != len(value):
            raise self.refuse(value)
        return list(value)

    def parse(self, text: str) -> object:
        """The words between the commas."""
        return [word.strip() for word in text.split(",")] if text else []


@dataclass(frozen=True)
class Document(Option):
    """The content of somebody's own file, None for ours; the game checks it. A header carries it whole."""

    def allowed(self) -> str:
        """A file."""
        return "FILE"

    def check(self, value: object) -> object:
        """Nothing, or an object of JSON."""
        if value is not None and not isinstance(value, dict):
            raise self.refuse(value)
        return value

    def parse(self, text: str) -> object:
        """The content of a TOML or JSON file."""
        return self.read(text, files.read_small(text))

    def read(self, name: str, content: bytes) -> object:
        """What stands in a file of this name."""
        return files.document(name, content)[0]


def resolve(known: Sequence[Option], given: Mapping[str, object], seats: int) -> Options:
    """All options in their order: those given, checked, and defaults for the rest."""
    for name in given:
        if all(name != option.name for option in known):
            raise OptionError("option.unknown", name=name, known=[o.name for o in known] or "-")
    settled: Options = {}
    for option in known:
        settled[option.name] = option.check(given.get(option.name, option.default_for(settled, seats)))
    return settled


def parse(known: Sequence[Option], texts: Sequence[str]) -> dict[str, object]:
    """Options from the command line, each `name=value`."""
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


def written(known: Sequence[Option], options: Options, seats: int) -> Options:
    """The options that a header carries: all but a display option or a file that nobody has given."""
    return {
        option.name: options[option.name]
        for option in known
        if not (
            (option.display or isinstance(option, Document))
            and options[option.name] == option.default_for(options, seats)
        )
    }
