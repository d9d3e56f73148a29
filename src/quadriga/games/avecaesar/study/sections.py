"""The sections of Ave Caesar: courses, starts, cards left, the alley, missed turns, special rules and heat maps."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from quadriga.engine.text.catalogues import Message
from quadriga.games.avecaesar.names import place_name
from quadriga.lab.report.dataset import Dataset, rate, values
from quadriga.lab.report.figure import Figure, Label, Section, message
from quadriga.lab.report.histogram import histogram
from quadriga.lab.report.sections.common import equal_share
from quadriga.lab.report.sections.spaces import heat_section

HEATS = ("stands", "blocks", "overtakes")


def sections(data: Dataset, studies: Sequence[Dataset]) -> list[Section]:
    """Return the sections of Ave Caesar."""
    found: list[Section | None] = [_starts(data, studies), _left(data, studies), _courses(data)]
    found += [_alley(data, studies), _waits(data), _rules(data), *_heats(data)]
    return [section for section in found if section is not None]


def course_label(text: str) -> Message:
    """Return the name of a course and its direction, such as `white cw`."""
    name, direction = text.rsplit(" ", 1)
    return Message("report.course", {"course": name, "direction": Message(f"label.{direction}", {})})


def _races(data: Dataset) -> pl.DataFrame:
    """Return the table of races with the course and its direction in one column, and who was first."""
    honoured = pl.col("end") == "finished"
    best = pl.when(honoured).then(pl.col("finish")).min().over("game", "race")
    return data.table("races").with_columns(
        (pl.col("course") + " " + pl.col("direction")).alias("way"),
        (honoured & (pl.col("finish") == best)).alias("is_first"),
    )


def _has_ways(studies: Sequence[Dataset]) -> bool:
    """Return whether the studies of a report have more than one course or direction."""
    return len({way for study in studies for way in values(_races(study), "way")}) > 1


def _finished(data: Dataset) -> pl.DataFrame:
    return data.table("races").filter(pl.col("end") == "finished")


def _starts(data: Dataset, studies: Sequence[Dataset]) -> Section:
    """Return how often each start position wins a race, over all courses and on each of them."""
    races = _races(data)
    figures = []
    ways = values(races, "way")
    has_groups = _has_ways(studies)
    fair = rate(races, pl.col("is_first"), is_share=True).value if equal_share(data) else None  # of all starts
    for way in ways:
        for start in values(races, "start"):
            own = races.filter((pl.col("start") == start) & (pl.col("way") == way))
            figures.append(
                Figure(
                    f"ac.start.{way}.{start}",
                    Message("report.start", {"number": start}),
                    rate(own, pl.col("is_first"), is_share=True),
                    "percent",
                    fair,
                    finding="finding.race_start_series" if has_groups else "finding.race_start",
                    series=course_label(way) if has_groups else "",
                )
            )
    best = max(figures, key=lambda figure: figure.measure.value)
    worst = min(figures, key=lambda figure: figure.measure.value)
    sentence = Message(
        "section.ac.start.sentence",
        {
            "best": best.label,
            "high": best,
            "where": course_label(best.id.split(".")[2]),
            "worst": worst.label,
            "low": worst,
            "there": course_label(worst.id.split(".")[2]),
        },
    )
    return Section("ac.start", sentence, figures, axis="axis.races_won", group="fair")


def _left(data: Dataset, studies: Sequence[Dataset]) -> Section | None:
    table = _finished(data)
    if table.is_empty():
        return None
    mean = Figure("ac.left.mean", data.label("races", "left"), rate(table, pl.col("left")))
    none = Figure(
        "ac.left.none",
        Message("label.ac.left_none", {}),
        rate(table, pl.col("left") <= 3, is_share=True),
        "percent",
    )
    sentence = Message("section.ac.left.sentence", {"mean": mean, "none": none})
    bars = histogram(data, studies, _finished, "left", "ac.left.share")
    return Section(
        "ac.left", sentence, bars, "bars", axis="axis.finishers", across="axis.points_left", headline=[mean, none]
    )


def _courses(data: Dataset) -> Section:
    """Return for each course how many chariots do not finish, or finish without honour."""
    races = _races(data)
    figures = [
        Figure(
            f"ac.failed.{way}",
            course_label(way),
            rate(races.filter(pl.col("way") == way), pl.col("end") != "finished", is_share=True),
            "percent",
        )
        for way in values(races, "way")
    ]
    ends = {
        end: Figure(
            f"ac.end.{end}",
            Message(f"label.ac.{end}", {}),
            rate(races, pl.col("end") == end, is_share=True),
            "percent",
        )
        for end in ("finished", "dishonoured", "out", "wrecked")
    }
    told = {"finished": ends["finished"], "dishonoured": ends["dishonoured"], "out": ends["out"]}
    sentence = message("section.ac.course.sentence", **told)
    return Section("ac.course", sentence, figures, axis="axis.chariots", headline=list(ends.values()))


def _alley(data: Dataset, studies: Sequence[Dataset]) -> Section:
    races = _races(data)
    figures = []
    ways = values(races, "way")
    has_groups = _has_ways(studies)
    for way in ways:
        own = races.filter(pl.col("way") == way)
        for lap in (1, 2, 0):
            figures.append(
                Figure(
                    f"ac.alley.{way}.{lap}",
                    Message(f"label.alley_{lap}", {}),
                    rate(own, pl.col("alley") == lap, is_share=True),
                    "percent",
                    series=course_label(way) if has_groups else "",
                )
            )
    told = {
        name: Figure(
            f"ac.alley.{lap}",
            Message(f"label.ac.alley_{lap}", {}),
            rate(races, pl.col("alley") == lap, is_share=True),
            "percent",
        )
        for lap, name in ((1, "first"), (2, "second"), (0, "never"))
    }
    sentence = message("section.ac.alley.sentence", **told)
    return Section("ac.alley", sentence, figures, axis="axis.chariots", headline=list(told.values()))


def _waits(data: Dataset) -> Section:
    races = _races(data)
    mean = Figure("ac.waits.mean", data.label("races", "waits"), rate(races, pl.col("waits")))
    passed = Figure("ac.overtaken.mean", data.label("races", "overtaken"), rate(races, pl.col("overtaken")))
    figures = [
        Figure(f"ac.waits.{way}", course_label(way), rate(races.filter(pl.col("way") == way), pl.col("waits")))
        for way in values(races, "way")
    ]
    sentence = Message("section.ac.waits.sentence", {"mean": mean, "passed": passed})
    return Section("ac.waits", sentence, figures, axis="axis.waits", headline=[mean, passed])


def _rules(data: Dataset) -> Section | None:
    counts = data.table("rules")
    if counts.is_empty():
        return None
    races = data.table("races").select("game", "race").unique(maintain_order=True).sort("game", "race")
    per_game = races.group_by("game", maintain_order=True).len("races")
    figures = []
    for rule in values(counts, "rule"):
        own = counts.filter(pl.col("rule") == rule).group_by("game").agg(pl.col("count").sum())
        table = per_game.join(own, on="game", how="left").fill_null(0).sort("game")
        label = Message("report.rule", {"rule": rule, "name": Message(f"rule.{rule.replace('.', '-')}", {})})
        figures.append(Figure(f"ac.rule.{rule}", label, rate(table, pl.col("count"), pl.col("races"))))
    figures.sort(key=lambda figure: -figure.measure.value)
    told = {"rule": figures[0].label, "count": figures[0], "rare": figures[-1].label, "seldom": figures[-1]}
    return Section("ac.rules", message("section.ac.rules.sentence", **told), figures, axis="axis.per_race")


def _heats(data: Dataset) -> list[Section | None]:
    table = data.table("spaces")
    found = []
    courses = {course.text: course for course in data.tables.raced}
    for text in values(table, "course"):
        course = courses[text]
        labels: dict[str, Label] = {space.text: place_name(course, n) for n, space in enumerate(course.spaces)}
        for column in HEATS:
            own = table.filter(pl.col("course") == text)
            found.append(
                heat_section(
                    f"ac.heat.{column}", f"ac.{column}.{text}", own, column, labels, text, course=course_label(text)
                )
            )
    return found
