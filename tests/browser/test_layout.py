"""Layouts at five sizes: everything to play with is on one screen, and nothing moves when a panel changes."""

from __future__ import annotations

import pytest

from browser.boxes import SIZES, box, boxes, resize
from browser.conftest import ARTEFACTS, Arrive
from browser.people import Person
from browser.test_pages import assert_accessible
from browser.test_table import WHITE
from server.support.harness import Server
from soak import SOAK, only_in_soak

SEEDED = {"kind": "seeded", "seed": 11}
GAMES = {
    "ur": ({"markers": 7}, "me bot", 3),
    "ave-caesar": ({"courses": ["blue cw"]}, "me bot bot bot", 2),
    "ben-hvrt": ({"series": [1], "bribes": True}, "me bot bot bot", 9),
}
HAND = {"ur": ".free", "ave-caesar": ".hand .card"}  # test_hands.py has Ben Hvrt
ROWS = [
    ("ave-caesar", "en"),
    only_in_soak("ur", "en"),
    *(only_in_soak(game, "fr") for game in HAND),
]


def sits_down(arrive: Arrive, server: Server, game: str, language: str = "en") -> Person:
    options, seats, moves = GAMES[game]
    table, token = server.create(game, seats, options=options, dice=SEEDED)
    person = arrive("/settings", language=language)
    person.sits_at(table, token)
    person.plays_by_hand(moves)
    person.waits()
    return person


@pytest.mark.parametrize(("game", "language"), ROWS)
def test_board_buttons_and_hand_are_on_one_screen(arrive: Arrive, server: Server, game: str, language: str) -> None:
    ann = sits_down(arrive, server, game, language)
    for size in SIZES:
        width, height = resize(ann, size)
        ann.shot(ARTEFACTS / f"layout-{game}-{language}-{width}.png")
        board, headline = box(ann, "svg.board"), box(ann, ".headline")
        asked = [*boxes(ann, "#moves button"), *boxes(ann, HAND[game])]
        assert asked
        for each in (board, headline, *asked):
            assert each.top >= 0, (size, each)
            assert each.bottom <= height, (size, each)
        assert board.right <= width
        assert board.bottom - board.top >= 0.4 * height, size
        if height < 520 and game != "ur":
            assert all(each.left >= board.right for each in asked), size  # side by side
        if SOAK or size == "phone on its side":  # test_pages.py has the others
            assert_accessible(ann, f"{game} {size} {language}")


@pytest.mark.parametrize("game", [only_in_soak("ur"), "ave-caesar", only_in_soak("ben-hvrt")])
def test_a_hint_lies_over_the_page_and_moves_nothing(arrive: Arrive, server: Server, game: str) -> None:
    ann = sits_down(arrive, server, game)
    for size in SIZES:
        _, height = resize(ann, size)
        places = ("svg.board", "#moves", ".held", ".seats", ".log")
        before = [boxes(ann, place) for place in places]
        ann.page.keyboard.press("h")
        ann.page.wait_for_selector(".hintbox")
        assert [boxes(ann, place) for place in places] == before, size
        hint = box(ann, ".hintbox")
        assert 0 <= hint.top < hint.bottom <= height, size
        hand = [each for each in boxes(ann, ".hand") if hint.meets(each)]  # what is scrolled out of it is not seen
        assert not hand or not any(hint.meets(card) for card in boxes(ann, ".hand .card, .hand .pick")), size
        ann.page.keyboard.press("Escape")
        ann.page.wait_for_selector(".hintbox", state="detached")


@pytest.fixture
def three(arrive: Arrive, server: Server) -> tuple[Person, Person]:
    """Seat Ann and Bob at a table with a bot."""
    table, token = server.create("ave-caesar", "me open bot", options=WHITE, dice=SEEDED)
    tokens = [token, server.join(table, "Bob")]
    assert server.call("POST", f"/api/tables/{table}/start", {}, token)[0] == 200
    people = [arrive("/settings", touch=True) for _ in range(2)]
    for person, token in zip(people, tokens, strict=True):
        person.sits_at(table, token)
        person.page.wait_for_selector(".table")
    return people[0], people[1]


def test_votes_and_chat_are_seen_on_a_phone(three: tuple[Person, Person]) -> None:
    ann, bob = three
    _, height = resize(ann, "phone")
    before = [box(ann, place) for place in ("svg.board", ".held")]
    bob.page.locator(".menu details summary").first.tap()
    bob.page.locator('[data-menu="pause"]').tap()
    bob.page.locator(".chat input").fill("salve")
    bob.page.locator(".chat input").press("Enter")
    ann.page.wait_for_selector(".vote")
    ann.page.wait_for_selector(".news")
    vote, headline = box(ann, ".vote"), box(ann, ".head")
    assert headline.bottom <= vote.top < vote.bottom < height // 2  # right below the headline
    assert [box(ann, place) for place in ("svg.board", ".held")] == before  # it moves nothing
    assert ann.page.locator(".news").inner_text() == "1"
    assert_accessible(ann, "vote")
    ann.page.get_by_role("button", name="Chat: 1 new message").tap()
    ann.page.wait_for_selector(".news", state="detached")
    assert ann.page.evaluate("() => document.activeElement.matches('.chat input')")
    field = box(ann, ".chat input")
    assert 0 <= field.top < field.bottom <= height
    ann.page.get_by_role("button", name="Not now").tap()
    assert box(ann, ".menu .vote")  # the menu still has it
    ann.page.get_by_role("button", name="Agree").tap()
    ann.page.locator(".vote").wait_for(state="detached")


def test_nothing_moves_when_the_turn_does(three: tuple[Person, Person]) -> None:
    people = three
    places = (".stagebox", ".held .hand", "#moves", ".seats", ".log")
    for size in SIZES:
        while (mover := next((person for person in people if person.is_asked()), None)) is None:
            people[0].page.wait_for_timeout(20)
        resize(mover, size)
        before = [boxes(mover, place)[:1] for place in places]
        number = mover.number
        mover.clicks()
        mover._moved(number)
        mover.page.wait_for_function("() => !document.querySelector('.pending')")
        assert [boxes(mover, place)[:1] for place in places] == before, size


def test_a_phone_asks_for_the_lane_before_it_drives(arrive: Arrive, server: Server) -> None:
    table, token = server.create("ave-caesar", "me bot bot", options=WHITE, dice={"kind": "seeded", "seed": 3})
    ann = arrive("/settings", touch=True)
    resize(ann, "phone")
    ann.sits_at(table, token)
    ann.waits()
    cards = boxes(ann, ".hand .card")
    card = ann.page.locator('.hand .card.lit:has(.ways:text("ways"))').first
    card.tap()
    lanes = boxes(ann, "[data-lane]")
    assert len(lanes) > 1
    assert all(lane.bottom - lane.top >= 44 and lane.right - lane.left >= 44 for lane in lanes)
    assert not any(a.meets(b) for i, a in enumerate(lanes) for b in lanes[:i])
    assert all(lane.bottom <= 844 for lane in lanes)
    assert [each[0] for each in boxes(ann, ".hand .card")] == [each[0] for each in cards]
    assert_accessible(ann, "lanes")
    card.tap()  # not this card
    number = ann.number
    ann.page.locator(".target").first.dispatch_event("click")
    confirm = ann.page.locator("[data-lane]")
    confirm.first.wait_for()
    assert ann.number == number  # a tap on the small board only chooses
    number = ann.number
    confirm.first.tap()
    ann._moved(number)
    assert server.get(f"/api/tables/{table}")["status"] == "playing"


@pytest.mark.parametrize("seat", [0, 1])
def test_the_reader_sits_at_the_bottom_of_the_board_of_ur(arrive: Arrive, server: Server, seat: int) -> None:
    table, token = server.create("ur", "me bot" if seat == 0 else "bot me", dice=SEEDED)
    ann = arrive("/settings")
    ann.sits_at(table, token)
    ann.waits()
    mine = boxes(ann, f'.tray[data-seat="{seat}"]')
    theirs = boxes(ann, f'.tray[data-seat="{1 - seat}"]')
    assert max(tray.bottom for tray in theirs) < min(tray.top for tray in mine)
    resize(ann, "phone")
    mine = boxes(ann, f'.tray[data-seat="{seat}"]')
    theirs = boxes(ann, f'.tray[data-seat="{1 - seat}"]')
    assert max(tray.right for tray in theirs) < min(tray.left for tray in mine)


@pytest.mark.parametrize("language", ["en", only_in_soak("fr")])
def test_no_marker_covers_the_word_in_a_tray(arrive: Arrive, server: Server, language: str) -> None:
    ann = sits_down(arrive, server, "ur", language)
    for size in ("phone", "desk", "phone on its side"):
        resize(ann, size)
        words, places = boxes(ann, ".traytext"), boxes(ann, ".label")
        assert len(words) == len(places) == 4
        for word, place in zip(words, places, strict=True):
            assert place.left <= word.left < word.right <= place.right, size
            assert place.top <= word.top < word.bottom <= place.bottom, size
        assert not any(word.meets(marker) for word in words for marker in boxes(ann, ".piece")), size


@pytest.mark.parametrize("size", ["phone", only_in_soak("desk")])
def test_start_covers_nothing_on_the_page_of_options(arrive: Arrive, size: str) -> None:
    ann = arrive("/new/ben-hvrt")
    ann.page.wait_for_selector(".bar button")
    resize(ann, size)
    ann.page.locator("details summary").first.click()
    covered = ann.page.evaluate(
        """() => [...document.querySelectorAll('form :is(label, select, input, legend)')].filter((each) => {
          each.scrollIntoView({ block: 'end' });
          const box = each.getBoundingClientRect();
          if (!box.width || each.closest('.sr')) return false;
          const seen = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
          return seen !== null && seen.closest('.bar') !== null;
        }).map((each) => each.textContent || each.id)"""
    )
    assert covered == []


def test_a_slow_line_shows_something_before_style_and_script(arrive: Arrive, server: Server) -> None:
    ann = arrive("/settings", touch=True)  # in a browser that paints
    held: list[object] = []
    ann.page.route("**/assets/*", lambda route: held.append(route))  # they never come
    ann.page.goto(server.address + "/", wait_until="commit")
    ann.page.wait_for_selector("#first")
    ann.page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length === 1")
    first = box(ann, "#first")
    assert first.bottom - first.top > 300
    assert held
    ann.page.unroute("**/assets/*")
    ann.page.goto(server.address + "/")
    ann.page.wait_for_selector(".game")
    assert ann.page.locator("#first").count() == 0
