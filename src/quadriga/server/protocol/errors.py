"""Errors that the server answers with: a code, parameters and an HTTP status."""

from __future__ import annotations

import msgspec

from quadriga.engine.errors import OptionError, QuadrigaError, UnknownGameError
from quadriga.engine.text import catalogues

PACKAGE = "quadriga.server"
_MOST_CHARACTERS = 4000  # of a sentence
_MOST_ITEMS = 200  # of a list, and characters of any other parameter


class RoomError(QuadrigaError):
    """A request that cannot be fulfilled; `status` is its HTTP status."""

    def __init__(self, code: str, status: int = 409, **parameters: object) -> None:
        super().__init__(code, package=PACKAGE, **parameters)
        self.status = status


class StorageError(RoomError):
    """Nothing can be stored now. Nothing was written or changed."""


class RefusedError(Exception):
    """A worker has refused a task: the code, the status, and the body of the answer as JSON."""

    def __init__(self, code: str, status: int, refusal: msgspec.Raw) -> None:
        super().__init__(code)
        self.code, self.status, self.refusal = code, status, refusal


class StaleError(Exception):
    """Another process has written this room's next event: the state in memory is out of date."""


class TakenError(Exception):
    """Something that has to be unique exists already: a name, or the id of a passkey."""


def status_of(fault: QuadrigaError) -> int:
    """Return the HTTP status of an error."""
    if isinstance(fault, RoomError):
        return fault.status
    return 404 if isinstance(fault, UnknownGameError) else 422 if isinstance(fault, OptionError) else 400


def not_playing(status: str) -> RoomError:
    """Return the error for an action in a room of this status."""
    match status:
        case "waiting":
            return RoomError("table.waiting")
        case "paused":
            return RoomError("table.paused")
        case "ended":
            return RoomError("table.ended")
        case "closed":
            return RoomError("table.closed")
    return RoomError("table.over")


def texts(fault: QuadrigaError) -> dict[str, str]:
    """Return the sentence in every language; a long one is cut."""
    return {language: _encodable(fault.text(language), _MOST_CHARACTERS) for language in catalogues.LANGUAGES}


def _encodable(text: str, limit: int) -> str:
    """Return a text of limited length that UTF-8 can encode."""
    short = text if len(text) <= limit else text[: limit - 1] + "…"
    return short.encode("utf-8", "replace").decode("utf-8")


def plain(value: object) -> object:
    """Return a parameter of an error as JSON can hold it; long values are cut."""
    if isinstance(value, QuadrigaError):
        return {"code": value.code, "with": parameters(value)}
    if isinstance(value, catalogues.Localised):
        return dict(value.texts)
    if isinstance(value, bool | int | float) or value is None:
        return value
    if isinstance(value, list | tuple):
        return [plain(each) for each in value[:_MOST_ITEMS]]
    return _encodable(str(value), _MOST_ITEMS)


def parameters(fault: QuadrigaError) -> dict[str, object]:
    """Return the parameters of an error as JSON can hold them."""
    return {name: plain(value) for name, value in fault.parameters.items()}
