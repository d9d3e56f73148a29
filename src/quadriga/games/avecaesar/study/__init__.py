"""What the lab counts in Ave Caesar."""

from __future__ import annotations

from quadriga.engine.parts.study import Column, Study, Tallies
from quadriga.games.avecaesar.rules import hidden

TALLIES = (
    Column(
        "finishes",
        "int",
        "The number of chariots that finished.",
        "Le nombre de chars arrivés.",
    ),
    Column(
        "missed",
        "int",
        "The number of missed turns, as `quadriga sim` counts them.",
        "Le nombre de tours passés, comme `quadriga sim` les compte.",
    ),
    Column(
        "dishonoured",
        "int",
        "The number of dishonoured chariots, as `quadriga sim` counts them.",
        "Le nombre de chars déshonorés, comme `quadriga sim` les compte.",
    ),
    Column(
        "wrecks",
        "int",
        "The number of wrecks, as `quadriga sim` counts them.",
        "Le nombre d'épaves, comme `quadriga sim` les compte.",
    ),
)

STUDY = Study(package=__name__, tallies=Tallies(columns=TALLIES, remember=hidden.remember, count=hidden.tally))
