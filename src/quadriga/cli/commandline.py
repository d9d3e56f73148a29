"""The command line in one language. Each module of `commands/` adds its commands to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

from quadriga.engine.text.catalogues import Words

F = TypeVar("F", bound=Callable[..., None])


class CommandLine:
    """A typer application whose help texts come from the catalogue: `cli.command.NAME`, `cli.option.NAME`."""

    def __init__(self, say: Words) -> None:
        class Command(TyperCommand):
            def get_help_option(self, ctx: Any) -> Any:
                return _translate_help(super().get_help_option(ctx), say)

        class Group(TyperGroup):
            def get_help_option(self, ctx: Any) -> Any:
                return _translate_help(super().get_help_option(ctx), say)

        self.say = say
        self._command_class, self._group_class = Command, Group
        self.app = typer.Typer(
            name="quadriga", cls=Group, help=say("cli.help"), add_completion=False, rich_markup_mode=None
        )

    def command(self, name: str, *, alias: str = "") -> Callable[[F], F]:
        """Return the decorator of a command. An alias works like the name, and the help does not list it."""
        text = self.say(f"cli.command.{name}")

        def add(function: F) -> F:
            if alias:
                self.app.command(alias, cls=self._command_class, help=text, hidden=True)(function)
            return self.app.command(name, cls=self._command_class, help=text)(function)

        return add

    def check_command(self, group: str) -> Callable[[F], F]:
        """Return the decorator of the command `GROUP check`."""
        part = typer.Typer(
            name=group, cls=self._group_class, help=self.say(f"cli.command.{group}"), rich_markup_mode=None
        )
        part.callback()(lambda: None)
        self.app.add_typer(part)
        return part.command("check", cls=self._command_class, help=self.say(f"cli.command.{group}-check"))

    def argument(self, name: str) -> Any:
        """Return typer's description of an argument."""
        return typer.Argument(help=self.say(f"cli.option.{name}"), metavar=name.upper(), show_default=False)

    def option(self, name: str, metavar: str | None = None, *short: str) -> Any:
        """Return typer's description of the option `--NAME`, a flag if it has no metavar."""
        text = self.say(f"cli.option.{name}")
        return typer.Option(f"--{name}", *short, help=text, metavar=metavar, show_default=False)


def _translate_help(option: Any, say: Words) -> Any:
    if option is not None:
        option.help = say("cli.option.help")
    return option
