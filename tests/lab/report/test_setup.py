"""The set-ups at the top of a report name the files that options were read from."""

from __future__ import annotations

import msgspec

from lab.report.small import study
from lab.study.studies import plan_of
from quadriga.engine.text import catalogues
from quadriga.games import find
from quadriga.lab.report.dataset import Dataset
from quadriga.lab.report.setup import setup_rows
from support import SOURCES

COURSES = SOURCES / "quadriga" / "games" / "avecaesar" / "data" / "courses.json"


def named(name: str, path: str, speed: int = 0) -> Dataset:
    """Return a study whose courses came from a file."""
    game = find("ave-caesar")
    options = game.read_flag("course", str(COURSES))
    course = options["course"]
    assert isinstance(course, dict)
    course["note"] = speed
    plan = plan_of("ave-caesar", options={**options, "courses": ["white cw"]}, games=2)
    return Dataset(study(name, msgspec.structs.replace(plan, files={"course": path}), compiled=False))


def test_a_file_is_named_by_its_name_and_by_its_path_if_that_is_not_enough():
    words = catalogues.of("en", "quadriga.lab.report")
    first, second, third = (
        named("file-1", "own/fast.json"),
        named("file-2", "own/slow.json", 1),
        named("file-3", "old/fast.json", 2),
    )
    texts = [dict(setup_rows(each, [first, second], words))["options"] for each in (first, second)]
    assert ["course = fast.json" in texts[0], "course = slow.json" in texts[1]] == [True, True]
    texts = [dict(setup_rows(each, [first, third], words))["options"] for each in (first, third)]
    assert ["course = own/fast.json" in texts[0], "course = old/fast.json" in texts[1]] == [True, True]


def test_a_finished_study_takes_the_name_of_a_file_that_was_renamed():
    before, after = named("renamed", "fast.json"), named("renamed", "slow.json")
    assert (before.folder, before.plan["files"]) == (after.folder, {"course": "fast.json"})
    assert after.plan == before.plan | {"files": {"course": "slow.json"}}
