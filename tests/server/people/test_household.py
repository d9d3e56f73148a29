"""People who share one address, as a family or a club does."""

from __future__ import annotations

import asyncio
from pathlib import Path

from server.support.devices import Device
from server.support.in_process import in_process

_PEOPLE = 8  # as the setting `household` says
_PAGES = {  # what the page asks about people when it is opened
    "/": ("/api/me", "/api/me/standing", "/api/me/games"),
    "/record": ("/api/me", "/api/me/standing", "/api/me/ratings", "/api/me/statistics"),
    "/settings": ("/api/me", "/api/me/standing", "/api/me/devices", "/api/me/notices", "/api/me/vacation"),
    "/leaderboards": ("/api/me", "/api/me/standing", "/api/leaderboards"),
}


def test_a_household_opens_many_pages_at_once_and_nobody_is_refused(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with in_process(tmp_path / "house.db") as server:
            family = [Device(server) for _ in range(_PEOPLE)]
            for number, each in enumerate(family):
                await each.post("/api/me", {"label": "test"})
                await each.post("/api/me/keep", {"name": f"Child {number}"})
            paths = [path for asked in _PAGES.values() for path in asked]
            answers = await asyncio.gather(*(each.call("GET", path) for each in family for path in paths))
            assert [found for status, found in answers if status != 200] == []

    asyncio.run(scenario())
