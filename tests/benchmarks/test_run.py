"""A round of benchmarks: all sections that can be measured are, and it goes on where it was interrupted."""

from __future__ import annotations

import json

import pytest

import progress
import run

GOOD = """
TITLE, ABOUT = "Good", "Words of\\n two lines."
def rows():
    import os
    os.write(1, b"a library prints this\\n")
    yield "one", "1 s", "", ""
    yield "two", "2 s", "4 s", "2.00×"
"""
BAD = """
from pathlib import Path
TITLE, ABOUT = "Bad", "Fails until a file is there."
def rows():
    yield "half", "1 s"
    if not Path(__file__).with_name("mended").exists():
        raise ValueError("broken")
    yield "all", "2 s"
"""
NOTED = """
from pathlib import Path
TITLE, ABOUT = "Noted", "Counts how often it is measured."
def rows():
    file = Path(__file__).with_name("times")
    times = len(file.read_text()) if file.exists() else 0
    file.write_text("x" * (times + 1))
    yield "times", str(times + 1)
"""
HANGING = """
import time
TITLE, ABOUT = "Hanging", "Never ends."
def rows():
    yield "one", "1 s"
    while True:
        time.sleep(1.0)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in {"noted": NOTED, "bad": BAD, "good": GOOD, "hanging": HANGING}.items():
        (tmp_path / f"section_{name}.py").write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(run, "SECTIONS", {"section_noted": 1, "section_bad": 1, "section_good": 1})
    for name in ("RESULTS", "ROUND", "REPORT"):
        monkeypatch.setattr(run, name, tmp_path / name)
    return tmp_path


def test_a_section_that_fails_keeps_its_figures_and_does_not_stop_the_next(folder, capfd):
    (folder / "RESULTS").write_text(json.dumps({"section_bad": {**FOUND, "rows": [["old", "3 s"]]}}))
    assert run.main([]) == 1
    page = (folder / "REPORT").read_text()
    assert "| two | 2 s | 4 s | 2.00× |" in page
    assert "Words of two lines." in page
    assert "| old | 3 s |" in page
    assert "half" not in page
    said = capfd.readouterr().err
    assert "ValueError: broken" in said
    assert "section_bad failed and keeps its figures" in said.splitlines()[-1]


def test_a_round_goes_on_with_the_sections_that_are_not_done(folder, capfd):
    run.main([])
    (folder / "mended").touch()
    assert run.main([]) == 0
    assert "section_noted, section_good are done" in capfd.readouterr().err
    assert (folder / "times").read_text() == "x"
    assert "| all | 2 s |" in (folder / "REPORT").read_text()


def test_a_round_begins_anew_when_all_are_done_and_when_asked_to(folder):
    assert run.main(["--anew"]) == 1
    (folder / "mended").touch()
    assert run.main(["--anew"]) == 0
    assert run.main([]) == 0
    assert (folder / "times").read_text() == "xxx"


def test_a_section_that_is_named_runs_alone_and_leaves_the_round_alone(folder):
    run.main([])
    before = (folder / "ROUND").read_text()
    assert run.main(["section_noted"]) == 0
    assert (folder / "times").read_text() == "xx"
    assert (folder / "ROUND").read_text() == before


def test_a_section_that_does_not_exist_is_refused(folder, capfd):
    assert run.main(["section_absent"]) == 2
    assert "There is no section section_absent. There are: section_noted" in capfd.readouterr().err


def test_a_section_that_hangs_is_stopped(folder, monkeypatch, capfd):
    monkeypatch.setattr(run, "SECTIONS", {"section_hanging": 1, "section_good": 1})
    monkeypatch.setattr(progress, "LIMIT_S", 5.0)
    assert run.main([]) == 1
    said = capfd.readouterr().err
    assert "section_hanging failed and keeps its figures: it took more than 5 s" in said
    assert "section_good done" in said


def test_the_time_left_falls_while_a_section_runs_and_follows_the_pace_of_those_done():
    shown = progress.Progress({"one": 10, "two": 20, "three": 30})
    shown.begin("one")
    assert shown.left(0.0) == 60
    assert shown.left(4.0) == 56
    assert shown.left(15.0) == 50
    shown._done["one"] = 20.0  # twice what was expected
    shown.begin("two")
    assert shown.left(0.0) == 100


FOUND = {"title": "Bad", "about": "", "date": "2026-01-01", "machine": ""}
