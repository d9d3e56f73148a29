"""Glossaries: one sentence for each thing of a game, in every language, with the rule that it follows.

A glossary is the file `learn/glossary.toml` in a game's package. Its entries are messages of the game's catalogue:
`ur.glossary.rosette.name` and `ur.glossary.rosette.text`. So the page, the terminal and the rules show the same
sentences.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

import msgspec


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A thing and the sentence that says what it is."""

    name: str
    text: str


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A thing in its languages. `rule` is the numbered rule, or the heading of the rules, that it follows."""

    rule: str
    en: Term
    fr: Term | None = None

    def term(self, language: str) -> Term:
        """Return the thing in a language, or in English if there is no other text."""
        found: Term | None = getattr(self, language)
        return found or self.en


_DECODER = msgspec.json.Decoder(dict[str, dict[str, Entry]])


@cache
def glossary(package: str) -> dict[str, dict[str, Entry]]:
    """Return the entries of a package by game and id; none if the package has no glossary."""
    file = resources.files(package).joinpath("learn", "glossary.toml")
    if not file.is_file():
        return {}
    return _DECODER.decode(msgspec.json.encode(tomllib.loads(file.read_text("utf-8"))))


def messages(package: str, language: str) -> dict[str, str]:
    """Return the entries of a package as messages by id."""
    return {
        f"{game}.glossary.{key}.{part}": text
        for game, entries in glossary(package).items()
        for key, entry in entries.items()
        for part, text in (("name", entry.term(language).name), ("text", entry.term(language).text))
    }
