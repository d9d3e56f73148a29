"""Arguments and options of commands, and the types of those that several commands share.

A command is a function. `Annotated` describes each of its parameters, whose type is `str`, `bool` or `list[str]`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Annotated, Any, NamedTuple, get_args

import click

from quadriga.cli.arguments import complete_courses, complete_games, complete_options

Complete = Callable[[str], Sequence[str]]
"""Returns the values that a shell may offer, given the game that the command line names, or an empty text."""


class Description(NamedTuple):
    """What the annotation of a parameter says about it."""

    text: str  # the key of its help in the catalogue
    metavar: str | None  # None: a flag
    names: tuple[str, ...]  # empty: an argument
    complete: Complete | None


def argument(name: str, complete: Complete | None = None) -> Description:
    """Describe an argument."""
    return Description(f"cli.option.{name}", name.upper(), (), complete)


def option(
    name: str, metavar: str | None = None, *short: str, complete: Complete | None = None, text: str = ""
) -> Description:
    """Describe the option `--NAME`, a flag if it has no metavar.

    `text` names the help of an option that means something else than in other commands.
    """
    return Description(f"cli.option.{text or name}", metavar, (f"--{name}", *short), complete)


class Argument(click.Argument):
    """An argument with a help text, which Click has since version 8.5."""

    def __init__(self, names: Sequence[str], text: str, **more: Any) -> None:
        super().__init__(names, **more)
        self.help = text

    def make_metavar(self, ctx: click.Context) -> str:
        """Return the argument as the line about usage shows it."""
        name = str(self.metavar) if self.required else f"[{self.metavar}]"
        return name if self.nargs == 1 else f"{name}..."


def parameters(function: Callable[..., None], say: Callable[[str], str]) -> list[click.Parameter]:
    """Return the parameters of a command, as the annotations of its function describe them."""
    found = []
    for each in inspect.signature(function).parameters.values():
        kind, described = get_args(each.annotation)
        found.append(_parameter(each.name, kind, described, each.default, say))
    return found


def _parameter(
    name: str, kind: object, described: Description, default: object, say: Callable[[str], str]
) -> click.Parameter:
    is_list = kind == list[str]
    common: dict[str, Any] = {"metavar": described.metavar, "shell_complete": _completion(described.complete)}
    if default is inspect.Parameter.empty:
        common["required"] = True
    elif not is_list:
        common["default"] = default
    if not described.names:
        return Argument([name], say(described.text), nargs=-1 if is_list else 1, **common)
    is_flag = True if kind is bool else None  # to Click, False is an option that may go without its value
    return click.Option(
        [name, *described.names], help=say(described.text), is_flag=is_flag, multiple=is_list, **common
    )


def _completion(complete: Complete | None) -> Any:
    """Return what Click calls to complete a value."""
    if complete is None:
        return None

    def completed(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
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
