"""A whole game by days among three people: one leaves orders, one goes on vacation, one stays away for a while."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from quadriga.engine.game import NOBODY
from quadriga.engine.orders import forms
from quadriga.server.state import deadlines
from quadriga.server.state.day_events import Deadline, Vacation
from quadriga.server.state.events import BotControl, Moves, OrderEnded
from quadriga.server.state.room_state import RoomState
from server.people.test_identity import MANY_PROOFS
from server.rooms.days.support import Calendar, log_of, stored, until_logged
from server.support.devices import Device
from server.support.harness import Client
from server.support.in_process import InProcessServer, in_process
from support import SHORT_RACE

ANN, BOB, CEM = range(3)
NAMES = ("Ann", "Bob", "Cem")
DAY_MS = 86_400_000


class Game:
    """A table of three people, on one server after another."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.people: list[Device] = []
        self.server: InProcessServer
        self.table = ""
        self.moves = 0  # that people have sent

    async def start(self, server: InProcessServer) -> None:
        self.server, self.people = server, [Device(server) for _ in NAMES]
        for device, name in zip(self.people, NAMES, strict=True):
            await device.member(name)
        options = {"series": [1], **SHORT_RACE}
        self.table = await self.people[ANN].table("ben-hvrt", "me open open bot", options=options, days={"days": 1})
        for seat in (BOB, CEM):
            await self.people[seat].post(f"/api/tables/{self.table}/join", {"name": NAMES[seat]})
        await self.people[ANN].post(f"/api/tables/{self.table}/start")
        await self.visit(ANN)

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
                self.moves += 1
                await client.act(action, ref=f"own {self.moves}")
            said = await client.hear()
            if said["type"] == "refused":
                client.legal = said.get("legal")
        if seat == ANN and not client.over:
            await self.order(client, state)
        await client.close()

    async def order(self, client: Client, state: RoomState) -> None:
        """Give an order that is possible now; in the auction one that answers whenever Ann is asked to bid."""
        held = state.seats[ANN].orders
        if (session := state.session) is None or not (offered := forms(session.match, ANN, held)):
            return
        bids = [each for each in offered if (each.kind, each.when) == ("bid", "")]
        if bids and not any((each.order.kind, each.order.of) == ("bid", "*") for each in held.values()):
            order: dict[str, object] = {"kind": "bid", "when": "", "of": "*", "most": 2}
        else:
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


async def test_three_people_play_to_the_end_whatever_comes_between(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    game, path, calendar = Game(1), tmp_path / "tables.sqlite", Calendar(monkeypatch)
    async with in_process(path, sweep=0.02, **MANY_PROOFS) as server:
        await game.start(server)
        due = deadlines.current(await game.play(away=CEM))
        assert due is not None
        until = (await game.people[BOB].post("/api/me/vacation", {"on": True}))["until"]
        calendar.go_to(due.due - 1000)
        await until_logged(server, game.table, Deadline, lambda each: each.seat == CEM and each.warned)
        calendar.go_to(due.due)
        await until_logged(server, game.table, BotControl)
        waiting = deadlines.current(await game.play(away=BOB))
        assert waiting is not None
        assert (waiting.seat, waiting.due) == (BOB, until + DAY_MS)
    async with in_process(path, **MANY_PROOFS) as server:
        game.move_to(server)
        await game.people[BOB].post("/api/me/vacation", {"on": False})
        assert (await game.play()).status == "over"
        log = await log_of(server.registry.store, game.table)
        assert await stored(server.registry.store) == []
        assert not server.registry.rooms[game.table].tasks.running
    assert [(each.seat, each.on) for each in log if isinstance(each, BotControl)] == [(CEM, True), (CEM, False)]
    assert next(each.until for each in log if isinstance(each, Vacation)) == until
    moves = [each for each in log if isinstance(each, Moves)]
    ordered = [each for each in moves if (each.done[0].seat, each.done[0].by, each.ref) == (ANN, "person", None)]
    assert {each.done[0].text for each in ordered} & {"bid", "pass"}
    assert any(isinstance(each, OrderEnded) and each.how == "over" for each in log)
    assert any(move.by == "bot" for each in moves for move in each.done)
