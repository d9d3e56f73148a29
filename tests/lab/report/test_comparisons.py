"""Reports that compare: the same bars in all set-ups, rows as in the data, shared scales, and labels."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from lab.report.pages import articles, number
from lab.report.recount import recount, rows
from lab.report.small import finkel, measured, small, study
from lab.study.studies import plan_of
from quadriga.engine.text.catalogues import Message
from quadriga.lab.report import write
from quadriga.lab.report.article import ArticleWriter
from quadriga.lab.report.figure import Figure, Section
from quadriga.lab.report.findings import differs, pairs, stands_out
from quadriga.lab.statistics import mean

HISTOGRAMS: dict[str, tuple[str, Callable[[dict[str, Any]], float]]] = {  # the table and the value of a row
    "length": ("games", lambda row: row["decisions"]),
    "lead": ("games", lambda row: row["lead_changes"]),
    "branching": ("games", lambda row: math.floor(row["branching"] * 10) / 10),
    "ac-left": ("races", lambda row: row["left"]),
}


def setups(game: str) -> list[Path]:
    """Return the folders of studies that differ much: in rules, courses, players and lengths."""
    if game == "ur":
        return [small("ur"), finkel()]
    if game == "ben-hvrt":
        plan = plan_of("ben-hvrt", "greedy", "random", options={"series": [1, 3]}, games=60, is_fixed=False)
        return [small("ben-hvrt"), study("bh-other", plan)]
    others = [
        plan_of("ave-caesar", "random", options={"courses": ["white ccw"]}, games=25),
        plan_of("ave-caesar", "greedy", options={"courses": ["yellow cw"]}, games=25),
    ]
    return [small("ave-caesar"), *(study(f"ac-{n}", plan, compiled=False) for n, plan in enumerate(others))]


@cache
def compared(game: str) -> Path:
    """Return a report that compares set-ups of a game."""
    folders = setups(game)
    path = folders[0].parent / f"compared-{game}.html"
    write(folders[0], folders[1:], path, "en")
    return path


@pytest.mark.parametrize("game", ["ur", "ave-caesar", "ben-hvrt"])
def test_every_row_of_a_comparison_is_that_of_the_data(game):
    folders = setups(game)
    found = measured(*folders)
    shown = articles(compared(game))
    ids = [list(figures) for figures in found.all_figures()]
    count = 0
    for row in (each for group in found.groups.values() for each in group):
        sections = list(row.values())
        expected = list(dict.fromkeys(figure.id for section in sections for figure in section.all_figures))
        table = shown[ArticleWriter.anchor(sections[0])].rows
        assert len(table) == len(expected)
        for id, line in zip(expected, table, strict=True):
            cells = line.cells[-len(folders) - (len(folders) == 2) :]
            values = []
            for folder, known, cell in zip(folders, ids, cells[: len(folders)], strict=True):
                value = recount(folder, game, id, known)[0] if id in known else math.nan
                values.append(value)
                count += 1
                if math.isnan(value):
                    assert cell == "–", (id, line)
                else:
                    assert number(cell)[0] == pytest.approx(value, abs=number(cell)[1] + 1e-9), (id, line)
            if len(folders) == 2 and not any(map(math.isnan, values)):
                gap, half = number(cells[-1])
                scale = 100 if "%" in cells[0] else 1
                assert gap == pytest.approx(scale * (values[1] - values[0]), abs=half + 1e-9), (id, line)
    assert count > 100


def bounds(label: str) -> tuple[float, float]:
    """Return the least number in a part of a histogram, and the least one after it."""
    if label.endswith("+"):
        return float(label[:-1]), math.inf
    low, _, high = label.partition("–")
    if "." in label:
        return float(low), float(high)
    return float(low), float(high or low) + 1


@pytest.mark.parametrize("game", ["ur", "ave-caesar", "ben-hvrt"])
def test_the_bars_of_a_comparison_mean_the_same_in_all_set_ups_and_stand_in_order(game):
    folders = setups(game)
    shown = articles(compared(game))
    for id, (table, value) in HISTOGRAMS.items():
        if id not in shown:
            continue
        bars = [row for row in shown[id].rows if row.label[0].isdigit()]
        ends = [bounds(row.label) for row in bars]
        assert len(ends) > 1
        assert [low for low, _ in ends[1:]] == [high for _, high in ends[:-1]]
        for place, folder in enumerate(folders):
            kept = [row for row in rows(folder, table) if id != "ac-left" or row["end"] == "finished"]
            for row, (low, high) in zip(bars, ends, strict=True):
                share = sum(low <= value(each) < high for each in kept) / len(kept)
                assert number(row.cells[place])[0] == pytest.approx(share, abs=0.00051), (id, row)
            assert sum(low <= value(each) < high for each in kept for low, high in ends) == len(kept)


def ticks(texts: list[str]) -> list[str]:
    """Return the numbers along the axes of a chart."""
    return [text for text in texts if re.fullmatch(r"[+−]?[\d.]+%?", text)]


def test_the_charts_of_a_section_share_their_scale():
    shown = articles(compared("ave-caesar"))
    for id in ("ac-start", "ac-alley"):
        first, *others = [ticks(chart) for chart in shown[id].charts]
        assert len(others) == 2
        assert first
        assert others == [first, first]


def test_charts_of_one_quantity_share_their_scale():
    shown = articles(compared("ben-hvrt"))
    assert ticks(shown["bh-played"].charts[0]) == ticks(shown["bh-bought"].charts[0])
    assert ticks(shown["win-seat"].charts[0]) == ticks(shown["win-player"].charts[0])
    maps = articles(compared("ave-caesar"))
    scale = re.compile(r'class="scale" role="img" aria-label="([^"]*)"')
    stands = {
        each
        for id, article in maps.items()
        if id.startswith("ac-heat-stands")
        for each in scale.findall(article.text)
    }
    assert len(stands) == 1


def share(successes: int, trials: int, expected: float | None = None) -> list[Section]:
    won = np.zeros(trials)
    won[:successes] = 1
    figure = Figure("some.share", "some share", mean(won, is_share=True), "percent", expected)
    return [Section("win.seat", Message("report.seat", {"number": 1}), [figure])]


def test_a_difference_that_rounding_hides_is_no_finding():
    assert differs(pairs(share(999_600, 1_000_000), share(999_990, 1_000_000))) == ([], 1)
    assert len(differs(pairs(share(998_000, 1_000_000), share(999_990, 1_000_000)))[0]) == 1
    assert stands_out(share(999_990, 1_000_000, 0.9997)) == ([], 1)
    assert len(stands_out(share(999_990, 1_000_000, 0.998))[0]) == 1


@pytest.mark.parametrize(
    ("seats", "texts"),
    [
        (2, ("Luck makes ", "its own moves and those of the opponent")),
        (3, ("Luck and the moves of the other seats make ", "the rest are its own moves.")),
    ],
)
def test_the_sentence_about_luck_agrees_with_its_note(seats, texts, tmp_path):
    plan = plan_of("highcard", "random", games=4, reviews=2, playouts=2)
    folder = study(f"luck-{seats}", msgspec.structs.replace(plan, seats=seats), compiled=False)
    write(folder, [], tmp_path / "report.html", "en")
    text = articles(tmp_path / "report.html")["luck"].text
    assert all(each in text for each in texts)


def test_shares_of_luck_between_other_numbers_of_seats_are_not_compared():
    plan = plan_of("highcard", "random", games=4, reviews=2, playouts=2)
    plans = [msgspec.structs.replace(plan, seats=seats) for seats in (2, 3)]
    found = measured(*(study(f"luck-{each.seats}", each, compiled=False) for each in plans))
    assert not any(pair.first.id.startswith("luck.share") for pair in found.pairs)


def test_a_row_names_both_labels_if_they_differ():
    plans = [
        plan_of("ur", *names, options={"markers": 1}, games=20, is_fixed=True)
        for names in (("greedy", "random"), ("random", "greedy"))
    ]
    folders = [study(f"fixed-{n}", plan, compiled=False) for n, plan in enumerate(plans)]
    path = folders[0].parent / "fixed.html"
    write(folders[0], folders[1:], path, "en")
    labels = [row.label for row in articles(path)["win-seat"].rows]
    assert labels[0] == "Seat 1 (Black): greedy / Seat 1 (Black): random"
