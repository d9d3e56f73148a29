"""All faults of a user's file, where an error would name the first only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from quadriga.engine.errors import FileError, QuadrigaError

if TYPE_CHECKING:
    from quadriga.engine.match.options import Document


class FileFaultsError(Exception):
    """A user's file has faults, each of which is one line."""

    def __init__(self, faults: Sequence[QuadrigaError]) -> None:
        super().__init__(faults)
        self.faults = faults


def all_faults(option: Document, path: str) -> list[FileError]:
    """Return all faults of a file that an option takes. Raises FileError if it cannot be read."""
    return [FileError("file.refused", path=path, reason=fault) for fault in option.report(path).faults]
