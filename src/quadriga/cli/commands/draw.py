"""`quadriga draw`: draw the board of a game as SVG."""

from typing import Annotated

from quadriga.cli.arguments import complete_courses, complete_games, resolve_setup
from quadriga.cli.commandline import CommandLine
from quadriga.engine import files

_NONE: list[str] = []


def add(cli: CommandLine) -> None:
    """Add the command."""

    @cli.command("draw")
    def draw(
        game: Annotated[str, cli.argument("game", complete_games)],
        option: Annotated[list[str], cli.option("option", "NAME=VALUE")] = _NONE,
        seats: Annotated[str, cli.option("seats", "N")] = "",
        course: Annotated[str, cli.option("course", "NAME|FILE", complete=complete_courses)] = "",
        deck: Annotated[str, cli.option("deck", "FILE")] = "",
        track: Annotated[str, cli.option("track", "FILE")] = "",
        out: Annotated[str, cli.option("out", "FILE", "-o")] = "",
    ) -> None:
        rules, options, count = resolve_setup(game, option, seats, course=course, deck=deck, track=track)
        svg = rules.render_svg(rules.new(options, count)[0])
        if out:
            files.write_text(out, svg)
            print(cli.say("cli.draw.written", path=out))
        else:
            print(svg, end="")
