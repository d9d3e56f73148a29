"""The code blocks and inline commands of README and docs/."""

from __future__ import annotations

import re
import shlex
import textwrap
from typing import NamedTuple

from support import ROOT

PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
    for path in [
        *(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "SECURITY")),
        *sorted((ROOT / "docs").rglob("*.md")),
    ]
}
_BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)  # within a list it is indented
_INLINE = re.compile(r"(?<!`)`(quadriga [^`\n]+)`(?!`)")


class Block(NamedTuple):
    """A code block."""

    page: str
    line: int
    language: str
    text: str

    @property
    def id(self) -> str:
        return f"{self.page}:{self.line}"


def blocks(*languages: str) -> list[Block]:
    """Return all blocks in some languages."""
    found = []
    for page, text in PAGES.items():
        for match in _BLOCK.finditer(text):
            found.append(Block(page, text.count("\n", 0, match.start()) + 1, match[2], textwrap.dedent(match[3])))
    return [block for block in found if not languages or block.language in languages]


def commands() -> list[tuple[str, list[str]]]:
    """Return the commands of all shell blocks as their place and their words, without comments."""
    found = []
    for block in blocks("sh"):
        for line in block.text.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            if words:
                found.append((block.id, words))
    return found


def inline_commands() -> list[tuple[str, list[str]]]:
    """Return the commands of Quadriga within sentences, as their page and their words."""
    return [(page, shlex.split(match[1])) for page, text in PAGES.items() for match in _INLINE.finditer(text)]
