"""The section of High Card in a report. It needs the lab, which loads this module by its name."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from quadriga.engine.text.catalogues import Message
from quadriga.lab.report.dataset import Dataset, rate, values
from quadriga.lab.report.figure import Figure, Section, message


def sections(data: Dataset, studies: Sequence[Dataset]) -> list[Section]:
    """Return how often each card takes its trick, in a report about some studies."""
    table = data.table("cards")
    figures = [
        Figure(
            f"highcard.taken.{card}",
            Message("highcard.card", {"card": card}),
            rate(table.filter(pl.col("card") == card), pl.col("taken"), is_share=True),
            "percent",
        )
        for card in sorted({card for each in studies for card in values(each.table("cards"), "card")})
    ]
    told = message("section.highcard.cards.sentence", card=figures[-1].label, share=figures[-1])
    return [Section("highcard.cards", told, figures, axis="axis.share", group="cards")]
