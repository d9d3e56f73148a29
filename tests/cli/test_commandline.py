"""Help, wrong arguments and shell completion: quick, and in the reader's language."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from quadriga.cli.app import application
from quadriga.cli.main import main
from quadriga.engine.text import catalogues

WORDS = {language: catalogues.of(language, "quadriga.cli") for language in catalogues.LANGUAGES}


def every_command(
    group: click.Group, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, group
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from every_command(command, (*path, name))
        else:
            yield (*path, name), command


COMMANDS = dict(every_command(application(WORDS["en"])))


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str, str]:
    with pytest.raises(SystemExit) as end:
        main(list(arguments))
    printed = capsys.readouterr()
    return end.value.code, printed.out, printed.err


def modules_after(*arguments: str, **variables: str) -> set[str]:
    """Return the modules that a process has loaded at the end of a command."""
    script = (
        "import atexit, sys\n"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
        "from quadriga.cli import main\n"
        "main()\n"
    )
    command = [sys.executable, "-c", script, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **variables}, check=True)
    assert done.stdout
    return set(done.stderr.split())


@pytest.mark.parametrize(
    "arguments",
    [(), ("--help",), ("-h",), ("--version",), ("-V",), ("sim", "--help"), ("lab", "-h"), ("serve", "-h")],
)
def test_help_and_version_load_no_numpy(arguments: tuple[str, ...]):
    assert not {"numpy", "numba", "rich", "sqlalchemy", "polars"} & modules_after(*arguments)


@pytest.mark.parametrize("line", ["quadriga ", "quadriga sim --", "quadriga play ave"])
def test_a_shell_that_completes_commands_options_and_games_loads_no_numpy(line: str):
    asked = {"_QUADRIGA_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    assert not {"numpy", "numba", "rich"} & modules_after(**asked)


@pytest.mark.parametrize("language", catalogues.LANGUAGES)
@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_a_help_page_has_every_parameter_in_the_language(
    path: tuple[str, ...], language: str, capsys: pytest.CaptureFixture[str]
):
    code, out, err = run(capsys, *path, "--help", "--lang", language)
    assert (code, err) == (0, "")
    words, command = WORDS[language], dict(every_command(application(WORDS[language])))[path]
    assert out.startswith(words("cli.page.usage"))
    assert "UNSET" not in out
    flat = "".join(out.split())
    for parameter in command.params:
        assert isinstance(parameter, click.Option | click.Argument)
        assert isinstance(parameter.help, str)
        assert "".join(parameter.help.split()) in flat
        name = parameter.opts[-1] if isinstance(parameter, click.Option) else parameter.metavar
        assert isinstance(name, str)
        assert name in flat
    english = [
        WORDS["en"](f"cli.page.{name}") for name in ("usage", "arguments", "options", "commands", "required")
    ]
    assert language == "en" or not [text for text in english if text in out]


def values_left_out() -> list[tuple[str, ...]]:
    return [
        (*path, *("x" for each in command.params if isinstance(each, click.Argument)), option.opts[0])
        for path, command in COMMANDS.items()
        for option in command.params
        if isinstance(option, click.Option) and not option.is_flag and option.opts[0] != "--lang"
    ]


@pytest.mark.parametrize("arguments", values_left_out(), ids=" ".join)
def test_an_option_without_its_value_is_one_clear_line(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
):
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err == f"quadriga: {WORDS['en']('cli.refused.usage', name=arguments[-1])}\n"


@pytest.mark.parametrize("language", catalogues.LANGUAGES)
@pytest.mark.parametrize(
    ("arguments", "key", "values"),
    [
        ("simm", "cli.refused.command", {"name": "simm"}),
        ("deck chek", "cli.refused.command", {"name": "chek"}),
        ("deck", "cli.refused.no-command", {"command": "quadriga deck", "known": ["check"]}),
        ("sim ur more", "cli.refused.extra", {"command": "quadriga sim"}),
        ("sim ur --gamez 3", "cli.refused.option", {"name": "--gamez"}),
        ("sim", "cli.refused.missing", {"name": "GAME", "command": "quadriga sim"}),
        ("deck check", "cli.refused.missing", {"name": "DECK-FILE", "command": "quadriga deck check"}),
        ("arena ur", "cli.refused.missing", {"name": "--players", "command": "quadriga arena"}),
        ("games --json=yes", "cli.refused.usage", {"name": "--json"}),
        ("--version=2", "cli.refused.usage", {"name": "--version"}),
    ],
)
def test_a_wrong_argument_is_named_in_the_language(
    arguments: str, key: str, values: dict[str, object], language: str, capsys: pytest.CaptureFixture[str]
):
    code, out, err = run(capsys, *arguments.split(), "--lang", language)
    assert (code, out) == (2, "")
    expected = WORDS[language](key, **{"known": ["\0"], **values}).partition("\0")[0]
    assert err.startswith(f"quadriga: {expected}")
    assert err.count("\n") == 1


def test_no_command_and_two_dashes_print_the_help(capsys: pytest.CaptureFixture[str]):
    page = run(capsys, "--help")
    assert run(capsys) == page
    assert run(capsys, "--") == page


def test_installed_completion_works_in_bash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SHELL", "/bin/bash")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    profile = tmp_path / ".bashrc"
    profile.write_text("answer=42")  # without a line feed at its end
    for _ in range(2):
        code, out, err = run(capsys, "--install-completion")
        assert (code, err) == (0, "")
        assert str(profile) in out
    assert len(profile.read_text().splitlines()) == 2
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "quadriga"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m quadriga "$@"\n')
    program.chmod(0o755)
    asked = "COMP_WORDS=(quadriga si); COMP_CWORD=1; _quadriga_completion quadriga"
    script = f'source ~/.bashrc; {asked}; echo "${{COMPREPLY[@]}}" $answer'
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "sim 42\n"


@pytest.mark.parametrize(
    ("shell", "profile", "script"),
    [("zsh", ".zshrc", "completion.zsh"), ("fish", ".config/fish/config.fish", "completion.fish")],
)
def test_completion_of_other_shells_is_read_from_their_profile(
    shell: str,
    profile: str,
    script: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "ZDOTDIR"):
        monkeypatch.delenv(name, raising=False)
    assert run(capsys, "--install-completion")[0] == 0
    stored = tmp_path / ".local" / "share" / "quadriga" / script
    assert (tmp_path / profile).read_text().endswith(f". {stored}\n")
    assert run(capsys, "--show-completion")[1] == stored.read_text()


def test_an_unknown_shell_is_one_clear_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    for option in ("--show-completion", "--install-completion"):
        code, out, err = run(capsys, option)
        assert (code, out) == (2, "")
        assert err == f"quadriga: {WORDS['en']('cli.completion.unknown', shell='tcsh')}\n"
