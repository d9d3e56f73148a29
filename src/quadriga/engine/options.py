"""Options: how a game is set up. Each knows its default, and says what would be right of what it refuses."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quadriga.engine.errors import OptionError

Options = dict[str, Any]
"""Checked options by name, as they stand in a trace's header."""


@dataclass(frozen=True)
class Option(ABC):
    """One option: its name, and its default, which may depend on the options before it."""

    name: str
    default: object | Callable[[Options], object]
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

    def default_for(self, options: Options) -> object:
        """The default where these options were settled before."""
        return self.default(options) if callable(self.default) else self.default

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
        return {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}.get(
            text, text
        )


def settle(known: Sequence[Option], given: Mapping[str, object]) -> Options:
    """All options in their order: those given, checked, and defaults for the rest."""
    for name in given:
        if all(name != option.name for option in known):
            raise OptionError("option.unknown", name=name, known=[o.name for o in known] or "-")
    settled: Options = {}
    for option in known:
        settled[option.name] = option.check(given.get(option.name, option.default_for(settled)))
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


def written(known: Sequence[Option], options: Options) -> Options:
    """The options that a header carries."""
    return {
        option.name: options[option.name]
        for option in known
        if not (option.display and options[option.name] == option.default_for(options))
    }
