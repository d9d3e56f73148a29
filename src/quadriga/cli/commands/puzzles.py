"""`quadriga puzzles`: find the best move, or make puzzles from solved tables or by long searches."""

from typing import Annotated

from quadriga.cli.arguments import complete_games, parse_whole
from quadriga.cli.commandline import CommandLine


def add(cli: CommandLine) -> None:
    """Add the command."""

    @cli.command("puzzles")
    def puzzles(
        game: Annotated[str, cli.argument("puzzle-game", complete_games)] = "",
        puzzle: Annotated[str, cli.argument("puzzle")] = "",
        make: Annotated[str, cli.option("make", "N")] = "",
        seed: Annotated[str, cli.option("seed", "N")] = "1",
        out: Annotated[str, cli.option("out", "FILE", "-o")] = "",
    ) -> None:
        from quadriga.learn.puzzles import games_with_puzzles

        if not game or game.isdecimal():  # `quadriga puzzles 017`: of the first game that has puzzles
            game, puzzle = games_with_puzzles()[0], game or puzzle
        if make:
            _make(cli, game, parse_whole("--make", make, most=100_000), parse_whole("--seed", seed, least=0), out)
            return
        from quadriga.cli.terminal.puzzles import PuzzleSession

        PuzzleSession(game, cli.say, puzzle).run()


def _make(cli: CommandLine, game: str, count: int, seed: int, out: str) -> None:
    import msgspec

    from quadriga.cli.progress import WorkBar
    from quadriga.engine import files
    from quadriga.engine.errors import OptionError
    from quadriga.games import find
    from quadriga.learn.puzzle_makers import find_maker, games_with_makers

    make = find_maker(find(game))
    if make is None:
        raise OptionError("learn.no-maker", game=game, known=games_with_makers())
    if out:
        files.check_folder(out)
    with WorkBar(cli.say) as bar:
        found = make(count, seed, bar.progress)
    text = "[\n" + ",\n".join(msgspec.json.encode(each).decode() for each in found) + "\n]\n"
    if out:
        files.write_text(out, text)
    else:
        print(text, end="")
