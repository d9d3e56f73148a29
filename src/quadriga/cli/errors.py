"""Sentences for wrong arguments, in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence

import click

from quadriga.engine.errors import closest
from quadriga.engine.text.catalogues import Words


class UnknownCommandError(click.UsageError):
    """There is no command of this name."""

    def __init__(self, name: str, ctx: click.Context) -> None:
        super().__init__(name, ctx)
        self.name = name


class MissingCommandError(click.UsageError):
    """A group of commands was given without one of them."""

    def __init__(self, ctx: click.Context) -> None:
        super().__init__("", ctx)


class ExtraArgumentsError(click.UsageError):
    """A command was given more arguments than it has."""

    def __init__(self, ctx: click.Context) -> None:
        super().__init__("", ctx)


def argument_error(fault: click.ClickException, say: Words) -> str:
    """Return one line about a wrong argument."""
    match fault:
        case UnknownCommandError(ctx=click.Context() as context, name=name):
            known = _commands(context)
            return _suggest(say("cli.refused.command", name=name, known=known), name, known, say)
        case MissingCommandError(ctx=click.Context() as context):
            return say("cli.refused.no-command", command=context.command_path, known=_commands(context))
        case ExtraArgumentsError(ctx=click.Context() as context):
            return say("cli.refused.extra", command=context.command_path)
        case click.NoSuchOption(ctx=click.Context() as context, option_name=name):
            known = _options(context)
            return _suggest(say("cli.refused.option", name=name, known=known), name, known, say)
        case click.MissingParameter(ctx=click.Context() as context, param=click.Parameter() as parameter):
            return say("cli.refused.missing", name=_name(parameter), command=context.command_path)
        case click.BadOptionUsage(option_name=name):
            return say("cli.refused.usage", name=name)
    return say("cli.refused.other", reason=fault.format_message())


def _suggest(sentence: str, word: str, known: Sequence[str], say: Words) -> str:
    """Add the known word that is most like a wrong one, if there is one."""
    meant = closest(word, known)
    return say("error.similar.word", sentence=sentence, word=meant) if meant else sentence


def _commands(context: click.Context) -> list[str]:
    group = context.command
    return (
        [name for name, each in group.commands.items() if not each.hidden] if isinstance(group, click.Group) else []
    )


def _options(context: click.Context) -> list[str]:
    return [name for each in context.command.params if isinstance(each, click.Option) for name in each.opts]


def _name(parameter: click.Parameter) -> str:
    return parameter.opts[0] if isinstance(parameter, click.Option) else str(parameter.metavar)
