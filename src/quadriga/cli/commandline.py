"""The command line in one language. Each module of `commands/` adds its commands to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from quadriga.cli import parameters
from quadriga.cli.errors import ExtraArgumentsError, MissingCommandError, UnknownCommandError
from quadriga.engine.text.catalogues import Words

F = TypeVar("F", bound=Callable[..., None])


class Page(click.Command):
    """A command or group whose help page is in one language."""

    def __init__(self, name: str | None, say: Words, **more: Any) -> None:
        super().__init__(name, add_help_option=False, **more)
        self.say = say
        self.params.append(_help_option(say("cli.option.help")))

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help page."""
        pieces = " ".join(self.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, pieces, prefix=f"{self.say('cli.page.usage')} ")
        self.format_help_text(ctx, formatter)
        arguments = [each for each in self.params if isinstance(each, parameters.Argument)]
        self._write_list(formatter, "arguments", [self._argument_row(each) for each in arguments])
        options = [each for each in self.params if isinstance(each, click.Option)]
        self._write_list(formatter, "options", [self._option_row(each) for each in options])

    def _argument_row(self, argument: parameters.Argument) -> tuple[str, str]:
        return str(argument.metavar), self._with_remark(argument.help or "", argument)

    def _option_row(self, option: click.Option) -> tuple[str, str]:
        names = ", ".join(sorted(option.opts, key=len))
        return f"{names} {option.metavar or ''}".rstrip(), self._with_remark(option.help or "", option)

    def _with_remark(self, text: str, parameter: click.Parameter) -> str:
        if parameter.required:
            return f"{text}  {self.say('cli.page.required')}"
        if isinstance(parameter, click.Option) and isinstance(parameter.default, str) and parameter.default:
            return f"{text}  {self.say('cli.page.default', value=parameter.default)}"
        return text

    def _write_list(self, formatter: click.HelpFormatter, heading: str, rows: Sequence[tuple[str, str]]) -> None:
        if rows:
            formatter.write_paragraph()
            formatter.write(self.say(f"cli.page.{heading}") + "\n")
            with formatter.indentation():
                formatter.write_dl(rows)


class Command(Page):
    """A command. It refuses extra arguments itself, because Click has no exception of its own for them."""

    allow_extra_args = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments. Raise ExtraArgumentsError if there are too many."""
        rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            raise ExtraArgumentsError(ctx)
        return rest


class Group(Page, click.Group):
    """A group of commands whose help page is in one language."""

    def __init__(self, name: str, say: Words, **more: Any) -> None:
        super().__init__(
            name,
            say,
            subcommand_metavar=say("cli.page.command"),
            invoke_without_command=True,
            no_args_is_help=False,
            **more,
        )

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help page, with the commands in the order in which they were added."""
        super().format_help(ctx, formatter)
        listed = [each for each in self.commands.values() if not each.hidden]
        self._write_list(formatter, "commands", [(each.name or "", each.help or "") for each in listed])

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order in which they were added."""
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the named command. Raise UnknownCommandError if there is none."""
        if args[0] not in self.commands and not ctx.resilient_parsing:
            raise UnknownCommandError(args[0], ctx)
        return super().resolve_command(ctx, args)


class CommandLine:
    """The top group. Its help texts come from the catalogue: `cli.command.NAME`, `cli.option.NAME`."""

    argument = staticmethod(parameters.argument)
    option = staticmethod(parameters.option)

    def __init__(self, say: Words) -> None:
        self.say = say
        self.group = Group("quadriga", say, help=say("cli.help"))

    def top(self, function: F) -> F:
        """Run a function before every command, and without one."""
        self.group.params[:0] = parameters.parameters(function, self.say)
        self.group.callback = function
        return function

    def command(self, name: str, *, alias: str = "") -> Callable[[F], F]:
        """Return the decorator of a command. An alias works like the name, and the help does not list it."""

        def add(function: F) -> F:
            if alias:
                self.group.add_command(self._command(alias, name, function, hidden=True))
            self.group.add_command(self._command(name, name, function))
            return function

        return add

    def check_command(self, group: str) -> Callable[[F], F]:
        """Return the decorator of the command `GROUP check`."""
        return self.group_command(group, "check")

    def group_command(self, group: str, name: str) -> Callable[[F], F]:
        """Return the decorator of the command `GROUP NAME`."""

        def add(function: F) -> F:
            part = self.group.commands.get(group)
            if not isinstance(part, Group):
                part = Group(group, self.say, help=self.say(f"cli.command.{group}"), callback=_require_command)
                self.group.add_command(part)
            part.add_command(self._command(name, f"{group}-{name}", function))
            return function

        return add

    def _command(self, name: str, text: str, function: Callable[..., None], hidden: bool = False) -> Command:
        def run(**given: Any) -> None:
            function(**{name: list(value) if isinstance(value, tuple) else value for name, value in given.items()})

        params = parameters.parameters(function, self.say)
        return Command(
            name, self.say, help=self.say(f"cli.command.{text}"), callback=run, params=params, hidden=hidden
        )


def _help_option(text: str) -> click.Option:
    return click.Option(
        ["-h", "--help"], help=text, is_flag=True, is_eager=True, expose_value=False, callback=_show_help
    )


def _show_help(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        print(ctx.get_help())
        ctx.exit()


@click.pass_context
def _require_command(ctx: click.Context) -> None:
    if ctx.invoked_subcommand is None:
        raise MissingCommandError(ctx)
