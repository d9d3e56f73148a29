"""Evaluate the expressions of our alerts on scrapes of a real server: the part of PromQL that they use."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import NamedTuple

Labels = frozenset[tuple[str, str]]
Vector = dict[Labels, float]
_TOKEN = re.compile(r"\s*([a-z_]+(?:\{[^}]*\})?(?:\[\d+m\])?|\d+(?:\.\d+)?|==|[->()/,])")
_SAMPLE = re.compile(r"^([a-z_]+)(?:\{(.*)\})? (\S+)$", re.M)
_LABEL = re.compile(r'(\w+)(=~|=)?"([^"]*)"')
_SELECTOR = re.compile(r"([a-z_]+)(?:\{([^}]*)\})?(\[\d+m\])?")
_NONE: Labels = frozenset()


class Scrape(NamedTuple):
    """What Prometheus has read at a time, in seconds."""

    at: float
    samples: dict[str, Vector]


def scraped(text: str | None, at: float) -> Scrape:
    """Return a scrape of the job `quadriga`; without a text the server did not answer."""
    job = frozenset({("job", "quadriga")})
    samples: dict[str, Vector] = {"up": {job: float(text is not None)}}
    for name, labels, value in _SAMPLE.findall(text or ""):
        key = frozenset((label, content) for label, _, content in _LABEL.findall(labels))
        samples.setdefault(name, {})[key] = float(value)
    return Scrape(at, samples)


def fires(expression: str, before: Scrape, now: Scrape) -> bool:
    """Return whether an expression has any result. Rates are those between the two scrapes."""
    return bool(_Evaluator(expression, before, now).result())


class _Evaluator:
    def __init__(self, expression: str, before: Scrape, now: Scrape) -> None:
        self.before, self.now = before, now
        self.tokens = _TOKEN.findall(expression)
        assert "".join(self.tokens).replace(" ", "") == expression.replace(" ", ""), self.tokens

    def result(self) -> Vector:
        left = self._sum()
        if not self.tokens:
            return left
        sign, right = self.tokens.pop(0), self._sum()[_NONE]
        assert not self.tokens
        is_true: Callable[[float], bool] = {">": lambda x: x > right, "==": lambda x: x == right}[sign]
        return {key: value for key, value in left.items() if is_true(value)}

    def _sum(self) -> Vector:
        left = self._value()
        while self.tokens[:1] == ["-"]:
            self.tokens.pop(0)
            right = self._value()
            left = {key: left.get(key, left.get(_NONE, math.nan)) - value for key, value in right.items()}
        return left

    def _arguments(self) -> list[Vector]:
        assert self.tokens.pop(0) == "("
        found = []
        while self.tokens[0] != ")":
            found.append(self._sum())
            if self.tokens[0] == ",":
                self.tokens.pop(0)
        self.tokens.pop(0)
        return found

    def _value(self) -> Vector:
        token = self.tokens.pop(0)
        if token[0].isdigit():
            return {_NONE: float(token)}
        if token in ("sum", "max"):
            return self._aggregate(sum if token == "sum" else max)
        if token == "time":
            self._arguments()
            return {_NONE: self.now.at}
        if token == "rate":
            return self._arguments()[0]  # of a range: the selector has made the rate
        if token == "histogram_quantile":
            quantile, buckets = self._arguments()
            return _quantile(quantile[_NONE], buckets)
        return self._selected(token)

    def _aggregate(self, function: Callable[[list[float]], float]) -> Vector:
        by: set[str] = set()
        if self.tokens[0] == "by":
            del self.tokens[:2]
            while (name := self.tokens.pop(0)) != ")":
                by.add(name)
        groups: dict[Labels, list[float]] = {}
        for key, value in self._arguments()[0].items():
            groups.setdefault(frozenset(each for each in key if each[0] in by), []).append(value)
        return {key: function(values) for key, values in groups.items()}

    def _selected(self, token: str) -> Vector:
        match = _SELECTOR.fullmatch(token)
        assert match is not None, token
        name, labels, span = match.groups()
        wanted = _LABEL.findall(labels or "")
        found = {key: value for key, value in self.now.samples.get(name, {}).items() if _fits(dict(key), wanted)}
        if not span:
            return found
        old, seconds = self.before.samples.get(name, {}), self.now.at - self.before.at
        return {key: (value - old.get(key, 0.0)) / seconds for key, value in found.items()}


def _fits(labels: dict[str, str], wanted: list[tuple[str, str, str]]) -> bool:
    return all(
        re.fullmatch(content if how == "=~" else re.escape(content), labels.get(name, ""))
        for name, how, content in wanted
    )


def _quantile(quantile: float, buckets: Vector) -> Vector:
    """Return the quantile of a histogram, as Prometheus has it: linear within a bucket."""
    counts = sorted((float(dict(key)["le"]), value) for key, value in buckets.items())
    if not counts or not counts[-1][1]:
        return {}
    rank, lower, below = quantile * counts[-1][1], 0.0, 0.0
    for bound, count in counts:
        if count >= rank:
            return {
                _NONE: lower if math.isinf(bound) else lower + (bound - lower) * (rank - below) / (count - below)
            }
        lower, below = bound, count
    return {}
