"""Build the tables of a ranking: the contents of every block, and the positions that come before each of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import numpy.typing as npt

from quadriga.games.ur.board import LAST_BLANK, MOTIFS, RULE_SETS, TURN_BACK, path
from quadriga.games.ur.options import new
from quadriga.games.ur.state import State
from quadriga.players.exact.ranking import BLOCKS, CODES, FIELDS, MOST, ROOMS, SIDE, TAKEN, WIDE, Ranks, code

# The blocks, the most significant first.
_BLOCKS = (("A7", "A8", "C7", "C8"), ("B7", "B8"), ("B5", "B6"), ("B3", "B4"), ("B1", "B2"), ("A",), ("C",))


@dataclass(frozen=True, eq=False)
class Ranking:
    """The tables of a rule set, and the number of positions of each layer."""

    ranks: Ranks
    sizes: tuple[int, ...]  # by layer

    def count(self, mine: int, theirs: int) -> int:
        """Return the number of positions with these markers left."""
        return self.sizes[mine * SIDE + theirs]


Marker = tuple[int, bool, int]
"""A side, true if dotted, and a step."""


def _places(rules: str, space: str) -> list[Marker]:
    """Return the markers that can stand on a space (UR-5.5)."""
    found = []
    for seat in (0, 1):
        for step, name in enumerate(path(rules, seat), 1):
            if name == space and rules == "ben":
                found += [(seat, False, step)] if step < LAST_BLANK and MOTIFS[space] != "conversion" else []
                found += [(seat, True, step)] if step >= TURN_BACK - LAST_BLANK else []
            elif name == space:
                found.append((seat, False, step))
    return found


def _fits(rules: str, space: str, markers: tuple[Marker, ...]) -> bool:
    """Return whether a space can hold these markers together (UR-5.1 to UR-5.4)."""
    motif = MOTIFS[space]
    if rules == "ben" and motif == "rosette":
        return True
    if rules == "ben" and motif in ("passage", "squares"):
        return len({dotted for _, dotted, _ in markers}) == len(markers)
    return len(markers) <= 1


def _on_space(rules: str, space: str) -> list[tuple[Marker, ...]]:
    """Return all sets of markers that a space can hold, in the order of the steps taken."""
    places = _places(rules, space)
    found = [m for n in range(3) for m in combinations_with_replacement(places, n) if _fits(rules, space, m)]
    return sorted(found, key=lambda markers: sum(step for _, _, step in markers))


def _spaces(rules: str, block: tuple[str, ...]) -> list[str]:
    """Return the spaces of a block; a side's own block has the spaces that it does not share."""
    shared = {space for space in path(rules, 0) if space in path(rules, 1)}
    if len(block) > 1:
        return [space for space in block if space in shared]
    return [space for space in MOTIFS if space[0] == block[0] and space not in shared and _places(rules, space)]


def _set_down(markers: tuple[Marker, ...]) -> State:
    s = State()
    for seat, dotted, step in markers:
        single, twin = (s.dotted, s.dotted_twin) if dotted else (s.blank, s.blank_twin)
        bit = 1 << (TURN_BACK - step if dotted else step)
        (twin if single[seat] & bit else single)[seat] |= bit
    return s


@cache
def ranking(rules: str) -> Ranking:
    """Return the tables of a rule set; they do not depend on the number of markers."""
    t, _ = new({"rules": rules, "markers": RULE_SETS[rules].markers, "loop": "own"}, 2)
    keys = np.zeros(CODES, np.int64)
    contents = np.zeros(ROOMS + WIDE * FIELDS, np.int64)
    blocks: list[list[tuple[int, int]]] = []  # the markers of both sides in each content
    place = 0
    for number, block in enumerate(_BLOCKS):
        contents[number] = place
        found = []
        for held in product(*(_on_space(rules, space) for space in _spaces(rules, block))):
            markers = tuple(marker for on_space in held for marker in on_space)
            mine, theirs = sum(m[0] == 0 for m in markers), sum(m[0] == 1 for m in markers)
            if max(mine, theirs) > MOST:
                continue
            s, taken = _set_down(markers), mine * SIDE + theirs
            keys[code(t, s, 0, number)] = place | taken << TAKEN
            masks = (s.blank, s.dotted, s.blank_twin, s.dotted_twin)
            fields = [*(mask[seat] for mask in masks for seat in (0, 1)), taken]
            contents[ROOMS + place * FIELDS : ROOMS + (place + 1) * FIELDS] = fields
            found.append((mine, theirs))
            place += 1
        blocks.append(found)
    contents[BLOCKS] = place
    before, sizes = _counted(blocks)
    arrays: Any = (keys, before, contents)
    return Ranking(Ranks(*arrays), sizes)


def _counted(blocks: list[list[tuple[int, int]]]) -> tuple[npt.NDArray[np.int64], tuple[int, ...]]:
    """Return the positions that come before each content, by room, and the number of positions of each layer.

    It counts from the last block to the first: `after[x, y]` contents of the later blocks fit into room x and y."""
    before = np.zeros(ROOMS * WIDE, np.int64)
    after = np.ones((SIDE, SIDE), np.int64)
    end = sum(len(block) for block in blocks)
    for block in reversed(blocks):
        first = end - len(block)
        grown = np.zeros((SIDE, SIDE), np.int64)
        for x, y in product(range(SIDE), repeat=2):
            for content, (mine, theirs) in enumerate(block, first):
                before[(x * SIDE + y) * WIDE + content] = grown[x, y]
                if mine <= x and theirs <= y:
                    grown[x, y] += after[x - mine, y - theirs]
        after, end = grown, first
    return before, tuple(int(n) for n in after.reshape(-1))
