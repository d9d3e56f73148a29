"""`quadriga train`: train the network or the values of a game, with checkpoints to continue after an interrupt."""

import errno
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from click.exceptions import Exit

from quadriga.cli.arguments import parse_whole
from quadriga.cli.commandline import CommandLine
from quadriga.cli.exits import INTERRUPTED
from quadriga.engine import files
from quadriga.engine.errors import FileError, OptionError
from quadriga.engine.text.catalogues import Words
from quadriga.games import find

if TYPE_CHECKING:
    from quadriga.lab.training import Training


def add(cli: CommandLine) -> None:
    """Add the command."""

    @cli.command("train")
    def train(
        game: Annotated[str, cli.argument("trained-game")],
        rules: Annotated[str, cli.option("rules", "NAME")] = "",
        games: Annotated[str, cli.option("games", "N", text="training-games")] = "",
        rounds: Annotated[str, cli.option("rounds", "N")] = "",
        seed: Annotated[str, cli.option("seed", "N")] = "1",
        out: Annotated[str, cli.option("out", "FILE", "-o")] = "",
        cluster: Annotated[str, cli.option("cluster", "ADDRESS")] = "",
    ) -> None:
        from quadriga.lab.training import training

        trained = training(find(game))
        total = parse_whole("--games", games or str(trained.GAMES), most=100_000_000)
        parts = parse_whole("--rounds", rounds or str(trained.ROUNDS), most=10_000)
        chosen = rules or trained.RULES[0]
        if chosen not in trained.RULES:
            raise OptionError("option.value", name="--rules", value=chosen, allowed=" | ".join(trained.RULES))
        number = parse_whole("--seed", seed, least=0)
        _train(trained, chosen, total, parts, number, out or trained.file_name(chosen), cluster, cli.say)


def _train(
    training: "Training", rules: str, games: int, rounds: int, seed: int, out: str, cluster: str, say: Words
) -> None:
    """Train from the checkpoint, if there is one; write the result, and remove the checkpoint."""
    import msgspec

    from quadriga.cli.cluster import connected
    from quadriga.cli.progress import WorkBar

    checkpoint = training.checkpoint_path(out)
    if Path(out).is_dir():
        raise FileError("file.write", path=out, reason=os.strerror(errno.EISDIR))
    try:
        with connected(cluster, say) as executor, WorkBar(say, games) as bar:
            found = training.train(
                games=games,
                rounds=rounds,
                seed=seed,
                rules=rules,
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
    files.write_text(out, msgspec.json.encode(found).decode() + "\n")
    checkpoint.unlink(missing_ok=True)
    print(say("cli.train.trained", games=games, path=out))
