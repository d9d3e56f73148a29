"""The sections of a report: those of every game, and those of each game."""

from __future__ import annotations

from collections.abc import Sequence

from quadriga.lab.report.dataset import Dataset
from quadriga.lab.report.figure import Section
from quadriga.lab.report.sections import avecaesar, benhvrt, common, ur

_OWN = {"ur": ur.sections, "ave-caesar": avecaesar.sections, "ben-hvrt": benhvrt.sections}


def sections(data: Dataset, studies: Sequence[Dataset]) -> list[Section]:
    """Return all sections of a study in the order of the report, which is about some studies."""
    own = _OWN.get(data.game.id)
    return common.sections(data, studies) + (own(data, studies) if own else [])
