"""Sentences for wrong arguments, in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quadriga.engine.errors import closest
from quadriga.engine.text.catalogues import Words


def argument_error(fault: Any, say: Words) -> str:
    """Return one line about a wrong argument. Typer's errors are told apart by their class names."""
    kind = type(fault).__name__
    if kind == "NoSuchOption":
        known = _options(fault.ctx)
        return _suggest(
            say("cli.refused.option", name=fault.option_name, known=known), fault.option_name, known, say
        )
    if kind == "MissingParameter":
        return say("cli.refused.missing", name=_name(fault.param), command=fault.ctx.command_path)
    if kind == "BadOptionUsage":
        return say("cli.refused.usage", name=fault.option_name)
    if kind == "UsageError" and fault.ctx is not None and hasattr(fault.ctx.command, "list_commands"):
        known, asked = _commands(fault.ctx), getattr(fault, "asked", "")
        return _suggest(say("cli.refused.command", name=asked, known=known), asked, known, say)
    if kind == "UsageError" and fault.ctx is not None:
        return say("cli.refused.extra", command=fault.ctx.command_path)
    return say("cli.refused.other", reason=fault.format_message())


def _suggest(sentence: str, word: str, known: Sequence[str], say: Words) -> str:
    """Add the known word that is most like a wrong one, if there is one."""
    meant = closest(word, known)
    return say("error.similar.word", sentence=sentence, word=meant) if meant else sentence


def _commands(context: Any) -> list[str]:
    group = context.command
    return [name for name in group.list_commands(context) if not group.get_command(context, name).hidden]


def _options(context: Any) -> list[str]:
    return [name for parameter in context.command.params for name in parameter.opts if name.startswith("-")]


def _name(parameter: Any) -> str:
    return parameter.opts[0] if parameter.opts[0].startswith("-") else str(parameter.opts[0]).upper()
