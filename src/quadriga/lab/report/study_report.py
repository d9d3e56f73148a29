"""All that a report says, before a language is chosen: sections, findings, and figures side by side."""

from __future__ import annotations

from functools import cached_property

from quadriga.lab.report.dataset import Dataset
from quadriga.lab.report.figure import Figure, Section
from quadriga.lab.report.findings import Finding, Pair, differs, pairs, stands_out
from quadriga.lab.report.sections import sections

GROUPS = {  # by the beginning of a section's id, the first that fits
    "win.player": "skill",
    "win.": "fair",
    "ac.start": "fair",
    "bh.grid": "fair",
    "ur.first": "fair",
    "length": "play",
    "lead": "play",
    "decided": "play",
    "luck": "skill",
    "branching": "skill",
    "bh.money": "money",
    "bh.purse": "money",
    "bh.auction": "money",
    "bh.deals": "money",
    "bh.heat": "board",
    "bh.": "cards",
    "ac.heat": "board",
    "ur.heat": "board",
}
ORDER = ("fair", "play", "skill", "race", "money", "cards", "board")


def group(section: Section) -> str:
    """Return the part of the report that a section belongs to."""
    return next((name for start, name in GROUPS.items() if section.id.startswith(start)), "race")


class StudyReport:
    """The report of one study, or of two studies of the same game."""

    def __init__(self, studies: list[Dataset]) -> None:
        self.studies = studies
        self.sections: list[list[Section]] = [sections(study) for study in studies]
        if self.is_comparison:
            self.findings, self.tested = differs(self.pairs)
        else:
            self.findings, self.tested = stands_out(self.sections[0])

    @property
    def is_comparison(self) -> bool:
        """Whether two studies are compared."""
        return len(self.studies) > 1

    @cached_property
    def pairs(self) -> list[Pair]:
        """The figures that both studies have."""
        return pairs(*self.sections) if self.is_comparison else []

    @cached_property
    def paired(self) -> dict[str, Pair]:
        """The same by the id of the figure."""
        return {pair.first.id: pair for pair in self.pairs}

    @cached_property
    def found(self) -> dict[str, Finding]:
        """The findings by the id of their figure."""
        return {finding.figure.id: finding for finding in self.findings}

    @cached_property
    def groups(self) -> dict[str, list[tuple[Section, Section | None]]]:
        """The sections of each part of the report, with those of the second study beside them."""
        first, *rest = self.sections
        others = {section.id: section for section in (rest[0] if rest else [])}
        rows: list[tuple[Section, Section | None]] = [(section, others.pop(section.id, None)) for section in first]
        found: dict[str, list[tuple[Section, Section | None]]] = {name: [] for name in ORDER}
        for section, other in rows:
            found[group(section)].append((section, other))
        for section in others.values():  # only the second study has it
            found[group(section)].append((section, None))
        return {name: each for name, each in found.items() if each}

    def is_only_second(self, section: Section) -> bool:
        """Return whether the first study lacks a section."""
        return all(section is not each for each in self.sections[0])

    def all_figures(self) -> list[dict[str, Figure]]:
        """Return the figures of each study by id."""
        return [{figure.id: figure for section in each for figure in section.all_figures} for each in self.sections]
