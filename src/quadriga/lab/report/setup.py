"""Describe the set-up of a study in words."""

from __future__ import annotations

from collections.abc import Sequence

from quadriga.engine.text.catalogues import Words
from quadriga.lab.report.dataset import Dataset

_LONGEST = 120  # characters of an option's value, such as a whole deck


def setup_rows(data: Dataset, words: Words) -> list[tuple[str, str]]:
    """Return the facts of a set-up, each with its name."""
    plan = data.plan
    rows = [
        (words("report.games"), words.decimal(data.games)),
        (words("report.seats"), str(data.seats)),
        (words("report.players"), _players(data, words)),
        (words("report.options"), _options(data, words) or words("report.standard")),
        (words("report.seed"), str(plan.get("seed", "–"))),
    ]
    if "version" in plan:
        rows.append((words("report.version"), f"Quadriga {plan['version']}"))
    return rows


def _players(data: Dataset, words: Words) -> str:
    lineups: Sequence[Sequence[str]] = (
        data.frame("seats")
        .sort("game", "seat")
        .group_by("game", maintain_order=True)
        .agg("player")["player"]
        .unique(maintain_order=True)
        .to_list()
    )
    first = ", ".join(map(str, lineups[0]))
    return first if len(lineups) == 1 else words("report.rotated", players=first)


def _options(data: Dataset, words: Words) -> str:
    """Return the options that differ from the standard set-up of the game."""
    standard, _ = data.game.resolve_options({}, data.seats)
    changed = {name: value for name, value in data.plan["options"].items() if standard.get(name) != value}
    texts = []
    for name, value in changed.items():
        text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        if isinstance(value, bool):
            text = words("report.yes" if value else "report.no")
        if isinstance(value, dict) or len(text) > _LONGEST:
            text = str(value.get("name", "…")) if isinstance(value, dict) else text[:_LONGEST] + "…"
        texts.append(f"{name} = {text}")
    return "; ".join(texts)
