"""Heat maps: where on the board something happens, as shares of all that happened."""

from __future__ import annotations

import math
from collections.abc import Mapping

import msgspec
import polars as pl

from quadriga.engine.text.catalogues import Message
from quadriga.lab.report.dataset import rate
from quadriga.lab.report.figure import Figure, Heat, Label, Section

HOTTEST = 3  # spaces that the sentence names
FEWEST_BLOCKS = 5  # of games, for an interval


def heat_section(
    kind: str, id: str, table: pl.DataFrame, column: str, labels: Mapping[str, Label], board: str, **named: object
) -> Section | None:
    """Return the heat map of a column; None if nothing happened. `labels` names the spaces of the board."""
    total = table.group_by("first", maintain_order=True).agg(pl.col(column).sum().alias("total"))
    if not total["total"].sum():
        return None
    blocks = table.group_by("first", "space", maintain_order=True).agg(pl.col(column).sum())
    figures = []
    for space, label in labels.items():
        own = total.join(blocks.filter(pl.col("space") == space), on="first", how="left").fill_null(0)
        found = rate(own, pl.col(column), pl.col("total"), is_share=True, unit="first")
        if found.units < FEWEST_BLOCKS:
            found = msgspec.structs.replace(found, low=math.nan, high=math.nan)
        figures.append(Figure(f"{id}.{space}", label, found, "percent", is_tested=False))
    figures.sort(key=lambda figure: -figure.measure.value)
    hottest = figures[0]
    sentence = Message(
        f"section.{kind}.sentence",
        {
            "space": hottest.label,
            "share": hottest,
            "others": [figure.label for figure in figures[1:HOTTEST]],
        },
    )
    values = {figure.id.removeprefix(f"{id}."): figure.measure.value for figure in figures}
    return Section(
        f"{kind}:{id}",
        sentence,
        figures,
        "heat",
        "axis.share",
        parameters=named,
        group="board",
        heats=[Heat(board, values)],
    )
