"""A seat belongs to its holder: no vote and no new name gives others the seat or its hand."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from quadriga.server.settings import Settings
from quadriga.server.state.events import Sit
from quadriga.server.storage import copying
from quadriga.server.storage.sqlite.store import SqliteStore
from server.storage.test_old_files import CLOSED_ROOMS
from server.support import services
from server.support.harness import Client, Server
from server.support.in_process import InProcessServer, in_process
from server.support.tables import connect_all, start_table, until_bot, until_status
from support import VERSION_0_1_0

AVE: dict[str, Any] = {"game": "ave-caesar", "seats": "me open open"}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "tables.sqlite"


async def answered(client: Client) -> None:
    """Receive everything that the server sent to the client before this."""
    await client.say(type="ping", ref="now")
    await client.until("pong", ref="now")


async def chat(client: Client, text: str) -> dict[str, Any]:
    """Say something that nobody else has said, and return it as the server posts it."""
    await client.say(type="chat", text=text)
    while (said := (await client.until("chat"))["chat"])["text"] != text:
        pass
    return said


async def away(client: Client, *others: Client) -> None:
    """Close a client's connection, and wait until the others know."""
    seat = client.news["seat"]
    for other in others:
        while not other.table["seats"][seat]["here"]:
            await other.hear()
    await client.close()
    for other in others:
        while other.table["seats"][seat]["here"]:
            await other.hear()


async def post(
    server: InProcessServer, table: str, path: str, token: str | None, **body: object
) -> tuple[int, Any]:
    return await server.fetch("POST", f"/api/tables/{table}/{path}", body, token)


async def three_of_whom_one_is_removed(server: InProcessServer, **more: Any) -> tuple[str, list[str], list[Client]]:
    table, tokens = await start_table(server, **AVE, **more)
    clients = await connect_all(server, table, tokens)
    for client in clients[:2]:
        await client.say(type="vote", kind="remove", seat=2)
    for client in clients:
        await until_bot(client, 2)
    return table, tokens, clients


# Voters.


async def test_one_player_cannot_remove_an_opponent_whose_connection_is_lost(store: Path):
    async with in_process(store) as server:
        table, tokens = await start_table(server)
        one, other = await connect_all(server, table, tokens)
        await away(other, one)
        await one.say(type="vote", kind="remove", seat=1)
        await answered(one)
        assert one.table["seats"][1]["kind"] == "person"
        assert [each["code"] for each in one.refused] == ["vote.alone"]


async def test_of_three_one_player_cannot_remove_the_second_while_the_third_is_away(store: Path):
    async with in_process(store) as server:
        table, tokens = await start_table(server, **AVE)
        one, two, three = await connect_all(server, table, tokens)
        await away(two, one)
        await away(three, one)
        await one.say(type="vote", kind="remove", seat=2)
        await answered(one)
        (vote,) = one.table["votes"]
        assert (vote["by"], vote["of"], vote["need"]) == ([0], [0, 1], 2)
        assert one.table["seats"][2]["kind"] == "person"


@pytest.mark.parametrize(("kind", "status"), [("pause", "playing"), ("end", "playing")])
async def test_a_player_who_is_briefly_away_has_not_agreed(store: Path, kind: str, status: str):
    async with in_process(store) as server:
        table, tokens = await start_table(server, **AVE)
        one, two, three = await connect_all(server, table, tokens)
        await away(three, one, two)
        for client in (one, two):
            await client.say(type="vote", kind=kind)
            await answered(client)
        (vote,) = two.table["votes"]
        assert (vote["by"], vote["of"], vote["need"]) == ([0, 1], [0, 1, 2], 3)
        assert (two.table["status"], two.table["dice"]["seed"]) == (status, None)
        back = await server.connect(table, tokens[2])
        await back.until("view")
        await back.say(type="vote", kind=kind)
        await until_status(one, {"pause": "paused", "end": "ended"}[kind])


async def test_a_player_who_has_agreed_and_is_briefly_away_still_agrees(store: Path):
    async with in_process(store) as server:
        table, tokens = await start_table(server)
        one, other = await connect_all(server, table, tokens)
        await one.say(type="vote", kind="pause")
        await answered(one)
        await away(one, other)
        await other.say(type="vote", kind="pause")
        await until_status(other, "paused")


async def test_a_player_who_is_long_gone_does_not_count_in_open_votes(store: Path):
    async with in_process(store, long_gone=0.3) as server:
        table, tokens = await start_table(server)
        one, other = await connect_all(server, table, tokens)
        await one.say(type="vote", kind="end")
        await answered(one)
        assert one.table["status"] == "playing"
        await other.close()
        await until_status(one, "ended")  # no message has come since
        assert one.table["dice"]["seed"]


async def test_a_player_who_is_long_gone_can_be_removed_by_one_opponent(store: Path):
    async with in_process(store, long_gone=0.3) as server:
        table, tokens = await start_table(server)
        one, other = await connect_all(server, table, tokens)
        await other.close()
        room = server.registry.rooms[table]
        while room.presence.counts(room.state.seats[1].holder):
            await answered(one)
        await one.say(type="vote", kind="remove", seat=1)
        await until_bot(one, 1)


def test_five_minutes_away_is_long_gone():
    assert Settings().long_gone == 300


async def test_a_player_who_never_connects_is_long_gone_in_the_end(store: Path):
    async with in_process(store, long_gone=0.3) as server:
        table, tokens = await start_table(server)
        one = await server.connect(table, tokens[0])
        await one.until("view")
        await one.say(type="vote", kind="pause")
        await until_status(one, "paused")


# The seat of a removed player.


async def test_a_removed_player_s_seat_goes_to_a_bot_and_their_sockets_see_the_hand_no_more(store: Path):
    async with in_process(store) as server:
        table, tokens = await start_table(server, **AVE)
        one, two, three = await connect_all(server, table, tokens)
        phone = await server.connect(table, tokens[2])
        await phone.until("view", seat=2)
        assert three.view["hand"]
        for client in (one, two):
            await client.say(type="vote", kind="remove", seat=2)
        await until_bot(one, 2)
        seat = one.table["seats"][2]
        assert (seat["bot"], seat["vacated"]["name"], seat["vacated"]["host"]) == ("normal", "Guest 2", 0)
        for client in (three, phone):
            seats = await client.until("seats")
            assert (seats["seats"], seats["seat"], seats["former"]) == ([], -1, [2])
            assert not (await client.until("view", seat=-1))["view"]["hand"]
            await client.say(type="look", seat=2)
            assert (await client.until("refused"))["code"] == "look.not-yours"
        again = await server.connect(table, tokens[2])
        welcome = await again.until("welcome")
        assert (welcome["seats"], welcome["seat"], welcome["former"]) == ([], -1, [2])
        assert not (await again.until("view"))["view"]["hand"]


@pytest.mark.parametrize(
    "said",
    [
        {"type": "look", "seat": 2},
        {"type": "why", "seat": 2},
        {"type": "stops", "windows": []},
        {"type": "hello", "seat": 2},
        {"type": "leave"},
    ],
)
async def test_a_message_before_a_removal_that_is_answered_after_it_shows_nothing(
    store: Path, said: dict[str, Any]
):
    async with in_process(store) as server:
        table, tokens = await start_table(server, **AVE)
        _one, _two, three = await connect_all(server, table, tokens)
        await answered(three)
        room = server.registry.rooms[table]
        async with room.exclusive():
            heard = len(three.heard)
            await three.say(**said, ref="late")
            while not room.lock._waiters:  # it has come, and waits for the room
                await server.fetch("GET", "/api/health")
            await room.change(Sit(2, "bot", "greedy", "", "greedy"))
        await answered(three)
        told = [json.loads(text) for text in three.heard[heard:]]
        assert all(each.get("seat", -1) == -1 for each in told if each["type"] in ("view", "news", "seats"))
        assert not any(each["type"] == "why" for each in told)
        assert [each["ref"] for each in three.refused] == ["late"]


async def test_a_socket_that_opens_during_a_removal_looks_from_no_seat(store: Path):
    async with in_process(store) as server:
        table, tokens = await start_table(server, **AVE)
        one, _two, _three = await connect_all(server, table, tokens)
        await answered(one)
        room = server.registry.rooms[table]
        async with room.exclusive():
            late = await server.connect(table, tokens[2])
            while not room.lock._waiters:
                await server.fetch("GET", "/api/health")
            await room.change(Sit(2, "bot", "greedy", "", "greedy"))
        assert (await late.until("welcome"))["seats"] == []
        assert not (await late.until("view"))["view"]["hand"]


async def test_nobody_who_is_or_was_seated_takes_the_seat_and_no_newcomer_without_an_invitation(store: Path):
    async with in_process(store) as server:
        table, tokens, _ = await three_of_whom_one_is_removed(server)
        for token, code in ((None, "seat.invitation"), *((each, "seat.invitation") for each in tokens)):
            for seat in (None, 2):
                status, refused = await post(server, table, "join", token, name="Eve", seat=seat)
                assert (status, refused["code"]) == (403, code)
        status, refused = await post(server, table, "join", None, name="Eve", invite="guessed")
        assert (status, refused["code"]) == (403, "seat.invite")
        status, invited = await post(server, table, "seats/2/invite", tokens[0])
        assert status == 200
        assert invited["table"]["seats"][2]["vacated"]["invited"] is True
        assert invited["invite"] not in json.dumps(invited["table"])
        for token in tokens[:2]:
            status, refused = await post(server, table, "join", token, name="Eve", invite=invited["invite"])
            assert (status, refused["code"]) == (403, "seat.seated")
        status, joined = await post(server, table, "join", None, name="Eve", invite=invited["invite"])
        assert (status, joined["seats"], joined["table"]["seats"][2]["name"]) == (200, [2], "Eve")
        status, refused = await post(server, table, "join", None, name="Mallory", invite=invited["invite"])
        assert (status, refused["code"]) == (403, "seat.invite")
        eve = await server.connect(table, joined["token"])
        assert (await eve.until("view", seat=2))["view"]["hand"]


async def test_only_the_host_invites_and_may_withdraw_it(store: Path):
    async with in_process(store) as server:
        table, tokens, _ = await three_of_whom_one_is_removed(server)
        for token, code in ((None, 401), (tokens[1], 403), (tokens[2], 403)):
            assert (await post(server, table, "seats/2/invite", token))[0] == code
        _, first = await post(server, table, "seats/2/invite", tokens[0])
        _, second = await post(server, table, "seats/2/invite", tokens[0])
        assert first["invite"] == second["invite"]  # the link can be shown again
        status, gone = await post(server, table, "seats/2/invite", tokens[0], on=False)
        assert (status, gone["invite"], gone["table"]["seats"][2]["vacated"]["invited"]) == (200, None, False)
        refused = (await post(server, table, "join", None, name="Eve", invite=first["invite"]))[1]
        assert refused["code"] == "seat.invite"
        _, third = await post(server, table, "seats/2/invite", tokens[0])
        assert third["invite"] != first["invite"]
        assert (await post(server, table, "seats/1/invite", tokens[0]))[1]["code"] == "seat.kept"
        assert (await post(server, table, "seats/7/invite", tokens[0]))[1]["code"] == "table.no-seat"


async def test_the_former_holder_returns_when_the_host_agrees_also_over_a_restart(store: Path):
    async with in_process(store) as server:
        table, tokens, _ = await three_of_whom_one_is_removed(server)
        assert (await post(server, table, "seats/2/allow", tokens[0]))[1]["code"] == "seat.unasked"
        for token, code in ((None, 401), (tokens[0], 403), (tokens[1], 403)):
            assert (await post(server, table, "seats/2/ask", token))[0] == code
        status, shown = await post(server, table, "seats/2/ask", tokens[2])
        assert (status, shown["seats"][2]["vacated"]["asks"]) == (200, True)
        _, invited = await post(server, table, "seats/2/invite", tokens[0])
    async with in_process(store) as server:
        one, two, three = await connect_all(server, table, tokens)
        assert one.table["seats"][2]["vacated"] == {
            "name": "Guest 2",
            "asks": True,
            "invited": True,
            "late": False,
            "host": 0,
        }
        for token in (tokens[1], tokens[2]):
            assert (await post(server, table, "seats/2/allow", token))[0] == 403
        assert (await post(server, table, "seats/2/allow", tokens[0]))[0] == 200
        seats = await three.until("seats")
        assert (seats["seats"], seats["former"]) == ([2], [])
        assert (await three.until("view", seat=2))["view"]["hand"]
        await answered(two)
        assert (two.table["seats"][2]["kind"], two.table["seats"][2]["name"]) == ("person", "Guest 2")
        refused = (await post(server, table, "join", None, name="Eve", invite=invited["invite"]))[1]
        assert refused["code"] == "seat.invite"
        assert (await post(server, table, "seats/2/ask", tokens[2]))[1]["code"] == "seat.kept"


async def test_the_former_holder_may_use_the_host_s_invitation_too(store: Path):
    async with in_process(store) as server:
        table, tokens, _ = await three_of_whom_one_is_removed(server)
        _, invited = await post(server, table, "seats/2/invite", tokens[0])
        status, joined = await post(server, table, "join", tokens[2], name="Guest 2", invite=invited["invite"])
        assert (status, joined["seats"], joined["table"]["seats"][2]["name"]) == (200, [2], "Guest 2")


async def test_a_bot_plays_for_a_returned_player_who_is_not_connected(store: Path):
    async with in_process(store, grace=0.2) as server:
        table, tokens, (one, _, three) = await three_of_whom_one_is_removed(server)
        assert (await post(server, table, "seats/2/ask", tokens[2]))[0] == 200
        await three.close()
        while one.table["watching"]:
            await one.hear()
        assert (await post(server, table, "seats/2/allow", tokens[0]))[0] == 200
        while not one.table["seats"][2]["covered"]:
            await one.hear()
        assert one.table["seats"][2]["kind"] == "person"


async def test_an_ended_game_has_no_seat_to_take(store: Path):
    async with in_process(store) as server:
        table, tokens, (one, two, _) = await three_of_whom_one_is_removed(server)
        _, invited = await post(server, table, "seats/2/invite", tokens[0])
        for client in (one, two):
            await client.say(type="vote", kind="end")
        await until_status(one, "ended")
        for path, token, body in (
            ("join", None, {"name": "Eve", "invite": invited["invite"]}),
            ("seats/2/ask", tokens[2], {}),
            ("seats/2/allow", tokens[0], {}),
            ("seats/2/invite", tokens[0], {}),
        ):
            assert (await post(server, table, path, token, **body))[1]["code"] == "table.ended"
        assert (await post(server, table, "rematch", tokens[2]))[1]["code"] == "table.not-seated"
        _, again = await post(server, table, "rematch", tokens[0])
        assert [each["kind"] for each in again["table"]["seats"]] == ["person", "open", "bot"]
        assert (await post(server, again["table"]["id"], "join", None, name="Eve"))[1]["code"] == "table.full"


# The host.


async def test_a_removed_host_s_rights_and_invitations_are_gone(store: Path):
    async with in_process(store) as server:
        table, tokens = await start_table(server, "ave-caesar", "me open open open")
        clients = await connect_all(server, table, tokens)
        for client in clients[:3]:
            await client.say(type="vote", kind="remove", seat=3)
        await until_bot(clients[1], 3)
        _, invited = await post(server, table, "seats/3/invite", tokens[0])
        for client in clients[1:3]:
            await client.say(type="vote", kind="remove", seat=0)
        await until_bot(clients[1], 0)
        assert [each["host"] for each in clients[1].table["seats"]] == [False, True, False, False]
        refused = (await post(server, table, "join", None, name="Eve", invite=invited["invite"]))[1]
        assert refused["code"] == "seat.invite"
        assert (await post(server, table, "seats/3/invite", tokens[0]))[0] == 403
        assert (await post(server, table, "seats/0/ask", tokens[0]))[0] == 200
        assert (await post(server, table, "seats/0/allow", tokens[0]))[0] == 403
        assert (await post(server, table, "seats/0/allow", tokens[1]))[0] == 200
        await answered(clients[1])
        assert [each["host"] for each in clients[1].table["seats"]] == [True, False, False, False]


async def test_while_the_host_is_long_gone_the_next_present_player_has_their_rights(store: Path):
    async with in_process(store, long_gone=0.3) as server:
        table, tokens, (one, two, _) = await three_of_whom_one_is_removed(server)
        assert (await post(server, table, "seats/2/invite", tokens[1]))[0] == 403
        await one.close()
        while not two.table["seats"][1]["host"]:
            await two.hear()
        assert two.table["seats"][2]["vacated"]["host"] == 1
        assert (await post(server, table, "seats/2/invite", tokens[1]))[0] == 200
        back = await server.connect(table, tokens[0])
        await back.until("view")
        assert (await post(server, table, "seats/2/invite", tokens[1]))[0] == 403
        assert (await post(server, table, "seats/2/invite", tokens[0]))[0] == 200


async def test_a_host_of_two_seats_does_not_give_a_removed_one_back_to_themself(store: Path):
    async with in_process(store) as server:
        table, tokens = await start_table(server, "ave-caesar", "me me open open")
        clients = await connect_all(server, table, tokens)
        for client in clients[1:]:
            await client.say(type="vote", kind="remove", seat=1)
        await until_bot(clients[1], 1)
        assert (await clients[0].until("seats"))["seats"] == [0]
        assert (await post(server, table, "seats/1/ask", tokens[0]))[0] == 200
        assert (await post(server, table, "seats/1/allow", tokens[0]))[0] == 403
        assert (await post(server, table, "seats/1/invite", tokens[0]))[0] == 403
        assert (await post(server, table, "seats/1/allow", tokens[1]))[0] == 200


# Stores of version 0.1.0.


async def test_an_old_log_with_an_open_chair_in_a_running_game_loads_and_follows_the_same_rules(store: Path):
    async with in_process(store) as server:
        table, tokens = await start_table(server, **AVE)
        room = server.registry.rooms[table]
        async with room.exclusive():
            await room.change(Sit(2, "open"))  # what version 0.1.0 wrote for a removal
    async with in_process(store) as server:
        one, _two, three = await connect_all(server, table, tokens)
        assert (one.table["seats"][2]["kind"], three.news["seat"]) == ("open", -1)
        refused = (await post(server, table, "join", tokens[1], name="Eve"))[1]
        assert refused["code"] == "seat.invitation"
        assert (await post(server, table, "seats/2/ask", tokens[2]))[0] == 200
        assert (await post(server, table, "seats/2/allow", tokens[0]))[0] == 200
        await three.until("view", seat=2)


async def test_every_room_of_version_0_1_0_opens(store: Path):
    kept = VERSION_0_1_0
    shutil.copy(kept / "tables.sqlite", store)
    if services.StoreKind.is_postgres:
        await (await SqliteStore.opened(store)).close()  # migrated
        await asyncio.to_thread(copying.copy, store, services.store_for(store))
    async with in_process(store) as server:
        for room in json.loads((kept / "rooms.json").read_text()):
            client = await server.connect(room["id"], room["token"])
            welcome = await client.until("welcome")
            status = "closed" if room["name"] in CLOSED_ROOMS else room["status"]
            assert welcome["table"]["status"] == status, room["name"]
            assert all(each["vacated"] is None for each in welcome["table"]["seats"])


# Names.


@pytest.mark.parametrize(
    "name",
    [
        "ann",
        "ANN",
        " Ann ",
        "A\u200bnn",
        "A nn",
        "\uff21nn",
        "\u0410nn",
        "Ann\u3164",
        "Ann\ufe0f",
        "greedy",
        "Greedy ",
    ],
)
async def test_names_that_look_alike_are_made_different(store: Path, name: str):
    async with in_process(store) as server:
        created = {"game": "ur", "name": "Ann", "seats": [{"kind": "me"}, {"kind": "open"}]}
        _, answer = await server.fetch("POST", "/api/tables", created)
        table = answer["table"]["id"]
        _, joined = await post(server, table, "join", None, name=name)
        assert joined["table"]["seats"][1]["name"].endswith(" 2")
        watcher = await server.connect(table, name=name)
        other = await server.connect(table, name=name)
        names = []
        for number, client in enumerate((watcher, other)):
            said = await chat(client, f"I am player {number}")
            assert said["seat"] == -1
            names.append(said["name"])
        assert all(each.endswith(" (watching)") for each in names)
        assert len({each.casefold() for each in names}) == 2


def test_a_player_s_name_does_not_look_like_a_watcher_s(server: Server):
    table, _ = server.create("ur", "me open")
    for name in ("Bob (watching)", "Bob ( WATCHING )", "Bob\uff08watching\uff09"):
        status, refused = server.call("POST", f"/api/tables/{table}/join", {"name": name})
        assert (status, refused["code"]) == (422, "name.watching")
    status, refused = server.call("POST", f"/api/tables/{table}/join", {"name": "\u3164\u2800"})
    assert (status, refused["code"]) == (422, "name.empty")


async def test_names_of_full_length_stay_apart_and_can_be_muted(store: Path):
    async with in_process(store) as server:
        long = "N" * 40
        created = {"game": "ur", "name": long, "seats": [{"kind": "me"}, {"kind": "open"}]}
        _, answer = await server.fetch("POST", "/api/tables", created)
        _, joined = await post(server, answer["table"]["id"], "join", None, name=long)
        assert [each["name"] for each in joined["table"]["seats"]] == [long, "N" * 38 + " 2"]
        watchers = [await server.connect(answer["table"]["id"], name=long) for _ in range(2)]
        names = []
        for number, watcher in enumerate(watchers):
            names.append((await chat(watcher, f"salve {number}"))["name"])
        assert names == ["N" * 29 + " (watching)", "N" * 27 + " 2 (watching)"]
        await watchers[0].say(type="mute", name=names[1])
        assert (await watchers[0].until("muted"))["muted"] == [names[1]]


async def test_a_removed_player_speaks_as_a_watcher(store: Path):
    async with in_process(store) as server:
        _, _, (one, _, three) = await three_of_whom_one_is_removed(server)
        await three.say(type="chat", text="why?")
        said = (await one.until("chat"))["chat"]
        assert (said["seat"], said["name"]) == (-1, "Guest 2 (watching)")
