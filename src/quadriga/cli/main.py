"""Starting and ending: the language is chosen before anything is said, and every error is one line."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

from quadriga.cli.exits import INTERRUPTED, REFUSED
from quadriga.engine.errors import OptionError, QuadrigaError
from quadriga.engine.text import catalogues


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run one command and exit: 0 done, 2 refused with one clear line, 130 interrupted."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    given = list(sys.argv[1:] if arguments is None else arguments)
    language = catalogues.preferred()
    try:
        language, given = _language(given, language)
        sys.exit(_run(given, language))
    except QuadrigaError as fault:
        complain(fault.text(language))
        sys.exit(REFUSED)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:  # whoever reads us has read enough
        sys.stderr.close()
        sys.exit(0)


def complain(sentence: str) -> None:
    """Say what is wrong, in one line, on standard error."""
    print("quadriga: " + " ".join(sentence.split()), file=sys.stderr)


def _language(arguments: list[str], preferred: str) -> tuple[str, list[str]]:
    """Take `--lang` out of the arguments, wherever it stands."""
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
    from quadriga.cli.errors import sentence

    say = catalogues.of(language, "quadriga.cli")
    try:
        result = application(say)(arguments or ["--help"], standalone_mode=False)
    except typer.Abort:
        return INTERRUPTED
    except TyperException as fault:
        complain(sentence(fault, say))
        return REFUSED
    return result if isinstance(result, int) else 0
