"""Data for drawing a game of Ur: spaces, paths and dice, as JSON."""

from __future__ import annotations

from typing import Any

from quadriga.engine.text.catalogues import as_json
from quadriga.games.ur.board import LOOPS, MOTIFS, RULE_SETS, SPACES
from quadriga.games.ur.names import place_name
from quadriga.games.ur.state import Tables
from quadriga.games.ur.view import shown_on

# The entries of the glossary for markers and dice, by rule set.
_BEN_TERMS = {"blank": "blank", "dotted": "dotted", "roll": "roll"}
_TERMS = {
    "ben": _BEN_TERMS,
    "finkel": {**dict.fromkeys(_BEN_TERMS, "marker-classic"), "roll": "roll-finkel"},
    "masters": {**dict.fromkeys(_BEN_TERMS, "marker-classic"), "roll": "roll-masters"},
    "blitz": {**dict.fromkeys(_BEN_TERMS, "marker-blitz"), "roll": "roll-finkel"},
}


def _space_term(rules: str, motif: str) -> str:
    """Return the entry of the glossary for a space: outside Ben's rules only rosettes are special."""
    if rules == "ben":
        return motif
    if motif != "rosette":
        return "space-classic"
    return "rosette-finkel" if RULE_SETS[rules].safe else "rosette-masters"


def geometry(t: Tables) -> dict[str, Any]:
    """Return the board with its motifs, each seat's path with the names of its spaces, and the dice."""
    rules, loop = list(RULE_SETS)[t.rules], LOOPS[t.loop]
    chosen = RULE_SETS[rules]
    length = len(chosen.path)
    throws = sum(chosen.dice)
    count = throws.bit_length() - 1  # each die shows one of two faces
    return {
        "rules": rules,
        "markers": t.markers,
        "dice": list(chosen.dice),
        "dice_count": count,
        "dice_marked": [roll if roll <= count else 0 for roll in range(len(chosen.dice))],
        "roll_mean": sum(roll * weight for roll, weight in enumerate(chosen.dice)) / throws,
        "spaces": {
            s: {"row": s[0], "column": int(s[1]), "motif": MOTIFS[s], "term": _space_term(rules, MOTIFS[s])}
            for s in SPACES
        },
        "terms": _TERMS[rules],
        "paths": [[shown_on(rules, loop, seat, step) for step in range(1, length + 1)] for seat in (0, 1)],
        "places": [[as_json(place_name(t, seat, step)) for step in range(1, length + 1)] for seat in (0, 1)],
        "path_length": length + 1,  # steps from home to off
        "dark_seat": chosen.dark_seat,
        "dotted_off": rules == "ben",  # every marker that leaves the board shows its dots
    }
