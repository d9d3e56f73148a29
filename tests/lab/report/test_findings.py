"""A planted bias is found and named; two set-ups that are the same give no verdict."""

from __future__ import annotations

import pytest

from lab.report.small import measured, small, study
from lab.study.studies import plan_of
from quadriga.engine.text import catalogues
from quadriga.lab.report.figure import sentence
from quadriga.lab.report.page import word_packages
from quadriga.lab.report.study_report import StudyReport
from soak import only_in_soak

PACKAGE = "quadriga.lab.report"


def sentences(report: StudyReport, language: str = "en") -> list[str]:
    words = catalogues.of(language, PACKAGE, *word_packages(report.studies[0].game))
    return [sentence(words, finding.sentence) for finding in report.findings]


def test_a_stronger_bot_on_seat_0_is_found_and_named():
    plan = plan_of("ur", "greedy", "random", options={"markers": 5}, games=100, is_fixed=True)
    found = measured(study("planted", plan, compiled=False))
    assert sentences(found)[0].startswith("Seat 1 (Black): greedy wins too often: 100.0%")
    assert sentences(found, "fr")[0].startswith("Place 1 (Noir) : greedy gagne trop souvent : 100,0")


def test_a_card_for_nothing_is_found_and_named():
    found = sentences(measured(small("ben-hvrt")))
    assert any(text.startswith("Winged Wheels looks too cheap: seats that buy it earn +") for text in found)
    assert any(
        "Roues ailées semble trop bon marché" in text for text in sentences(measured(small("ben-hvrt")), "fr")
    )


def test_the_strength_of_players_is_not_taken_for_an_advantage_of_seats():
    found = measured(small("ur"))  # greedy and random, each on both seats
    assert {finding.figure.id for finding in found.findings} == {"win.player.greedy"}


@pytest.mark.parametrize("game", ["ur", only_in_soak("ave-caesar")])
def test_two_equal_set_ups_give_no_verdict(game):
    games = {"ur": 400, "ave-caesar": 25}[game]
    plans = [plan_of(game, "greedy", games=games, seed=seed) for seed in (11, 12)]
    folders = [study(f"{game}-{plan.seed}", plan, compiled=False) for plan in plans]
    found = measured(*folders)
    assert found.tested > 10
    assert found.findings == []


@pytest.mark.soak
@pytest.mark.parametrize(("game", "options", "games"), [("ben-hvrt", {}, 150), ("ave-caesar", {}, 120)])
def test_hardly_any_of_many_equal_set_ups_gives_a_verdict(game, options, games):
    found = 0
    for pair in range(14):
        plans = [plan_of(game, "greedy", options=options, games=games, seed=1000 + 2 * pair + k) for k in (0, 1)]
        found += bool(measured(*(study(f"{game}-{plan.seed}", plan) for plan in plans)).findings)
    assert found <= 1


def test_other_rules_give_a_verdict_with_both_values():
    plans = [plan_of("ur", "greedy", options={"rules": rules}, games=200) for rules in ("ben", "finkel")]
    found = measured(*(study(f"rules-{n}", plan, compiled=False) for n, plan in enumerate(plans)))
    assert any(text.startswith("Decisions in a game: falls from ") for text in sentences(found))
    assert any(text.startswith("Décisions par partie : baisse de ") for text in sentences(found, "fr"))


def test_a_seat_that_loses_its_stronger_bot_falls():
    plans = [
        plan_of("ur", *names, options={"markers": 2}, games=100, is_fixed=True)
        for names in (("greedy", "random"), ("greedy", "greedy"))
    ]
    found = measured(*(study(f"seat-{n}", plan, compiled=False) for n, plan in enumerate(plans)))
    told = [text for text in sentences(found) if text.startswith("Wins by seat: Seat 1 (Black): greedy")]
    assert len(told) == 1
    assert "falls from 75.0% to 44.0%, −31.0 points" in told[0]
