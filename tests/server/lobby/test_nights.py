"""Game nights: a date, who comes, a calendar file, and one table."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from quadriga.server.messages import calendar
from quadriga.server.people import nights
from quadriga.server.storage.base import now
from server.lobby.test_company import members
from server.lobby.test_live import MANY
from server.support.devices import Device
from server.support.in_process import in_process
from server.support.live import listen

HOUR_MS = 3_600_000


def plan(**more: Any) -> dict[str, Any]:
    return {
        "game": "ave-caesar",
        "seats": 4,
        "at": now() + 24 * HOUR_MS,
        "name": "x",
        "title": "Circus, at Ann's",
        **more,
    }


def unfolded(raw: bytes) -> dict[str, str]:
    """Return the lines of a calendar as any calendar reads them."""
    assert all(len(line) <= 75 for line in raw.split(b"\r\n"))
    lines = raw.replace(b"\r\n ", b"").decode().removesuffix("\r\n").split("\r\n")
    return dict(line.split(":", 1) for line in lines)


async def test_people_say_whether_they_come_and_meet_at_one_table(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        ann, bob = await members(server, "Ann", "Bob")
        guest = Device(server)
        await guest.post("/api/me")
        page = await listen(bob)
        night = await ann.post("/api/nights", plan())
        path = f"/api/nights/{night['id']}"
        assert (night["mine"], night["answer"], night["by"]) == (True, "yes", "Ann")
        assert (await Device(server).call("POST", f"{path}/answer", {"answer": "yes", "name": "x"}))[0] == 401
        for device, answer in ((bob, "yes"), (guest, "no"), (guest, "maybe")):
            await device.post(f"{path}/answer", {"answer": answer, "name": "Cem"})
        shown = await bob.get(path)
        assert [(each["name"], each["answer"]) for each in shown["guests"]] == [
            ("Ann", "yes"),
            ("Bob", "yes"),
            ("Cem", "maybe"),
        ]
        while [each["id"] for each in page.company.get("nights", [])] != [night["id"]]:
            await page.hear()
        assert (await ann.call("POST", f"{path}/table", {}))[1]["code"] == "night.early"
        soon = await ann.post("/api/nights", plan(at=now() + HOUR_MS // 2))
        path = f"/api/nights/{soon['id']}"
        await bob.post(f"{path}/answer", {"answer": "yes", "name": "x"})
        assert (await bob.call("POST", f"{path}/table", {}))[1]["code"] == "night.host"
        made = await asyncio.gather(*(ann.post(f"{path}/table") for _ in range(4)))
        tables = {each["table"] for each in made}
        assert len(tables) == 1
        (table,) = tables
        assert [each["table"] for each in (await ann.get("/api/me/games"))["games"]] == [table]
        assert (await bob.get(path))["table"] == table
        await bob.post(f"/api/tables/{table}/join", {"name": "x"})
        await ann.post(f"{path}/remove")
        assert (await bob.call("GET", path))[1]["code"] == "night.unknown"


async def test_wrong_dates_games_and_too_many_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        (ann,) = await members(server, "Ann")
        for wrong in (plan(at=now() - 2 * HOUR_MS), plan(at=now() + 500 * 24 * HOUR_MS)):
            assert (await ann.call("POST", "/api/nights", wrong))[1]["code"] == "night.when"
        assert (await ann.call("POST", "/api/nights", plan(game="chess")))[0] == 404
        assert (await ann.call("POST", "/api/nights", plan(seats=12)))[0] == 422
        monkeypatch.setattr(nights, "MOST", 2)
        for _ in range(2):
            await ann.post("/api/nights", plan(at=now() - HOUR_MS // 2))  # which may still begin
        assert (await ann.call("POST", "/api/nights", plan()))[1]["code"] == "person.many"


async def test_nights_of_somebody_who_is_blocked_are_not_listed(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        ann, bob, cem = await members(server, "Ann", "Bob", "Cem")
        for host in (ann, cem):
            night = await host.post("/api/nights", plan())
            await bob.post(f"/api/nights/{night['id']}/answer", {"answer": "yes", "name": "x"})
        await ann.post("/api/me/blocks", {"name": "Bob"})
        await bob.post("/api/me/blocks", {"name": "Cem"})
        assert (await bob.get("/api/me/company"))["nights"] == []
        assert len((await ann.get("/api/me/company"))["nights"]) == 1


async def test_the_calendar_file_is_in_universal_time(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        (ann,) = await members(server, "Ann")
        at = (now() // 1000 + 86_400) * 1000
        night = await ann.post("/api/nights", plan(at=at, title="Été; chars,\\ et César " + "é" * 50))
        status, raw, headers = await asyncio.to_thread(ann.raw, "GET", f"/api/nights/{night['id']}/calendar.ics")
        assert (status, headers["content-type"].split(";")[0]) == (200, "text/calendar")
        found = unfolded(raw)
        assert found["DTSTART"] == calendar._time(at)
        assert found["DTSTART"].endswith("Z")
        assert found["SUMMARY"] == "Été\\; chars\\,\\\\ et César " + "é" * 50
        assert found["URL"] == f"{server.address}/night/{night['id']}"


def test_a_calendar_is_written_as_the_standard_says():
    made = calendar.event(uid="1@x", at=1_700_000_000_000, stamp=0, title="a\nb", text="", url="http://x/")
    found = unfolded(made)
    assert (found["DTSTART"], found["DTEND"]) == ("20231114T221320Z", "20231115T001320Z")
    assert (found["DTSTAMP"], found["SUMMARY"]) == ("19700101T000000Z", "a\\nb")
    assert made.startswith(b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
    assert made.endswith(b"END:VEVENT\r\nEND:VCALENDAR\r\n")
