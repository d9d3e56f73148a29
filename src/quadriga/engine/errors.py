"""What can go wrong, as one small tree.

    QuadrigaError
    ├── UnknownGameError      no game goes by that id
    ├── OptionError           a game cannot be set up like that
    ├── IllegalActionError    not legal here, or not a way to write an action
    ├── NotOverError          something that only a finished game has was asked of one that goes on
    ├── TraceError            a trace, record or save cannot be read or is not a game by the rules
    │   └── FairnessError     a record's dice are not what its seed says
    ├── FileError             a file cannot be read or written
    └── MissingExtraError     a part that is not installed was asked for

Each is a code with parameters; the sentence comes from the catalogue, in the reader's language.
"""

from __future__ import annotations

from quadriga.engine.text import catalogues


class QuadrigaError(Exception):
    """Anything that a caller or a person can put right: a code and what to say about it."""

    def __init__(self, code: str, *, package: str = catalogues.BASE, **parameters: object) -> None:
        super().__init__(code, parameters)
        self.code = code
        self.package = package
        self.parameters = parameters

    def text(self, language: str) -> str:
        """The sentence for a person."""
        say = catalogues.of(language, self.package)
        filled = {k: v.text(language) if isinstance(v, QuadrigaError) else v for k, v in self.parameters.items()}
        return say(f"error.{self.code}", **filled)

    def __str__(self) -> str:
        return self.text("en")

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuilt, (type(self), self.code, self.package, self.parameters)


def _rebuilt(kind: type[QuadrigaError], code: str, package: str, parameters: dict[str, object]) -> QuadrigaError:
    return kind(code, package=package, **parameters)


class UnknownGameError(QuadrigaError):
    """No game goes by that id."""


class OptionError(QuadrigaError):
    """A game cannot be set up like that."""


class IllegalActionError(QuadrigaError):
    """An action that is not legal here, or not a way to write one."""


class NotOverError(QuadrigaError):
    """Something that only a finished game has was asked of one that goes on."""


class TraceError(QuadrigaError):
    """A trace that cannot be read, or is not a game by the rules; says the line."""


class FairnessError(TraceError):
    """A record whose dice are not what its seed says."""


class FileError(QuadrigaError):
    """A file cannot be read or written."""


class MissingExtraError(QuadrigaError):
    """A part of the program that is not installed was asked for."""
