"""The host's pages: terms, privacy and imprint, from files in a folder, in each language."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NamedTuple

PAGES = ("terms", "privacy", "imprint")
_MOST_BYTES = 200_000
_ENDINGS = (".md", ".txt")


class HousePage(NamedTuple):
    """The text of a page, and whether it is Markdown."""

    text: str
    is_markdown: bool


class HousePages:
    """The pages in a folder: `terms.md`, `terms.fr.md`, `privacy.txt`, … They are read when they are asked for."""

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder) if folder else None

    def names(self) -> list[str]:
        """Return the names of the pages that there are."""
        return [each for each in PAGES if self._files(each)]

    def page(self, name: str, language: str) -> HousePage | None:
        """Return a page in a language; in another if there is none in this one."""
        files = self._files(name)
        own = [each for each in files if each.name.split(".")[1:-1] == [language]]
        plain = [each for each in files if len(each.name.split(".")) == 2]
        for path in [*own, *plain, *files]:
            if (text := _read(path)) is not None:
                return HousePage(text, path.suffix == ".md")
        return None

    @property
    def terms_version(self) -> str:
        """A short hash of the terms in all languages; empty without terms."""
        texts = [(path.name, _read(path) or "") for path in self._files("terms")]
        return hashlib.sha256(repr(texts).encode()).hexdigest()[:12] if texts else ""

    def _files(self, name: str) -> list[Path]:
        """Return the files of a page. Links that lead out of the folder are left out."""
        if self._folder is None or name not in PAGES:
            return []
        try:
            root = self._folder.resolve()
            found = [
                path for path in root.glob(f"{name}.*") if path.suffix in _ENDINGS and path.name.count(".") < 3
            ]
            return sorted(path for path in found if path.is_file() and path.resolve().is_relative_to(root))
        except OSError:
            return []


def _read(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return file.read(_MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return None
