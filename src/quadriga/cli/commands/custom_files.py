"""`quadriga deck check`, `track check`, `course check`: check a user's file, and print all faults, a line each."""

from typing import TYPE_CHECKING, Annotated

from quadriga.cli.commandline import CommandLine
from quadriga.cli.faults import FileFaultsError
from quadriga.cli.output import print_json
from quadriga.engine.errors import FileError
from quadriga.engine.match.options import Document
from quadriga.engine.text import catalogues
from quadriga.engine.text.catalogues import Words
from quadriga.games import find, ids

if TYPE_CHECKING:
    from quadriga.engine.game import Game


def add(cli: CommandLine) -> None:
    """Add the commands."""

    @cli.check_command("deck")
    def check_deck(
        file: Annotated[str, cli.argument("deck-file")],
        list: Annotated[bool, cli.option("list")] = False,
        json: Annotated[bool, cli.option("json")] = False,
    ) -> None:
        _check("deck", file, json, list, cli.say)

    @cli.check_command("track")
    def check_track(
        file: Annotated[str, cli.argument("track-file")], json: Annotated[bool, cli.option("json")] = False
    ) -> None:
        _check("track", file, json, False, cli.say)

    @cli.check_command("course")
    def check_course(
        file: Annotated[str, cli.argument("course-file")], json: Annotated[bool, cli.option("json")] = False
    ) -> None:
        _check("course", file, json, False, cli.say)


def _check(name: str, path: str, as_json: bool, in_full: bool, say: Words) -> None:
    """Print all faults of a file and end the command, or print what is in it."""
    game, option = _option(name)
    found = option.report(path)
    if found.faults:
        raise FileFaultsError([FileError("file.refused", path=path, reason=fault) for fault in found.faults])
    if as_json:
        print_json({"file": path, **found.facts})
        return
    for line in found.lines(catalogues.of(say.language, game.package), in_full):
        print(line)


def _option(name: str) -> tuple["Game", Document]:
    """Return the option that takes such a file, and its game."""
    games = [find(each) for each in ids()]
    return next(
        (game, option)
        for game in games
        for option in game.options
        if isinstance(option, Document) and option.name == name
    )
