"""Numbers about a move of Ave Caesar that lessons name."""

from __future__ import annotations

from quadriga.games.avecaesar.board import NEVER
from quadriga.games.avecaesar.rules.cards import number, unplayed
from quadriga.games.avecaesar.rules.hidden import distance
from quadriga.games.avecaesar.rules.moves import BOTTOMS, SPAN
from quadriga.games.avecaesar.state import RACING, VALUES, State, Tables


def facts(t: Tables, s: State, after: State, seat: int, action: int) -> dict[str, int | float]:
    """Return the numbers about a move that lessons may name.

    `card` is the card played, `left` the sum of all cards that the seat has not played, `need` the fewest points to
    the finish, `spare` the difference, and `lost` the points that the move lost: its card less what it came closer.
    """
    found: dict[str, int | float] = {"card": action // SPAN + 1 if action < BOTTOMS else action - BOTTOMS + 1}
    if after.race != s.race or after.status[seat] != RACING:
        return found
    left = sum(value * number(unplayed(after, seat), value) for value in range(1, VALUES + 1))
    need = distance(t, after, seat)
    found["left"] = left
    if need < NEVER:
        found |= {"need": need, "spare": left - need, "lost": int(found["card"]) - (distance(t, s, seat) - need)}
    return found
