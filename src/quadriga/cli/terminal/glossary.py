"""Look words up in the glossary of a game."""

from __future__ import annotations

from quadriga.engine.errors import OptionError
from quadriga.engine.game import Game
from quadriga.engine.text.catalogues import LANGUAGES, Words
from quadriga.engine.text.glossary import Entry, Term, glossary


def terms(game: Game, language: str) -> list[Term]:
    """Return all things of a game's glossary in a language."""
    return [entry.term(language) for entry in _entries(game).values()]


def look_up(game: Game, word: str, language: str) -> list[Term]:
    """Return the things that a word names, whole or by its beginning. Raises OptionError if there is none."""
    asked = word.strip().casefold()
    entries = _entries(game)
    found = [key for key, entry in entries.items() if asked in _names(key, entry)]
    if not found:
        found = [
            key for key, entry in entries.items() if any(name.startswith(asked) for name in _names(key, entry))
        ]
    if not entries:
        raise OptionError("rules.words", game=game.id)
    if not found or not asked:
        raise OptionError("rules.word", word=word, known=[term.name for term in terms(game, language)])
    return [entries[key].term(language) for key in found]


def sentence(term: Term, say: Words) -> str:
    """Return a thing and what it is."""
    return say("cli.rules.word", name=term.name, text=term.text)


def _entries(game: Game) -> dict[str, Entry]:
    return glossary(game.package).get(game.id, {})


def _names(key: str, entry: Entry) -> set[str]:
    """Return what an entry can be called: its key, and its name in every language."""
    return {key.casefold(), *(entry.term(language).name.casefold() for language in LANGUAGES)}
