"""Golden traces: whole seeded games of every game, one a file, readable in a diff.

`python tests/golden/make.py` writes them anew; do so only where the rules' behaviour was meant to change.
"""

from __future__ import annotations

import re
import tomllib
from importlib import resources
from pathlib import Path

from quadriga.games import find
from quadriga.lab.traces import random_traces

HERE = Path(__file__).parent
SEED = 2026

# Decks and tracks of somebody's own: the examples of docs/decks.md, and small ones that keep the files short.
OWN = tomllib.loads(resources.files("quadriga.games.benhvrt").joinpath("data", "deck.toml").read_text("utf-8"))
DECK, TRACK, BOARD = map(
    tomllib.loads,
    re.findall(r"```toml\n(.*?)```", (HERE.parent.parent / "docs" / "decks.md").read_text("utf-8"), re.S),
)
TINY = {"straights": [1, 1, 3], "curves": [1, 1, 2, 2], "square": 10, "curve": 20}
FEW = {"card": [card | {"copies": 1} for card in OWN["card"] if card["name"] in ("Cousin Titus", "False Bottom")]}
HVRT: dict[str, tuple[int, dict[str, object]]] = {
    "2": (2, {"series": [1]}),
    "3": (3, {"series": [1], "offers": 0}),
    "4": (4, {"series": [1], "offers": 2}),
    "6": (6, {"series": [1], "offers": 0}),
    "12": (12, {"series": [1], "offers": 0, "track": TINY}),
    "basic": (4, {"series": "basic", "offers": 0, "deck": FEW, "track": TINY}),
    "doubled": (2, {"series": [1], "double": True, "offers": 0, "track": TINY}),
    "caligula": (5, {"series": "caligula", "offers": 0, "track": TINY}),
    "penalty": (6, {"series": [1, 1], "penalty": True, "offers": 0, "track": TINY}),
    "bribes": (4, {"series": [1], "bribes": True, "offers": 0, "track": TINY}),
    "bribes-two-each": (3, {"series": [1], "bribes": True, "offers": 0, "track": TINY}),
    "one-each": (3, {"series": [1], "offers": 0, "chariots": 1, "track": TINY}),
    "two-each": (5, {"series": [1], "offers": 0, "chariots": 2, "track": TINY}),
    "offers-many": (5, {"series": [1], "offers": 9}),
    "own-deck": (4, {"series": [1], "deck": DECK}),
    "own-track": (6, {"series": [1], "offers": 0, "track": TRACK}),
    "own-grid": (4, {"series": [1], "offers": 0, "track": BOARD}),
}
CUT = {"ben-hvrt-caligula": 650}  # lines: its first races are enough, six are too long to read


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
    for name, (seats, more) in HVRT.items():
        found[f"ben-hvrt-{name}"] = ("ben-hvrt", more, seats)
    return found


def written(name: str) -> str:
    """The trace of a golden game, as it is played now."""
    id, options, seats = setups()[name]
    game = find(id)
    settled, _ = game.resolve_options(options, seats)
    whole = next(random_traces(game, settled, seats, SEED, 1))
    return "".join(whole.splitlines(keepends=True)[: CUT.get(name)])


if __name__ == "__main__":
    for each in setups():
        (HERE / f"{each}.jsonl").write_text(written(each), encoding="utf-8")
