"""Write the report of a study, or of several studies side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from quadriga.engine import files
from quadriga.engine.errors import FileError
from quadriga.engine.text import catalogues
from quadriga.lab import plot

PACKAGE = "quadriga.lab.report"


def write(folder: Path, against: Sequence[Path], out: Path, language: str) -> list[str]:
    """Write the report of the study in `folder` to the file `out`, compared with those in `against`.

    Return the findings in a language: what stands out, or what differs between them. The file holds both
    languages, and this one is shown first. Raise MissingExtraError without the extra `lab`, and FileError for a
    folder that is no study.
    """
    plot.require()
    from quadriga.lab.report import page
    from quadriga.lab.report.dataset import Dataset
    from quadriga.lab.report.figure import sentence
    from quadriga.lab.report.study_report import StudyReport

    studies = [Dataset(each) for each in (folder, *against)]
    ids = list(dict.fromkeys(study.game.id for study in studies))
    if len(ids) > 1:
        first, second = ids[:2]
        raise FileError("study.games", package=PACKAGE, first=first, second=second)
    for study in studies:
        if not study.games:
            raise FileError("study.empty", package=PACKAGE, path=str(study.folder))
    report = StudyReport(studies)
    files.write_bytes(str(out), page.html(report, language).encode())
    words = catalogues.of(language, PACKAGE, *page.word_packages(studies[0].game))
    return [sentence(words, finding.sentence) for finding in report.findings]
