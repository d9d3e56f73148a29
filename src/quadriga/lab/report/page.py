"""Write a report as one HTML file with both languages, without scripts, and without anything from elsewhere."""

from __future__ import annotations

import json
import re
from collections import Counter
from importlib import resources
from typing import Any

import jinja2
from markupsafe import Markup, escape

from quadriga.engine.game import Game
from quadriga.engine.text import catalogues
from quadriga.engine.text.catalogues import LANGUAGES, Words
from quadriga.lab.report import heat
from quadriga.lab.report.article import ArticleWriter
from quadriga.lab.report.figure import sentence
from quadriga.lab.report.findings import Finding
from quadriga.lab.report.setup import setup_rows
from quadriga.lab.report.study_report import StudyReport

PACKAGE = "quadriga.lab.report"
SHOWN = 8  # findings at the top of the page; the others are marked in their tables,
OF_ONE_SECTION = 3  # ... and how many of them may come from one section
_BEFORE_MARKS = re.compile(r" ([:;?!]|D)(?=[\s,.;<])")  # French marks and a unit stay on the line of their word
_NAMES = {"en": "English", "fr": "Français"}


def html(report: StudyReport, language: str) -> str:
    """Return the page. It shows a language first, and the reader can choose the other one."""
    game = report.studies[0].game
    all_words = {each: catalogues.of(each, PACKAGE, *word_packages(game)) for each in LANGUAGES}
    boards = heat.shared(
        [heat.boards(study, f"{mark.lower()}-") for mark, study in zip(report.marks, report.studies, strict=True)]
    )
    environment = jinja2.Environment(autoescape=True, trim_blocks=False, undefined=jinja2.StrictUndefined)
    environment.filters["code"] = _code
    template = environment.from_string(_resource("page.html"))
    scale = ", ".join(heat.SCALE)
    page = template.render(
        language=language,
        title=_title(report, all_words[language]),
        style=Markup(_resource("page.css").replace("SCALE", scale)),  # our own file
        boards=Markup(heat.definitions({board.id: board for each in boards for board in each.values()})),
        languages=[{"id": each, "name": _NAMES[each]} for each in LANGUAGES],
        language_label=" / ".join(all_words[each]("report.language") for each in LANGUAGES),
        parts=[_part(report, boards, all_words[each]) for each in LANGUAGES],
        figures=Markup(_figures(report)),
    )
    return _BEFORE_MARKS.sub("\N{NO-BREAK SPACE}\\1", page)


def word_packages(game: Game) -> list[str]:
    """Return the packages with the words of a game and of its own sections."""
    return (
        [game.package] if game.study is None or game.study.sections is None else [game.package, game.study.package]
    )


def _resource(name: str) -> str:
    return resources.files(PACKAGE).joinpath(name).read_text("utf-8")


def _code(text: str) -> Markup:
    """Return a text as HTML, with `<code>` for parts between backticks."""
    return Markup(re.sub(r"`([^`]*)`", r"<code>\1</code>", str(escape(text))))


def _title(report: StudyReport, words: Words) -> str:
    game = report.studies[0].game.id
    name = words(f"{game}.title") if f"{game}.title" in words else game
    return words(
        "report.title_against" if report.is_comparison else "report.title", game=name, n=len(report.studies)
    )


def _part(report: StudyReport, boards: list[dict[str, heat.Board]], words: Words) -> dict[str, Any]:
    """Return the template variables of the page in one language."""
    writer = ArticleWriter(report, boards, words)
    compared = report.is_comparison
    nothing = words("report.nothing_differs" if compared else "report.nothing_out", n=report.tested)
    shown = _shown(report)
    rest = len(report.findings) - len(shown)
    return {
        "language": words.language,
        "title": _title(report, words),
        "setups": [
            {
                "heading": words("report.setup_of", mark=mark) if compared else words("report.setup"),
                "rows": setup_rows(study, report.studies, words),
            }
            for mark, study in zip(report.marks, report.studies, strict=True)
        ],
        "findings_heading": words("report.verdicts" if compared else "report.stands_out"),
        "findings": [
            {"anchor": writer.anchor(finding.section), "text": sentence(words, finding.sentence)}
            for finding in shown
        ],
        "findings_note": words("report.more_findings", n=rest)
        if rest > 0
        else ("" if report.findings else nothing),
        "how": words("report.how"),
        "how_lines": [
            words("report.how_interval"),
            words("report.how_tests", n=report.tested),
            words("report.how_data"),
        ],
        "contents": words("report.contents"),
        "groups": [
            {
                "id": name,
                "heading": words(f"group.{name}"),
                "sections": [writer.article(row) for row in rows],
            }
            for name, rows in report.groups.items()
        ],
    }


def _shown(report: StudyReport) -> list[Finding]:
    """Return the findings at the top of the page: the most significant, and not too many of one section."""
    counts: Counter[str] = Counter()
    found: list[Finding] = []
    for finding in report.findings:
        counts[finding.section.id] += 1
        if counts[finding.section.id] <= OF_ONE_SECTION and len(found) < SHOWN:
            found.append(finding)
    return found


def _figures(report: StudyReport) -> str:
    """Return all figures and findings as JSON that is safe inside a script element."""
    studies = [
        {
            name: {
                "value": figure.measure.value,
                "low": figure.measure.low,
                "high": figure.measure.high,
                "games": figure.measure.units,
                "total": figure.measure.total,
            }
            for name, figure in each.items()
            if figure.is_known
        }
        for each in report.all_figures()
    ]
    findings = [
        {"figure": finding.figure.id, "chance": finding.chance} | ({"setup": finding.mark} if finding.mark else {})
        for finding in report.findings
    ]
    text = json.dumps({"studies": studies, "findings": findings, "tested": report.tested}, separators=(",", ":"))
    return text.replace("<", "\\u003c")
