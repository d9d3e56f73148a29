"""Golden traces: whole seeded games of every game, one a file, readable in a diff.

`python tests/golden/make.py` writes them anew; do so only where the rules' behaviour was meant to change.
"""

from __future__ import annotations

from pathlib import Path

from quadriga.games import find
from quadriga.lab.traces import random_traces

HERE = Path(__file__).parent
SEED = 2026


def setups() -> dict[str, tuple[str, dict[str, object], int]]:
    """All golden games by name."""
    found: dict[str, tuple[str, dict[str, object], int]] = {}
    for rules in ("ben", "finkel", "masters", "blitz"):
        found[f"ur-{rules}"] = ("ur", {"rules": rules}, 2)
    for markers in range(1, 7):
        found[f"ur-ben-{markers}"] = ("ur", {"markers": markers, "loop": "other" if markers % 2 else "own"}, 2)
    for course, most in (("white", 4), ("blue", 4), ("yellow", 6), ("red", 6)):
        for direction in ("cw", "ccw"):
            for seats in range(3, most + 1):
                options: dict[str, object] = {"courses": [f"{course} {direction}"]}
                found[f"ave-caesar-{course}-{direction}-{seats}"] = ("ave-caesar", options, seats)
    for variant in ("start-by-place", "bottom-card", "crash-and-burn", "dishonour"):
        options = {"courses": ["white cw", "blue ccw"], "variants": [variant]}
        found[f"ave-caesar-{variant}"] = ("ave-caesar", options, 4)
    return found


def written(name: str) -> str:
    """The trace of a golden game, as it is played now."""
    id, options, seats = setups()[name]
    game = find(id)
    settled, _ = game.settle(options, seats)
    return next(random_traces(game, settled, seats, SEED, 1))


if __name__ == "__main__":
    for each in setups():
        (HERE / f"{each}.jsonl").write_text(written(each), encoding="utf-8")
