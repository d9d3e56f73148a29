"""`quadriga rules`: print the rules of a game, or say what a word of it means."""

from typing import TYPE_CHECKING, Annotated

from quadriga.cli import output
from quadriga.cli.arguments import complete_games
from quadriga.cli.commandline import CommandLine
from quadriga.cli.parameters import NO_OPTIONS
from quadriga.engine.text.catalogues import Words, rules_page
from quadriga.games import find

if TYPE_CHECKING:
    from quadriga.engine.game import Game

_RULING = "†"  # marks a house ruling in the rules for players


def add(cli: CommandLine) -> None:
    """Add the command."""

    @cli.command("rules")
    def rules(
        game: Annotated[str, cli.argument("game", complete_games)],
        word: Annotated[list[str], cli.argument("rules-word")] = NO_OPTIONS,
    ) -> None:
        if word:
            _print_word(find(game), " ".join(word), cli.say)
        else:
            _print_rules(find(game), cli.say)


def _print_word(game: "Game", word: str, say: Words) -> None:
    from rich.text import Text

    from quadriga.cli.terminal.glossary import look_up, sentence
    from quadriga.engine.text.wrapping import wrap

    console = output.console()
    for term in look_up(game, word, say.language):
        console.print(wrap(Text(sentence(term, say)), console.width, 2), end="", soft_wrap=True)


def _print_rules(game: "Game", say: Words) -> None:
    from rich.markdown import Markdown

    page = rules_page(game.package, say.language)
    if not page.is_file():
        print(say("cli.rules.none", game=game.id))
        return
    text = page.read_text("utf-8").replace(f"**{_RULING}**", _RULING)
    output.console().print(Markdown(text.replace(_RULING, f"**{_RULING}**") + _words(game, say)))


def _words(game: "Game", say: Words) -> str:
    """Return the glossary as the last chapter of the rules."""
    from quadriga.cli.terminal.glossary import terms

    found = terms(game, say.language)
    if not found:
        return ""
    return "\n".join(
        ["", f"## {say('cli.rules.words')}", "", *(f"- **{each.name}**: {each.text}" for each in found)]
    )
