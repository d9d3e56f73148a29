"""The coach at a table: there for one who plays alone, else as long as everybody agrees."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from quadriga.learn.coach import coaching
from quadriga.server.state.events import Sit
from server.support.harness import Client
from server.support.in_process import InProcessServer, in_process


async def asked(client: Client) -> dict[str, Any]:
    """Ask the coach, and return the answer or the refusal."""
    await client.say(type="coach", ref="c")
    while (answer := await client.hear(loose=True))["type"] not in ("coach", "refused"):
        pass
    return answer


async def table_of(server: InProcessServer, game: str, people: int, bots: int, **options: Any) -> list[Client]:
    """Return the clients of the people at a table that has begun."""
    seats = [{"kind": "me"}, *[{"kind": "open"}] * (people - 1), *[{"kind": "bot", "bot": "easy"}] * bots]
    body = {"game": game, "options": options, "name": "Ann", "seats": seats, "pace": 0, "start": people == 1}
    _, made = await server.fetch("POST", "/api/tables", body)
    table, tokens = made["table"]["id"], [made["token"]]
    for guest in range(1, people):
        _, joined = await server.fetch("POST", f"/api/tables/{table}/join", {"name": f"Guest {guest}"})
        tokens.append(joined["token"])
    clients = [await server.connect(table, token) for token in tokens]
    for client in clients:
        await client.until("welcome")
    if people > 1:
        await server.fetch("POST", f"/api/tables/{table}/start", {}, tokens[0])
    return clients


async def test_one_who_plays_alone_gets_the_numbers_of_the_engine(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite") as server:
        (client,) = await table_of(server, "ave-caesar", 1, 2, courses=["white cw"])
        while not client.legal:
            await client.hear()
        answer = await asked(client)
        assert (answer["type"], answer["ref"], answer["seat"], answer["number"]) == ("coach", "c", 0, client.number)
        (room,) = server.registry.rooms.values()
        expected = coaching(room.session.match, 0)
        assert [each["id"] for each in answer["position"]] == [each.id for each in expected.position]
        assert [each["with"] for each in answer["position"]] == [each.parameters for each in expected.position]
        assert set(answer["actions"]) == set(expected.actions) == {each["text"] for each in client.legal}


async def test_among_people_the_coach_is_there_while_everybody_agrees(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite") as server:
        one, two = await table_of(server, "ur", 2, 0)
        await two.until("view")
        assert (await asked(one))["code"] == "coach.off"
        await one.say(type="vote", kind="coach")
        assert (await asked(one))["code"] == "coach.off"
        await two.say(type="vote", kind="coach")
        while not (table := (await one.until("table"))["table"])["coach"]:
            pass
        assert table["votes"] == []
        for client in (one, two):
            assert (await asked(client))["type"] == "coach"
        await two.say(type="vote", kind="coach", on=False)  # one is enough
        assert (await asked(two))["code"] == "coach.off"
        (room,) = server.registry.rooms.values()
        async with room.exclusive():
            await room.reload()  # the log says so too
        assert not room.state.has_coach


async def test_a_spectator_has_no_coach_and_a_newcomer_has_not_agreed(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite") as server:
        one, two = await table_of(server, "ur", 2, 0)
        (room,) = server.registry.rooms.values()
        for client in (one, two):
            await client.say(type="vote", kind="coach")
            await asked(client)
        assert room.state.has_coach
        watcher = await server.connect(room.state.id)
        assert (await asked(watcher))["code"] == "act.not-yours"
        async with room.exclusive():
            await room.change(Sit(1, "bot", "easy", "", "easy"), Sit(1, "person", "Eve", "eve"))
        assert not room.state.has_coach


async def test_a_game_without_a_coach_refuses(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite") as server:
        (client,) = await table_of(server, "nim", 1, 1)
        assert (await asked(client))["code"] == "coach.off"
