"""A removed player's seat on the page: a bot plays; they ask to return, or the host invites a newcomer."""

from __future__ import annotations

from typing import Any

import pytest

from browser.conftest import ARTEFACTS, Arrive
from browser.people import Person
from server.support.harness import Server
from soak import only_in_soak

COURSE: dict[str, Any] = {"options": {"courses": ["white cw"]}}


def three_at_a_table(arrive: Arrive, server: Server, **settings: Any) -> tuple[list[Person], str]:
    table, token = server.create("ave-caesar", "me open open", **COURSE)
    tokens = [token, server.join(table, "Cem"), server.join(table, "Bob")]
    server.call("POST", f"/api/tables/{table}/start", {}, token)
    people = [arrive(**settings) for _ in tokens]
    for person, own in zip(people, tokens, strict=True):
        person.sits_at(table, own)
        person.page.wait_for_selector("svg.board")
    return people, table


def remove_bob(ann: Person, cem: Person) -> None:
    ann.page.get_by_text("Game menu").click()
    ann.page.get_by_role("button", name="Remove Bob").click()
    ann.page.locator("dialog .primary").click()
    cem.page.get_by_text("Remove Bob? In favour: Ann (1 of 2). Still to vote: Cem.").wait_for()
    cem.page.get_by_role("button", name="Agree").click()


def test_a_removed_player_asks_to_return_and_the_host_agrees(arrive: Arrive, server: Server) -> None:
    (ann, cem, bob), _ = three_at_a_table(arrive, server)
    bob.page.locator("[data-card]").first.wait_for()
    remove_bob(ann, cem)
    for person in (ann, cem, bob):
        person.page.get_by_text("Bob was removed by vote. A bot is playing.").wait_for()
    bob.page.get_by_text("you are watching").wait_for()
    assert bob.page.locator("[data-card]").count() == 0
    assert cem.page.get_by_role("button", name="Invite somebody to this seat").count() == 0
    bob.page.get_by_role("button", name="Ask to return").click()
    allow = ann.page.get_by_role("button", name="Let Bob return")
    allow.wait_for()
    assert cem.page.get_by_role("button", name="Let Bob return").count() == 0
    allow.click()
    bob.page.locator("[data-card]").first.wait_for()
    bob.page.get_by_text("you are watching").wait_for(state="detached")
    for person in (ann, cem, bob):
        person.page.get_by_text("was removed").first.wait_for(state="detached")


def test_a_player_removed_while_offline_is_a_watcher_and_may_ask_to_return(arrive: Arrive, server: Server) -> None:
    (ann, cem, bob), _ = three_at_a_table(arrive, server)
    bob.context.set_offline(True)
    bob.page.get_by_text("Connection lost").wait_for()
    remove_bob(ann, cem)
    ann.page.get_by_text("Bob was removed by vote. A bot is playing.").wait_for()
    bob.context.set_offline(False)
    bob.page.get_by_role("button", name="Ask to return").wait_for()
    assert bob.page.locator("[data-card]").count() == 0


# test_table.py has the same with a watcher.
@pytest.mark.soak
def test_a_newcomer_takes_the_seat_by_the_host_s_link(arrive: Arrive, server: Server) -> None:
    (ann, cem, _bob), table = three_at_a_table(arrive, server)
    remove_bob(ann, cem)
    ann.page.get_by_role("button", name="Invite somebody to this seat").click()
    link = ann.page.get_by_label("Link to the table").input_value()
    dora = arrive(f"/t/{table}", name="Dora")
    dora.page.get_by_text("you are watching").wait_for()
    assert dora.page.get_by_role("button", name="Take the seat").count() == 0
    invited = arrive("/t/" + link.split("/t/")[1], name="Eve")
    invited.page.get_by_role("button", name="Take the seat").click()
    invited.page.locator("[data-card]").first.wait_for()
    assert "#" not in invited.page.url
    ann.page.get_by_role("listitem").filter(has_text="Eve").first.wait_for()
    dora.page.get_by_label("Write a message").fill("I am Eve")
    dora.page.get_by_role("button", name="Send").click()
    line = ann.page.locator(".chat .lines p").filter(has_text="I am Eve")
    line.get_by_text("watching").wait_for()


@pytest.mark.parametrize(
    ("width", "language"),
    [(390, "fr"), only_in_soak(1280, "en"), only_in_soak(1280, "fr"), only_in_soak(390, "en")],
)
def test_what_the_host_and_the_removed_player_see(
    arrive: Arrive, server: Server, language: str, width: int
) -> None:
    (ann, cem, bob), _ = three_at_a_table(arrive, server, language=language, width=width)
    more, out, agree, ask, allow, invite = {
        "en": (
            "Game menu",
            "Remove Bob",
            "Agree",
            "Ask to return",
            "Let Bob return",
            "Invite somebody to",
        ),
        "fr": (
            "Menu de la partie",
            "exclusion de Bob",
            "D’accord",
            "Demander à revenir",
            "Laisser revenir Bob",
            "Inviter quelqu",
        ),
    }[language]
    ann.page.get_by_text(more).click()
    ann.page.get_by_role("button", name=out).click()
    ann.page.locator("dialog .primary").click()
    cem.page.get_by_role("button", name=agree).wait_for()
    cem.shot(ARTEFACTS / f"seats-vote-{language}-{width}.png")
    cem.page.get_by_role("button", name=agree).click()
    bob.page.get_by_role("button", name=ask).wait_for()
    bob.shot(ARTEFACTS / f"seats-removed-{language}-{width}.png")
    bob.page.get_by_role("button", name=ask).click()
    bob.page.get_by_label({"en": "Write a message", "fr": "Écrire un message"}[language]).fill("salve")
    bob.page.get_by_role("button", name={"en": "Send", "fr": "Envoyer"}[language]).click()
    ann.page.get_by_role("button", name=allow).wait_for()
    ann.page.get_by_role("button", name=invite).click()
    ann.page.get_by_role("img", name="QR").wait_for()
    ann.page.get_by_text("salve").wait_for()
    ann.shot(ARTEFACTS / f"seats-host-{language}-{width}.png")
    wide = ann.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert wide, "nothing sticks out to the side"
