"""Ratings at the page: a result, a curve, and the leaderboards, in both languages and at both widths."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from browser.conftest import Arrive
from browser.people import Person
from browser.test_pages import LANGUAGES, look
from quadriga.server.storage.address import open_store
from quadriga.server.storage.base import now
from server.people.test_history import play_out
from server.scores.games import add
from server.scores.test_boards import many, members, show
from server.support.devices import Device
from server.support.harness import Server

T = TypeVar("T")


def signed_in(person: Person, device: Device) -> None:
    """Let a browser be a device of somebody."""
    person.context.add_cookies(
        [{"name": each.name, "value": each.value or "", "url": device.server.address} for each in device.jar]
    )


async def played(server: Server, names: tuple[str, str], games: int) -> tuple[list[Device], str]:
    """Let two members play some games of Ur, and have the last reviewed; return them and its table."""
    devices = [Device(server), Device(server)]
    for device, name in zip(devices, names, strict=True):
        await device.member(name)
        await device.post("/api/me/profile", {"public": True})
    table = ""
    for _ in range(games):
        table = await play_out(devices, options={"rules": "blitz", "markers": 2})
    job = (await devices[0].call("POST", f"/api/tables/{table}/review", {}))[1]
    while job["state"] in ("waiting", "running"):
        await asyncio.sleep(0.2)
        job = await devices[0].get(f"/api/reviews/{job['review']}")
    return devices, table


@LANGUAGES
def test_a_result_a_curve_and_a_leaderboard_show_ratings(arrive: Arrive, server: Server, language: str) -> None:
    names = (f"Ann {language}", f"Bob {language}")
    with ThreadPoolExecutor() as threads:  # the browser has an event loop in this one
        devices, table = threads.submit(lambda: asyncio.run(played(server, names, 2))).result()
    ann = arrive(language=language)
    signed_in(ann, devices[0])
    ann.visit(f"/t/{table}")
    ann.page.wait_for_selector("[data-ratings='rated'] li")
    assert ann.page.locator("[data-ratings] li").count() == 2
    assert "›" in ann.page.locator("[data-ratings]").inner_text()
    ann.visit("/ratings")
    assert "1" in ann.page.locator("[data-luck='ur/2']").inner_text()
    ann.page.locator("[data-curve='ur/2']").click()
    ann.page.wait_for_selector("figure svg[role='img'] polyline")
    assert ann.page.locator("tr.level").count() == 5
    look(ann, "ratings", language, is_thorough=True)
    ann.visit("/games")
    ann.page.locator("[data-curve='ur/2']").wait_for()
    ann.visit(f"/people/{names[1]}")
    ann.page.locator("[data-curve='ur/2']").wait_for()


async def rated_members(server: Server) -> list[Device]:
    """Return two members with public profiles, who have played many games; the server is killed meanwhile."""
    devices, ids = await members(server, "Ann", "Bob")
    await show(*devices)
    server.kill()
    store = await open_store(server.store)
    await add(store, *many(now() - 1000, ids[0], ids[1]))
    await store.close()
    server.start()
    while len((await devices[0].get("/api/leaderboard?pool=ur/2"))["players"]) < 2:
        await asyncio.sleep(0.05)
    return devices


def test_ratings_stand_beside_names_in_the_lobby_and_at_the_table(arrive: Arrive, own: Server) -> None:
    with ThreadPoolExecutor() as threads:

        def ask(what: Coroutine[Any, Any, T]) -> T:
            return threads.submit(lambda: asyncio.run(what)).result()

        devices = ask(rated_members(own))
        table = ask(devices[0].table(public=True))
        players = ask(devices[0].get("/api/leaderboard?pool=ur/2"))["players"]
        means = {each["name"]: f"{round(each['rating']['mean']):,}" for each in players}
        guest = arrive(server=own, name="Guest")
        beside = guest.page.locator(f"[data-table='{table}'] .rating")
        beside.wait_for()
        assert beside.inner_text().split()[-1] == means["Ann"]
        ask(devices[1].post(f"/api/tables/{table}/join", {"name": "x"}))
        ask(devices[0].post(f"/api/tables/{table}/start"))
        guest.visit(f"/t/{table}")
        guest.page.locator(".seats .rating").nth(1).wait_for()
        shown = guest.page.locator(".seats li").all_inner_texts()
        assert [mean in text for text, mean in zip(shown, means.values(), strict=True)] == [True, True]
