"""A third-party game on a page that was built without it: played to its end, replayed, taught and coached."""

from __future__ import annotations

import re

import pytest

from browser.conftest import PAGE, Arrive
from browser.test_coach import coached
from browser.test_learn import answers
from browser.test_pages import look
from quadriga.learn.lesson import course
from quadriga.learn.unroll import open_step
from server.support.harness import Server
from soak import only_in_soak

TITLES = {"en": "High Card", "fr": "La plus haute"}
COACH = {"en": "The highest card on the table: 0.", "fr": "La plus haute carte sur la table : 0."}
WINS = {"en": re.compile(" win"), "fr": re.compile(" gagne| partage")}


@pytest.mark.parametrize("language", ["fr", only_in_soak("en")])
def test_a_third_party_game_is_played_from_the_first_page_to_the_replay(
    arrive: Arrive, server: Server, language: str
) -> None:
    person = arrive(language=language, name="Ann")
    page = person.page
    page.wait_for_selector(".game")
    card = page.locator(".game").filter(has_text=TITLES[language])
    card.locator("a[href='/new/highcard']").click()
    page.wait_for_selector(".chairs")
    assert page.locator("a[href='/rules/highcard']").count() == 0  # it has none
    look(person, "new-highcard", language)
    page.locator("input[type=number]").first.fill("2")
    page.locator("input[type=number]").first.dispatch_event("change")
    page.locator(".chairs li").nth(1).locator("select").last.select_option("random")
    page.locator("#option-cards").fill("9")
    page.locator("#option-cards").dispatch_event("change")
    page.locator("form button.primary").last.click()
    table = person.table
    assert server.get(f"/api/tables/{table}")["options"] == {"cards": 9, "knocking": False}

    assert person.waits() == "asked"
    look(person, "play-highcard", language)
    offered = page.locator("#moves [data-act]").evaluate_all("all => all.map((one) => one.dataset.act)")
    assert 2 <= len(offered) <= 3
    assert all(re.fullmatch(r"play \d+", act) for act in offered)
    hand = [act.removeprefix("play ") for act in offered]
    board = page.locator(".stage .board").inner_text()
    assert re.search(rf"hand\s?: {', '.join(hand)}\b", board.lower())  # the view, as text
    assert page.locator("#moves [data-act]").first.inner_text().startswith(offered[0])  # notation

    made = person.plays_by_hand()
    assert made == 2  # two tricks
    page.get_by_role("heading", level=1).filter(has_text=WINS[language]).wait_for()
    assert server.get(f"/api/tables/{table}")["status"] == "over"
    page.locator(".next button").last.click()
    page.wait_for_selector("figure svg")
    look(person, "over-highcard", language)

    person.visit(f"/replay/{table}?step=3&seat=0")
    page.wait_for_selector(".scrub")
    assert re.search(r"hand\s?:", page.locator(".stage .board").inner_text().lower())
    look(person, "replay-highcard", language)


def test_the_page_was_built_without_the_game(page_built: None) -> None:
    files = [path for path in PAGE.parent.rglob("*") if path.is_file()]
    assert len(files) > 3
    assert [path.name for path in files if b"highcard" in path.read_bytes()] == []


@pytest.mark.parametrize("language", ["fr", only_in_soak("en")])
def test_its_lessons_are_played_on_the_page(arrive: Arrive, language: str) -> None:
    person = arrive(language=language)
    page = person.page
    page.locator(".game").filter(has_text=TITLES[language]).locator("a[href='/learn/highcard']").click()
    page.locator("[data-course=highcard]").click()
    page.locator(".board").first.wait_for()
    page.context.set_offline(True)  # a lesson needs no server
    lesson = course("highcard").lesson[0]
    step = open_step("highcard", lesson, lesson.step[0])
    page.get_by_role("heading", level=1, name=lesson.title[language], exact=True).wait_for()
    look(person, "lesson-highcard", language)
    answers(person, step, "play 3", language)
    page.keyboard.press("Enter")
    page.locator(".answer").wait_for(state="detached")
    answers(person, step, "play 12", language)
    page.context.set_offline(False)
    page.keyboard.press("Enter")
    page.wait_for_url("**/learn/highcard")
    page.locator(".done").wait_for()


@pytest.mark.parametrize("language", ["fr", only_in_soak("en")])
def test_its_first_race_has_tips_and_a_coach(arrive: Arrive, language: str) -> None:
    person = arrive("/learn/highcard", language=language, name="Ann")
    page = person.page
    page.locator("[data-race=highcard]").click()
    page.locator("[data-tip=welcome]").wait_for()
    person.waits()
    page.locator('[data-menu="coach"]').check()
    assert COACH[language] in coached(person).replace("\u00a0", " ").replace("\u202f", " ")
    person.plays_by_hand()
    page.locator("[data-tip=answer], [data-earlier=answer]").first.wait_for(state="attached")
    page.get_by_role("heading", level=1).filter(has_text=WINS[language]).wait_for()
