"""The parts of a report's page that show one section: sentence, charts and table, in one language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from markupsafe import Markup

from quadriga.engine.text.catalogues import Words
from quadriga.lab.report import charts, heat
from quadriga.lab.report.figure import Figure, Section, difference_form, interval, message, sentence, tell, written
from quadriga.lab.report.scales import quantity, scales
from quadriga.lab.report.study_report import MARKS, StudyReport

_INNER_ROLES = re.compile(r' (?:role|aria-[a-z]+|class)="[^"]*"')  # of the parts of a chart, which is one picture


class ArticleWriter:
    """Writes the sections of a report in one language."""

    def __init__(self, report: StudyReport, boards: list[dict[str, heat.Board]], words: Words) -> None:
        self.report = report
        self.boards = boards
        self.words = words
        self.scales = scales(section for study in report.sections for section in study)

    @staticmethod
    def anchor(section: Section) -> str:
        """Return the id of a section in the page."""
        return re.sub(r"[^a-z0-9]+", "-", section.id.lower())

    def article(self, row: Mapping[str, Section]) -> dict[str, Any]:
        """Return what the template shows of a section, given by the marks of the studies that have it."""
        words = self.words
        both = list(row.items())
        section = both[0][1]
        heading = tell(words, section.heading)
        compared = self.report.is_comparison
        verdicts = self._verdicts(section) if compared else []
        return {
            "anchor": self.anchor(section),
            "kind": "heat-map" if section.chart == "heat" else section.chart,
            "heading": heading,
            "sentences": [
                {"mark": mark if compared else "", "text": sentence(words, each.sentence)} for mark, each in both
            ],
            "verdicts_heading": words("report.here_differs"),
            "verdicts": verdicts,
            "same": self._same(section) if len(both) > 1 else "",
            "charts": self._charts(both),
            "note": words(section.note) if section.note in words else "",
            "table_name": words("report.table", heading=heading),
            "marked": words("report.differs" if compared else "report.marked"),
            "columns": self._columns(both),
            "rows": self._rows(both),
        }

    def _verdicts(self, section: Section) -> list[str]:
        found = self.report.found
        return [
            sentence(self.words, finding.sentence)
            for figure in section.all_figures
            for finding in found.get(figure.id, ())
        ]

    def _same(self, section: Section) -> str:
        """Return the sentence for a section without significant differences."""
        if any(figure.id in self.report.compared for figure in section.all_figures):
            return self.words("report.here_same")
        is_tested = any(figure.is_tested for figure in section.all_figures)
        has_other_seats = len({study.seats for study in self.report.studies}) > 1
        return self.words("report.here_other_scale") if is_tested and has_other_seats else ""

    def _charts(self, both: list[tuple[str, Section]]) -> list[dict[str, Any]]:
        """Return the charts: one for all studies, or one for each if the figures have groups of their own."""
        first = both[0][1]
        if not any(figure.is_known for _, section in both for figure in section.figures):
            return []
        if first.chart == "heat":
            return self._heat_maps(both)
        if len(both) == 1 or self._has_groups(both):
            series = self._series(figure for _, section in both for figure in section.figures)
            drawn = {
                mark: self._chart(section, section.figures, series)
                for mark, section in both
                if any(figure.is_known for figure in section.figures)
            }
            return [
                {"mark": mark if len(both) > 1 else "", "svg": svg, "scale": None} for mark, svg in drawn.items()
            ]
        marked = [figure._replace(series=mark) for mark, section in both for figure in section.figures]
        return [{"mark": "", "svg": self._chart(first, marked, self._series(marked)), "scale": None}]

    def _series(self, figures: Iterable[Figure]) -> list[str]:
        """Return the names of the series in a chart, in order. The index of a series determines its colour."""
        return list(dict.fromkeys(tell(self.words, figure.series) for figure in figures if figure.is_known))

    def _chart(self, section: Section, figures: list[Figure], series: list[str]) -> Markup:
        words = self.words
        known = [figure for figure in figures if figure.is_known]
        title = words(section.axis) if section.axis else ""
        across = words(section.across) if section.across else ""
        scale = self.scales[quantity(section)]
        if section.chart == "curve":
            drawn = charts.curve(known, words, title, across, series, scale)
        elif section.chart == "bars":
            drawn = charts.bars(known, words, title, across, series, scale)
        else:
            drawn = charts.dots(known, words, title, series, scale)
        heading = f"{self.anchor(section)}-{words.language}-h"
        plain = _INNER_ROLES.sub("", drawn)
        return Markup(plain.replace("<svg ", f'<svg role="img" aria-labelledby="{heading}" ', 1))

    def _heat_maps(self, both: list[tuple[str, Section]]) -> list[dict[str, Any]]:
        most = self.scales[quantity(both[0][1])].high
        words = self.words
        shown = []
        for mark, section in both:
            boards: Mapping[str, heat.Board] = self.boards[MARKS.index(mark)]
            heading = f"{self.anchor(section)}-{words.language}-h"
            for each in section.heats:
                highest = words.percent(most, 1)
                label = words("report.heat_scale", least=words.percent(0), most=highest)
                drawn = Markup(heat.heat_map(boards[each.board], each, most, heading))
                scale = {"least": words.percent(0), "most": highest, "label": label}
                shown.append({"mark": mark if len(both) > 1 else "", "svg": drawn, "scale": scale})
        return shown

    @staticmethod
    def _has_groups(both: list[tuple[str, Section]]) -> bool:
        return any(figure.series for _, section in both for figure in section.figures)

    def _columns(self, both: list[tuple[str, Section]]) -> list[str]:
        words = self.words
        section = both[0][1]
        group = ["report.column_series"] if self._has_groups(both) else []
        names = [words(name) for name in ["report.column_label", *group]]
        if self.report.is_comparison:
            marks = self.report.marks
            return [*names, *marks, *([words("report.column_difference")] if len(marks) == 2 else [])]
        units = "report.column_blocks" if section.chart == "heat" else "report.column_units"
        return [*names, words("report.column_value"), words("report.column_interval"), words(units)]

    def _rows(self, both: list[tuple[str, Section]]) -> list[dict[str, Any]]:
        words = self.words
        by_mark = {mark: {figure.id: figure for figure in section.all_figures} for mark, section in both}
        ids = list(dict.fromkeys(known for figures in by_mark.values() for known in figures))
        rows = []
        for known in ids:
            same = [figures[known] for figures in by_mark.values() if known in figures]
            figure = same[0]
            cells = [tell(words, figure.series)] if self._has_groups(both) else []
            if self.report.is_comparison:
                cells += [self._estimate(by_mark.get(mark, {}).get(known)) for mark in self.report.marks]
                cells += [self._difference(known, figure)] if len(self.report.marks) == 2 else []
            else:
                found = figure.measure
                cells += [written(words, found.value, figure.form), interval(words, found, figure.form)]
                cells.append(words.decimal(found.units))
            label = " / ".join(dict.fromkeys(tell(words, each.label) for each in same))
            rows.append({"label": label, "cells": cells, "marked": known in self.report.found})
        return rows

    def _estimate(self, figure: Figure | None) -> str:
        if figure is None or not figure.is_known:
            return "–"
        return tell(self.words, message("report.figure", figure=figure))

    def _difference(self, id: str, figure: Figure) -> str:
        pair = self.report.paired.get(id)
        if pair is None:
            return "–"
        form, found = difference_form(figure.form), pair.difference
        low, high = (written(self.words, each, form, found.value) for each in (found.low, found.high))
        value = written(self.words, found.value, form)
        return self.words("report.estimate", value=value, interval=self.words("report.range", low=low, high=high))
