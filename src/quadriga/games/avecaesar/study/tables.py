"""The tables of Ave Caesar."""

from __future__ import annotations

import numpy as np

from quadriga.engine.parts.study import Columns, Counted, Counts, in_blocks, indices, texts
from quadriga.games.avecaesar.state import Tables
from quadriga.games.avecaesar.study.columns import (
    END,
    ENDS,
    RACE_COUNTS,
    RULE_IDS,
    RULES_COUNTED,
    SPACE_COUNTS,
    START,
)


def starts(found: Counted[Tables]) -> Counts:
    """Return the start position of every seat in the first race."""
    return found.block(RACE_COUNTS)[:, 0, :, START]


def fill(found: Counted[Tables]) -> dict[str, Columns]:
    """Return the values of Ave Caesar's own columns and tables."""
    spaces = found.block(SPACE_COUNTS)
    return {
        "games": {"races": np.full(len(found.rows), found.t.races), **found.tallied},
        "races": _races(found),
        "rules": _rules(found),
        "spaces": in_blocks(lambda some, begin: _spaces(found.t, some, begin), spaces, found.first),
    }


def _races(found: Counted[Tables]) -> Columns:
    counts = found.block(RACE_COUNTS)
    games, races, seats = indices(counts.shape[:3])
    flat = counts.reshape(-1, RACE_COUNTS.width)
    raced = found.t.raced
    return {
        "game": found.first + games,
        "race": races,
        "course": texts([course.name for course in raced], races),
        "direction": texts([course.direction for course in raced], races),
        "seat": seats,
        "player": np.array(found.players, object)[games, seats],
        **RACE_COUNTS.named(flat),
        "end": texts(ENDS, flat[:, END]),
    }


def _rules(found: Counted[Tables]) -> Columns:
    counts = found.block(RULES_COUNTED)
    games, races, rules = np.nonzero(counts)
    return {
        "game": found.first + games,
        "race": races,
        "rule": texts(RULE_IDS, rules),
        "count": counts[games, races, rules],
    }


def _spaces(t: Tables, spaces: Counts, first: int) -> Columns:
    """Return the spaces of every course that is raced, in driving order. Races on the same course are added up."""
    counts = spaces.sum(axis=0)
    courses = {course.text: course for course in t.raced}
    names: list[tuple[str, str]] = []
    added: list[Counts] = []
    for text, course in courses.items():
        names += [(text, space.text) for space in course.spaces]
        races = [race for race, raced in enumerate(t.raced) if raced.text == text]
        added.append(counts[races].sum(axis=0)[: len(course.spaces)])
    flat = np.concatenate(added)
    return {
        "first": np.full(len(flat), first),
        "games": np.full(len(flat), len(spaces)),
        "course": [course for course, _ in names],
        "space": [space for _, space in names],
        **SPACE_COUNTS.named(flat),
    }
