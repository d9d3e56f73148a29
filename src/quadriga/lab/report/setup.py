"""Describe the set-up of a study in words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from quadriga.engine.text.catalogues import Words
from quadriga.lab.report.dataset import Dataset

_LONGEST = 120  # characters of an option's value


def setup_rows(data: Dataset, studies: Sequence[Dataset], words: Words) -> list[tuple[str, str]]:
    """Return the set-up of a study as pairs of a label and a value; `studies` are all those of the report."""
    plan = data.plan
    rows = [
        (words("report.games"), words.decimal(data.games)),
        (words("report.seats"), str(data.seats)),
        (words("report.players"), _players(data, words)),
        (words("report.options"), _options(data, studies, words) or words("report.standard")),
        (words("report.seed"), str(plan.get("seed", "–"))),
    ]
    if "version" in plan:
        rows.append((words("report.version"), f"Quadriga {plan['version']}"))
    return rows


def _players(data: Dataset, words: Words) -> str:
    lineups: Sequence[Sequence[str]] = (
        data.table("seats")
        .sort("game", "seat")
        .group_by("game", maintain_order=True)
        .agg("player")["player"]
        .unique(maintain_order=True)
        .to_list()
    )
    first = ", ".join(map(str, lineups[0]))
    return first if len(lineups) == 1 else words("report.rotated", players=first)


def _options(data: Dataset, studies: Sequence[Dataset], words: Words) -> str:
    """Return the options that differ from the standard set-up of the game."""
    standard, _ = data.game.resolve_options({}, data.seats)
    changed = {name: value for name, value in data.plan["options"].items() if standard.get(name) != value}
    texts = []
    for name, value in changed.items():
        text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        if isinstance(value, bool):
            text = words("report.yes" if value else "report.no")
        if isinstance(value, dict):
            text = _file(data, studies, name)
        elif len(text) > _LONGEST:
            text = text[:_LONGEST] + "…"
        texts.append(f"{name} = {text}")
    return "; ".join(texts)


def _file(data: Dataset, studies: Sequence[Dataset], option: str) -> str:
    """Return the name of the file that an option was read from; its path if two files have the same name."""
    path = _path(data, option)
    documents = [study.plan["options"][option] for study in studies if _path(study, option).name == path.name]
    is_clear = all(each == data.plan["options"][option] for each in documents)
    return path.name if is_clear else str(path)


def _path(data: Dataset, option: str) -> Path:
    """Return the path of a file as it was given. A study of an earlier version does not know it."""
    return Path(data.plan.get("files", {}).get(option, "…"))
