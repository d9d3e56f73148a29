"""Figures and sections: the numbers of a report, before a language is chosen."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from quadriga.engine.text.catalogues import Localised, Message, Words
from quadriga.lab.statistics import Measure

Form = Literal["percent", "points", "number", "ducats", "change", "sure", "short", "whole"]
"""How a value is written: a share in percent, a difference of shares in points, a number, Ducats with a sign,
the difference of two numbers, a probability of 99 % or more, a number with one digit after the point,
or a count."""

Chart = Literal["dots", "curve", "bars", "heat"]
Group = Literal["fair", "play", "skill", "race", "money", "cards", "board"]
"""The parts of a report, in their order: is it fair, is it exciting, skill and luck, what happens, and so on."""

Label = Message | Localised | str


def message(id: str, **parameters: object) -> Message:
    """Return a message. Its parameters may be figures and numbers, which `tell` writes."""
    return Message(id, parameters)


class Number(NamedTuple):
    """A value and how it is written."""

    value: float
    form: Form = "number"


class Figure(NamedTuple):
    """One number of a report. Its id is unique in the report and the same in every report of the game."""

    id: str
    label: Label
    measure: Measure
    form: Form = "number"
    expected: float | None = None  # its value if nothing were out of balance
    is_tested: bool = True  # part of the tests for what stands out, and of comparisons
    finding: str = "finding.other"  # the sentence if it stands out
    x: float | None = None  # its place on the axis of a curve or a histogram
    series: Label = ""  # the curve or the group that it belongs to

    @property
    def is_known(self) -> bool:
        """Whether there is anything to show."""
        return not math.isnan(self.measure.value)


class Heat(NamedTuple):
    """A board with a value for each space."""

    board: str  # its id in the page
    values: Mapping[str, float]


@dataclass
class Section:
    """A chart with its heading, its sentence and the figures in its table."""

    id: str
    sentence: Message  # says what the chart shows, in numbers
    figures: list[Figure]
    chart: Chart = "dots"
    axis: str = ""  # the message for the title of the axis of values
    across: str = ""  # the message for the title of the other axis of a curve or a histogram
    parameters: dict[str, object] = field(default_factory=dict)  # of the heading
    heats: list[Heat] = field(default_factory=list)
    headline: list[Figure] = field(default_factory=list)  # figures that are told and tested but not drawn,
    names_itself: bool = True  # ... and whether their labels need no heading
    group: Group = "race"  # the part of the report that it belongs to

    @property
    def heading(self) -> Message:
        """The heading."""
        return Message(f"section.{self.id.split(':')[0]}.heading", self.parameters)

    @property
    def note(self) -> str:
        """The id of the message that says how the figures are defined; not every section has one."""
        return f"section.{self.id.split(':')[0]}.note"

    @property
    def all_figures(self) -> list[Figure]:
        """All figures, told or drawn."""
        return [*self.headline, *self.figures]


def written(words: Words, value: float, form: Form, like: float | None = None) -> str:
    """Return a value as text in a language; `like` is a value whose number of digits to use."""
    if math.isnan(value):
        return "–"
    if form == "percent":
        return words.percent(value, 1)
    if form == "sure":
        return words.percent(value, 1 if value > 0.99 else 0)
    if form == "whole":
        return words.decimal(value, 0 if value == round(value) else 1)
    if form == "points":
        return _signed(words, 100 * value, 1)
    digits = 1 if form == "short" else _digits(value if like is None else like)
    return words.decimal(value, digits) if form in ("number", "short") else _signed(words, value, digits)


def _digits(value: float) -> int:
    """Return how many digits after the point show about three digits of a number, or two of a small one."""
    size = abs(value)
    if size >= 1000:
        return 0
    if size >= 10:
        return 1
    return 2 if size >= 0.1 or size == 0 else min(1 - math.floor(math.log10(size)), 5)


def is_written_alike(first: float, second: float, form: Form) -> bool:
    """Return whether two values look the same, or their difference looks like 0, after rounding for display."""
    if form in ("percent", "points"):
        return round(100 * first, 1) == round(100 * second, 1) or round(100 * (second - first), 1) == 0
    return round(first, _digits(first)) == round(second, _digits(second))


def _signed(words: Words, value: float, digits: int) -> str:
    text = words.decimal(abs(value), digits)
    return ("−" if value < 0 else "+") + text


def difference_form(form: Form) -> Form:
    """Return how the difference of two values is written."""
    return "points" if form in ("percent", "points") else "ducats" if form == "ducats" else "change"


def interval(words: Words, measure: Measure, form: Form) -> str:
    """Return the interval of a measure in words."""
    if math.isnan(measure.low) or math.isinf(measure.low):
        return "–"
    low, high = (written(words, each, form, measure.value) for each in (measure.low, measure.high))
    return words("report.range", low=low, high=high)


def tell(words: Words, label: Label | object) -> str:
    """Return a label or a sentence in a language. Figures in it are written with their intervals."""
    if isinstance(label, Message):
        return words(label.id, **{name: _parameter(words, value) for name, value in label.parameters.items()})
    return label.text(words.language) if isinstance(label, Localised) else str(label)


def sentence(words: Words, text: Message) -> str:
    """Return a sentence in a language, with a capital at its beginning."""
    told = tell(words, text)
    return told[:1].upper() + told[1:]


def _parameter(words: Words, value: object) -> object:
    if isinstance(value, Figure):
        found = value.measure
        text = written(words, found.value, value.form)
        if math.isnan(found.low) or found.low == found.high:  # unknown, or the same in every game
            return text
        return words("report.estimate", value=text, interval=interval(words, found, value.form))
    if isinstance(value, Number):
        return written(words, value.value, value.form)
    if isinstance(value, list):
        texts = [str(_parameter(words, each)) for each in value]
        return words("report.and_then").join(texts) if any("," in text for text in texts) else texts
    return tell(words, value) if isinstance(value, Message | Localised) else value
