"""`quadriga games`: list the games with their seats and options."""

from typing import TYPE_CHECKING, Annotated, Any

from quadriga.cli.commandline import CommandLine
from quadriga.cli.output import print_json
from quadriga.engine.text import catalogues
from quadriga.engine.text.catalogues import Words
from quadriga.games import find, ids

if TYPE_CHECKING:
    from quadriga.engine.game import Game


def add(cli: CommandLine) -> None:
    """Add the command."""

    @cli.command("games")
    def games(json: Annotated[bool, cli.option("json")] = False) -> None:
        found = [find(each) for each in ids()]
        if json:
            print_json([_as_json(game, cli.say) for game in found])
        else:
            for game in found:
                _print_game(game, cli.say)


def _print_game(game: "Game", say: Words) -> None:
    own = catalogues.of(say.language, "quadriga.cli", game.package)
    seats = str(game.min_seats) if game.min_seats == game.max_seats else f"{game.min_seats}–{game.max_seats}"
    print(f"{game.id:<12} {_title(game, own)} ({own('cli.games.seats', seats=seats, n=game.max_seats)})")
    if f"{game.id}.about" in own:
        print(f"{'':<12} {own(f'{game.id}.about')}")
    for option in game.options:
        about = own(f"{game.id}.option.{option.name}") if f"{game.id}.option.{option.name}" in own else ""
        print(f"{'':<12}   {option.name}={option.allowed()}  {about}")


def _as_json(game: "Game", say: Words) -> dict[str, Any]:
    options, _ = game.resolve_options({}, None)
    return {
        "id": game.id,
        "title": _title(game, catalogues.of(say.language, game.package)),
        "version": game.version,
        "seats": [game.min_seats, game.max_seats],
        "options": [
            {"name": o.name, "takes": o.allowed(), "default": options[o.name]}
            | ({} if o.with_people is None else {"with_people": o.with_people})
            for o in game.options
        ],
    }


def _title(game: "Game", say: Words) -> str:
    return say(f"{game.id}.title") if f"{game.id}.title" in say else game.id
