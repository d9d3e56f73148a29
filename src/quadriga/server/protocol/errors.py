"""What the table refuses: an error with a code, parameters and the status that it has on the wire."""

from __future__ import annotations

import msgspec

from quadriga.engine.errors import OptionError, QuadrigaError, UnknownGameError
from quadriga.engine.text import catalogues

PACKAGE = "quadriga.server"
_LONGEST = 4000  # letters of a sentence


class RoomError(QuadrigaError):
    """Something that cannot be done at a table; `status` is what HTTP calls it."""

    def __init__(self, code: str, status: int = 409, **parameters: object) -> None:
        super().__init__(code, package=PACKAGE, **parameters)
        self.status = status


class StorageError(RoomError):
    """Nothing can be stored now: what was to be written has not happened."""


class RefusedError(Exception):
    """What a worker has refused: the code, the status, and the body of the answer as JSON."""

    def __init__(self, code: str, status: int, refusal: msgspec.Raw) -> None:
        super().__init__(code)
        self.code, self.status, self.refusal = code, status, refusal


def status_of(fault: QuadrigaError) -> int:
    """What HTTP calls an error."""
    if isinstance(fault, RoomError):
        return fault.status
    return 404 if isinstance(fault, UnknownGameError) else 422 if isinstance(fault, OptionError) else 400


class StaleError(Exception):
    """Somebody else has written this table's next line: what is in memory is not the truth any more."""


def standing(status: str) -> RoomError:
    """That a game is not being played now."""
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
    """The sentence in every language, cut short where what is wrong is endless."""
    return {language: _writable(fault.text(language), _LONGEST) for language in catalogues.LANGUAGES}


def _writable(text: str, most: int) -> str:
    """A text that UTF-8 has letters for."""
    short = text if len(text) <= most else text[: most - 1] + "…"
    return short.encode("utf-8", "replace").decode("utf-8")


def plain(value: object) -> object:
    """A parameter of an error, ready for JSON; long things are cut short."""
    if isinstance(value, QuadrigaError):
        return {"code": value.code, "with": parameters(value)}
    if isinstance(value, catalogues.Localised):
        return dict(value.texts)
    if isinstance(value, bool | int | float) or value is None:
        return value
    if isinstance(value, list | tuple):
        return [plain(each) for each in value[:200]]
    return _writable(str(value), 200)


def parameters(fault: QuadrigaError) -> dict[str, object]:
    """The parameters of an error, ready for JSON."""
    return {name: plain(value) for name, value in fault.parameters.items()}
