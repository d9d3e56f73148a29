"""Filters: find words that a host does not want, and links, in what people write."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from fnmatch import translate

from quadriga.server.seats.names import look

_ENDINGS = (
    "app biz cc ch cn co com de dev edu es eu fr gg gov info io it link live ly me net nl online org pl ru shop "
    "site store su tk to top tv uk us vip xyz"
)
_LINK = re.compile(
    rf"[a-z][a-z0-9+.-]*://|\bwww\.\w|\b(?:[a-z0-9-]+\.)+(?:{'|'.join(_ENDINGS.split())})(?![\w.]\w|\w)"
    r"|\b\d{1,3}(?:\.\d{1,3}){3}\b",
    re.IGNORECASE,
)
_WRITTEN_AS = str.maketrans("34578$@", "eastbsa")  # digits and signs that stand for letters
_SEPARATOR = re.compile(r"[^\w$@*]+|_+")
_SINGLES = re.compile(r"(?:\b\w\b\W*){3,}")  # letters that are spaced out


def has_link(text: str) -> bool:
    """Return whether a text has an address of another site."""
    return _LINK.search(unicodedata.normalize("NFKC", text)) is not None


class WordFilter:
    """Find words in texts. `*` in a word of the list stands for any letters."""

    def __init__(self, words: Iterable[str]) -> None:
        patterns = [translate(folded) for each in words if (folded := _folded(each)).strip("*")]
        self._pattern = re.compile("|".join(patterns)) if patterns else None

    def finds(self, text: str) -> bool:
        """Return whether a text has a word of the list, however it is written: case, accents, similar letters."""
        if self._pattern is None:
            return False
        plain = unicodedata.normalize("NFKC", text)
        joined = ["".join(filter(str.isalnum, run)) for run in _SINGLES.findall(plain)]
        pieces = [*_SEPARATOR.split(plain), *joined]
        return any(self._pattern.match(_folded(each)) for each in pieces if each)


def _folded(word: str) -> str:
    """Return a word as it is compared."""
    plain = unicodedata.normalize("NFKD", word.casefold())
    bare = "".join(each for each in plain if not unicodedata.combining(each))
    return look(bare.translate(_WRITTEN_AS))
