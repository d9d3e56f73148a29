"""All errors that a caller or a user can put right, as one tree.

    QuadrigaError
    ├── UnknownGameError      no game has this id
    ├── OptionError           the options do not set a game up
    ├── IllegalActionError    an action is not legal here, or not well-formed
    ├── NotOverError          the game is not over, and only a finished game has what was asked for
    ├── TraceError            a trace, record or saved game is not well-formed, or breaks the rules
    │   └── FairnessError     the outcomes of a record are not those of its seed
    ├── FileError             a file cannot be read or written, or its content is wrong
    ├── PlayerError           a bot of another package or file cannot be loaded, or fails
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
    """No game has this id.

    >>> import quadriga
    >>> quadriga.new("chess")
    Traceback (most recent call last):
    ...
    quadriga.engine.errors.UnknownGameError: There is no game 'chess'. There are: ur, ave-caesar, ben-hvrt...
    """


class OptionError(QuadrigaError):
    """The options do not set a game up.

    >>> import quadriga
    >>> quadriga.new("ur", markers=8)
    Traceback (most recent call last):
    ...
    quadriga.engine.errors.OptionError: The option markers cannot be 8; it takes: 1..7.
    """


class IllegalActionError(QuadrigaError):
    """An action is not legal here, or not well-formed.

    >>> import quadriga
    >>> quadriga.new("ur", seed=1).push("4-6")
    Traceback (most recent call last):
    ...
    quadriga.engine.errors.IllegalActionError: '4-6' is not legal here. Legal: 0-2, 3-5.
    """


class NotOverError(QuadrigaError):
    """The game is not over, and only a finished game has what was asked for.

    >>> import quadriga
    >>> quadriga.new("ur").result
    Traceback (most recent call last):
    ...
    quadriga.engine.errors.NotOverError: The game is not over.
    """


class TraceError(QuadrigaError):
    """A trace, record or saved game is not well-formed, or breaks the rules. Names the line.

    >>> import quadriga
    >>> quadriga.loads("")
    Traceback (most recent call last):
    ...
    quadriga.engine.errors.TraceError: This file has no game in it.
    """


class FairnessError(TraceError):
    """The outcomes of a record are not those of its seed.

    >>> import quadriga
    >>> issubclass(quadriga.FairnessError, quadriga.TraceError)
    True
    """


class FileError(QuadrigaError):
    """A file cannot be read or written, or its content is wrong.

    >>> import quadriga
    >>> quadriga.load("missing.jsonl")
    Traceback (most recent call last):
    ...
    quadriga.engine.errors.FileError: missing.jsonl cannot be read: ...
    """


class PlayerError(QuadrigaError):
    """A bot of another package or file cannot be loaded, fails, or answers with no legal action. Names the line.

    >>> import quadriga
    >>> quadriga.bot("missing.py:Careful")
    Traceback (most recent call last):
    ...
    quadriga.engine.errors.PlayerError: The player 'missing.py:Careful' is in a file that is not there: missing.py.
    """


class ClusterError(QuadrigaError):
    """A cluster cannot be reached, or cannot do the work.

    >>> import quadriga
    >>> issubclass(quadriga.ClusterError, quadriga.QuadrigaError)
    True
    """


class MissingExtraError(QuadrigaError):
    """An optional part of the program is not installed.

    >>> import quadriga
    >>> issubclass(quadriga.MissingExtraError, quadriga.QuadrigaError)
    True
    """
