"""Details of a table: quick start, options, offers, bid limits, hints, undo, replay, records."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from browser.conftest import Arrive
from browser.people import PATIENCE, Person
from browser.test_pages import look
from server.support.harness import Server

GAMES = ["ur", "ave-caesar", "ben-hvrt"]


def seated(arrive: Arrive, server: Server, game: str, seats: str, **more: object) -> tuple[Person, str]:
    table, token = server.create(game, seats, **more)
    person = arrive()
    person.sits_at(table, token)
    return person, table


@pytest.mark.parametrize("game", GAMES)
def test_one_click_on_the_first_page_starts_a_game(arrive: Arrive, server: Server, game: str) -> None:
    ann = arrive(name="Ann")
    ann.page.get_by_role("listitem").filter(has=ann.page.locator(f"[data-game={game}]")).get_by_role(
        "button", name="Play against bots"
    ).click()
    ann.page.wait_for_selector("svg.board")
    table = server.get(f"/api/tables/{ann.table}")
    assert table["status"] == "playing"
    assert table["seats"][0]["name"] == "Ann"
    assert {seat["kind"] for seat in table["seats"][1:]} == {"bot"}


def test_options_are_sent_as_they_were_chosen(arrive: Arrive, server: Server) -> None:
    ann = arrive("/new/ave-caesar")
    ann.page.get_by_label("Seats").fill("3")
    ann.page.get_by_label("Seats").press("Tab")
    ann.page.get_by_role("button", name="Choose").click()
    for _ in range(3):
        ann.page.get_by_role("button", name="Remove race 2").click()
    ann.page.get_by_label("Courses 1").select_option("red ccw")
    ann.page.get_by_label("Crash and burn: a leader with only 6s crashes").check()
    ann.page.get_by_text("More options").click()
    ann.page.get_by_label("Add a random word to the dice").fill("été")
    ann.page.get_by_label("Open to everybody").check()
    ann.page.get_by_role("button", name="Start").click()
    table = server.get(f"/api/tables/{ann.table}")
    assert table["options"]["courses"] == ["red ccw"]
    assert table["options"]["variants"] == ["crash-and-burn"]
    assert len(table["seats"]) == 3
    assert table["public"] is True
    assert "été" in table["dice"]["words"]
    bob = arrive()
    bob.page.locator(f'a[href="/t/{ann.table}"]').click()
    bob.page.get_by_text("you are watching").wait_for()


def test_a_wrong_option_is_refused_in_words(arrive: Arrive) -> None:
    ann = arrive("/new/ave-caesar")
    ann.page.get_by_role("button", name="Choose").click()  # the courses for four chariots
    ann.page.get_by_label("Seats").fill("6")
    ann.page.get_by_label("Seats").press("Tab")
    ann.page.get_by_role("button", name="Start").click()
    ann.page.get_by_role("alert").filter(has_text="chariots are too many").wait_for()
    ann.faults = [fault for fault in ann.faults if "400" not in fault and "422" not in fault]


def test_an_offer_is_built_by_picking_and_answered_with_one_click(arrive: Arrive, server: Server) -> None:
    table, token = server.create("ben-hvrt", "me open", options={"series": [1]})
    bobs = server.join(table)
    server.call("POST", f"/api/tables/{table}/start", {}, token)
    ann, bob = arrive(), arrive()
    ann.sits_at(table, token)
    bob.sits_at(table, bobs)
    make = "Make an offer …"
    while not ann.page.get_by_role("button", name=make).count():
        for person in (ann, bob):
            if person.is_asked() and not ann.page.get_by_role("button", name=make).count():
                for name in (
                    ("Drop out", "Buy for", "Ready to race") if person is bob else ("Drop out", "Auction it")
                ):
                    button = person.page.get_by_role("button", name=name)
                    if button.count():
                        person.does(button)
                        break
    ann.page.get_by_role("button", name=make).click()
    form = ann.page.get_by_role("form", name="An offer")
    form.get_by_role("group", name="You want").locator("[data-known] button").first.click()  # what Bob has bought
    assert form.locator("select").first.input_value() == "1"
    assert form.get_by_role("group", name="You want").get_by_role("button", name=re.compile("^Remove")).count() == 1
    form.get_by_role("group", name="You give").get_by_role("button", name=re.compile(r"^\+")).first.click()
    form.get_by_role("group", name="You want").get_by_label("Ducats").fill("3")
    look(ann, "offer-ben-hvrt", "en")
    form.get_by_role("button", name="Offer").click()
    bob.page.get_by_text("Ann offers you a deal").wait_for()
    purse = server.get(f"/api/tables/{table}")
    assert purse["status"] == "playing"
    bob.page.get_by_role("button", name="Accept").click()
    ann.page.get_by_text("accepts").first.wait_for()


def test_a_limit_bids_by_itself(arrive: Arrive, server: Server) -> None:
    table, token = server.create("ben-hvrt", "me bot", options={"series": [1]})
    ann = arrive(limit=2)
    ann.sits_at(table, token)
    ann.page.wait_for_function(
        """() => {
          const buttons = [...document.querySelectorAll('#moves [data-act]')];
          const button = buttons.find((each) => ['auction', 'ready'].includes(each.dataset.act));
          if (button && !button.disabled) button.click();
          return document.querySelector('.log')?.textContent.includes('Ann bids 1 D');
        }""",
        timeout=PATIENCE,
    )
    assert "Ann bids 3 D" not in ann.page.locator(".log").inner_text()


def test_dice_by_hand_undo_and_hint(arrive: Arrive, server: Server) -> None:
    ann, _ = seated(
        arrive, server, "ur", "me me", options={"markers": 3}, rolls="hand", dice={"kind": "seeded", "seed": 4}
    )
    taken = False
    for _ in range(12):
        ann.waits()
        roll = ann.page.get_by_role("button", name="Roll the dice")
        if roll.count():
            if not taken and ann.page.get_by_role("button", name="Undo").count():
                ann.page.get_by_role("button", name="Undo").click()
                ann.page.get_by_text("undoes the move").first.wait_for()
                taken = True
                continue
            ann.does(roll)
        else:
            ann.page.get_by_role("button", name="Hint").click()
            ann.page.locator(".hint[role=status]").wait_for()
            ann.plays_by_hand(1)
    assert taken


def test_a_replay_is_stepped_scrubbed_shared_and_shown_from_a_seat(
    arrive: Arrive, finished: dict[str, str]
) -> None:
    table = finished["ave-caesar"]
    ann = arrive(f"/replay/{table}")
    page = ann.page
    page.get_by_text("Start of the game.").wait_for()
    page.get_by_role("button", name="Step forward").click()
    page.keyboard.press("ArrowRight")
    page.get_by_text(re.compile(r"^2 of \d+$")).wait_for()
    assert "step=2" in page.url
    page.get_by_label("Seen by").select_option("1")
    page.wait_for_url(re.compile("seat=1"))
    page.get_by_label("Position in the game").fill("30")
    page.get_by_text("Your cards: ").first.wait_for()
    bob = arrive(page.url.replace(ann.server.address, ""))
    bob.page.get_by_text(re.compile(r"^30 of \d+$")).wait_for()
    bob.page.get_by_text("Your cards: ").first.wait_for()
    bob.page.get_by_role("button", name="Play", exact=True).click()
    bob.page.get_by_text(re.compile(r"^(3[1-9]|[4-9]\d|\d{3,}) of \d+$")).wait_for()


def test_the_record_that_is_downloaded_can_be_verified(
    arrive: Arrive, finished: dict[str, str], tmp_path: Path
) -> None:
    from quadriga import load

    ann = arrive(f"/t/{finished['ur']}")
    with ann.page.expect_download() as coming:
        ann.page.get_by_role("link", name="Download the record").click()
    coming.value.save_as(tmp_path / "record.jsonl")
    assert load(tmp_path / "record.jsonl").over


def test_a_forged_roll_is_detected_in_the_browser(arrive: Arrive, finished: dict[str, str]) -> None:
    table = finished["ur"]
    ann = arrive("/fair")

    def forge(route: object) -> None:
        answer = route.fetch()  # type: ignore[attr-defined]
        facts = answer.json()
        event = facts["events"][3]
        event["text"] = next(text for text, weight in event["outcomes"] if weight and text != event["text"])
        route.fulfill(response=answer, json=facts)  # type: ignore[attr-defined]

    ann.page.get_by_label("Link or name of a table").fill(f"http://somewhere/t/{table}")
    ann.page.get_by_role("button", name="Check").click()
    ann.page.get_by_role("status").filter(has_text="All correct").wait_for()
    ann.page.route("**/fairness", forge)
    ann.page.reload()
    ann.page.get_by_role("status").filter(has_text="One does not match, number 3").wait_for()


def test_language_and_colours_are_kept(arrive: Arrive) -> None:
    ann = arrive()
    ann.page.get_by_role("button", name="FR").click()
    ann.page.get_by_role("link", name="Réglages").click()
    ann.page.get_by_label("Couleurs").select_option("dark")
    ann.page.reload()
    assert ann.page.locator("html").get_attribute("lang") == "fr"
    assert ann.page.locator("html").get_attribute("data-theme") == "dark"
    ann.page.get_by_role("heading", name="Réglages").wait_for()


_COUNTED = """
() => {
  window.animated = [];
  const plain = Element.prototype.animate;
  Element.prototype.animate = function (...how) {
    const made = plain.apply(this, how);
    window.animated.push(made);
    return made;
  };
}
"""


@pytest.mark.parametrize("motion", ["on", "off"])
def test_chariots_are_animated_unless_motion_is_off(arrive: Arrive, server: Server, motion: str) -> None:
    table, token = server.create("ave-caesar", "me bot bot", options={"courses": ["white cw"]})
    ann = arrive(motion=motion)
    ann.sits_at(table, token)
    ann.waits()
    ann.page.evaluate(_COUNTED)
    ann.plays_by_hand(2)
    ann.waits()
    assert (ann.page.evaluate("() => window.animated.length") > 0) == (motion == "on")
    ann.page.locator("h2").first.click()  # any click ends it all
    assert ann.page.evaluate("() => window.animated.every((each) => each.playState === 'finished')")
    repeats = ann.page.locator(".target").first.evaluate(
        "(target) => getComputedStyle(target).animationIterationCount"
    )
    assert int(repeats) == (6 if motion == "on" else 1)  # and "infinite" would never let the page rest


def test_the_page_opens_without_the_network_and_says_so(browser: object, server: Server) -> None:
    context = browser.new_context(service_workers="allow", locale="en-GB")  # type: ignore[attr-defined]
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(server.address)
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    page.wait_for_selector(".game")
    context.set_offline(True)
    page.goto(server.address + "/settings")
    page.get_by_role("heading", name="Settings").wait_for()
    page.goto(server.address)
    page.get_by_role("alert").filter(has_text="cannot be reached").wait_for()
    context.close()
