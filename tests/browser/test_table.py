"""Courtesy at a table: clocks, mutes, votes, a removed player's seat, the last turn again, bribes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from browser.conftest import Arrive
from server.support.harness import Client, Server
from soak import only_in_soak

WHITE = {"courses": ["white cw"]}


def gathered(server: Server, game: str, people: list[str], **more: Any) -> tuple[str, list[str]]:
    """Start a table of several people; return its id and their tokens."""
    table, token = server.create(game, " ".join(["me", *["open"] * (len(people) - 1)]), **more)
    tokens = [token, *(server.join(table, name) for name in people[1:])]
    status, _ = server.call("POST", f"/api/tables/{table}/start", {}, token)
    assert status == 200
    return table, tokens


@pytest.mark.parametrize("kind", ["move", only_in_soak("player")])
def test_a_bot_moves_when_a_clock_has_run_out_and_the_page_says_so(
    arrive: Arrive, server: Server, kind: str
) -> None:
    clock = {"kind": kind, "seconds": 3}
    table, token = server.create("ur", "me bot", clock=clock, dice={"kind": "seeded", "seed": 5})
    ann = arrive()
    ann.sits_at(table, token)
    ann.waits()
    faces = ann.page.locator(".clock")
    assert faces.count() == 2
    assert faces.nth(1).inner_text() == "0:03"  # the bot's does not run
    ann.page.wait_for_function("() => document.querySelector('.clock.runs.low')?.textContent < '0:03'")
    ann.page.get_by_text("Your time ran out: a bot moved for you.").wait_for()
    assert ann.page.locator(".log").get_by_text("by a bot").count() >= 1
    seat = server.get(f"/api/tables/{table}")["seats"][0]
    assert (seat["kind"], seat["covered"]) == ("person", False)  # her chair is still hers


def test_a_muted_person_stays_muted_after_a_reload(arrive: Arrive, server: Server) -> None:
    table, (anns, bobs) = gathered(server, "ur", ["Ann", "Bob"])
    ann, bob = arrive(), arrive()
    ann.sits_at(table, anns)
    bob.sits_at(table, bobs)

    def says(text: str) -> None:
        bob.page.get_by_label("Write a message").fill(text)
        bob.page.get_by_role("button", name="Send").click()
        bob.page.get_by_role("log").get_by_text(text).wait_for()

    says("salve")
    talk = ann.page.get_by_role("log", name="Chat")
    talk.get_by_text("salve").wait_for()
    ann.page.get_by_role("button", name="Mute Bob").click()
    talk.get_by_text("salve").wait_for(state="detached")
    says("audisne")
    ann.page.reload()
    ann.page.get_by_role("button", name="Unmute Bob").wait_for()
    assert talk.get_by_text("audisne").count() == 0
    ann.page.get_by_role("button", name="Unmute Bob").click()
    ann.page.get_by_role("button", name="Unmute Bob").wait_for(state="detached")
    says("iterum")
    talk.get_by_text("iterum").wait_for()


def test_a_vote_removes_a_player_and_a_watcher_takes_the_seat_by_the_host_s_link(
    arrive: Arrive, server: Server
) -> None:
    table, (anns, bobs, _) = gathered(server, "ave-caesar", ["Ann", "Bob", "Cem"], options=WHITE)
    ann, bob, dora = arrive(), arrive(), arrive(f"/t/{table}", name="Dora")
    ann.sits_at(table, anns)
    bob.sits_at(table, bobs)
    assert dora.page.get_by_role("button", name="Take a seat").count() == 0
    ann.page.get_by_text("Game menu").click()
    ann.page.get_by_role("button", name="Remove Cem").click()
    ann.page.locator("dialog .primary").click()
    ann.page.get_by_role("status").filter(has_text="Remove Cem? In favour: Ann (1 of 2).").wait_for()
    assert server.get(f"/api/tables/{table}")["seats"][2]["kind"] == "person"  # one is not enough
    bob.page.get_by_role("button", name="Agree").click()
    dora.page.get_by_text("Cem was removed by vote. A bot is playing.").wait_for()
    assert dora.page.get_by_role("button", name="Take").count() == 0
    ann.page.get_by_role("button", name="Invite somebody to this seat").click()
    dora.visit("/t/" + ann.page.get_by_label("Link to the table").input_value().split("/t/")[1])
    dora.page.get_by_role("button", name="Take the seat").click()
    ann.page.get_by_role("list", name="Players").get_by_text("Dora").wait_for()
    dora.page.get_by_role("group", name="Your cards").wait_for()
    assert server.get(f"/api/tables/{table}")["seats"][2]["name"] == "Dora"


def test_the_last_turn_is_shown_again_and_then_the_present(arrive: Arrive, server: Server) -> None:
    table, token = server.create("ave-caesar", "me bot bot", options=WHITE)
    ann = arrive()
    ann.sits_at(table, token)
    ann.plays_by_hand(2)
    ann.waits()
    places = "() => [...document.querySelectorAll('.chariot')].map((each) => each.style.transform).join()"
    now = ann.page.evaluate(places)
    ann.page.get_by_role("button", name="Replay last turn").click()
    ann.page.wait_for_function(f"(now) => ({places})() !== now", arg=now)
    assert ann.page.locator("[data-card]:not([disabled])").count() == 0  # nothing is played in the past
    ann.page.wait_for_function(f"(now) => ({places})() === now && document.querySelector('.target')", arg=now)


QUIET = ("pass", "auction", "ready", "decline", "stop")


def advanced(server: Server, table: str, tokens: list[str], until: Callable[[list[Client]], bool]) -> None:
    """Let all play without cards until a condition holds for what one of them sees."""

    async def run() -> None:
        clients = [await server.connect(table, token) for token in tokens]
        for client in clients:
            await client.until("view")
        while not until(clients):
            for client in clients:
                await client.say(type="ping", ref="all")
                await client.until("pong", ref="all")
            for client in [each for each in clients if each.legal]:
                if until(clients):
                    break
                texts = [each["text"] for each in client.legal or [] if not each.get("family")]
                await client.act(next((text for text in QUIET if text in texts), texts[0]))
                client.legal = None
        for client in clients:
            await client.close()

    with ThreadPoolExecutor(1) as own_thread:  # the driver of the browser has a loop in this one
        own_thread.submit(lambda: asyncio.run(asyncio.wait_for(run(), 60))).result()


def test_a_bribe_is_offered_seen_and_earned(arrive: Arrive, server: Server) -> None:
    table, tokens = gathered(
        server,
        "ben-hvrt",
        ["Ann", "Bob"],
        options={"series": [1], "bribes": True},
        dice={"kind": "seeded", "seed": 3},
    )
    wanted = ""

    def may_bribe(clients: list[Client]) -> bool:
        nonlocal wanted
        ann, bob = clients
        moves = [card["name"] for card in cards if card["type"] == "Move" and card["name"] in bob.view["hand"]]
        wanted = moves[0] if moves else ""
        asked = any(each["text"] == "bribe *" for each in ann.legal or [])
        return asked and ann.view["window"] == "RO" and bool(moves)

    cards = server.get(f"/api/tables/{table}/geometry")["cards"]
    advanced(server, table, tokens, may_bribe)
    ann, bob = arrive(), arrive()
    ann.sits_at(table, tokens[0])
    bob.sits_at(table, tokens[1])
    ann.page.get_by_role("button", name="Offer a bribe …").click()
    form = ann.page.get_by_role("form", name="A bribe")
    form.locator("select").first.select_option("Bob")
    form.get_by_label("For playing").select_option(wanted)
    form.get_by_label("Ducats").fill("3")
    form.get_by_role("button", name="Offer the bribe").click()
    for person in (ann, bob):
        person.page.get_by_text(f"offers Bob 3 D for {wanted}").first.wait_for()
    purses = "() => [...document.querySelectorAll('.seats .facts .coin')].map((each) => parseInt(each.textContent))"
    before = bob.page.evaluate(purses)
    card = bob.page.locator(f'.pick.lit[data-card="{wanted}"]')
    while not card.count():
        if ann.is_asked():
            ann.page.get_by_role("button", name="Pass").click()
        bob.page.wait_for_timeout(50)
    card.click()
    bob.page.wait_for_function(f"(before) => ({purses})()[1] === before[1] + 3", arg=before)
    assert bob.page.evaluate(purses) == [before[0], before[1] + 3]  # hers was taken when she offered
