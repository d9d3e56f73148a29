"""`quadriga draw`: draw the board of a game as SVG."""

from typing import Annotated

from quadriga.cli.arguments import resolve_setup
from quadriga.cli.commandline import CommandLine
from quadriga.cli.parameters import NO_OPTIONS, Course, Deck, GameName, GameOptions, Seats, Track
from quadriga.engine import files
from quadriga.engine.errors import OptionError


def add(cli: CommandLine) -> None:
    """Add the command."""

    @cli.command("draw")
    def draw(
        game: GameName,
        option: GameOptions = NO_OPTIONS,
        seats: Seats = "",
        course: Course = "",
        deck: Deck = "",
        track: Track = "",
        out: Annotated[str, cli.option("out", "FILE", "-o")] = "",
    ) -> None:
        rules, options, count = resolve_setup(game, option, seats, course=course, deck=deck, track=track)
        if rules.display.render_svg is None:
            raise OptionError("picture.none")
        svg = rules.display.render_svg(rules.rules.new(options, count)[0])
        if out:
            files.write_text(out, svg)
            print(cli.say("cli.draw.written", path=out))
        else:
            print(svg, end="")
