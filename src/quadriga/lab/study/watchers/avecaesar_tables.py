"""The tables of Ave Caesar."""

from __future__ import annotations

from typing import Any

import numpy as np

from quadriga.lab.study import watch
from quadriga.lab.study.frames import Columns, Counts, in_blocks, indices, seat_names, tally_columns, texts
from quadriga.lab.study.plan import Plan
from quadriga.lab.study.watch import Layout
from quadriga.lab.study.watchers import avecaesar
from quadriga.lab.study.watchers import avecaesar_counts as ac
from quadriga.lab.study.watchers.tables import Watcher


def _races(plan: Plan, t: Any, layout: Layout, rows: Counts, first: int) -> Columns:
    counts = layout.part(rows, ac.RACES)
    games, races, seats = indices(counts.shape[:3])
    flat = counts.reshape(-1, ac.RACE_FIELDS)
    names = np.array(seat_names(plan, first, len(rows)), object)
    return {
        "game": first + games,
        "race": races,
        "course": texts([course.name for course in t.raced], races),
        "direction": texts([course.direction for course in t.raced], races),
        "seat": seats,
        "player": names[games, seats],
        "start": flat[:, ac.START],
        "finish": flat[:, ac.PLACE],
        "end": texts(ac.ENDS, flat[:, ac.END]),
        "points": flat[:, ac.POINTS],
        "cards": flat[:, ac.CARDS],
        "left": flat[:, ac.LEFT],
        "alley": flat[:, ac.ALLEY],
        "waits": flat[:, ac.WAITS],
        "overtaken": flat[:, ac.OVERTAKEN],
    }


def _rules(layout: Layout, rows: Counts, first: int) -> Columns:
    counts = layout.part(rows, ac.RULES)
    games, races, rules = np.nonzero(counts)
    return {
        "game": first + games,
        "race": races,
        "rule": texts(ac.RULE_IDS, rules),
        "count": counts[games, races, rules],
    }


def _spaces(t: Any, layout: Layout, rows: Counts, first: int) -> Columns:
    """Return the spaces of every course that is raced, in driving order. Races on the same course are added up."""
    counts = layout.part(rows, ac.SPACES).sum(axis=0)
    courses = {course.text: course for course in t.raced}
    names: list[tuple[str, str]] = []
    found: list[Counts] = []
    for text, course in courses.items():
        size = len(course.spaces)
        names += [(text, space.text) for space in course.spaces]
        races = [race for race, raced in enumerate(t.raced) if raced.text == text]
        found.append(counts[races].sum(axis=0)[:size])
    flat = np.concatenate(found)
    return {
        "first": np.full(len(flat), first),
        "games": np.full(len(flat), len(rows)),
        "course": [course for course, _ in names],
        "space": [space for _, space in names],
        "landings": flat[:, ac.LANDINGS],
        "stands": flat[:, ac.STANDS],
        "blocks": flat[:, ac.BLOCKS],
        "overtakes": flat[:, ac.OVERTAKES],
    }


def _tables(plan: Plan, t: Any, layout: Layout, rows: Counts, first: int) -> dict[str, Columns]:
    return {
        "games": {"races": np.full(len(rows), t.races), **tally_columns(layout, rows)},
        "races": _races(plan, t, layout, rows, first),
        "rules": _rules(layout, rows, first),
        "spaces": in_blocks(lambda some, begin: _spaces(t, layout, some, begin), rows, first),
    }


WATCHER = Watcher(
    {watch.watch: avecaesar.watch, watch.standing: avecaesar.standing},
    lambda t, seats: ac.parts(t.races, seats),
    lambda layout, rows: layout.part(rows, ac.RACES)[:, 0, :, ac.START],
    _tables,
)
