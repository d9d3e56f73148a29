"""What people at a table are told: opening rolls, seats of a rematch, undo before chance, names in a record."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path

import pytest

from quadriga.server.state import replaying
from server.support.harness import Client, Server
from server.support.in_process import InProcessServer, in_process
from server.support.tables import connect_all, start_table, until_status

SEEDED = {"kind": "seeded", "seed": 5}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "tables.sqlite"


async def test_the_opening_rolls_reach_people_who_wait_for_the_start(server: Server):
    table, host = server.create("ur", "me open")
    guest = server.join(table, "Bob")
    ann, bob = await server.connect(table, host), await server.connect(table, guest)
    watcher = await server.connect(table)
    for client in (ann, bob, watcher):
        await client.until("welcome")
    assert server.call("POST", f"/api/tables/{table}/start", {}, host)[0] == 200
    for client in (ann, bob, watcher):
        await client.until("view")
        assert [each["number"] for each in client.events] == list(range(1, client.number + 1))
        assert {each["seat"] for each in client.events[:2]} == {0, 1}
        assert all(each["text"].startswith("roll ") for each in client.events)
        assert client.events[0]["notes"]


async def test_an_open_seat_of_a_rematch_names_the_player_it_is_kept_for(store: Path):
    async with in_process(store) as server:
        table, tokens = await start_table(server, "ur", "me open", options={"markers": 1})
        one, other = await connect_all(server, table, tokens)
        await asyncio.gather(one.play(random.Random(1)), other.play(random.Random(2)))
        _, again = await server.fetch("POST", f"/api/tables/{table}/rematch", {}, tokens[1])
        seats = again["table"]["seats"]
        assert [(seat["kind"], seat["reserved"]) for seat in seats] == [("open", "Ann"), ("person", None)]
        await server.fetch("POST", f"/api/tables/{table}/rematch", {}, tokens[0])
        _, full = await server.fetch("GET", f"/api/tables/{again['table']['id']}")
        assert [(seat["kind"], seat["reserved"]) for seat in full["seats"]] == [("person", None)] * 2


async def test_a_record_names_its_players_and_opens_with_them(store: Path):
    async with in_process(store) as server:
        table, tokens = await start_table(server, "ave-caesar", "me bot open", options={"courses": ["white cw"]})
        one, other = await connect_all(server, table, tokens)
        await asyncio.gather(one.play(random.Random(1)), other.play(random.Random(2)))
        await until_status(one, "over")
        _, record = await server.fetch("GET", f"/api/tables/{table}/record")
        assert json.loads(record.splitlines()[0])["players"] == [
            {"name": "Ann"},
            {"bot": "normal"},
            {"name": "Guest 1"},
        ]
        _, opened = await server.fetch("POST", "/api/records", {"record": record})
        assert opened["players"] == [
            {"name": "Ann", "bot": None},
            {"name": "", "bot": "normal"},
            {"name": "Guest 1", "bot": None},
        ]
        two = [{"name": 3}, {"bot": "greedy"}, {"name": "Cem"}]
        refusals: list[object] = [[{"name": "Ann"}], two, [{}, {}, {}], "Ann"]
        for wrong in refusals:
            head, *rest = record.splitlines()
            lines = [json.dumps({**json.loads(head), "players": wrong}), *rest]
            status, refused = await server.fetch("POST", "/api/records", {"record": "\n".join(lines)})
            assert (status, refused["code"]) == (400, "trace.players")


async def move_at_a_table_with_undo(
    server: InProcessServer, game: str, **options: object
) -> tuple[str, Client, Client, str]:
    """Start a table that allows undo; return the client that has made the first move, the other, and the move."""
    seats = "me open" if game == "ur" else "me open open"
    table, tokens = await start_table(server, game, seats, undo=True, dice=SEEDED, options=options)
    clients = await connect_all(server, table, tokens)
    mover = next(client for client in clients if client.legal)
    assert mover.legal is not None
    text = mover.legal[0]["text"]
    await mover.act(text, ref="first")
    await mover.until("done", ref="first")
    return table, mover, next(client for client in clients if client is not mover), text


@pytest.mark.parametrize(("game", "options"), [("ur", {}), ("ave-caesar", {"courses": ["white cw"]})])
async def test_a_move_can_be_taken_back_before_chance_where_the_host_allows_it(
    store: Path, game: str, options: dict[str, object]
):
    async with in_process(store, undo_grace=3600) as server:
        table, mover, other, text = await move_at_a_table_with_undo(server, game, **options)
        assert mover.news["undo"]
        assert mover.events[-1]["text"] == text  # nothing was rolled or drawn since
        before = other.number
        await mover.say(type="undo", number=mover.number)
        await mover.until("news")
        assert mover.events[-1]["kind"] == "undo"
        assert text in [each["text"] for each in mover.legal or []]
        assert not mover.news["undo"]
        while other.number < before + 2:
            await other.hear()
        assert [each["kind"] for each in other.events[-2:]] == ["play", "undo"]
        await mover.act(text, ref="again")
        await mover.until("done", ref="again")
        state = await replaying.load(server.registry.store, table)  # the log has both moves and the undo
        assert state is not None
        assert state.waits_for_undo


async def test_chance_happens_when_the_time_for_undo_is_over(store: Path):
    async with in_process(store, undo_grace=0.05) as server:
        _table, mover, _other, text = await move_at_a_table_with_undo(server, "ur")
        while mover.events[-1]["kind"] != "chance" or mover.events[-1]["text"] == text:
            await mover.hear()
        assert not mover.news["undo"]
        await mover.say(type="undo", number=mover.number)
        assert (await mover.until("refused"))["code"] == "act.no-undo"


async def test_a_loaded_table_goes_on_after_the_time_for_undo(store: Path):
    async with in_process(store, undo_grace=3600) as server:
        table, *_ = await move_at_a_table_with_undo(server, "ur")
    async with in_process(store, undo_grace=0.05) as server:
        watcher = await server.connect(table)
        await watcher.until("view")
        number = watcher.number
        while watcher.number == number:
            await watcher.hear()
        assert watcher.events[-1]["text"].startswith("roll ")


def test_a_game_with_reaction_windows_does_not_let_chance_wait(server: Server):
    seats = [{"kind": "me"}, {"kind": "bot"}]
    body = {"game": "ben-hvrt", "name": "Ann", "seats": seats, "undo": True}
    status, refused = server.call("POST", "/api/tables", body)
    assert (status, refused["code"]) == (422, "undo.windows")
    assert "undo" in refused["text"]["en"]


def test_a_table_says_whose_turn_it_is(server: Server):
    table, _ = server.create("ur", "me open")
    assert server.get(f"/api/tables/{table}")["turn"] is None
    table, _ = server.create("ur", "me bot", dice=SEEDED)
    assert server.get(f"/api/tables/{table}")["turn"] in (0, 1)
