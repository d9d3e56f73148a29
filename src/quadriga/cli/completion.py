"""Shell completion: print its script, or install it for the user's shell."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import click

from quadriga.engine import files
from quadriga.engine.folders import data_path
from quadriga.engine.text.catalogues import Words

PROGRAM = "quadriga"
VARIABLE = "_QUADRIGA_COMPLETE"  # set by the script when it asks for completions

# What a shell needs before it can read the script.
_PREPARED = {"zsh": "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }; "}


def script(group: click.Group, say: Words) -> str:
    """Return the completion script for the user's shell. Raise UsageError for a shell without completion."""
    from click.shell_completion import get_completion_class  # loads slowly

    shell = _shell()
    found = get_completion_class(shell)
    if found is None:
        raise click.UsageError(say("cli.completion.unknown", shell=shell))
    return found(group, {}, PROGRAM, VARIABLE).source()


def install(group: click.Group, say: Words) -> str:
    """Store the script in the user's data folder, and let the shell read it; return a sentence about it."""
    shell, text = _shell(), script(group, say)
    path = data_path("completion.ps1" if shell == "powershell" else f"completion.{shell}")
    with files.file_errors(path, "file.write"):
        path.parent.mkdir(parents=True, exist_ok=True)
    files.write_text(path, text)
    line = f"{_PREPARED.get(shell, '')}. {shlex.quote(str(path))}"
    profile = _profile(shell)
    if profile is None:
        return say("cli.completion.by-hand", line=line)
    with files.file_errors(profile, "file.write"):
        known = profile.read_text("utf-8") if profile.exists() else ""
        if line not in known.splitlines():
            profile.parent.mkdir(parents=True, exist_ok=True)
            with profile.open("a", encoding="utf-8") as out:
                out.write(f"{'' if known.endswith(chr(10)) or not known else chr(10)}{line}\n")
    return say("cli.completion.installed", profile=str(profile))


def _shell() -> str:
    return Path(os.environ.get("SHELL") or ("powershell" if os.name == "nt" else "")).stem


def _profile(shell: str) -> Path | None:
    """Return the file that the shell reads when it starts, or None if only the shell knows it."""
    match shell:
        case "bash":
            return Path.home() / ".bashrc"
        case "zsh":
            return Path(os.environ.get("ZDOTDIR") or Path.home()) / ".zshrc"
        case "fish":
            return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "fish" / "config.fish"
    return None
