"""The sections of a report: those of every game, and those of the game's study."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import cast

from quadriga.lab.report.dataset import Dataset
from quadriga.lab.report.figure import Section
from quadriga.lab.report.sections import common

Sections = Callable[[Dataset, Sequence[Dataset]], list[Section]]
"""Returns the sections of a study, given all studies of the report, so that charts have the same bars and rows."""


def sections(data: Dataset, studies: Sequence[Dataset]) -> list[Section]:
    """Return all sections of a study in the order of the report; `studies` are all those of the report."""
    study, found = data.game.study, common.sections(data, studies)
    if study is None or study.sections is None:
        return found
    own = cast("Sections", import_module(study.sections).sections)
    return [section for section in found if section.id not in study.replaces] + own(data, studies)
