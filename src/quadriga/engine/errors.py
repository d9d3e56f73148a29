"""All errors that a caller or a user can put right, as one tree.

    QuadrigaError
    ├── UnknownGameError      no game has this id
    ├── OptionError           the options do not set a game up
    ├── IllegalActionError    an action is not legal here, or not well-formed
    ├── NotOverError          the game is not over, and only a finished game has what was asked for
    ├── TraceError            a trace, record or saved game is not well-formed, or breaks the rules
    │   └── FairnessError     the outcomes of a record are not those of its seed
    ├── FileError             a file cannot be read or written, or its content is wrong
    ├── ClusterError          a cluster cannot be reached, or cannot do the work
    └── MissingExtraError     an optional part of the program is not installed

Each error has a code and parameters. The catalogue turns them into a sentence in the reader's language.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from quadriga.engine.text import catalogues

if TYPE_CHECKING:
    from collections.abc import Iterable


def closest(word: str, known: Iterable[object]) -> str:
    """Return the known word that is most like a word, whatever its case, or "" if none is like it."""
    by_fold = {each.casefold(): each for each in known if isinstance(each, str)}
    found = get_close_matches(word.casefold(), by_fold, n=1, cutoff=0.6)
    return by_fold[found[0]] if found else ""


class QuadrigaError(Exception):
    """An error with a code, and the parameters of its sentence in the catalogue of a package.

    >>> import quadriga
    >>> try:
    ...     quadriga.new("urr")
    ... except quadriga.QuadrigaError as fault:
    ...     print(fault.code, "-", fault)
    game.unknown - There is no game 'urr'. There are: ur, ave-caesar, ben-hvrt... Did you mean 'ur'?
    """

    def __init__(self, code: str, *, package: str = catalogues.BASE, **parameters: object) -> None:
        super().__init__(code, parameters)
        self.code = code
        self.package = package
        self.parameters = parameters

    def text(self, language: str) -> str:
        """Return the sentence in a language."""
        say = catalogues.of(language, self.package)
        values = {k: v.text(language) if isinstance(v, QuadrigaError) else v for k, v in self.parameters.items()}
        sentence = say(f"error.{self.code}", **values)
        word = self.suggestion
        return say("error.similar.word", sentence=sentence, word=word) if word else sentence

    @property
    def suggestion(self) -> str:
        """Return the known word that is most like the wrong one, or "" if none is like it."""
        known = self.parameters.get("known")
        wrong = next(
            (self.parameters[key] for key in ("wrong", "name", "id", "where", "value") if key in self.parameters),
            None,
        )
        return closest(wrong, known) if isinstance(wrong, str) and isinstance(known, list | tuple) else ""

    def __str__(self) -> str:
        return self.text("en")

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.code, self.package, self.parameters)


def _rebuild(kind: type[QuadrigaError], code: str, package: str, parameters: dict[str, object]) -> QuadrigaError:
    return kind(code, package=package, **parameters)


class UnknownGameError(QuadrigaError):
    """No game has this id."""


class OptionError(QuadrigaError):
    """The options do not set a game up."""


class IllegalActionError(QuadrigaError):
    """An action is not legal here, or not well-formed."""


class NotOverError(QuadrigaError):
    """The game is not over, and only a finished game has what was asked for."""


class TraceError(QuadrigaError):
    """A trace, record or saved game is not well-formed, or breaks the rules. Names the line."""


class FairnessError(TraceError):
    """The outcomes of a record are not those of its seed."""


class FileError(QuadrigaError):
    """A file cannot be read or written, or its content is wrong."""


class ClusterError(QuadrigaError):
    """A cluster cannot be reached, or cannot do the work."""


class MissingExtraError(QuadrigaError):
    """An optional part of the program is not installed."""
