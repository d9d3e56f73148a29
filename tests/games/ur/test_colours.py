"""A side's markers are dark or light as its name says: Black and White, or Light and Dark."""

import re

import pytest

from games.ur.positions import Match
from quadriga import new
from quadriga.engine.text import catalogues
from quadriga.games.ur import board
from quadriga.games.ur.drawing import page

NAMES = {
    "ben": ("Black", "White"),
    "finkel": ("Light", "Dark"),
    "masters": ("Light", "Dark"),
    "blitz": ("Light", "Dark"),
}
DARK, LIGHT = "#26221f", "#fbf8f1"


@pytest.fixture(params=board.RULE_SETS)
def match(request):
    """Return a game in which both sides have a marker on the board."""
    found = Match.of(new("ur", seed=5, rules=request.param))
    while len({marker.seat for marker in found.view().board}) < 2:
        found.roll()
        found.play(found.legal()[0])
    return found


def dark_seat(match):
    return next(seat for seat, name in enumerate(NAMES[match.options["rules"]]) if name in ("Black", "Dark"))


def test_the_seats_are_called_as_the_rules_say(match):
    say = catalogues.of("en", "quadriga.games.ur")
    names = tuple(say.text(match.game.display.name_of(match.t, seat)) for seat in (0, 1))
    assert names == NAMES[match.options["rules"]]


def test_the_page_draws_the_named_side_dark(match):
    assert page.geometry(match.t)["dark_seat"] == dark_seat(match)


def test_the_picture_draws_the_named_side_dark(match):
    drawn = re.findall(
        rf'<circle [^>]*fill="({DARK}|{LIGHT})" stroke=', match.game.display.render_svg(match.t, match.view())
    )
    dark = sum(marker.seat == dark_seat(match) for marker in match.view().board)
    assert (drawn.count(DARK), drawn.count(LIGHT)) == (dark, len(match.view().board) - dark)


def test_the_terminal_draws_the_named_side_dark(match):
    say = catalogues.of("en", "quadriga.cli", "quadriga.games.ur")
    lines = match.game.display.render_text(match.t, match.view(), say).plain.splitlines()
    for line, seat in ((lines[0], 0), (lines[-1], 1)):
        assert NAMES[match.options["rules"]][seat] in line
        glyph = "●" if seat == dark_seat(match) else "○"
        assert line.count(glyph) == match.view().home[seat] + match.view().off[seat]
        inside = sum(row.count(glyph) for row in lines[1:-1])
        assert inside == sum(marker.seat == seat for marker in match.view().board)
