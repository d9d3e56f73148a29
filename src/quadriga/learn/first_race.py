"""Your first race: a short game against bots, and a sentence whenever something new happens.

`first_race.toml` of a game's package has the set-up and the sentences. Each is said once. What triggers it is
public, or in the learner's own view.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import cache
from importlib import resources
from typing import Any, Literal

import msgspec

from quadriga.engine.errors import OptionError
from quadriga.engine.game import Game
from quadriga.engine.parts.display import Note
from quadriga.games import find, ids

PROGRESS = "race"  # the id under which a finished first race is remembered, beside those of lessons


class Trigger(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The condition under which a sentence is said. A trigger without `note` is about a position."""

    note: str = ""  # an effect of what has just happened: the last part of its message id
    by: Literal["", "you", "other"] = ""  # the seat that did it
    legal: str = ""  # one of the learner's legal actions; * stands for anything
    view: dict[str, Any] = {}  # values in the learner's view, by their paths, such as chariots.0.lap


class Tip(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence, and what triggers it."""

    id: str
    en: str
    fr: str = ""
    on: Trigger = Trigger()

    def text(self, language: str) -> str:
        """Return the sentence in a language, or in English if there is no other."""
        own: str = getattr(self, language)
        return own or self.en


class FirstRace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The set-up of a first race, and its sentences. If several could be said, the first of them is."""

    seats: int
    tip: list[Tip]
    options: dict[str, Any] = {}
    bot: str = "beginner"
    seat: int = 0  # the learner's


def has_first_race(game: Game) -> bool:
    """Return whether a game has a first race."""
    return bool(_file(game).is_file())


@cache
def first_race(id: str) -> FirstRace:
    """Return the first race of a game. Raises OptionError if it has none."""
    game = find(id)
    if not has_first_race(game):
        known = [each for each in ids() if has_first_race(find(each))]
        raise OptionError("learn.race", game=id, known=known)
    return msgspec.convert(tomllib.loads(_file(game).read_text("utf-8")), FirstRace)


class Tutor:
    """Says the sentences of one first race, each once, and at most one for an event or a position."""

    def __init__(self, id: str) -> None:
        self._id, self._race = id, first_race(id)
        self.said: list[str] = []

    def hear(self, notes: Iterable[Note], seat: int | None) -> Tip | None:
        """Return what to say about an event, by its effects and the seat that acted."""
        heard = {note.message.id for note in notes}
        by = "you" if seat == self._race.seat else "other"
        return self._say(
            tip for tip in self._race.tip if f"{self._id}.why.{tip.on.note}" in heard and tip.on.by in ("", by)
        )

    def see(self, view: msgspec.Struct, legal: Iterable[str]) -> Tip | None:
        """Return what to say about a position, by the learner's view and legal actions."""
        seen, texts = msgspec.to_builtins(view), list(legal)
        return self._say(tip for tip in self._race.tip if not tip.on.note and _holds(tip.on, seen, texts))

    def _say(self, tips: Iterable[Tip]) -> Tip | None:
        found = next((tip for tip in tips if tip.id not in self.said), None)
        if found is not None:
            self.said.append(found.id)
        return found


def _holds(trigger: Trigger, seen: Any, legal: list[str]) -> bool:
    if trigger.legal and not any(fnmatchcase(text, trigger.legal) for text in legal):
        return False
    return all(_value(seen, path) == value for path, value in trigger.view.items())


def _value(seen: Any, path: str) -> Any:
    """Return a value of a view by its path; None if there is none."""
    for part in path.split("."):
        if isinstance(seen, list | tuple):
            seen = seen[int(part)] if part.isdecimal() and int(part) < len(seen) else None
        else:
            seen = seen.get(part) if isinstance(seen, dict) else None
    return seen


def _file(game: Game) -> Any:
    return resources.files(game.package).joinpath("learn", "first_race.toml")
