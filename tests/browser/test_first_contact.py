"""First contact: levels, games to continue, solo tables, giving up, undo, rematches, records, focus."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from browser.conftest import Arrive, SeededServer
from browser.people import Person
from browser.test_pages import assert_accessible
from browser.test_table import WHITE, gathered
from quadriga.players.levels import LEVELS
from server.support.harness import Server
from soak import only_in_soak

SEEDED = {"kind": "seeded", "seed": 5}


@pytest.fixture(scope="module")
def server(page_built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a server that lets dice and cards wait for an undo as long as it takes."""
    started = SeededServer(tmp_path_factory.mktemp("store") / "tables.sqlite", undo_grace=3600).start()
    yield started
    started.kill(signal.SIGTERM)


def sits_down(
    arrive: Arrive, server: Server, game: str, seats: str = "me bot", *, touch: bool = False, **more: object
) -> Person:
    table, token = server.create(game, seats, dice=SEEDED, **more)
    person = arrive("/settings", touch=touch)
    person.sits_at(table, token)
    person.waits()
    return person


def tabs_to(person: Person, selector: str) -> None:
    """Press Tab until the focus is on an element."""
    for _ in range(80):
        person.page.keyboard.press("Tab")
        if person.page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"{selector} is not reached by Tab")


def test_bots_start_at_normal_and_the_level_is_remembered(arrive: Arrive, server: Server) -> None:
    ann = arrive()
    levels = ann.page.locator(".level select").first
    levels.wait_for()
    assert levels.input_value() == "normal"
    assert tuple(levels.locator("option").all_inner_texts()) == LEVELS
    phrases = set()
    for level in LEVELS:
        levels.select_option(level)
        phrases.add(ann.page.locator(".phrase").first.inner_text())
    assert len(phrases) == 6
    assert "" not in phrases
    levels.select_option("easy")
    ann.page.locator('[data-game="ur"]').click()
    table = ann.table
    assert [seat["bot"] for seat in server.get(f"/api/tables/{table}")["seats"]] == [None, "easy"]
    ann.visit("/")
    levels.wait_for()
    assert levels.input_value() == "easy"


def test_a_newcomer_is_told_where_to_start_and_the_streak_is_shown(arrive: Arrive) -> None:
    page = arrive(language="fr").page
    page.locator("[data-welcome]").wait_for()
    assert page.locator("[data-taste]").count() == 3
    page.evaluate("""() => {
      const [now, days] = [new Date(), (date) => Math.floor(date / 86_400_000)];
      const day = days(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()));
      localStorage.setItem('quadriga.puzzles', JSON.stringify({ tried: {}, days: [day - 1, day] }));
      localStorage.setItem('quadriga.lessons', JSON.stringify({ ur: ['path'] }));
    }""")
    page.reload()
    page.get_by_text("Une série de 2 jours").wait_for()
    assert page.locator("[data-welcome]").count() == 0  # no newcomer any more
    page.locator("[data-puzzle]").click()
    page.wait_for_url("**/puzzles")


def test_the_first_page_continues_a_game_and_says_whose_turn_it_is(arrive: Arrive) -> None:
    ann = arrive(name="Ann")
    ann.page.locator('[data-game="ave-caesar"]').click()
    table = ann.table
    ann.waits()
    ann.page.get_by_role("link", name="Quadriga").first.click()
    mine = ann.page.locator(".mine a")
    mine.wait_for()
    assert "Your turn" in mine.inner_text()
    assert mine.bounding_box()["y"] < ann.page.locator(".game").first.bounding_box()["y"]  # type: ignore[index]
    assert_accessible(ann, "continue")
    mine.click()
    assert ann.table == table


def test_a_host_is_asked_for_a_name_and_talks_while_waiting(arrive: Arrive, server: Server) -> None:
    ann = arrive("/new/ur?with=friends")
    opens = ann.page.get_by_role("button", name="Open table")
    opens.click()
    assert ann.page.evaluate("() => document.activeElement.matches('.chairs input:invalid')")
    ann.page.keyboard.type("Ann")
    ann.page.keyboard.press("Enter")
    assert server.get(f"/api/tables/{ann.table}")["seats"][0]["name"] == "Ann"
    ann.page.locator(".chat input").fill("Ave!")
    ann.page.keyboard.press("Enter")
    ann.page.locator(".chat .lines").get_by_text("Ave!").wait_for()
    assert not ann.page.get_by_text("SHA-256").is_visible()
    ann.page.locator("summary", has_text="Fair dice").click()
    assert ann.page.get_by_text("SHA-256").is_visible()


def test_the_chat_is_in_sight_on_a_desk(arrive: Arrive, server: Server) -> None:
    table, (anns, *_) = gathered(server, "ave-caesar", ["Ann", "Bob", "Cem"], options=WHITE)
    ann = arrive("/settings")
    ann.sits_at(table, anns)
    field = ann.page.locator(".chat input")
    field.wait_for()
    place = field.bounding_box()
    assert place is not None
    assert place["y"] + place["height"] <= 800


def test_a_game_alone_has_no_chat_no_link_and_no_votes(arrive: Arrive, server: Server) -> None:
    ann = sits_down(arrive, server, "ur")
    ann.page.locator(".menu details summary").first.click()
    assert ann.page.locator('[data-menu="giveup"]').count() == 1
    for place in ('[data-menu="share"]', '[data-menu="pause"]', '[data-menu="end"]', ".chat"):
        assert ann.page.locator(place).count() == 0
    table, (anns, _) = gathered(server, "ur", ["Ann", "Bob"])
    ann.sits_at(table, anns)
    for place in ('[data-menu="share"]', ".chat input"):
        ann.page.locator(place).wait_for()


def test_the_opening_of_ur_says_what_is_settled(arrive: Arrive, server: Server) -> None:
    table, token = server.create("ur", "me open", dice={"kind": "seeded", "seed": 7})
    ann = arrive("/settings")
    ann.sits_at(table, token)
    ann.page.get_by_role("button", name="Start").wait_for()
    server.join(table, "Bob")
    ann.page.get_by_role("button", name="Start").click()
    ann.page.wait_for_selector(".settled")
    said = ann.page.locator(".settled").inner_text()
    black, white = opening(server, table)
    starter = "Ann" if int(black) > int(white) else "Bob"
    assert said == f"Opening: Ann rolled {black} and Bob rolled {white}, so {starter} starts."
    assert ann.page.locator(".log .lines p").count() >= 2  # and the log has the rolls
    assert ann.page.locator(".rolled").inner_text().isdigit()


def opening(server: Server, table: str) -> list[str]:
    """Return the opening rolls of a table, read over a socket."""

    async def read() -> list[str]:
        client = await server.connect(table, after=0)
        while not client.events:
            await client.hear()
        await client.close()
        return [each["text"].removeprefix("roll ") for each in client.events[:2]]

    with ThreadPoolExecutor(1) as own_thread:  # the driver of the browser has a loop in this one
        return own_thread.submit(lambda: asyncio.run(read())).result()


def test_giving_up_asks_first_and_leads_on(arrive: Arrive, server: Server) -> None:
    ann = sits_down(arrive, server, "ave-caesar", "me bot bot", touch=True, options=WHITE)
    table, keys = ann.table, ann.page.keyboard
    ann.page.locator(".menu details summary").first.tap()
    give_up = ann.page.get_by_role("button", name="Give up")
    give_up.tap()
    dialog = ann.page.get_by_role("dialog")
    assert_accessible(ann, "give up")
    dialog.get_by_role("button", name="Cancel").tap()
    dialog.wait_for(state="detached")
    assert server.get(f"/api/tables/{table}")["status"] == "playing"
    give_up.press("Enter")
    dialog.wait_for()
    keys.press("Enter")  # Cancel has the focus: a key that is pressed twice ends nothing
    dialog.wait_for(state="detached")
    give_up.press("Enter")
    dialog.wait_for()
    keys.press("Escape")
    dialog.wait_for(state="detached")
    assert server.get(f"/api/tables/{table}")["status"] == "playing"
    give_up.press("Enter")
    dialog.wait_for()
    tabs_to(ann, "dialog .primary")
    keys.press("Enter")
    ann.page.get_by_role("heading", name="You gave up").wait_for()
    assert server.get(f"/api/tables/{table}")["status"] == "ended"
    assert ann.page.locator(".next").get_by_role("link", name="New game").count() == 1
    ann.page.get_by_role("button", name="Rematch").click()
    ann.page.wait_for_function("(old) => !location.pathname.endsWith(old)", arg=table)
    ann.waits()


def test_removing_somebody_asks_first(arrive: Arrive, server: Server) -> None:
    table, tokens = gathered(server, "ave-caesar", ["Ann", "Bob", "Cem"], options=WHITE)
    ann = arrive("/settings", touch=True)
    keys = ann.page.keyboard
    ann.sits_at(table, tokens[0])
    ann.page.locator(".menu details summary").first.tap()
    ann.page.locator('[data-menu="remove"]').last.tap()
    dialog = ann.page.get_by_role("dialog")
    assert "Cem" in dialog.inner_text()
    dialog.get_by_role("button", name="Cancel").tap()
    dialog.wait_for(state="detached")
    assert server.get(f"/api/tables/{table}")["votes"] == []
    ann.page.locator('[data-menu="remove"]').last.press("Enter")
    dialog.wait_for()
    tabs_to(ann, "dialog .primary")
    keys.press("Enter")
    ann.page.wait_for_selector('[data-menu="remove"][aria-pressed=true]')
    assert [(vote["kind"], vote["seat"]) for vote in server.get(f"/api/tables/{table}")["votes"]] == [("remove", 2)]
    lobby, token = server.create("ur", "me open")
    server.join(lobby, "Bob")
    ann.sits_at(lobby, token)
    ann.page.get_by_role("button", name="Remove").press("Enter")
    dialog.wait_for()
    keys.press("Enter")  # Cancel has the focus
    dialog.wait_for(state="detached")
    assert server.get(f"/api/tables/{lobby}")["seats"][1]["name"] == "Bob"
    ann.page.get_by_role("button", name="Remove").tap()
    dialog.get_by_role("button", name="Remove").tap()
    ann.page.wait_for_function("() => document.querySelector('.start button').disabled")
    assert server.get(f"/api/tables/{lobby}")["seats"][1]["kind"] == "open"


def test_a_rematch_waits_for_its_player_by_name(arrive: Arrive, server: Server) -> None:
    table, tokens = gathered(server, "ur", ["Ann", "Bob"])
    ann = arrive("/settings")
    ann.sits_at(table, tokens[0])
    ann.page.locator(".menu details summary").first.click()
    ann.page.locator('[data-menu="end"]').click()
    ann.page.get_by_role("dialog").get_by_role("button", name="Yes").click()
    ann.page.wait_for_selector(".vote")
    bob = arrive("/settings")
    bob.sits_at(table, tokens[1])
    bob.page.wait_for_selector(".vote")
    tabs_to(bob, ".vote .primary")
    bob.page.keyboard.press("Enter")
    ann.page.locator(".next button.primary").click()
    ann.page.locator(".seats").get_by_text("Waiting for Bob").wait_for()
    assert ann.page.locator(".seats ~ form.row").count() == 0  # nobody else may take the seat
    assert ann.page.locator(".share p").first.inner_text().startswith("Waiting for Bob, who joins")
    bob.page.locator(".next button.primary").click()
    ann.page.wait_for_selector(".table")


@pytest.mark.parametrize("game", ["ur", only_in_soak("ave-caesar")])
def test_a_move_can_be_undone_before_dice_and_cards(arrive: Arrive, server: Server, game: str) -> None:
    seats, options = ("me bot", {}) if game == "ur" else ("me bot bot", WHITE)
    ann = sits_down(arrive, server, game, seats, options=options, undo=True)
    undo = ann.page.locator("[data-undo]")
    assert undo.count() == 0
    ann.plays_by_hand(1)
    undo.wait_for()
    assert not ann.is_asked()
    undo.click()
    undo.wait_for(state="detached")
    assert ann.waits() == "asked"


def test_a_table_without_undo_says_why(arrive: Arrive, server: Server) -> None:
    ann = sits_down(arrive, server, "ur")
    ann.page.get_by_text("Undo is off here").wait_for()


def test_a_bad_deck_file_keeps_the_game_from_starting(arrive: Arrive, tmp_path: Path) -> None:
    ann = arrive("/new/ben-hvrt")
    ann.page.locator("details summary").click()
    bad, good = tmp_path / "bad.json", tmp_path / "good.json"
    bad.write_text('{"cards": 3}')
    good.write_text(json.dumps({"straights": [1, 2, 3], "curves": [1, 2, 3, 4], "square": 20, "curve": 40}))
    start = ann.page.get_by_role("button", name="Start")
    assert start.is_enabled()
    ann.page.locator("#option-deck").set_input_files(bad)
    ann.page.locator(".error[role=alert]").first.wait_for()
    assert start.is_disabled()
    ann.page.locator("#option-track").set_input_files(good)
    ann.page.get_by_text("good.json").wait_for()
    assert start.is_disabled()  # the deck is still wrong
    ann.page.locator("#option-deck").set_input_files([])
    ann.page.wait_for_function("() => !document.querySelector('.bar button').disabled")
    ann.faults = [fault for fault in ann.faults if "400" not in fault]


def test_an_opened_record_has_the_names_of_its_players(arrive: Arrive, server: Server, tmp_path: Path) -> None:
    table, tokens = gathered(server, "ur", ["Ann", "Xanthippe"], options={"markers": 1})
    ann = arrive("/settings")
    ann.sits_at(table, tokens[0])
    ann.page.locator(".menu details summary").first.click()
    ann.page.locator('[data-menu="end"]').click()
    ann.page.locator("dialog .primary").click()
    ann.page.wait_for_selector(".vote")
    other = arrive("/settings", touch=True)
    other.sits_at(table, tokens[1])
    other.page.locator(".vote .primary").tap()
    ann.page.wait_for_selector("#over-title")
    file = tmp_path / "record.jsonl"
    status, record = server.call("GET", f"/api/tables/{table}/record")
    assert status == 200
    file.write_text(record)
    ann.visit("/record")
    ann.page.locator("#record-file").set_input_files(file)
    ann.page.locator(".seats").get_by_text("Xanthippe", exact=True).wait_for()


@pytest.mark.parametrize("game", [only_in_soak("ur"), "ave-caesar"])
def test_the_focus_goes_to_the_next_thing_to_do(arrive: Arrive, server: Server, game: str) -> None:
    seats, options = ("me bot", {}) if game == "ur" else ("me bot bot", WHITE)
    ann = sits_down(arrive, server, game, seats, options=options)
    useful = """() => {
      const active = document.activeElement;
      return active.matches('#moves [data-act], .lit, [data-lane], svg.board [role="button"], .all summary');
    }"""
    ann.page.keyboard.press("m")
    for _ in range(3):
        ann.page.wait_for_function(useful)
        number = ann.number
        ann.page.keyboard.press("Enter")
        if ann.number == number and ann.page.evaluate(
            "() => document.activeElement.matches('[data-lane], .target, .value.open')"
        ):
            ann.page.keyboard.press("Enter")
        ann._moved(number)
        ann.waits()
    ann.page.wait_for_function(useful)
