"""`quadriga warmup`: compile everything once, so that no command has to wait for it later."""

from typing import Annotated

from quadriga.cli.arguments import complete_games
from quadriga.cli.commandline import CommandLine
from quadriga.engine.errors import FileError, MissingExtraError
from quadriga.games import find, ids


def add(cli: CommandLine) -> None:
    """Add the command."""

    @cli.command("warmup")
    def warmup(game: Annotated[str, cli.argument("warmed-game", complete_games)] = "") -> None:
        from quadriga.cli.progress import WorkBar
        from quadriga.engine.kernels import compiler
        from quadriga.engine.kernels.disk_cache import DiskCache
        from quadriga.lab.warmup import warm_up

        games = [find(game).id] if game else ids()
        if not compiler.is_available():
            raise MissingExtraError("extra.missing", what="Numba", extra="fast")
        disk = DiskCache()
        if not disk.is_writable():
            raise FileError("file.write", path=str(disk.folder), reason=cli.say("cli.warmup.folder"))
        with WorkBar(cli.say) as bar:
            count = warm_up(games, bar.report)
        print(cli.say("cli.warmup.done", n=count, folder=str(disk.folder)))
