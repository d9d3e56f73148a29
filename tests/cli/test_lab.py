"""`quadriga lab`: tables, a report, a comparison with another setup, and clear errors."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from quadriga.cli import main
from quadriga.cli.arguments import game_options, option_files
from quadriga.cli.commands import lab
from quadriga.games import find
from quadriga.lab.study.plan import StudyPlan
from support import SOURCES

COURSE = SOURCES / "quadriga" / "games" / "avecaesar" / "data" / "courses.json"

SMALL = ("lab", "ur", "--option", "markers=1", "--reviews", "0")


@pytest.fixture
def quadriga(capsys, monkeypatch, tmp_path):
    """Run the command line here, with a folder for reports of its own."""
    monkeypatch.setenv("QUADRIGA_REPORTS", str(tmp_path / "reports"))

    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return run


def test_a_study_has_tables_and_a_report_in_its_folder(quadriga, tmp_path):
    code, out, _ = quadriga(*SMALL, "--games", "30", "--players", "random", "--out", str(tmp_path / "study"))
    assert code == 0
    assert "30 games" in out
    assert str(tmp_path / "study" / "report.html") in out
    assert (tmp_path / "study" / "report.html").read_text("utf-8").startswith("<!doctype html>")
    assert len(pl.read_parquet(tmp_path / "study" / "games.parquet")) == 30


def plan_of(id: str, option: str = "", against: Sequence[str] = (), **given: str) -> StudyPlan:
    """Return the plan that the command makes, or the one to compare with."""
    game = find(id)
    values = lab._Values("greedy", False, "9", "1", "0", "")
    texts = [option] if option else []
    options = game_options(game, texts, **given)
    values.files = option_files(game, texts, **given)
    return lab._other_plan(game, options, values, list(against)) if against else lab._plan(game, options, values)


def test_every_plan_has_its_own_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("QUADRIGA_REPORTS", str(tmp_path))
    first = plan_of("ur")
    others = [plan_of("ur", against=[each]) for each in ("seed=2", "players=random", "markers=2")]
    folders = {lab._folders([first, other], "")[1] for other in others}
    assert len(folders) == 3
    assert {folder.parent for folder in folders} == {tmp_path / f"ur-{first.digest}"}


@pytest.mark.parametrize(
    ("given", "against", "courses"),
    [
        ({"course": "white"}, "course=blue ccw", ["blue ccw"]),
        ({"course": str(COURSE)}, "course=blue ccw,white", ["blue ccw", "white cw"]),
        ({"course": "blue ccw"}, "variants=dishonour", ["blue ccw"]),
    ],
)
def test_a_course_to_compare_with_replaces_names_and_files(given, against, courses):
    found = plan_of("ave-caesar", against=[against], **given).options
    assert (found["courses"], found["course"]) == (courses, None)


@pytest.mark.parametrize(
    ("given", "against", "files"),
    [
        ({"course": str(COURSE)}, (), {"course": str(COURSE)}),
        ({"option": f"course={COURSE}"}, (), {"course": str(COURSE)}),
        ({"course": "white"}, (), {}),
        ({"course": "white"}, (f"course={COURSE}",), {"course": str(COURSE)}),
        ({"course": str(COURSE)}, ("course=blue ccw",), {}),
        ({"course": str(COURSE)}, ("seed=2",), {"course": str(COURSE)}),
    ],
)
def test_a_plan_knows_the_files_that_its_options_came_from(given, against, files):
    assert plan_of("ave-caesar", against=against, **given).files == files


def test_a_file_under_another_name_is_the_same_setup(quadriga, tmp_path):
    copy = tmp_path / "copy.json"
    copy.write_bytes(COURSE.read_bytes())
    code, _, err = quadriga("lab", "ave-caesar", "--course", str(COURSE), "--against", f"course={copy}")
    assert (code, "both setups are the same" in err) == (2, True)


def test_a_number_of_seats_to_compare_with_replaces_the_usual_one():
    found = plan_of("ave-caesar", option="courses=white cw", against=["seats=3"])
    assert (found.seats, found.options["courses"]) == (3, ["white cw"])
    assert plan_of("ave-caesar").seats != 3


def test_a_name_with_several_values_gives_a_setup_for_each():
    assert lab._setups(["seats=4", "variants=dishonour", "seats=5"]) == [
        ["seats=4", "variants=dishonour"],
        ["seats=5", "variants=dishonour"],
    ]
    assert lab._setups(["seats=4", "seed=2"]) == [["seats=4", "seed=2"]]


def test_several_setups_are_compared_in_one_report(quadriga, tmp_path):
    code, out, _ = quadriga(*SMALL, "--games", "20", "--against", "markers=2", "--against", "markers=3")
    assert code == 0
    assert "60 games" in out
    assert "B: markers=2\nC: markers=3\n" in out
    (path,) = tmp_path.glob("reports/*/against-*-*/report.html")
    assert "3 set-ups compared" in path.read_text("utf-8")


def test_a_comparison_plays_the_first_setup_once(quadriga, tmp_path):
    def compare(*against: str) -> dict[str, Any]:
        code, out, _ = quadriga(*SMALL, "--games", "20", "--json", *(f"--against={each}" for each in against))
        assert code == 0
        return json.loads(out)

    one = compare("rules=finkel")
    first, second = one["folders"]
    assert first == str(tmp_path / "reports" / f"ur-{plan_of('ur', option='markers=1').digest}")
    assert second.startswith(first)
    assert one["report"] == f"{second}/report.html"
    assert one["games"] == 40
    played = pl.read_parquet(f"{second}/games.parquet")
    assert set(played["rules"]) == {"finkel"}
    plan = json.loads(Path(second, "plan.json").read_text())
    assert (plan["options"]["markers"], plan["players"]) == (1, ["greedy"])
    other = compare("players=random", "seed=7")
    assert other["folders"][0] == first
    plan = json.loads(Path(other["folders"][1], "plan.json").read_text())
    assert (plan["options"]["rules"], plan["players"], plan["seed"]) == ("ben", ["random"], 7)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--games", "0"], "--games"),
        (["--games", "20_000_000"], "10000000"),
        (["--players", "search:1s"], "search:50"),
        (["--players", "nobody"], "nobody"),
        (["--fixed"], "one player for each of the 2 seats"),
        (["--reviews", "2000"], "--reviews"),
        (["--seats", "3"], "seats"),
        (["--against", "markers=1"], "both setups are the same"),
        (["--against", "markers=8"], "markers"),
        (["--against", "colour=red"], "colour"),
        (["--against", "seats=3"], "seats"),
        ([f"--against={each}" for each in ("seed=2", "seed=3", "players=random", "players=greedy")], "players"),
        (["--against", "seed=2", "--against", "seed=2"], "both setups are the same"),
        ([f"--against=seed={n}" for n in range(2, 8)], "at most 5"),
        (["--workers", "2", "--cluster", "auto"], "--workers"),
        (["--out", "/dev/null/study"], "/dev/null/study"),
    ],
)
def test_a_wrong_study_is_refused_in_one_line(quadriga, arguments, reason):
    code, out, err = quadriga("lab", "ur", "--option", "markers=1", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert reason in err


def test_without_the_extra_its_name_is_given(quadriga, monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == "polars" else find(name, *rest)
    )
    code, out, err = quadriga(*SMALL)
    assert (code, out) == (2, "")
    assert "quadriga[lab]" in err
