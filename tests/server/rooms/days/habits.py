"""People with habits for tests of games by days: they sleep, stay away, and play on two devices."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from http.client import HTTPException
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from server.support.devices import Device
from server.support.harness import Client, Server

_KILLED = (ConnectionClosed, InvalidHandshake, OSError, HTTPException)  # the server is killed meanwhile
DAY_MS = 86_400_000
_CURIOUS = 0.1  # how often somebody opens a table that does not wait for them


class Person:
    """A member who sleeps a third of each day, and stays away for a whole one now and then, perhaps on vacation."""

    def __init__(self, number: int, servers: list[Server], days: int) -> None:
        self.number = number
        self.rng = random.Random(number)
        self.devices = [Device(self.rng.choice(servers)) for _ in range(2)]
        self.servers = servers
        self.sleeps_at = self.rng.randrange(24)  # the hour of the week's days
        self.away_on = self.rng.randrange(days) if self.rng.random() < 0.4 else -1
        self.is_gone = number % 25 == 1  # for good, after having begun games
        self.tells_others = self.rng.random() < 0.5  # that they are away
        self.is_on_vacation = False
        self.quiet: list[int] = []  # the hours in which nothing is told
        self.moves = 0

    async def arrive(self, told_at: str, began: int) -> None:
        """Become a member on two devices, and have notices sent to an address, but not to one in two who sleep."""
        phone, laptop = self.devices
        await phone.member(f"Person {self.number}")
        await laptop.post("/api/link", {"code": (await phone.post("/api/me/link"))["code"]})
        await phone.post("/api/me/notices/webhook", {"address": f"{told_at}/{self.number}", "shape": "ntfy"})
        chosen: dict[str, Any] = {"kinds": ["turn", "warning", "over"]}
        if self.number % 2:
            first = began // 3_600_000 + self.sleeps_at
            self.quiet = [hour % 24 for hour in range(first, first + 8)]
            chosen |= {"quiet_from": self.quiet[0], "quiet_until": (first + 8) % 24}
        await phone.post("/api/me/notices", chosen)

    def pause_ms(self) -> int:
        """Return how long it is until they look in again."""
        return round(self.rng.uniform(0.05, 0.3) * DAY_MS)

    async def look(self, at_day: float) -> None:
        """Look in at one's games, unless one sleeps or is away."""
        is_away = int(at_day) == self.away_on
        if (
            self.is_gone
            or (at_day - self.sleeps_at / 24) % 1 < 1 / 3
            or (is_away and self.is_on_vacation is self.tells_others)
        ):
            return
        with suppress(*_KILLED):
            if is_away != self.is_on_vacation and self.tells_others:
                await self.devices[0].post("/api/me/vacation", {"on": is_away})
                self.is_on_vacation = is_away
            if not is_away:
                await self.look_in()

    async def look_in(self) -> None:
        """Make one's moves at the tables that wait, and see now and then how the others stand."""
        device = self.rng.choice(self.devices)
        device.server = self.rng.choice(self.servers)
        for game in (await device.get("/api/me/games"))["games"]:
            own = [number for number, each in enumerate(game["seats"]) if each["mine"]]  # none: the seat is lost
            if own and (game["mine"] or self.rng.random() < _CURIOUS):
                client = await device.connect(game["table"])
                try:
                    await self.move(client, own[0])
                finally:
                    await client.close()

    async def move(self, client: Client, seat: int) -> None:
        """Take one's seat back if a bot has it, and play as long as one is asked."""
        while not client.view:
            await client.hear()
        if client.table["seats"][seat]["covered"]:
            await client.say(type="back")
            while client.table["seats"][seat]["covered"] and not client.over:
                await client.hear()
        for _ in range(20):
            if not client.legal or client.over:
                return
            number = client.number
            await client.act(self.rng.choice([each["text"] for each in client.legal if not each.get("family")]))
            self.moves += 1
            while client.number == number and not client.over and not client.refused:
                await client.hear()


async def at_once(work: list[Any], most: int = 8) -> None:
    """Await all of this, a few at a time."""
    slots = asyncio.Semaphore(most)

    async def one(each: Any) -> None:
        async with slots:
            await each

    await asyncio.gather(*(one(each) for each in work))
