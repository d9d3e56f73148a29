"""Draw a match for people, as text or as a picture: everything, or what one seat may see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quadriga.engine.errors import OptionError
from quadriga.engine.match.arguments import check_seat
from quadriga.engine.text import catalogues
from quadriga.engine.text.catalogues import Words

if TYPE_CHECKING:
    from quadriga.engine.match.match import Match


def text(match: Match, seat: int | None, language: str, width: int) -> str:
    """Return a position as plain text of at most so many columns, if the game can do with them."""
    say, viewer = _words(match, language), _viewer(match, seat)
    found = marks(match) if viewer == match.actor else {}
    from rich.text import Text

    from quadriga.engine.text.wrapping import wrap

    page: str = match.game.display.render_text(match.t, match.view(viewer), say, width, found).plain
    others = [wrap(Text(line), width, 3).plain.rstrip("\n") for line in _other_hands(match, seat, say)]
    return "\n".join([page.rstrip("\n"), *others])


def svg(match: Match, seat: int | None, language: str) -> str:
    """Return a position as SVG, with a line for each player below the board."""
    say, viewer = _words(match, language), _viewer(match, seat)
    seen = match.view(viewer)
    display = match.game.display
    if display.render_svg is None:
        raise OptionError("picture.none")
    status = "" if display.render_status is None else display.render_status(match.t, seen, say).plain
    caption = [*status.rstrip("\n").splitlines(), *_other_hands(match, seat, say)]
    return display.render_svg(match.t, seen, caption)


def marks(match: Match) -> dict[str, str]:
    """Return the numbers of the legal actions by the space that they lead to, as boards show them."""
    found: dict[str, list[str]] = {}
    target = match.game.notation.target
    for number, action in enumerate(match.actions().values(), 1):
        space = None if target is None else target(match.t, match.s, action)
        if space is not None:
            found.setdefault(space, []).append(str(number))
    return {space: "·".join(numbers) for space, numbers in found.items()}


def _words(match: Match, language: str) -> Words:
    language = language or catalogues.preferred()
    if language not in catalogues.LANGUAGES:
        raise OptionError("option.value", name="language", value=language, allowed=" | ".join(catalogues.LANGUAGES))
    return catalogues.of(language, match.game.package)


def _viewer(match: Match, seat: int | None) -> int:
    """Return the seat whose view is drawn: without one, that of the seat to decide."""
    if seat is None:
        return match.actor if match.actor >= 0 else 0
    return check_seat(seat, match.seats)


def _other_hands(match: Match, seat: int | None, say: Words) -> list[str]:
    """Return a line for the hidden cards of each other seat, if everything is to be shown."""
    lines: list[str] = []
    viewer, hand = _viewer(match, seat), match.game.display.hand
    if hand is None:
        return lines
    for other in range(match.seats) if seat is None else ():
        cards = hand(match.t, match.view(other), say) if other != viewer else []
        if cards:
            name = say.text(match.game.display.name_of(match.t, other))
            lines.append(" " + say("match.holds", name=name, cards=list(cards)))
    return lines
