"""Turn the engine's errors, notes and texts into the types of the protocol."""

from __future__ import annotations

from collections.abc import Iterable

from quadriga.engine.errors import QuadrigaError
from quadriga.engine.game import Game
from quadriga.engine.parts.display import Note as EngineNote
from quadriga.engine.text import catalogues
from quadriga.engine.text.catalogues import Localised, Message
from quadriga.games import find, ids
from quadriga.server.protocol.errors import PACKAGE, parameters, texts
from quadriga.server.protocol.parts import Action, CatalogueMessage, Note, Refusal, Texts
from quadriga.server.protocol.server_messages import Refused, StorageChanged

_PLAIN = {bool, int, float, str, type(None)}  # what JSON has itself


def parameter(value: object) -> object:
    """Return a parameter of a message as JSON can hold it."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Localised):
        return dict(value.texts)
    if isinstance(value, Message):
        return message(value)
    if isinstance(value, list | tuple):
        return [parameter(each) for each in value]
    return value if isinstance(value, bool | int | float | str) or value is None else str(value)


def message(message: Message) -> CatalogueMessage:
    """Return a message that the client puts into the reader's language."""
    return CatalogueMessage(message.id, {name: parameter(value) for name, value in message.parameters.items()})


def notes(explained: Iterable[EngineNote]) -> list[Note]:
    """Return the effects of an action."""
    return [
        Note(
            note.rule, note.message.id, {name: parameter(value) for name, value in note.message.parameters.items()}
        )
        for note in explained
    ]


def refusal(fault: QuadrigaError) -> Refusal:
    """Return an error as an answer."""
    return Refusal(fault.code, parameters(fault), Texts(**texts(fault)))


def refused(
    fault: QuadrigaError,
    ref: str | None = None,
    number: int | None = None,
    legal: list[Action] | None = None,
    roll: bool = False,
) -> Refused:
    """Return an error as a message; with a number, it repeats the open question."""
    sent = Refused(ref=ref, code=fault.code, parameters=parameters(fault), text=Texts(**texts(fault)))
    if number is not None:
        sent.number, sent.legal, sent.roll = number, legal, roll
    return sent


def storage(fault: QuadrigaError | None) -> StorageChanged:
    """Return the message that says whether the server can store anything."""
    if fault is None:
        return StorageChanged(True)
    return StorageChanged(False, fault.code, parameters(fault), Texts(**texts(fault)))


def catalogue(language: str) -> dict[str, catalogues.Template]:
    """Return the texts of all messages that the page may have to show."""
    packages = [find(each).package for each in ids()]
    return catalogues.of(language, *packages, PACKAGE).templates


def in_all(game: Game, id: str) -> dict[str, str]:
    """Return a message of a game in every language, empty if it has none."""
    words = {language: catalogues.of(language, game.package) for language in catalogues.LANGUAGES}
    return {language: say(id) if id in say else "" for language, say in words.items()}
