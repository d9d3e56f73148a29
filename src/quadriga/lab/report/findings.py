"""Say what stands out in a study, and what differs between the first of several studies and the others.

All tests of a report are corrected together (Holm), at 99 %: if nothing were out of balance, at most one report in
a hundred would say that something is.
"""

from __future__ import annotations

from typing import NamedTuple

from quadriga.engine.text.catalogues import Message
from quadriga.lab.report.figure import Figure, Number, Section, difference_form, is_written_alike, message
from quadriga.lab.statistics import Difference, deviation, difference, holm

LIMIT = 0.01  # the family-wise significance level: the probability of any finding by chance alone
_SURE = ((1e-3, 0.999), (1e-2, 0.99))


class Finding(NamedTuple):
    """A figure that stands out or differs significantly, its sentence, and its corrected p-value."""

    figure: Figure
    section: Section
    sentence: Message
    chance: float
    strength: float  # the deviation in standard errors, for the order
    mark: str = ""  # of the study that differs from the first


def context(figure: Figure, section: Section) -> Message:
    """Return the full name of a figure, with the heading of its section."""
    if figure in section.headline and section.names_itself:
        return message("report.alone", label=figure.label)
    told = {"heading": section.heading, "label": figure.label, "series": figure.series}
    return message("report.context_series" if figure.series else "report.context", **told)


def stands_out(sections: list[Section]) -> tuple[list[Finding], int]:
    """Return the figures that differ significantly from expectation, the clearest first, and the number tested."""
    tested = [
        (section, figure)
        for section in sections
        for figure in section.all_figures
        if figure.is_tested and figure.expected is not None and figure.is_known
    ]
    tests = [deviation(figure.measure, figure.expected or 0.0) for _, figure in tested]
    chances = holm([test.chance for test in tests])
    found = []
    for (section, figure), test, chance in zip(tested, tests, chances, strict=True):
        expected = figure.expected or 0.0
        if chance < LIMIT and not is_written_alike(expected, figure.measure.value, figure.form):
            gap = figure.measure.value - expected
            told = {
                "label": figure.label,
                "series": figure.series,
                "context": context(figure, section),
                "value": figure,
                "expected": Number(expected, figure.form),
                "gap": Number(gap, difference_form(figure.form)),
                "sure": _sure(chance),
            }
            way = "more" if gap > 0 else "less"
            sentence = message(f"{figure.finding}.{way}", **told)
            found.append(Finding(figure, section, sentence, chance, abs(test.deviation)))
    return sorted(found, key=lambda each: -each.strength), len(tested)


class Pair(NamedTuple):
    """The same figure in two studies, and its difference."""

    section: Section
    first: Figure
    second: Figure
    difference: Difference
    mark: str  # of the second study

    @property
    def is_tested(self) -> bool:
        """Whether the difference is tested."""
        return self.first.is_tested and self.second.is_tested and _same_scale(self.first, self.second)

    @property
    def is_written_alike(self) -> bool:
        """Whether a reader sees no difference, because values are rounded."""
        return is_written_alike(self.first.measure.value, self.second.measure.value, self.first.form)


def pairs(first: list[Section], second: list[Section], mark: str = "B") -> list[Pair]:
    """Return the figures that both studies have, with their differences."""
    others = {figure.id: figure for section in second for figure in section.all_figures}
    return [
        Pair(section, figure, others[figure.id], difference(figure.measure, others[figure.id].measure), mark)
        for section in first
        for figure in section.all_figures
        if figure.id in others and figure.is_known and others[figure.id].is_known
    ]


def differs(compared: list[Pair]) -> tuple[list[Finding], int]:
    """Return the figures that differ significantly between studies, the clearest first, and the number tested."""
    tested = [pair for pair in compared if pair.is_tested]
    chances = holm([pair.difference.test.chance for pair in tested])
    is_named = len({pair.mark for pair in compared}) > 1
    found = []
    for pair, chance in zip(tested, chances, strict=True):
        if chance < LIMIT and not pair.is_written_alike:
            strength = abs(pair.difference.test.deviation)
            verdict = _verdict(pair, chance)
            told = message("verdict.between", mark=pair.mark, verdict=verdict) if is_named else verdict
            found.append(Finding(pair.first, pair.section, told, chance, strength, pair.mark))
    return sorted(found, key=lambda each: -each.strength), len(tested)


def _same_scale(first: Figure, second: Figure) -> bool:
    """Return whether two figures can be compared: shares only if the same value is expected."""
    if first.form != "percent" or first.expected is None or second.expected is None:
        return True
    return abs(first.expected - second.expected) < 1e-9


def _verdict(pair: Pair, chance: float) -> Message:
    first, second, found = pair.first, pair.second, pair.difference
    form = difference_form(first.form)
    told: dict[str, object] = {
        "context": context(first, pair.section),
        "label": first.label,
        "before": Number(first.measure.value, first.form),
        "after": Number(second.measure.value, second.form),
        "difference": Number(found.value, form),
        "low": Number(found.low, form),
        "high": Number(found.high, form),
        "sure": _sure(chance),
    }
    way = "rises" if found.value > 0 else "falls"
    if first.finding == "finding.seat" and first.expected is not None:
        told["before"] = Number(first.measure.value - first.expected, "points")
        told["after"] = Number(second.measure.value - first.expected, "points")
        return Message(f"verdict.advantage.{way}", told)
    return Message(f"verdict.{'points' if form == 'points' else 'other'}.{way}", told)


def _sure(chance: float) -> Number:
    return next(Number(sure, "sure") for limit, sure in _SURE if chance < limit)
