"""The boards as the engine has them, and how games are set up: for a page that draws and knows no rule."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import msgspec

from quadriga.engine.game import Game
from quadriga.engine.match.options import Choice, Document, Flag, Option, Options, Several, Whole
from quadriga.engine.text import catalogues
from quadriga.engine.text.catalogues import Said
from quadriga.games import find, ids
from quadriga.server.bots import choice
from quadriga.server.protocol import texts


def geometry(game: Game, options: Options, seats: int) -> bytes:
    """The board of a game under these options as JSON; of somebody else's game nothing but its id."""
    return _drawn(game.id, msgspec.json.encode(options), seats)


@lru_cache(maxsize=32)
def _drawn(id: str, settled: bytes, seats: int) -> bytes:
    game, options = find(id), msgspec.json.decode(settled)
    made: dict[str, Any] = {"game": game.id}
    tables = game.new(options, seats)[0]
    match game.id:
        case "ur":
            made |= _ur(options)
        case "ave-caesar":
            made |= _ave_caesar(tables)
        case "ben-hvrt":
            made |= _ben_hvrt(tables)
    return msgspec.json.encode(made)


def _ur(options: Options) -> dict[str, Any]:
    from quadriga.games.ur.board import MOTIFS, RULE_SETS, SPACES
    from quadriga.games.ur.view import shown_on

    rules, loop = options["rules"], options["loop"]
    chosen = RULE_SETS[rules]
    steps = range(1, len(chosen.path) + 1)
    return {
        "rules": rules,
        "markers": options["markers"],
        "dice": list(chosen.dice),
        "spaces": {s: {"row": s[0], "column": int(s[1]), "motif": MOTIFS[s]} for s in SPACES},
        "paths": [[shown_on(rules, loop, seat, step) for step in steps] for seat in (0, 1)],
    }


def _ave_caesar(tables: Any) -> dict[str, Any]:
    from quadriga.games.avecaesar.board import Course
    from quadriga.games.avecaesar.geometry import shape

    found: dict[str, Any] = {}
    for course in tables.raced:
        if course.name not in found:
            drawn = msgspec.to_builtins(shape(course))
            both = {way: Course(course.name, way, course.plan) for way in ("cw", "ccw")}
            drawn["steps"] = {way: _steps(each) for way, each in both.items()}
            found[course.name] = drawn
    return {"courses": found}


def _steps(course: Any) -> dict[str, list[str]]:
    """Where a step leads from every space, the entrance of the alley included."""
    spaces = course.spaces
    ways = {spaces[x].text: [spaces[y].text for y in targets] for x, targets in enumerate(course.steps)}
    ways[spaces[course.gate].text].append(spaces[course.entrance].text)
    return ways


def _ben_hvrt(tables: Any) -> dict[str, Any]:
    from quadriga.games.benhvrt.deck.operations import TAKES, TYPES, WINDOWS
    from quadriga.games.benhvrt.geometry import shape

    cards = [
        {
            "name": card.name,
            "names": card.names,
            "texts": card.texts,
            "flavours": card.flavours,
            "upkeep": _in_all(card.upkeep_said),
            "type": TYPES[card.type],
            "copies": card.copies,
            "price": card.price,
            "window": WINDOWS[card.window],
            "takes": TAKES[card.takes],
        }
        for card in tables.cards
    ]
    return {
        "track": shape(tables.track),
        "cards": cards,
        "seats": tables.seats,
        "chariots": tables.chariots,
        "laps": [tables.laps[race] or None for race in range(tables.races)],
    }


def _in_all(said: Said | None) -> dict[str, str] | None:
    """What Ben Hvrt says, in every language."""
    from quadriga.games.benhvrt.deck import PACKAGE

    return said and {language: catalogues.of(language, PACKAGE).said(said) for language in catalogues.LANGUAGES}


@cache
def games() -> bytes:
    """All games, and how each can be set up, as JSON."""
    return msgspec.json.encode({"games": [_game(find(each)) for each in ids()]})


def _game(game: Game) -> dict[str, Any]:
    options, _ = game.settle({}, game.least)
    return {
        "id": game.id,
        "title": texts.in_all(game, f"{game.id}.title"),
        "about": texts.in_all(game, f"{game.id}.about"),
        "least": game.least,
        "most": game.most,
        "hidden": game.hidden,
        "windows": list(game.hidden_windows),
        "bots": choice.kinds(game.id),
        "options": [_option(game, option, options[option.name]) for option in game.options],
    }


def _option(game: Game, option: Option, default: object) -> dict[str, Any]:
    made: dict[str, Any] = {"name": option.name, "type": "other", "default": default, "allowed": option.allowed()}
    match option:
        case Choice():
            made |= {"type": "choice", "choices": list(option.choices)}
        case Whole():
            made |= {"type": "whole", "low": option.low, "high": option.high}
        case Flag():
            made |= {"type": "flag"}
        case Several():
            made |= {"type": "several", "choices": list(option.choices)}
            made |= {"least": option.least, "most": option.most, "repeats": option.repeats}
        case Document():
            made |= {"type": "document"}
    defaults = [game.settle({}, seats)[0][option.name] for seats in range(game.least, game.most + 1)]
    if any(each != default for each in defaults):
        made["defaults"] = defaults
    if not made.get("choices"):
        known = _choices(game.id, option.name)
        if known:
            made["choices"] = known
    return made


def _choices(game: str, option: str) -> list[str]:
    """The words of options that have a form of their own."""
    if (game, option) == ("ave-caesar", "courses"):
        from quadriga.games.avecaesar.board import own_courses

        return list(own_courses())
    if (game, option) == ("ben-hvrt", "series"):
        from quadriga.games.benhvrt.options import SERIES_BY_NAME

        return list(SERIES_BY_NAME)
    return []
