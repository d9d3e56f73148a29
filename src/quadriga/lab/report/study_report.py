"""All that a report says, before a language is chosen: sections, findings, and figures side by side."""

from __future__ import annotations

from functools import cached_property
from typing import get_args

from quadriga.lab.report.dataset import Dataset
from quadriga.lab.report.figure import Figure, Group, Section
from quadriga.lab.report.findings import Finding, Pair, differs, pairs, stands_out
from quadriga.lab.report.sections import sections

MARKS = ("A", "B", "C", "D", "E", "F")  # of the studies that are compared


class StudyReport:
    """The report of one study, or of several studies of the same game."""

    def __init__(self, studies: list[Dataset]) -> None:
        self.studies = studies
        self.sections: list[list[Section]] = [sections(study, studies) for study in studies]
        if self.is_comparison:
            self.findings, self.tested = differs(self.pairs)
        else:
            self.findings, self.tested = stands_out(self.sections[0])

    @property
    def is_comparison(self) -> bool:
        """Whether studies are compared."""
        return len(self.studies) > 1

    @property
    def marks(self) -> tuple[str, ...]:
        """The letters of the studies."""
        return MARKS[: len(self.studies)]

    @cached_property
    def pairs(self) -> list[Pair]:
        """The figures that the first study has in common with another one, with their differences."""
        first, *others = self.sections
        return [
            pair for mark, each in zip(self.marks[1:], others, strict=True) for pair in pairs(first, each, mark)
        ]

    @cached_property
    def compared(self) -> frozenset[str]:
        """The ids of the figures whose differences were tested."""
        return frozenset(pair.first.id for pair in self.pairs if pair.is_tested)

    @cached_property
    def paired(self) -> dict[str, Pair]:
        """The pairs by the id of their figure; meant for a report of two studies."""
        return {pair.first.id: pair for pair in self.pairs}

    @cached_property
    def found(self) -> dict[str, list[Finding]]:
        """The findings by the id of their figure."""
        found: dict[str, list[Finding]] = {}
        for finding in self.findings:
            found.setdefault(finding.figure.id, []).append(finding)
        return found

    @cached_property
    def groups(self) -> dict[str, list[dict[str, Section]]]:
        """The sections of each part of the report, each by the marks of the studies that have it."""
        rows: dict[str, dict[str, Section]] = {}
        for mark, each in zip(self.marks, self.sections, strict=True):
            for section in each:
                rows.setdefault(section.id, {})[mark] = section
        found: dict[str, list[dict[str, Section]]] = {name: [] for name in get_args(Group)}
        for row in rows.values():
            found[next(iter(row.values())).group].append(row)
        return {name: each for name, each in found.items() if each}

    def all_figures(self) -> list[dict[str, Figure]]:
        """Return the figures of each study by id."""
        return [{figure.id: figure for section in each for figure in section.all_figures} for each in self.sections]
