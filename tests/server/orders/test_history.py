"""The orders of a finished game: everybody sees when each was given and ended, and nothing before the end."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import quadriga
from quadriga.engine.parts.orders import Order
from quadriga.server.orders.history import history
from quadriga.server.state.events import LoggedMove, Moves, OrderEnded, OrderGiven, RoomEvent, Sit, Undo
from server.cluster.test_following import settle
from server.support.harness import Client
from server.support.in_process import InProcessServer, in_process
from server.support.tables import connect_all, start_table

PATHS = ("", "/orders", "/record", "/replay?seat=-1&first=0&count=100", "/replay?seat=0", "/fairness", "/chart")


async def at_ur(server: InProcessServer, **more: Any) -> tuple[str, list[str], list[Client], int]:
    """Return a new game of Ur, the tokens and clients of its people, and the seat that is not asked."""
    id, tokens = await start_table(server, "ur", "me open", **{"dice": {"kind": "seeded", "seed": 1}, **more})
    return id, tokens, await connect_all(server, id, tokens), 1 - server.registry.rooms[id].session.actor


async def says(client: Client, **message: Any) -> None:
    """Say something, and wait until it has been answered."""
    await client.say(**message)
    await settle(client)


async def moves(server: InProcessServer, id: str, clients: list[Client], seat: int) -> str:
    """Let a seat make its first move; return it."""
    await settle(clients[seat])
    legal = clients[seat].legal
    assert legal
    await clients[seat].act(legal[0]["text"])
    await settle(clients[seat])
    return str(legal[0]["text"])


async def ends(server: InProcessServer, id: str, clients: list[Client]) -> None:
    """End the game by a vote."""
    for client in clients:
        await client.say(type="vote", kind="end")
    while not server.registry.rooms[id].state.over:
        await clients[0].hear()


async def test_after_the_end_everybody_sees_at_which_steps_there_were_which_orders(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite") as server:
        id, _, clients, waiting = await at_ur(server)
        await says(clients[waiting], type="order", order={"kind": "roll", "of": "front", "most": 3})
        await says(clients[waiting], type="order", order={"kind": "move", "of": "0"})
        await says(clients[waiting], type="cancel", order=1)
        while server.registry.rooms[id].state.seats[waiting].orders:  # until the planned move is due
            asked = server.registry.rooms[id].session.actor
            await moves(server, id, clients, asked)
        await says(clients[1 - waiting], type="order", order={"kind": "roll", "of": "0", "most": 2})
        await ends(server, id, clients)
        status, found = await server.fetch("GET", f"/api/tables/{id}/orders")
        assert status == 200
        first, second, third = found["orders"]
        assert [each["seat"] for each in found["orders"]] == [waiting, waiting, 1 - waiting]
        assert (first["ended"], first["how"]) == (first["given"], "cancelled")
        assert second["how"] == "done"
        _, replay = await server.fetch("GET", f"/api/tables/{id}/replay?first=0&count=100")
        event = replay["steps"][second["ended"]]["event"]
        assert event["seat"] == waiting
        assert event["text"].startswith("0-")
        assert third["given"] == replay["total"] - 1
        assert (third["ended"], third["how"]) == (None, None)
        assert third["words"]["id"].startswith("ur.")


def without_presence(text: str) -> str:
    """Return a message without the table's public state, which says who is here just now."""
    said = json.loads(text)
    said.pop("table", None)
    return "" if said["type"] == "table" else json.dumps(said)


@pytest.mark.parametrize("viewpoint", ["other", "watcher"])
async def test_while_the_game_goes_on_others_get_the_same_whether_or_not_there_are_orders(
    tmp_path: Path, viewpoint: str
):
    """Every answer about the game, and every message, but for the table's id, times, and who is here."""
    found = []
    async with in_process(tmp_path / "tables.sqlite") as server:
        for with_orders in (True, False):
            id, tokens, clients, waiting = await at_ur(server)
            watcher = await server.connect(id)
            seen = clients[1 - waiting] if viewpoint == "other" else watcher
            token = tokens[1 - waiting] if viewpoint == "other" else None
            if with_orders:
                await says(clients[waiting], type="order", order={"kind": "roll", "of": "front", "most": 3})
                await says(clients[waiting], type="order", order={"kind": "roll", "of": "0", "most": 3})
                await says(clients[waiting], type="cancel", order=2)
            await moves(server, id, clients, 1 - waiting)
            await settle(seen)
            assert len(server.registry.rooms[id].state.seats[waiting].orders) == with_orders
            texts = [str(await server.fetch("GET", f"/api/tables/{id}{path}", token=token)) for path in PATHS]
            told = [text for text in map(without_presence, seen.heard) if text]
            found.append([re.sub(r"\d{6,}", "TIME", text.replace(id, "ID")) for text in [*texts, *told]])
    assert found[0] == found[1]
    assert "(409" in found[0][1]


async def test_records_and_positions_of_a_finished_game_say_nothing_about_orders(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite") as server:
        id, _, clients, waiting = await at_ur(server, dice={"kind": "fair"})
        await says(clients[waiting], type="order", order={"kind": "roll", "of": "front", "most": 3})
        await ends(server, id, clients)
        for path in PATHS:
            status, body = await server.fetch("GET", f"/api/tables/{id}{path}")
            assert status == 200, (path, body)
            assert ("order" in str(body)) == (path == "/orders")


def dice(text: str) -> LoggedMove:
    return LoggedMove(None, text, (0,), "dice")


def move(seat: int, by: str = "person", is_forced: bool = False) -> LoggedMove:
    return LoggedMove(seat, "pass", (0,), by, is_forced)


def listed(*log: RoomEvent) -> list[tuple[int, int, int | None, str | None]]:
    """Return seat, beginning, end and kind of end of the orders of a log."""
    return [(each.seat, each.given, each.ended, each.how) for each in history(quadriga.new("ur", seed=1), log)]


def given(seat: int, number: int) -> OrderGiven:
    return OrderGiven(seat, number, Order("move", of="3"), 0)


def test_an_order_ends_with_the_move_that_it_has_made_and_not_with_the_dice_after_it():
    batch = Moves([move(0), dice("2"), move(1), dice("3"), dice("1")])
    assert listed(given(1, 1), batch, OrderEnded(1, 1, "done")) == [(1, 0, 3, "done")]


def test_passes_without_a_choice_are_no_steps():
    batch = Moves([move(0), move(1, "table", is_forced=True), dice("2")])
    assert listed(batch, given(0, 1), OrderEnded(0, 1, "cancelled")) == [(0, 2, 2, "cancelled")]


def test_a_move_that_is_taken_back_leaves_no_later_steps():
    log = (Moves([dice("2")]), given(0, 1), Moves([move(0)]), OrderEnded(0, 1, "done"), given(0, 2), Undo(0))
    assert listed(*log) == [(0, 1, 1, "done"), (0, 1, None, None)]


def test_the_orders_of_a_seat_end_when_somebody_else_takes_it():
    taken = Sit(1, "bot", name="Bot", bot="quick")
    assert listed(given(0, 1), given(1, 2), Moves([dice("2")]), taken) == [(0, 0, None, None), (1, 0, 1, "left")]
