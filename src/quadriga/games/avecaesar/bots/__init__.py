"""How bots play Ave Caesar: rules of thumb, and a search to the end of the race."""

from __future__ import annotations

from quadriga.engine.parts.bots import Bots, Search
from quadriga.games.avecaesar.bots.rules_of_thumb import PARTS, advise, chapter, enough
from quadriga.games.avecaesar.state import State, Tables

BOTS: Bots[Tables, State] = Bots(
    advise=advise,
    parts=PARTS,
    levels={"beginner": "greedy:slips-60", "easy": "greedy:slips-35", "expert": "search:500"},
    search=Search(chapter=chapter, enough=enough),
)
