"""`quadriga train`: train the network of Ur, with checkpoints to continue after an interrupt."""

import errno
import os
import sys
from pathlib import Path
from typing import Annotated

from click.exceptions import Exit

from quadriga.cli.arguments import parse_whole
from quadriga.cli.commandline import CommandLine
from quadriga.cli.exits import INTERRUPTED
from quadriga.engine import files
from quadriga.engine.errors import FileError, OptionError
from quadriga.engine.text.catalogues import Words
from quadriga.games import find


def add(cli: CommandLine) -> None:
    """Add the command."""

    @cli.command("train")
    def train(
        game: Annotated[str, cli.argument("trained-game")],
        games: Annotated[str, cli.option("games", "N")] = "100_000",
        rounds: Annotated[str, cli.option("rounds", "N")] = "500",
        seed: Annotated[str, cli.option("seed", "N")] = "1",
        out: Annotated[str, cli.option("out", "FILE", "-o")] = "ur-ben.json",
        cluster: Annotated[str, cli.option("cluster", "ADDRESS")] = "",
    ) -> None:
        if find(game).id != "ur":
            raise OptionError("train.game", game=game)
        total = parse_whole("--games", games, most=10_000_000)
        parts = parse_whole("--rounds", rounds, most=1000)
        _train(total, parts, parse_whole("--seed", seed, least=0), out, cluster, cli.say)


def _train(games: int, rounds: int, seed: int, out: str, cluster: str, say: Words) -> None:
    """Train from the checkpoint, if there is one; write the network, and remove the checkpoint."""
    import msgspec

    from quadriga.cli.cluster import connected
    from quadriga.cli.progress import WorkBar
    from quadriga.lab.training.checkpoint import checkpoint_path
    from quadriga.lab.training.train import train

    checkpoint = checkpoint_path(out)
    if Path(out).is_dir():
        raise FileError("file.write", path=out, reason=os.strerror(errno.EISDIR))
    try:
        with connected(cluster, say) as executor, WorkBar(say, games) as bar:
            network = train(
                games=games,
                rounds=rounds,
                seed=seed,
                path=checkpoint,
                executor=executor,
                progress=bar.progress,
                report=bar.report,
            )
    except KeyboardInterrupt:
        if not checkpoint.exists():
            raise
        print(say("cli.train.interrupted", path=str(checkpoint)), file=sys.stderr)
        raise Exit(INTERRUPTED) from None
    files.write_text(out, msgspec.json.encode(network).decode() + "\n")
    checkpoint.unlink(missing_ok=True)
    print(say("cli.train.trained", games=network.games, path=out))
