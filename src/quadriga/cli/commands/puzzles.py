"""`quadriga puzzles`: find the best move of Ur, or make puzzles from solved tables."""

from typing import Annotated

from quadriga.cli.arguments import parse_whole
from quadriga.cli.commandline import CommandLine


def add(cli: CommandLine) -> None:
    """Add the command."""

    @cli.command("puzzles")
    def puzzles(
        puzzle: Annotated[str, cli.argument("puzzle")] = "",
        make: Annotated[str, cli.option("make", "N")] = "",
        seed: Annotated[str, cli.option("seed", "N")] = "1",
        out: Annotated[str, cli.option("out", "FILE", "-o")] = "",
    ) -> None:
        if make:
            _make(cli, parse_whole("--make", make, most=100_000), parse_whole("--seed", seed, least=0), out)
            return
        from quadriga.cli.terminal.puzzles import PuzzleSession

        PuzzleSession(cli.say, puzzle).run()


def _make(cli: CommandLine, count: int, seed: int, out: str) -> None:
    import msgspec

    from quadriga.cli.progress import WorkBar
    from quadriga.engine import files
    from quadriga.learn.puzzles import make

    if out:
        files.check_folder(out)
    with WorkBar(cli.say) as bar:
        found = make(count, seed, bar.progress)
    text = "[\n" + ",\n".join(msgspec.json.encode(each).decode() for each in found) + "\n]\n"
    if out:
        files.write_text(out, text)
    else:
        print(text, end="")
