"""What the table refuses: an error with a code, parameters and the status that it has on the wire."""

from __future__ import annotations

from quadriga.engine import words
from quadriga.engine.errors import QuadrigaError

PACKAGE = "quadriga.table"


class TableError(QuadrigaError):
    """Something that cannot be done at a table; `status` is what HTTP calls it."""

    def __init__(self, code: str, status: int = 409, **parameters: object) -> None:
        super().__init__(code, package=PACKAGE, **parameters)
        self.status = status


class StaleError(Exception):
    """Somebody else has written this table's next line: what is in memory is not the truth any more."""


def texts(fault: QuadrigaError) -> dict[str, str]:
    """The sentence in every language."""
    return {language: fault.text(language) for language in words.LANGUAGES}


def plain(value: object) -> object:
    """A parameter of an error, ready for JSON; long things are cut short."""
    if isinstance(value, QuadrigaError):
        return {"code": value.code, "with": parameters(value)}
    if isinstance(value, bool | int | float) or value is None:
        return value
    if isinstance(value, list | tuple):
        return [plain(each) for each in value[:200]]
    return str(value)[:200]


def parameters(fault: QuadrigaError) -> dict[str, object]:
    """The parameters of an error, ready for JSON."""
    return {name: plain(value) for name, value in fault.parameters.items()}
