"""The games that the server offers: how each can be set up, and its board for a page that draws."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import msgspec

from quadriga.engine.game import Game
from quadriga.engine.match.options import Option, Options
from quadriga.engine.text import catalogues
from quadriga.games import find, ids
from quadriga.learn.lesson import has_course
from quadriga.learn.puzzles import has_puzzles
from quadriga.server.bots import choice
from quadriga.server.protocol import texts
from quadriga.server.protocol.answers import Game as GameAnswer
from quadriga.server.protocol.answers import Games, NumberList
from quadriga.server.protocol.answers import Option as OptionAnswer
from quadriga.server.protocol.parts import Texts


def geometry(game: Game, options: Options, seats: int) -> bytes:
    """Return the board of a game under these options as JSON; a game without geometry gives only its id."""
    return _encoded_geometry(game.id, msgspec.json.encode(options), seats)


@lru_cache(maxsize=32)
def _encoded_geometry(id: str, options: bytes, seats: int) -> bytes:
    game = find(id)
    tables = game.rules.new(msgspec.json.decode(options), seats)[0]
    return msgspec.json.encode({"game": game.id, **game.display.board(tables)})


@cache
def games() -> bytes:
    """Return all games, and how each can be set up, as JSON."""
    return msgspec.json.encode(Games([_game(find(each)) for each in ids()]))


def _game(game: Game) -> GameAnswer:
    options, _ = game.resolve_options({}, game.min_seats)
    return GameAnswer(
        id=game.id,
        title=Texts(**texts.in_all(game, f"{game.id}.title")),
        about=Texts(**texts.in_all(game, f"{game.id}.about")),
        least=game.min_seats,
        most=game.max_seats,
        usual=min(game.max_seats, max(game.min_seats, game.usual_seats)),
        hidden=game.rules.has_hidden_information,
        windows=list(game.windows),
        bots=choice.kinds(game.id),
        tempers=[] if game.bots is None else list(game.bots.tempers),
        rules=catalogues.rules_page(game.package, catalogues.ENGLISH).is_file(),
        coach=game.has_coach,
        orders=game.orders is not None,
        lessons=has_course(game),
        puzzles=has_puzzles(game),
        options=[_option(game, option, options[option.name]) for option in game.options],
    )


def _option(game: Game, option: Option, default: object) -> OptionAnswer:
    """Return an option for a form, with its defaults by number of seats and by choices of other options."""
    form: dict[str, Any] = option.form()
    if "numbers" in form:
        form["numbers"] = NumberList(**form["numbers"])
    found = OptionAnswer(name=option.name, default=default, allowed=option.allowed(), **form)
    defaults = [
        game.resolve_options({}, seats)[0][option.name] for seats in range(game.min_seats, game.max_seats + 1)
    ]
    if any(each != default for each in defaults):
        found.defaults = defaults
    if option.with_people is not None:
        found.with_people = option.with_people
    if differing := _defaults_with(game, option, default):
        found.defaults_with = differing
    return found


def _defaults_with(game: Game, option: Option, default: object) -> dict[str, dict[str, object]]:
    """Return the defaults of an option that differ with a choice of another one, by its name and the choice."""
    differing: dict[str, dict[str, object]] = {}
    for other in game.options if callable(option.default) else ():
        form: dict[str, Any] = other.form()
        if other is option or form["type"] not in ("choice", "other"):
            continue
        for each in form.get("choices", ()):
            options, _ = game.resolve_options({other.name: each}, game.min_seats)
            if options[option.name] != default:
                differing.setdefault(other.name, {})[each] = options[option.name]
    return differing
