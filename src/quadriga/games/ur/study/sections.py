"""The sections of Ur: the first turn, what happens in a game, and heat maps of steps and captures."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from quadriga.engine.text.catalogues import Message
from quadriga.games.ur.board import SPACES
from quadriga.lab.report.dataset import Dataset, rate
from quadriga.lab.report.figure import Figure, Label, Section, message
from quadriga.lab.report.sections.spaces import heat_section

EVENTS = ("captures", "free", "lost", "jumps")


def sections(data: Dataset, studies: Sequence[Dataset]) -> list[Section]:
    """Return the sections of Ur."""
    found: list[Section | None] = [_first(data), _events(data)]
    table = data.table("spaces").filter(pl.col("space") != "off")
    labels: dict[str, Label] = {space: space for space in SPACES}
    for column in ("landings", "captures"):
        found.append(heat_section(f"ur.heat.{column}", f"ur.{column}", table, column, labels, "ur"))
    return [section for section in found if section is not None]


def _first(data: Dataset) -> Section:
    """Return how often the side that starts wins, beside its exact win probability from solved tables."""
    games = data.table("games")
    starters = data.table("seats").select("game", pl.col("seat").alias("first"), "won")
    won = Figure(
        "ur.first.won",
        Message("report.first_won", {}),
        rate(games.join(starters, on=["game", "first"]), pl.col("won"), is_share=True),
        "percent",
        0.5,
        finding="finding.first",
    )
    solved = games.filter(pl.col("solved").is_not_null())
    if solved.is_empty():
        return Section(
            "ur.first", message("section.ur.first.sentence", won=won), [won], axis="axis.wins", group="fair"
        )
    exact = Figure(
        "ur.first.solved",
        Message("report.first_solved", {}),
        rate(solved, pl.col("solved")),
        "percent",
        0.5,
        finding="finding.first_solved",
    )
    sentence = message("section.ur.first.exact", won=won, solved=exact)
    return Section("ur.first", sentence, [won, exact], axis="axis.wins", group="fair")


def _events(data: Dataset) -> Section:
    games = data.table("games")
    figures = {
        event: Figure(f"ur.{event}", data.label("games", event), rate(games, pl.col(event))) for event in EVENTS
    }
    sentence = message("section.ur.events.sentence", **figures)
    return Section("ur.events", sentence, list(figures.values()), axis="axis.per_game")
