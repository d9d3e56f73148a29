"""Playing on from a moment of a finished game."""

from __future__ import annotations

import random

import pytest

from server.support.harness import Server

SETUPS = {
    "ur": ("me bot", {"markers": 2}),
    "ave-caesar": ("me bot bot", {"courses": ["white cw"]}),
    "ben-hvrt": ("me bot bot", {"series": [1]}),
}


@pytest.mark.parametrize("game", SETUPS)
async def test_a_game_goes_on_from_any_moment_and_outlives_a_restart(own_server: Server, game: str):
    server = own_server
    seats, options = SETUPS[game]
    table, token = server.create(game, seats, options=options)
    client = await server.connect(table, token)
    await client.play(random.Random(1))
    await client.close()
    total = server.get(f"/api/tables/{table}/replay?seat=0&first=0&count=1")["total"]
    step = 2 * total // 3
    (there,) = server.get(f"/api/tables/{table}/replay?seat=0&first={step}&count=1")["steps"]
    status, made = server.call("POST", f"/api/tables/{table}/continue", {"name": "Ann", "step": step, "seat": 0})
    assert status == 201, made
    new = made["table"]["id"]
    assert made["table"]["status"] == "playing"
    assert [seat["kind"] for seat in made["table"]["seats"]] == ["person", *["bot"] * (len(seats.split()) - 1)]
    server.kill()
    server.start()
    client = await server.connect(new, made["token"])
    await client.play(random.Random(2))
    await client.close()
    (same,) = server.get(f"/api/tables/{new}/replay?seat=0&first={step}&count=1")["steps"]
    assert same["view"] == there["view"]
    assert server.get(f"/api/tables/{new}")["status"] == "over"


async def test_what_cannot_go_on_is_refused(server: Server):
    table, token = server.create("ur", "me bot", options={"markers": 1})
    asked = {"name": "Ann", "step": 0, "seat": 0}
    assert server.call("POST", f"/api/tables/{table}/continue", asked)[1]["code"] == "table.not-over"
    client = await server.connect(table, token)
    await client.play(random.Random(1))
    await client.close()
    for change, code in (
        ({"step": 10**6}, "table.no-continuation"),
        ({"seat": 2}, "table.no-seat"),
        ({"name": " "}, "name.empty"),
    ):
        assert server.call("POST", f"/api/tables/{table}/continue", asked | change)[1]["code"] == code
