"""First races in the browser: played through to the end, with a tip for what is new, and remembered."""

from __future__ import annotations

import json
from typing import Any

import pytest

from browser.conftest import Arrive
from browser.people import Person
from browser.test_pages import assert_accessible
from quadriga.engine.parts.display import Note
from quadriga.engine.text.catalogues import Message
from quadriga.learn.first_race import Tip, Tutor, first_race
from server.support.harness import Server
from soak import SOAK, rows
from support import SHORT_TRACK

WIDTHS = {1280: 800, 390: 844}
SHORT = [("ben-hvrt", "fr", 390)]  # test_touch.py has a whole game of Ave Caesar, test_games.py one of Ur
EVERY = [
    (game, language, width)
    for game in ("ur", "ave-caesar", "ben-hvrt")
    for language in ("en", "fr")
    for width in WIDTHS
]


def quick_bots(route: Any) -> None:
    """Let the bots of a new table move at once; except in the soak, Ben Hvrt is run on a short track."""
    body = {**json.loads(route.request.post_data), "pace": 0}
    if body["game"] == "ben-hvrt" and not SOAK:
        body["options"]["track"] = SHORT_TRACK
    route.continue_(post_data=json.dumps(body))


def positions_heard(person: Person) -> list[dict[str, Any]]:
    """Return the list into which the positions go that the server sends."""
    heard: list[dict[str, Any]] = []

    def hear(payload: str | bytes) -> None:
        message = json.loads(payload)
        if message["type"] in ("view", "news"):
            heard.append(message)

    person._page.on("websocket", lambda socket: socket.on("framereceived", hear))
    return heard


def messages_sent(person: Person) -> list[str]:
    """Return the list into which the messages go that the page sends."""
    sent: list[str] = []
    person._page.on("websocket", lambda socket: socket.on("framesent", lambda text: sent.append(str(text))))
    return sent


def causes(game: str, heard: list[dict[str, Any]]) -> set[str]:
    """Return the ids of all tips that something in these positions triggers."""
    found: set[str] = set()

    def noted(tip: Tip | None) -> bool:
        if tip:
            found.add(tip.id)
        return tip is not None

    for position in heard:
        tutor = Tutor(game)
        for event in position["events"]:
            notes = [Note("", Message(note["id"], {})) for note in event.get("notes") or []]
            while noted(tutor.hear(notes, event.get("seat"))):
                pass
        legal = [action["text"] for action in position["legal"] or []]
        while noted(tutor.see(position["view"], legal)):
            pass
    return found


@pytest.mark.parametrize(("game", "language", "width"), rows(EVERY, lambda row: row in SHORT))
def test_a_first_race_is_played_through_with_tips_that_are_true(
    arrive: Arrive, game: str, language: str, width: int
) -> None:
    person = arrive(f"/learn/{game}", language=language, width=width, height=WIDTHS[width])
    heard = positions_heard(person)
    page = person.page
    page.route("**/api/tables", quick_bots)
    page.locator(f'[data-race="{game}"]').click()
    welcome = page.locator('[data-tip="welcome"]')
    welcome.wait_for()
    texts = {each.id: getattr(each, language).replace("'", "’") for each in first_race(game).tip}
    assert " ".join(welcome.inner_text().split()) == " ".join(texts["welcome"].split())
    assert_accessible(person, game)
    person.plays_by_hand(4)
    page.reload()  # what was said is not said again
    page.locator("[data-tip]").first.wait_for()
    person.plays_by_hand()
    page.locator(".end").wait_for()
    assert_accessible(person, game)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    said = [each.get_attribute("data-tip") for each in page.locator("[data-tip]").all()]
    said += [each.get_attribute("data-earlier") for each in page.locator("[data-earlier]").all()]
    assert len(said) == len(set(said)) >= 6
    assert set(said) <= causes(game, heard)
    page.locator(".end a").click()
    page.locator("h3 .done").wait_for()  # it is remembered, also after a reload
    page.reload()
    page.locator("h3 .done").wait_for()


def is_left_to_bots(position: dict[str, Any], people: int) -> bool:
    """Return whether only bots race in a position of Ave Caesar. People have the first seats."""
    racing = [each["seat"] for each in position["view"]["chariots"] if each["status"] == "racing"]
    return position["view"]["phase"] == "move" and bool(racing) and min(racing) >= people


def test_a_first_race_ends_as_soon_as_only_bots_are_left_in_it(arrive: Arrive, server: Server) -> None:
    seats = [{"kind": "me"}, *2 * [{"kind": "bot", "bot": "random"}]]
    body = {"game": "ave-caesar", "name": "Ann", "seats": seats, "pace": 0, "start": True}
    for _ in range(9):  # the bots of nearly every race have cards left when Ann has none
        status, made = server.call("POST", "/api/tables", {**body, "options": {"courses": ["white cw"]}})
        assert status == 201
        table, ann = made["table"]["id"], arrive()
        sent, heard = messages_sent(ann), positions_heard(ann)
        races = json.dumps({table: {"game": "ave-caesar", "said": []}})
        ann.context.add_init_script(f"localStorage.setItem('quadriga.races', {json.dumps(races)})")
        ann.sits_at(table, made["token"])
        while ann.waits() != "over":
            if ann.page.locator(".hand .card").count() == 1:
                ann.page.locator("[data-menu=pace]").select_option("slowly")
            ann.plays_by_hand(1)
        if any(is_left_to_bots(each, 1) for each in heard):
            assert any('"rush"' in text for text in sent)
            return
    raise AssertionError("no race was left to bots")


def test_a_tip_is_never_cut_on_a_desk(arrive: Arrive) -> None:
    """The longest words, and the column with the most in it."""
    page = arrive("/learn/ave-caesar", language="fr").page
    page.locator('[data-race="ave-caesar"]').click()
    welcome = page.locator('[data-tip="welcome"]')
    welcome.wait_for()
    assert page.locator(".said").evaluate("(box) => box.scrollHeight - box.clientHeight") <= 0
    place = welcome.bounding_box()
    assert place is not None
    assert place["y"] + place["height"] < 800


def test_after_the_last_lesson_the_first_race_is_next(arrive: Arrive) -> None:
    person = arrive("/learn/ur")
    page = person.page
    page.locator("ol a").first.wait_for()
    ids = page.locator("ol a").evaluate_all("(links) => links.map((link) => link.pathname.split('/').pop())")
    assert page.locator('[data-race="ur"].primary').count() == 0
    page.evaluate("(ids) => localStorage.setItem('quadriga.lessons', JSON.stringify({ur: ids}))", ids)
    page.reload()
    page.locator('[data-race="ur"].primary').wait_for()


def test_another_table_has_no_tips(arrive: Arrive) -> None:
    person = arrive("/")
    table, token = person.server.create("ur", "me bot", start=True)
    person.sits_at(table, token)
    person.waits()
    assert person.page.locator(".tips, .coach section, [data-tip]").count() == 0
