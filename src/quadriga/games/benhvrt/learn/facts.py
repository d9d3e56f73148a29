"""Numbers about an action of Ben Hvrt that lessons name."""

from __future__ import annotations

from quadriga.games.benhvrt.state import State, Tables


def facts(t: Tables, s: State, after: State, seat: int, action: int) -> dict[str, int | float]:
    """Return what an action leads to.

    `purse` and `pot` are Ducats afterwards, `paid` what the seat paid and `gained` what it received. `roll` and
    `steps` are those of the move under way afterwards, `given_up` the steps that the seat had before.
    """
    change = after.purse[seat] - s.purse[seat]
    return {
        "purse": after.purse[seat],
        "pot": after.pot,
        "paid": max(-change, 0),
        "gained": max(change, 0),
        "roll": after.roll,
        "steps": after.steps,
        "given_up": s.steps,
    }
