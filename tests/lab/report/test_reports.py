"""Reports of any game, verdicts in words, and clear errors for folders that are no studies."""

from __future__ import annotations

import shutil

import msgspec
import polars as pl
import pytest

from lab.report.small import figures, finkel, small, study
from lab.study.studies import plan_of
from quadriga.engine.errors import FileError
from quadriga.engine.text import catalogues
from quadriga.engine.text.catalogues import Message
from quadriga.games import find
from quadriga.lab.report import write
from quadriga.lab.report.figure import Figure, Section, sentence
from quadriga.lab.report.findings import differs, pairs
from quadriga.lab.statistics import mean
from quadriga.lab.study.schema import tables
from support import there


def test_a_game_of_another_package_has_a_report(tmp_path):
    folder = study("highcard", plan_of("highcard", "random", games=40), compiled=False)
    write(folder, [], tmp_path / "report.html", "en")
    (found,) = figures(tmp_path / "report.html")["studies"]
    wins = pl.read_parquet(folder / "seats.parquet").filter(pl.col("seat") == 0)["won"].mean()
    assert found["win.seat.0"]["value"] == pytest.approx(wins)
    cards = pl.read_parquet(folder / "cards.parquet").filter(pl.col("card") == 12)
    assert found["highcard.taken.12"]["value"] == pytest.approx(cards["taken"].mean()) == 1.0
    text = (tmp_path / "report.html").read_text("utf-8")
    assert "Tricks by card" in text
    assert "Levées par carte" in text


def test_a_report_has_the_means_of_declared_columns_under_their_labels(tmp_path):
    folder = study("highcard", plan_of("highcard", "random", games=40), compiled=False)
    write(folder, [], tmp_path / "report.html", "en")
    (found,) = figures(tmp_path / "report.html")["studies"]
    games = pl.read_parquet(folder / "games.parquet")
    assert found["event.pips"]["value"] == pytest.approx(games["pips"].mean())
    text = (tmp_path / "report.html").read_text("utf-8")
    for label in next(
        column for column in there(find("highcard").study).game_columns if column.name == "pips"
    ).label:
        assert label in text


@pytest.mark.parametrize("id", ["ur", "ave-caesar", "ben-hvrt"])
def test_no_report_names_a_declared_column_by_words_of_its_own(id):
    """A label in a catalogue belongs to a figure that is computed of several columns, or of a part of the rows."""
    package = there(find(id).study).package
    declared = {text for table in tables(find(id)) for column in table.columns for text in column.label}
    kept = {
        template
        for language in catalogues.LANGUAGES
        for name in (package, "quadriga.lab.report")
        for key, template in catalogues.catalogue(name, language).items()
        if key.startswith("label.")
    }
    assert declared
    assert declared & kept == set()


def test_a_game_without_a_study_or_french_has_a_report_in_both_languages(tmp_path):
    folder = study("nim", plan_of("nim", "random", games=40), compiled=False)
    assert write(folder, [], tmp_path / "report.html", "fr") is not None
    text = (tmp_path / "report.html").read_text("utf-8")
    assert "Équilibre\N{NO-BREAK SPACE}: Nim" in text  # its title in English, within a French sentence


def advantage(wins: int, games: int) -> list[Section]:
    found = mean([1.0] * wins + [0.0] * (games - wins), is_share=True)
    label = Message("report.seat", {"number": 1})
    figure = Figure("win.seat.0", label, found, "percent", 0.25, finding="finding.seat")
    return [Section("win.seat", Message("report.seat", {"number": 1}), [figure])]


def test_the_verdict_on_a_seat_names_its_advantage_in_points():
    found, tested = differs(pairs(advantage(6220, 20_000), advantage(5460, 20_000)))
    assert tested == 1
    told = [
        sentence(catalogues.of(language, "quadriga.lab.report"), found[0].sentence) for language in ("en", "fr")
    ]
    assert told[0].startswith("Seat 1's advantage falls from +6.1 to +2.3 points: −3.8 (−4.7 to −2.9), 99.9% sure.")
    assert told[1].startswith("Place 1 : l'avantage passe de +6,1 à +2,3 points, soit −3,8")


def test_a_difference_that_chance_can_explain_gives_no_verdict():
    assert differs(pairs(advantage(51, 200), advantage(60, 200))) == ([], 1)


def test_shares_between_other_numbers_of_seats_are_shown_and_not_tested(tmp_path):
    plan = plan_of("highcard", "random", games=40)
    plans = [msgspec.structs.replace(plan, seats=seats) for seats in (2, 3)]
    two, three = (study(f"highcard-{each.seats}", each, compiled=False) for each in plans)
    write(two, [three], tmp_path / "report.html", "en")
    text = (tmp_path / "report.html").read_text("utf-8")
    article = text[text.index('<article id="win-seat-en"') :].split("</article>")[0]
    assert "Not tested: with another number of seats" in article
    assert "No difference between set-ups" not in article


def test_three_set_ups_have_a_column_each_and_verdicts_that_name_them(tmp_path):
    found = write(small("ur"), [finkel(), small("ur")], tmp_path / "report.html", "en")
    assert found
    assert all(verdict.startswith("From A to B: ") for verdict in found)  # C is the same as A
    text = (tmp_path / "report.html").read_text("utf-8")
    assert "3 set-ups compared" in text
    assert '<th scope="col">A</th><th scope="col">B</th><th scope="col">C</th></tr>' in text
    written = figures(tmp_path / "report.html")
    first, second, third = written["studies"]
    assert first == third != second
    assert {finding["setup"] for finding in written["findings"]} == {"B"}


def test_a_folder_without_a_plan_is_refused(tmp_path):
    with pytest.raises(FileError) as fault:
        write(tmp_path, [], tmp_path / "report.html", "en")
    assert "plan.json is missing or cannot be read" in fault.value.text("en")
    assert not (tmp_path / "report.html").exists()


def test_studies_of_different_games_cannot_be_compared(tmp_path):
    with pytest.raises(FileError) as fault:
        write(small("ur"), [small("ave-caesar")], tmp_path / "report.html", "en")
    assert "different games: ur and ave-caesar" in fault.value.text("en")


def test_a_table_without_a_column_is_refused_and_the_column_is_named(tmp_path):
    folder = tmp_path / "study"
    shutil.copytree(small("ur"), folder)
    pl.read_parquet(folder / "seats.parquet").drop("won").write_parquet(folder / "seats.parquet")
    with pytest.raises(FileError) as fault:
        write(folder, [], tmp_path / "report.html", "en")
    assert "seats.parquet lacks the columns won" in fault.value.text("en")


def test_names_from_a_file_cannot_become_markup(tmp_path):
    folder = tmp_path / "study"
    shutil.copytree(small("ur"), folder)
    seats = pl.read_parquet(folder / "seats.parquet")
    evil = "</script><script>alert(1)</script>"
    seats.with_columns(pl.col("player").str.replace("greedy", evil)).write_parquet(folder / "seats.parquet")
    write(folder, [], tmp_path / "report.html", "en")
    text = (tmp_path / "report.html").read_text("utf-8")
    assert "<script>alert" not in text
    assert f"win.player.{evil}" in figures(tmp_path / "report.html")["studies"][0]
