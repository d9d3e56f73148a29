"""`quadriga rules`: print the rules of a game."""

from importlib import resources
from typing import Annotated

from quadriga.cli import output
from quadriga.cli.arguments import complete_games
from quadriga.cli.commandline import CommandLine
from quadriga.engine.game import Game
from quadriga.engine.text.catalogues import Words
from quadriga.games import find

_RULING = "†"  # marks a house ruling in the rules for players


def add(cli: CommandLine) -> None:
    """Add the command."""

    @cli.command("rules")
    def rules(game: Annotated[str, cli.argument("game", complete_games)]) -> None:
        _print_rules(find(game), cli.say)


def _print_rules(game: Game, say: Words) -> None:
    from rich.markdown import Markdown

    page = resources.files(game.package).joinpath("words", f"rules.{say.language}.md")
    if not page.is_file():
        print(say("cli.rules.none", game=game.id))
        return
    text = page.read_text("utf-8").replace(f"**{_RULING}**", _RULING)
    output.console().print(Markdown(text.replace(_RULING, f"**{_RULING}**")))
