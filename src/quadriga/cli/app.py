"""Assemble the command line from the modules of `commands/`."""

from typing import Annotated

import click
from click.exceptions import Exit

from quadriga.cli import completion
from quadriga.cli.commandline import CommandLine
from quadriga.cli.commands import (
    admin,
    arena,
    custom_files,
    draw,
    games,
    lab,
    learn,
    play,
    puzzles,
    ratings,
    review,
    rules,
    serve,
    sim,
    solve,
    store,
    tournament,
    trace,
    train,
    warmup,
)
from quadriga.engine.text.catalogues import Words
from quadriga.version import __version__

_IN_HELP_ORDER = (
    games,
    learn,
    puzzles,
    play,
    trace,
    sim,
    lab,
    arena,
    tournament,
    solve,
    review,
    train,
    draw,
    serve,
    store,
    ratings,
    admin,
    rules,
    custom_files,
    warmup,
)


def application(say: Words) -> click.Group:
    """Return the command line in one language."""
    cli = CommandLine(say)

    @cli.top
    def top(
        version: Annotated[bool, cli.option("version", None, "-V")] = False,
        lang: Annotated[str, cli.option("lang", "en|fr")] = "",
        install_completion: Annotated[bool, cli.option("install-completion")] = False,
        show_completion: Annotated[bool, cli.option("show-completion")] = False,
    ) -> None:
        if version:
            print(f"quadriga {__version__}")
        elif show_completion:
            print(completion.script(cli.group, say), end="")
        elif install_completion:
            print(completion.install(cli.group, say))
        elif click.get_current_context().invoked_subcommand is None:
            print(click.get_current_context().get_help())
        else:
            return
        raise Exit(0)

    for module in _IN_HELP_ORDER:
        module.add(cli)
    return cli.group
