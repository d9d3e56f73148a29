"""Numbers about a move of Ur that lessons name."""

from __future__ import annotations

from quadriga.games.ur.risk import risk
from quadriga.games.ur.rules.turn import at_home
from quadriga.games.ur.state import DONE, State, Tables
from quadriga.games.ur.view import markers_of


def facts(t: Tables, s: State, after: State, seat: int, action: int) -> dict[str, int | float]:
    """Return the numbers about a move that lessons may name.

    `risk` is the probability that the moved marker is captured before the seat moves again, `risk_N` that of the
    marker on step N, and `threat_N` what it would be if the other side rolled now. `left` is the number of steps
    that the moved marker still has to go. `home` and `off` count the seat's markers.
    """
    to = (action >> 2) + (action & 3) + 1
    found: dict[str, int | float] = {
        "home": at_home(t, after, seat),
        "off": after.off[seat],
        "left": t.off - to,
        "risk": 0.0,
    }
    if after.phase == DONE:
        return found
    passed = after.copy()
    passed.turn = seat ^ 1
    for marker in markers_of(t, after, seat):
        found[f"threat_{marker.step}"] = risk(t, passed, seat, marker.step)
        found[f"risk_{marker.step}"] = found[f"threat_{marker.step}"] if after.turn != seat else 0.0
    found["risk"] = found.get(f"risk_{to}", 0.0)
    return found
