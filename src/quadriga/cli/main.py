"""Run one command: choose the language first, print every error as one line, exit with a code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn, TextIO

from quadriga.cli import interrupts
from quadriga.cli.exits import FAULT, INTERRUPTED, REFUSED
from quadriga.cli.faults import FileFaultsError
from quadriga.cli.output import print_error, print_notice
from quadriga.engine.errors import FileError, OptionError, QuadrigaError
from quadriga.engine.text import catalogues

_DEBUG = "QUADRIGA_DEBUG"  # set, the traceback of a fault in the program is printed


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run one command and exit: 0 on success, 2 on an error, after one line about it, 130 if interrupted."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    given = list(sys.argv[1:] if arguments is None else arguments)
    with interrupts.guarded():
        code = _run_safely(given)
        if code == INTERRUPTED:
            interrupts.end_children()
            if interrupts.has_other_threads():
                interrupts.leave(code)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):  # a closed terminal, a full disk: the exit code stays
            _discard(stream)
    sys.exit(code)


def _run_safely(given: list[str]) -> int:
    """Run a command, and return its exit code; whatever goes wrong is one line on standard error."""
    language, as_json = catalogues.preferred(), "--json" in given
    try:
        language, given = _take_language(given, language)
        code = _run(given, language)
        if code == 0:
            sys.stdout.flush()
        return code
    except QuadrigaError as fault:
        print_error(fault.text(language), fault.code, as_json)
        return REFUSED
    except FileFaultsError as found:
        for each in found.faults:
            print_error(each.text(language), each.code, as_json)
        return REFUSED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the program that reads the output has closed it
        _discard(sys.stdout)
        return 0
    except OSError as fault:
        _discard(sys.stdout)
        reason, where = (
            fault.strerror or type(fault).__name__,
            {"path": str(fault.filename)} if fault.filename else {},
        )
        broken = FileError("file.failed" if where else "output.failed", reason=reason, **where)
        print_error(broken.text(language), broken.code, as_json)
        return REFUSED
    except Exception as fault:  # a fault in the program
        if os.environ.get(_DEBUG):
            raise
        sentence = catalogues.of(language, "quadriga.cli")("cli.fault", kind=type(fault).__name__, text=str(fault))
        print_error(sentence, "fault", as_json)
        return FAULT


def _discard(stream: TextIO) -> None:
    """Let nothing more be written to a stream, where it would fail again at the end."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except (OSError, ValueError):  # not a file: it is closed or belongs to another program
        return


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
    import click
    from click.exceptions import Exit

    from quadriga.cli import completion
    from quadriga.cli.app import application
    from quadriga.cli.errors import argument_error

    say = catalogues.of(language, "quadriga.cli")
    group = application(say)
    if os.environ.get(completion.VARIABLE):
        group.main(prog_name=completion.PROGRAM)  # completes, and exits
    try:
        with group.make_context(completion.PROGRAM, arguments) as context:
            group.invoke(context)
    except Exit as end:
        return end.exit_code
    except click.ClickException as fault:
        print_error(argument_error(fault, say), "usage", "--json" in arguments)
        return REFUSED
    except (EOFError, KeyboardInterrupt):
        print_notice("")  # a line of its own for what the shell prints next, after the ^C
        return INTERRUPTED
    return 0
