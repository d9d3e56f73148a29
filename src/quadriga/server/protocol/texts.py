"""From the engine's messages to the wire's: ids with parameters, put into words at the edge."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from quadriga.engine.errors import QuadrigaError
from quadriga.engine.game import Game
from quadriga.engine.game import Note as Explained
from quadriga.engine.text import catalogues
from quadriga.engine.text.catalogues import Localised, Said
from quadriga.games import find, ids
from quadriga.server.protocol.errors import PACKAGE, parameters, texts
from quadriga.server.protocol.messages import Note


def parameter(value: object) -> object:
    """A parameter, ready for JSON."""
    if isinstance(value, Localised):
        return dict(value.texts)
    if isinstance(value, Said):
        return message(value)
    if isinstance(value, list | tuple):
        return [parameter(each) for each in value]
    return value if isinstance(value, bool | int | float | str) or value is None else str(value)


def message(said: Said) -> dict[str, Any]:
    """A message that is still to be put into a language."""
    return {"id": said.id, "with": {name: parameter(value) for name, value in said.parameters.items()}}


def notes(explained: Iterable[Explained]) -> list[Note]:
    """What an action does."""
    return [
        Note(note.rule, note.said.id, {name: parameter(value) for name, value in note.said.parameters.items()})
        for note in explained
    ]


def refusal(fault: QuadrigaError) -> dict[str, Any]:
    """An error, as it is sent."""
    return {"code": fault.code, "with": parameters(fault), "text": texts(fault)}


def storage(fault: QuadrigaError | None) -> dict[str, Any]:
    """Whether anything can be stored, as every viewer is told."""
    return {"type": "storage", "ok": fault is None, **({} if fault is None else refusal(fault))}


def catalogue(language: str) -> dict[str, catalogues.Message]:
    """All messages that the page may have to say."""
    packages = [find(each).package for each in ids()]
    return catalogues.of(language, *packages, PACKAGE).messages


def in_all(game: Game, id: str) -> dict[str, str]:
    """A message of a game in every language, empty where it has none."""
    said = {language: catalogues.of(language, game.package) for language in catalogues.LANGUAGES}
    return {language: say(id) if id in say else "" for language, say in said.items()}
