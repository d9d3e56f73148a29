"""`quadriga learn`: learn a game in short lessons."""

from typing import Annotated

from quadriga.cli.arguments import complete_games
from quadriga.cli.commandline import CommandLine


def add(cli: CommandLine) -> None:
    """Add the command."""

    @cli.command("learn")
    def learn(
        game: Annotated[str, cli.argument("learned-game", complete_games)] = "",
        lesson: Annotated[str, cli.argument("lesson")] = "",
        again: Annotated[bool, cli.option("again")] = False,
    ) -> None:
        from quadriga.cli.terminal.lessons import LessonSession, list_courses

        if game:
            LessonSession(game, cli.say, first=lesson, again=again).run()
        else:
            list_courses(cli.say)
