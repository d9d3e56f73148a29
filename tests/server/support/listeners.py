"""People who only listen: they act on what they were sent, and never look again.

They are viewers of a room in the test's own process, without sockets, so that whole games are cheap. After every
step each of them must hold what a new viewer would be sent.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from quadriga.engine.errors import QuadrigaError
from quadriga.engine.game import NOBODY
from quadriga.server.people.people import People
from quadriga.server.protocol.client_messages import DECODER
from quadriga.server.protocol.requests import Create, Join
from quadriga.server.rooms import audience
from quadriga.server.rooms.registry import Registry
from quadriga.server.rooms.room import Room
from quadriga.server.seats.tokens import Tokens
from quadriga.server.seats.viewers import Viewer
from quadriga.server.settings import Settings
from quadriga.server.storage.address import open_store
from quadriga.server.ws import handlers
from server.support import services
from server.support.harness import QUICK
from server.support.manual_clock import ManualClock

COMPARED = ("number", "seat", "view", "legal", "undo", "roll")


class Listener:
    """One viewer, and what its client holds after all messages so far."""

    def __init__(self, registry: Registry, room: Room, holder: str | None, seat: int) -> None:
        self.registry, self.room = registry, room
        seats = [] if holder is None else room.state.seats_of(holder)
        self.viewer = Viewer(holder, seats, seat, explain=False, name="", most=10**6)
        self.viewer.send = self._receive  # type: ignore[method-assign]  # at once, without a queue and a socket
        self.viewer.address = f"192.0.2.{seat + 1}"
        self.held: dict[str, Any] = {}
        self.received_at = 0.0  # when `answer_ms` was received
        self.answered = -1  # the number of the position that this person has answered
        self.refused: list[str] = []
        self.heard: list[tuple[float, bytes]] = []  # every message, with its time

    def _receive(self, message: bytes) -> None:
        if self.viewer.close_code is not None:
            return
        self.heard.append((self.now, message))
        said = json.loads(message)
        match said["type"]:
            case "news" | "view":
                known = self.held.get("number", 0)
                if said["type"] == "news" and known and said["seat"] == self.held["seat"]:
                    numbers = [each["number"] for each in said["events"]]
                    assert numbers == list(range(known + 1, said["number"] + 1))
                self.held, self.received_at = said, self.now
            case "held":
                self.held["answer_ms"], self.received_at = said["answer_ms"], self.now
            case "refused":
                self.refused.append(said["code"])
                if "legal" in said and said["number"] == self.held["number"]:
                    self.held["legal"] = said["legal"]

    @property
    def now(self) -> float:
        return self.room.time_source.now()

    def knows(self) -> dict[str, Any]:
        """Return what the client holds: after the time for an answer there is nothing to answer."""
        known = {name: self.held.get(name) for name in COMPARED}
        left = self.held.get("answer_ms")
        known["left"] = None if left is None else max(0, round(left - (self.now - self.received_at) * 1000))
        if known["left"] == 0:
            known["legal"] = None
        clock = self.held.get("clock")
        known["runs"] = None if clock is None else clock["runs"]
        known["is_timed"] = clock is not None and clock["mine"] is not None
        return known

    @property
    def choices(self) -> list[str]:
        """The actions that the client could send."""
        legal = self.knows()["legal"] or []
        return [each["text"] for each in legal if not each.get("family")]

    async def say(self, **message: Any) -> bool:
        """Send a message; return whether it was not refused."""
        try:
            decoded = DECODER.decode(msgspec.json.encode(message))
            await handlers.handle(self.registry, self.room, self.viewer, decoded)
        except QuadrigaError as error:
            self.refused.append(error.code)
            number, legal, _ = handlers.question(self.room, self.viewer)
            if legal is not None and number == self.held.get("number"):
                self.held["legal"] = [msgspec.to_builtins(each) for each in legal]
            return False
        return True


class Table:
    """A room with its listeners: two for each seat of a person, because people have two devices, and a watcher.

    Several processes may serve the room (`registries`), and people are spread over all. `room` is the one of the
    process that leads.
    """

    def __init__(self, *registries: Registry, id: str) -> None:
        self.registries = registries
        self.rooms = [each.rooms[id] for each in registries]
        self.room = self.rooms[0]
        self.clock = ManualClock()
        for room in self.rooms:
            room.time_source, room.broadcaster.last_public_event_at = self.clock, 0.0
        self.people: list[Listener] = []
        self.listeners: list[Listener] = []
        self.checks = 0

    async def enter(self, holder: str | None, seat: int, process: int = 0) -> Listener:
        room = self.rooms[process]
        listener = Listener(self.registries[process], room, holder, seat)
        async with room.exclusive():
            await audience.enter(room, listener.viewer, None)
        self.listeners.append(listener)
        return listener

    async def sit_down(self) -> None:
        """Connect every person twice, and a watcher at each process."""
        count = len(self.rooms)
        for process in range(count):
            await self.enter(None, NOBODY, process)
        for seat, info in enumerate(self.room.state.seats):
            if info.kind == "person":
                self.people.append(await self.enter(info.holder, seat, seat % count))
                await self.enter(info.holder, seat, (seat + 1) % count)

    async def quiet(self) -> None:
        """Wait until all rooms have the same log, and wait for an answer or for a moment."""
        still = 0
        while still < 5:
            await asyncio.sleep(0)
            is_busy = sum(len(room.tasks.running) for room in self.rooms) > len(self.clock.waiting)
            is_busy |= any(room.lock.locked() for room in self.rooms)
            is_busy |= len({room.state.next for room in self.rooms}) > 1
            still = 0 if is_busy else still + 1
            if is_busy:
                await asyncio.sleep(0.0005)

    def check(self) -> None:
        """Assert that every listener holds what a new viewer of the same seat would be sent."""
        fresh: dict[tuple[Room, str | None, int], dict[str, Any]] = {}
        for listener in self.listeners:
            key = listener.room, listener.viewer.holder, listener.viewer.seat
            if key not in fresh:
                newcomer = Listener(listener.registry, *key)
                listener.room.show(newcomer.viewer)
                fresh[key] = newcomer.knows()
            known = listener.knows()
            for name, value in fresh[key].items():
                if name == "left" and value is not None and known[name] is not None:
                    assert abs(known[name] - value) <= 1, (key[1:], name)
                else:
                    assert known[name] == value, (key[1:], name, known[name], value)
        self.checks += 1

    async def step_time(self) -> None:
        """Let time pass until something happens by itself. Fails if nothing ever would."""
        moments = [moment for moment, _ in self.clock.waiting if moment > self.clock.time]
        if moments:
            self.clock.advance()
            return
        assert any(room.tasks.timers for room in self.rooms), f"nobody can do anything: {self.room.session.match!r}"
        await asyncio.sleep(0.002)


@asynccontextmanager
async def opened_registry(path: Path | str, **settings: Any) -> AsyncIterator[Registry]:
    """Open a store and its rooms, without a server."""
    own = Settings(port=0, store=services.store_for(path), **{**QUICK, "tick": 0.05, "undo_grace": 0.0, **settings})
    store = await open_store(own.store)
    registry = Registry(store, await Tokens.of(store), await People.of(store), own)
    registry.open()
    try:
        yield registry
    finally:
        await registry.close()


async def started(registry: Registry, game: str, seats: str, **more: Any) -> Table:
    """Start a table: for each seat `me`, `open` (another person) or `bot`."""
    chairs = [{"kind": kind, **({"bot": "random"} if kind == "bot" else {})} for kind in seats.split()]
    asked = {"game": game, "name": "Ann", "seats": chairs, "pace": 100, **more}
    room, token = await registry.create(msgspec.convert(asked, Create))
    for number in range(seats.split().count("open")):
        await registry.join(room, msgspec.convert({"name": f"Guest {number + 1}"}, Join), None)
    await registry.start(room, token)
    table = Table(registry, id=room.state.id)
    await table.sit_down()
    await table.quiet()
    return table


async def play(table: Table, rng: random.Random, mischief: float, steps: int = 10**6) -> None:
    """Let the people play to the end, and check every listener after every step.

    With a probability of `mischief` somebody does something other than to answer.
    """
    while not table.room.state.over and steps:
        steps -= 1
        table.check()
        asked = [each for each in table.people if each.choices and each.answered != each.held["number"]]
        if rng.random() < mischief:
            await _disturb(table, rng)
        elif asked and rng.random() < 0.8:
            person = rng.choice(asked)
            person.answered = person.held["number"]
            await person.say(
                type="act",
                number=person.held["number"],
                action=rng.choice(person.choices),
                seat=person.viewer.seat,
                ref=f"r{rng.getrandbits(60)}",
            )
        elif table.room.state.status == "paused":
            for person in table.people:
                await person.say(type="vote", kind="resume")
        elif (roller := next((each for each in table.people if each.held.get("roll")), None)) is not None:
            await roller.say(type="roll", number=roller.held["number"])
        elif asked and not any(moment > table.clock.time for moment, _ in table.clock.waiting):
            continue  # the room waits for a person
        else:
            if not asked:
                for person in table.people:  # a refused answer is given again
                    person.answered = -1
                if any(each.choices for each in table.people) and not table.clock.waiting:
                    continue
            await _come_back(table)
            await table.step_time()
        await table.quiet()
    table.check()


async def _come_back(table: Table) -> None:
    """Let people whom bots play for return where nothing else would happen."""
    if not table.clock.waiting and not table.room.tasks.timers:
        for person in table.people:
            if table.room.state.seats[person.viewer.seat].bot_controlled:
                await person.say(type="back")


async def _disturb(table: Table, rng: random.Random) -> None:
    person, windows = rng.choice(table.people), list(table.room.state.game.windows)
    match rng.choice(["hold", "skip", "stops", "asks", "react", "undo", "vote", "leave", "back", "look"]):
        case "skip":
            await person.say(type="skip", until=rng.choice(["move", "race", None]))
        case "stops":
            await person.say(type="stops", windows=[each for each in windows if rng.random() < 0.7])
        case "asks":
            await person.say(type="asks", when=rng.choice(["concerns", "could", "always"]))
        case "react":
            await person.say(type="react", on=rng.random() < 0.7)
        case "vote":
            kind = "resume" if table.room.state.status == "paused" else "pause"
            for each in table.people:
                await each.say(type="vote", kind=kind)
        case "undo":
            await person.say(type="undo", number=person.held["number"])
        case "look":
            await person.say(type="look", seat=person.viewer.seat, after=person.held["number"])
        case kind:
            await person.say(type=kind)
