"""People who play one game after the other, come back when the server was killed, and know what they were told."""

from __future__ import annotations

import asyncio
import json
import random
import time
from typing import Any

import websockets

from server.hostility.day import Day

GAMES: list[tuple[str, int, dict[str, Any]]] = [
    ("ur", 2, {"rules": "blitz"}),
    ("ave-caesar", 3, {"courses": ["white cw"]}),
]


class Person:
    """Somebody at a table. What they were told never goes back, whatever happens to the server."""

    def __init__(self, day: Day, room: int, source: str, table: str, token: str) -> None:
        self.day, self.room, self.source, self.table, self.token = day, room, source, table, token
        self.rng = random.Random(source)
        self.number = 0  # of the newest position that was sent to them
        self.acts = 0  # moves that were sent
        self.is_over = False

    async def play(self, think: float) -> None:
        """Play until the game or the day is over."""
        while not (self.is_over or self.day.is_over.is_set()):
            try:
                socket = await self.day.connect(self.source, self.table)
            except (OSError, websockets.InvalidMessage) as error:  # killed before or within the handshake
                assert self.day.is_killed(), f"a person was not let in: {error!r}"
                await asyncio.sleep(0.05)
                continue
            try:
                await socket.send(json.dumps({"type": "hello", "token": self.token, "explain": False}))
                await self._play(socket, think)
            except websockets.ConnectionClosed:
                if not (self.day.is_killed() or self.day.is_over.is_set()):
                    self.day.broken += 1
            finally:
                socket.transport.abort()

    async def _play(self, socket: websockets.ClientConnection, think: float) -> None:
        sent, due, acted = 0.0, None, 0
        newest: dict[str, Any] = {"legal": None}
        while not self.is_over:
            try:
                wait = 0.5 if due is None else max(due[0] - time.monotonic(), 0.0)
                said = json.loads(await asyncio.wait_for(socket.recv(), wait))
            except TimeoutError:
                if self.day.is_over.is_set() and not sent:
                    return
                if due is not None:
                    sent, acted = time.monotonic(), newest["number"]
                    await socket.send(due[1])
                    due = None
                continue
            match said["type"]:
                case "view" | "news":
                    assert said["number"] >= self.number, "a position that was sent is lost"
                    self.number, newest = said["number"], said
                    due = None if sent else self._chosen(newest, think)
                case "done":
                    assert said["number"] > acted, "a move was acknowledged that was not made"
                    self.day.times.append(time.monotonic() - sent)
                    self.day.moves[self.room] += 1
                    sent, due = 0.0, self._chosen(newest, think)
                case "refused":
                    raise AssertionError(f"a person was refused: {said}")
                case "table" | "welcome":
                    self.is_over = said["table"]["status"] in ("over", "ended")

    def _chosen(self, said: dict[str, Any], think: float) -> tuple[float, str] | None:
        """Return when to make which move; None if it is not this person's turn."""
        if not said["legal"]:
            return None
        action = self.rng.choice([each["text"] for each in said["legal"] if not each.get("family")])
        self.acts += 1
        act = {"type": "act", "number": said["number"], "action": action, "ref": f"{self.source} {self.acts}"}
        return time.monotonic() + self.rng.uniform(0.0, 2 * think), json.dumps(act)


async def room(day: Day, number: int, think: float) -> None:
    """Play one game after the other with the same people."""
    game, seats, options = GAMES[number % len(GAMES)]
    sources = [f"127.1.{number % 250}.{1 + seat + 8 * (number // 250)}" for seat in range(seats)]
    while not day.is_over.is_set():
        body = {"game": game, "options": options, "name": f"Person {number}", "pace": 0, "public": True}
        body["seats"] = [{"kind": "me"}, *[{"kind": "open"}] * (seats - 1)]
        made = await _granted(day, sources[0], "/api/tables", body)
        table, tokens = made["table"]["id"], [made["token"]]
        for seat, source in enumerate(sources[1:], 1):
            path = f"/api/tables/{table}/join"
            tokens.append((await _granted(day, source, path, {"name": f"Friend {number} {seat}"}))["token"])
        await _granted(day, sources[0], f"/api/tables/{table}/start", {}, tokens[0])
        day.tables.add(table)
        people = [Person(day, number, *each) for each in zip(sources, [table] * seats, tokens, strict=True)]
        await asyncio.gather(*(each.play(think) for each in people))
        day.tables.discard(table)


async def _granted(day: Day, source: str, path: str, body: object, token: str = "") -> Any:
    """Ask for something that a person gets, again if the server was killed meanwhile."""
    while True:
        answer = await day.ask(source, "POST", path, body, token=token)
        if answer.status in (200, 201):
            return answer.body
        is_repeated = answer.status == 409 and path.endswith("/start")  # done before the kill
        if is_repeated:
            return answer.body
        assert answer.status == 0, (path, answer)
        assert day.is_killed(), path
        await asyncio.sleep(0.05)
