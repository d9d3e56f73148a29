"""`quadriga learn`: learn a game in short lessons."""

from typing import Annotated

from click.exceptions import Exit

from quadriga.cli.arguments import complete_games, parse_whole
from quadriga.cli.commandline import CommandLine
from quadriga.cli.parameters import Seed


def add(cli: CommandLine) -> None:
    """Add the command."""

    @cli.command("learn")
    def learn(
        game: Annotated[str, cli.argument("learned-game", complete_games)] = "",
        lesson: Annotated[str, cli.argument("lesson")] = "",
        again: Annotated[bool, cli.option("again")] = False,
        race: Annotated[bool, cli.option("race")] = False,
        seed: Seed = "",
    ) -> None:
        from quadriga.cli.terminal.lessons import LessonSession, list_courses, play_first_race

        if game and race:
            code = play_first_race(game, cli.say, parse_whole("--seed", seed, least=0) if seed else None)
            if code:
                raise Exit(code)
        elif game:
            LessonSession(game, cli.say, first=lesson, again=again).run()
        else:
            list_courses(cli.say)
