"""Assemble the command line from the modules of `commands/`."""

from typing import Annotated

import typer

from quadriga.cli.commandline import CommandLine
from quadriga.cli.commands import (
    arena,
    custom_files,
    draw,
    games,
    lab,
    learn,
    play,
    puzzles,
    review,
    rules,
    serve,
    sim,
    solve,
    store,
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
    solve,
    review,
    train,
    draw,
    serve,
    store,
    rules,
    custom_files,
    warmup,
)


def application(say: Words) -> typer.Typer:
    """Return the command line in one language."""
    cli = CommandLine(say)

    @cli.app.callback(invoke_without_command=True)
    def top(
        version: Annotated[bool, cli.option("version", None, "-V")] = False,
        lang: Annotated[str, cli.option("lang", "en|fr")] = "",
    ) -> None:
        if version:
            print(f"quadriga {__version__}")
            raise typer.Exit(0)

    for module in _IN_HELP_ORDER:
        module.add(cli)
    return cli.app
