"""Arguments and options of commands, and the types of those that several commands share.

Their help is a key of the catalogue: `CommandLine` replaces it by the text in its language.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer

from quadriga.cli.arguments import complete_courses, complete_games, complete_options

Complete = Callable[[str], Sequence[str]]
"""Returns the values that a shell may offer, given the game that the command line names, or an empty text."""


def argument(name: str, complete: Complete | None = None) -> Any:
    """Return typer's description of an argument."""
    return typer.Argument(
        help=f"cli.option.{name}",
        metavar=name.upper(),
        show_default=False,
        autocompletion=_completion(complete),
    )


def option(
    name: str, metavar: str | None = None, *short: str, complete: Complete | None = None, text: str = ""
) -> Any:
    """Return typer's description of the option `--NAME`, a flag if it has no metavar.

    `text` names the help of an option that means something else than in other commands.
    """
    return typer.Option(
        f"--{name}",
        *short,
        help=f"cli.option.{text or name}",
        metavar=metavar,
        show_default=metavar is not None,
        autocompletion=_completion(complete),
    )


def _completion(complete: Complete | None) -> Any:
    """Return what typer calls to complete a value."""
    if complete is None:
        return None

    def completed(ctx: typer.Context, incomplete: str) -> list[str]:
        game = ctx.params.get("game") or next(iter(ctx.args), "")  # there while the option after it has no value
        return [each for each in complete(game) if each.startswith(incomplete)]

    return completed


GameName = Annotated[str, argument("game", complete_games)]
GameOptions = Annotated[list[str], option("option", "NAME=VALUE", complete=complete_options)]
Seats = Annotated[str, option("seats", "N")]
Course = Annotated[str, option("course", "NAME|FILE", complete=complete_courses)]
Deck = Annotated[str, option("deck", "FILE")]
Track = Annotated[str, option("track", "FILE")]
Seed = Annotated[str, option("seed", "N")]
Games = Annotated[str, option("games", "N")]

NO_OPTIONS: list[str] = []
"""The default of an option that may be given several times."""
