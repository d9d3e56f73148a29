"""A whole game by days among three people: one leaves orders, one goes on vacation, one stays away for a while."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

from quadriga.engine.game import NOBODY
from quadriga.engine.orders import forms
from quadriga.server.state import deadlines
from quadriga.server.state.day_events import Vacation
from quadriga.server.state.events import BotControl, Moves, OrderEnded
from quadriga.server.state.room_state import RoomState
from server.people.test_identity import MANY_PROOFS
from server.rooms.days.support import log_of, stored
from server.support.devices import Device
from server.support.harness import Client
from server.support.in_process import InProcessServer, in_process
from support import SHORT_RACE

ANN, BOB, CEM = range(3)
NAMES = ("Ann", "Bob", "Cem")
DAY_S = 1.0  # until the restart, so that the one who is away is late soon


class Game:
    """A table of three people, on one server after another."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.people: list[Device] = []
        self.server: InProcessServer
        self.table = ""

    async def start(self, server: InProcessServer) -> None:
        self.server, self.people = server, [Device(server) for _ in NAMES]
        for device, name in zip(self.people, NAMES, strict=True):
            await device.member(name)
        options = {"series": [1], **SHORT_RACE}
        self.table = await self.people[ANN].table("ben-hvrt", "me open open bot", options=options, days={"days": 1})
        for seat in (BOB, CEM):
            await self.people[seat].post(f"/api/tables/{self.table}/join", {"name": NAMES[seat]})
        await self.people[ANN].post(f"/api/tables/{self.table}/start")

    def move_to(self, server: InProcessServer) -> None:
        """Go on at another server, after a restart."""
        self.server = server
        for device in self.people:
            device.server = server

    async def state(self) -> RoomState:
        return (await self.server.registry.room(self.table)).state

    async def play(self, away: int = NOBODY) -> RoomState:
        """Let people look in when they have to move or a bot has their seat, until the one who is away has to."""
        while (state := await self.state()).status == "playing":
            covered = [seat for seat in range(3) if state.seats[seat].bot_controlled]
            deadline = deadlines.current(state)
            if away in covered or (deadline is not None and deadline.seat == away):
                break
            if covered:
                await self.visit(covered[0])
            elif deadline is not None:
                await self.visit(deadline.seat)
            else:  # bots move
                await asyncio.sleep(0.005)
        return state

    async def visit(self, seat: int) -> None:
        """Take one's seat back from a bot, play as long as it is one's turn, and leave; Ann leaves orders."""
        client = await self.people[seat].connect(self.table)
        await client.until("view")
        state = await self.state()
        if client.table["seats"][seat]["covered"]:
            await client.say(type="back")
            while client.table["seats"][seat]["covered"] and not client.over:
                await client.hear()
        while not client.over and deadlines.seat_to_move(state) == seat:
            if client.legal:
                action = self.rng.choice([each["text"] for each in client.legal if not each.get("family")])
                client.legal = None
                await client.act(action)
            said = await client.hear()
            if said["type"] == "refused":
                client.legal = said.get("legal")
        if seat == ANN and not client.over:
            await self.order(client, state)
        await client.close()

    async def order(self, client: Client, state: RoomState) -> None:
        """Give an order that is possible now."""
        if (session := state.session) is None or not (
            offered := forms(session.match, ANN, state.seats[ANN].orders)
        ):
            return
        form = self.rng.choice(offered)
        order = {
            "kind": form.kind,
            "when": form.when,
            "of": self.rng.choice(list(form.things)) if form.things else "",
            "most": None if form.numbers is None else self.rng.choice(form.numbers[:6]),
        }
        await client.say(type="order", order=order)
        while (await client.hear())["type"] not in ("orders", "refused"):
            pass


async def test_three_people_play_to_the_end_whatever_comes_between(tmp_path: Path):
    game, path = Game(1), tmp_path / "tables.sqlite"
    async with in_process(path, day=DAY_S, sweep=0.02, **MANY_PROOFS) as server:
        await game.start(server)
        while not (await game.play(away=CEM)).seats[CEM].bot_controlled:
            await asyncio.sleep(0.02)  # nobody can do anything but the sweeper
        await game.visit(BOB)
        until = (await game.people[BOB].post("/api/me/vacation", {"on": True}))["until"]
        waiting = deadlines.current(await game.play(away=BOB))
        assert waiting is not None
        assert waiting.seat == BOB
        assert waiting.due >= until + DAY_S * 1000
    async with in_process(path, **MANY_PROOFS) as server:
        game.move_to(server)
        await game.people[BOB].post("/api/me/vacation", {"on": False})
        assert (await game.play()).status == "over"
        log = await log_of(server.registry.store, game.table)
        assert await stored(server.registry.store) == []
        assert not server.registry.rooms[game.table].tasks.running
    controls = [each.on for each in log if isinstance(each, BotControl) and each.seat == CEM]
    assert controls[:2] == [True, False]
    assert next(each.until for each in log if isinstance(each, Vacation)) == until
    assert any(isinstance(each, OrderEnded) and each.how == "done" for each in log)
    assert any(move.by == "bot" for each in log if isinstance(each, Moves) for move in each.done)
