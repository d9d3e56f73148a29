"""Training from the command line: how far it is, what came of it, and how to go on after an interrupt."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import msgspec
import typer

from quadriga.cli.exits import INTERRUPTED
from quadriga.cli.progress import bar, notice
from quadriga.engine import files
from quadriga.engine.errors import FileError
from quadriga.engine.text.catalogues import Words
from quadriga.lab.training.checkpoint import checkpoint_path
from quadriga.lab.training.train import train


def run(games: int, rounds: int, seed: int, out: str, say: Words) -> None:
    """Train and write the network; the draft checkpoint_path it is gone on with, and removed when all is done."""
    draft = checkpoint_path(out)
    if Path(out).is_dir():
        raise FileError("file.write", path=out, reason=os.strerror(errno.EISDIR))
    try:
        with bar(say, games) as progress:
            found = train(games=games, rounds=rounds, seed=seed, path=draft, progress=progress, report=notice(say))
    except KeyboardInterrupt:
        if not draft.exists():
            raise
        print(say("cli.train.interrupted", path=str(draft)), file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None
    files.write_text(out, msgspec.json.encode(found).decode() + "\n")
    draft.unlink(missing_ok=True)
    print(say("cli.train.trained", games=found.games, path=out))
