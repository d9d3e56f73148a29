"""Small studies of the three games and their reports, made once per process."""

from __future__ import annotations

import atexit
import json
import re
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from lab.study.studies import plan_of
from quadriga.games import find
from quadriga.lab.report import write
from quadriga.lab.report.dataset import Dataset
from quadriga.lab.report.study_report import StudyReport
from quadriga.lab.study.collect import collect
from quadriga.lab.study.plan import StudyPlan
from support import SOURCES

DECK = SOURCES / "quadriga" / "games" / "benhvrt" / "data" / "deck.toml"
FREE_CARD = """
[[card]]
name = "Winged Wheels"
kind = "Improvement"
copies = 5
price = 0
upkeep = 0
does = [["natural", 1, 6], ["natural", 2, 6], ["natural", 3, 6]]
text = "A natural 1, 2 or 3 counts as a 6."
fr = { name = "Roues ailées", text = "Un 1, 2 ou 3 naturel compte pour 6." }
"""


@cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def study(name: str, plan: StudyPlan, **how: Any) -> Path:
    """Play a study; return its folder."""
    folder = _folder() / name
    collect(plan, folder, **how)
    return folder


@cache
def deck_with_free_card() -> dict[str, object]:
    """Return options with the usual deck and a strong card that costs nothing."""
    path = _folder() / "deck.toml"
    path.write_text(DECK.read_text("utf-8") + FREE_CARD, "utf-8")
    return find("ben-hvrt").read_flag("deck", str(path))


@cache
def small(game: str) -> Path:
    """Return a small study of a game."""
    if game == "ur":
        plan = plan_of("ur", "greedy", "random", options={"markers": 3}, games=120, reviews=2, playouts=2)
        return study(game, plan, compiled=False)
    if game == "ave-caesar":
        return study(game, plan_of("ave-caesar", "greedy", games=30), compiled=False)
    options = {"series": [2], "bribes": True, **deck_with_free_card()}
    return study(game, plan_of("ben-hvrt", "greedy", options=options, games=240))


@cache
def report(game: str) -> Path:
    """Return the report of the small study of a game."""
    path = _folder() / f"{game}.html"
    write(small(game), [], path, "en")
    return path


@cache
def comparison() -> Path:
    """Return the report of two set-ups of Ur that differ in their rules."""
    path = _folder() / "comparison.html"
    write(small("ur"), [finkel()], path, "fr")
    return path


def finkel() -> Path:
    """Return a small study of Ur with other rules."""
    options = {"markers": 3, "rules": "finkel"}
    return study("finkel", plan_of("ur", "greedy", "random", options=options, games=120), compiled=False)


def figures(path: Path) -> Any:
    """Return the figures in a report."""
    found = re.search(r'<script type="application/json" id="figures">(.*?)</script>', path.read_text("utf-8"), re.S)
    assert found
    return json.loads(found.group(1))


def measured(*folders: Path) -> StudyReport:
    """Return what a report says of one or two studies, without drawing it."""
    return StudyReport([Dataset(folder) for folder in folders])
