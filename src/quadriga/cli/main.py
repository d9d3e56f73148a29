"""Run one command: choose the language first, print every error as one line, exit with a code."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

from quadriga.cli.exits import INTERRUPTED, REFUSED
from quadriga.cli.output import print_error
from quadriga.engine.errors import OptionError, QuadrigaError
from quadriga.engine.text import catalogues


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run one command and exit: 0 on success, 2 on an error, after one line about it, 130 if interrupted."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    given = list(sys.argv[1:] if arguments is None else arguments)
    language = catalogues.preferred()
    try:
        language, given = _take_language(given, language)
        sys.exit(_run(given, language))
    except QuadrigaError as fault:
        print_error(fault.text(language))
        sys.exit(REFUSED)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:  # the program that reads the output has closed it
        sys.stderr.close()
        sys.exit(0)


def _take_language(arguments: list[str], preferred: str) -> tuple[str, list[str]]:
    """Return the language and the arguments without `--lang`, which may stand anywhere before `--`."""
    rest: list[str] = []
    language = preferred
    remaining = iter(arguments)
    for argument in remaining:
        if argument == "--":
            return language, [*rest, argument, *remaining]
        if argument == "--lang" or argument.startswith("--lang="):
            language = argument.partition("=")[2] or next(remaining, "")
            if language not in catalogues.LANGUAGES:
                raise OptionError("option.value", name="--lang", value=language, allowed="en | fr")
        else:
            rest.append(argument)
    return language, rest


def _run(arguments: list[str], language: str) -> int:
    import typer
    from typer.exceptions import TyperException

    from quadriga.cli.app import application
    from quadriga.cli.errors import argument_error

    say = catalogues.of(language, "quadriga.cli")
    try:
        result = application(say)(arguments or ["--help"], standalone_mode=False)
    except typer.Abort:
        return INTERRUPTED
    except TyperException as fault:
        print_error(argument_error(fault, say))
        return REFUSED
    return result if isinstance(result, int) else 0
