"""The command line in one language. Each module of `commands/` adds its commands to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

from quadriga.cli import parameters
from quadriga.engine.text.catalogues import Words

F = TypeVar("F", bound=Callable[..., None])
_SETTINGS = {"help_option_names": ["-h", "--help"]}


class CommandLine:
    """A typer application whose help texts come from the catalogue: `cli.command.NAME`, `cli.option.NAME`."""

    argument = staticmethod(parameters.argument)
    option = staticmethod(parameters.option)

    def __init__(self, say: Words) -> None:
        class Command(TyperCommand):
            def __init__(self, name: str | None, **more: Any) -> None:
                super().__init__(name, **more)
                _translate_parameters(self.params, say)

            def get_help(self, ctx: Any) -> str:
                return _translate_help(super().get_help(ctx), say)

            def get_help_option(self, ctx: Any) -> Any:
                return _with_text(super().get_help_option(ctx), say)

        class Group(TyperGroup):
            def __init__(self, **more: Any) -> None:
                super().__init__(**more)
                _translate_parameters(self.params, say)

            def get_help(self, ctx: Any) -> str:
                return _translate_help(super().get_help(ctx), say)

            def get_help_option(self, ctx: Any) -> Any:
                return _with_text(super().get_help_option(ctx), say)

            def get_params(self, ctx: Any) -> Any:
                found: list[Any] = super().get_params(ctx)
                for parameter in found:
                    if parameter.name in ("install_completion", "show_completion"):
                        parameter.help = say(f"cli.option.{parameter.name.replace('_', '-')}")
                return found

            def resolve_command(self, ctx: Any, args: list[str]) -> Any:
                try:
                    return super().resolve_command(ctx, args)
                except Exception as fault:
                    fault.asked = args[0] if args else ""  # type: ignore[attr-defined]
                    raise

        self.say = say
        self._command_class, self._group_class = Command, Group
        self.app = typer.Typer(
            name="quadriga",
            cls=Group,
            help=say("cli.help"),
            add_completion=True,
            context_settings=_SETTINGS,
            rich_markup_mode=None,
        )

    def command(self, name: str, *, alias: str = "") -> Callable[[F], F]:
        """Return the decorator of a command. An alias works like the name, and the help does not list it."""
        text = self.say(f"cli.command.{name}")
        more: dict[str, Any] = {"cls": self._command_class, "help": text, "context_settings": _SETTINGS}

        def add(function: F) -> F:
            if alias:
                self.app.command(alias, hidden=True, **more)(function)
            return self.app.command(name, **more)(function)

        return add

    def check_command(self, group: str) -> Callable[[F], F]:
        """Return the decorator of the command `GROUP check`."""
        part = typer.Typer(
            name=group,
            cls=self._group_class,
            help=self.say(f"cli.command.{group}"),
            context_settings=_SETTINGS,
            rich_markup_mode=None,
        )
        part.callback()(lambda: None)
        self.app.add_typer(part)
        text = self.say(f"cli.command.{group}-check")
        return part.command("check", cls=self._command_class, help=text, context_settings=_SETTINGS)


def _with_text(option: Any, say: Words) -> Any:
    if option is not None:
        option.help = say("cli.option.help")
    return option


def _translate_parameters(all: Sequence[Any], say: Words) -> None:
    """Replace the keys of help texts by the texts."""
    for parameter in all:
        parameter.help = say(parameter.help)


def _translate_help(text: str, say: Words) -> str:
    """Return a help page with the headings and remarks of this language instead of typer's."""
    for name, english in (
        ("usage", "Usage:"),
        ("arguments", "\nArguments:\n"),
        ("options", "\nOptions:\n"),
        ("commands", "\nCommands:\n"),
        ("required", "[required]"),
        ("default", "[default:"),
        ("command", " COMMAND [ARGS]..."),
    ):
        text = text.replace(english, english.replace(english.strip(" \n"), say(f"cli.page.{name}")))
    return text.replace(" <str>", "")
