"""A room over real websockets: seats, absence, chat, undo, clocks, hints, rematch, replay."""

from __future__ import annotations

import asyncio
import json
import random
from itertools import accumulate
from math import hypot
from pathlib import Path
from typing import Any

import pytest

from quadriga.server.bots import choice
from server.support.harness import Server
from server.support.in_process import in_process
from server.support.tables import connect_all, start_table
from support import there


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "tables.sqlite"


# Seats before the start.


def test_only_the_host_changes_seats_before_the_start(server: Server):
    table, host = server.create("ave-caesar", "me open open open")
    guest = server.join(table, "Bob", seat=2)
    path = f"/api/tables/{table}"
    assert server.call("POST", f"{path}/seats/1", {"kind": "bot"}, guest)[0] == 403
    assert (
        server.call("POST", f"{path}/seats/1", {"kind": "bot", "bot": "nobody"}, host)[1]["code"]
        == "player.unknown"
    )
    assert server.call("POST", f"{path}/start", {}, host)[1]["code"] == "table.chairs"
    status, seated = server.call("POST", f"{path}/seats/1", {"kind": "bot", "bot": "random"}, host)
    assert (status, seated["seats"][1]["kind"], seated["seats"][1]["bot"]) == (200, "bot", "random")
    status, opened = server.call("POST", f"{path}/seats/2", {"kind": "open"}, host)
    assert (status, opened["seats"][2]["kind"]) == (200, "open")
    assert server.call("POST", f"{path}/start", {}, guest)[0] == 403
    server.call("POST", f"{path}/seats/2", {"kind": "bot"}, host)
    server.call("POST", f"{path}/seats/3", {"kind": "bot"}, host)
    assert server.call("POST", f"{path}/start", {}, host)[1]["status"] == "playing"
    assert server.call("POST", f"{path}/seats/2", {"kind": "open"}, host)[1]["code"] == "table.started"
    assert server.call("POST", f"{path}/join", {"name": "Late"})[1]["code"] == "table.full"


def test_public_tables_are_listed_and_private_ones_are_not(server: Server):
    shown, _ = server.create("ur", "me open", public=True)
    hidden, _ = server.create("ur", "me open")
    listed = [table["id"] for table in server.get("/api/tables")["tables"]]
    assert shown in listed
    assert hidden not in listed


def test_two_people_of_one_name_get_different_names(server: Server):
    table, _ = server.create("ur", "me open")
    server.join(table, "Ann")
    assert [seat["name"] for seat in server.get(f"/api/tables/{table}")["seats"]] == ["Ann", "Ann 2"]


def test_a_token_of_one_table_opens_no_other(server: Server):
    one, host = server.create("ur", "me open")
    other, _ = server.create("ur", "me open")
    assert server.call("POST", f"/api/tables/{other}/start", {}, host)[0] == 401
    forged = host[:-2] + ("AA" if host[-2:] != "AA" else "BB")
    assert server.call("POST", f"/api/tables/{one}/start", {}, forged)[0] == 401


async def test_client_seeds_go_into_the_fair_dice_after_the_commitment(server: Server):
    table, host = server.create("ur", "me open", word="alea")
    before = server.get(f"/api/tables/{table}")["dice"]
    guest = server.join(table, "Bob")
    client = await server.connect(table, guest)
    await client.until("welcome")
    await client.say(type="word", word="iacta est")
    while client.table["seats"][1]["word"] != "iacta est":
        await client.hear()
    server.call("POST", f"/api/tables/{table}/start", {}, host)
    after = server.get(f"/api/tables/{table}")["dice"]
    assert after["commitment"] == before["commitment"]
    assert after["words"] == ["alea", "iacta est"]
    assert after["seed"] is None
    await client.say(type="word", word="too late")
    assert (await client.until("refused"))["code"] == "table.started"


async def test_people_on_one_device_share_a_token_and_see_whose_turn_it_is(server: Server):
    table, token = server.create("ave-caesar", "me me me")
    client = await server.connect(table, token)
    welcome = await client.until("welcome")
    assert welcome["seats"] == [0, 1, 2]
    wanted = (await client.until("wanted"))["seats"][0]
    await client.say(type="look", seat=wanted)
    await client.until("view", seat=wanted)
    assert client.view["hand"]
    assert client.legal
    await client.act(there(client.legal)[0]["text"], seat=wanted)
    await client.until("done")


# Absence.


async def test_a_bot_plays_for_an_absent_player_until_they_return(store: Path):
    async with in_process(store, grace=0.05) as server:
        table, tokens = await start_table(server)
        one, other = await connect_all(server, table, tokens)
        await other.close()
        while not one.table["seats"][1]["covered"]:
            await one.hear()
        rng = random.Random(4)
        await one.play(rng, moves=3)  # the bot answers
        back = await server.connect(table, tokens[1])
        await back.until("view")
        while one.table["seats"][1]["covered"] or not one.table["seats"][1]["here"]:
            await one.hear()
        await asyncio.gather(one.play(rng), back.play(random.Random(6)))
        assert one.table["status"] == "over"


async def test_nothing_is_played_at_an_empty_table(store: Path):
    async with in_process(store, grace=0.01, idle=0.05) as server:
        dice = {"kind": "seeded", "seed": 1}
        table, tokens = await start_table(server, "ave-caesar", "me bot bot", pace=5000, dice=dice)
        client = await server.connect(table, tokens[0])
        await client.until("view")
        await client.close()
        while table in server.registry.rooms:  # it leaves memory
            await asyncio.sleep(0.02)
        room = await server.registry.room(table)
        assert room.session.actor != 0  # a bot is to move
        async with room.exclusive():
            room.schedule()
        assert not room.tasks.running
        assert "clock" not in room.tasks.timers


async def test_a_player_who_leaves_is_replaced_by_a_bot_and_can_return(store: Path):
    async with in_process(store) as server:
        table, tokens = await start_table(server)
        one, _other = await connect_all(server, table, tokens)
        await one.say(type="leave")
        while not one.table["seats"][0]["covered"]:
            await one.hear()
        await one.say(type="act", number=0, action="0-1")
        assert (await one.until("refused"))["code"] == "act.covered"
        await one.say(type="back")
        while one.table["seats"][0]["covered"]:
            await one.hear()


# Chat.


async def test_chat_reaches_all_who_have_not_muted_its_author(store: Path):
    async with in_process(store) as server:
        table, tokens = await start_table(server)
        one, other = await connect_all(server, table, tokens)
        watcher = await server.connect(table, name="Curio")
        await watcher.until("view")
        await one.say(type="chat", text="salve\n <b>all</b>")
        for client in (one, other, watcher):
            said = (await client.until("chat"))["chat"]
            assert (said["seat"], said["name"], said["text"]) == (0, "Ann", "salve <b>all</b>")
        await other.say(type="mute", name="Ann")
        assert (await other.until("muted"))["muted"] == ["Ann"]
        await one.say(type="chat", text="again")
        await watcher.until("chat")
        await watcher.say(type="chat", text="hic sum")
        assert (await other.until("chat"))["chat"]["name"] == "Curio (watching)"
        again = await server.connect(table, tokens[1])
        welcome = await again.until("welcome")
        assert [said["text"] for said in welcome["chat"]] == ["hic sum"]
        assert welcome["muted"] == ["Ann"]


# Undo and dice by hand.


async def test_a_move_can_be_undone_until_the_next_roll(store: Path):
    async with in_process(store) as server:
        table, tokens = await start_table(
            server, rolls="hand", options={"rules": "finkel"}, dice={"kind": "seeded", "seed": 3}
        )
        one, other = await connect_all(server, table, tokens)
        clients = [one, other]
        while True:  # until a client has a move
            roller = next((each for each in clients if each.news["roll"]), None)
            if roller is None:
                break
            await roller.say(type="roll", number=roller.number)
            for each in clients:
                await each.until("news")
        mover = next(each for each in clients if each.legal)
        before, action = mover.view, there(mover.legal)[0]["text"]
        await mover.act(action)
        for each in clients:
            await each.until("news")
        assert mover.news["undo"]
        await mover.say(type="undo", number=mover.number)
        for each in clients:
            news = await each.until("news")
            assert (news["events"][-1]["kind"], news["events"][-1]["text"]) == ("undo", action)
        assert mover.view == before
        await mover.act(action)
        for each in clients:
            await each.until("news")
        roller = next(each for each in clients if each.news["roll"])
        await roller.say(type="roll", number=roller.number)
        for each in clients:
            await each.until("news")
        await mover.say(type="undo", number=mover.number)
        assert (await mover.until("refused"))["code"] == "act.no-undo"


# Clocks.


@pytest.mark.parametrize(
    "clock", [{"kind": "move", "seconds": 1}, {"kind": "player", "seconds": 1, "increment": 0}]
)
async def test_a_bot_moves_when_a_clock_has_run_out(store: Path, clock):
    async with in_process(store) as server:
        table, tokens = await start_table(server, clock=clock)
        one, _other = await connect_all(server, table, tokens)
        assert one.news["clock"]["left"] == [1000, 1000] or one.news["clock"]["runs"] in (0, 1)
        while True:
            news = await one.until("news")
            if any(event["kind"] == "play" and event["by"] == "bot" for event in news["events"]):
                break


# Refusals.


async def test_a_refused_action_comes_with_code_parameters_and_legal_actions(server: Server):
    table, token = server.create("ur", "me me")
    client = await server.connect(table, token)
    await client.until("view")
    actor = client.view["turn"]
    await client.say(type="look", seat=actor)
    await client.until("view", seat=actor)
    await client.say(type="act", number=client.number, action="99-100", ref="r")
    refused = await client.until("refused", ref="r")
    assert refused["code"] == "action.illegal"
    assert refused["with"]["text"] == "99-100"
    assert refused["legal"] == client.legal
    assert refused["number"] == client.number
    assert set(refused["text"]) == {"en", "fr"}
    await client.say(type="act", number=0, action=there(client.legal)[0]["text"], ref="old but legal")
    await client.until("done", ref="old but legal")


async def test_a_hint_is_a_legal_action(server: Server):
    table, token = server.create("ur", "me me")
    client = await server.connect(table, token)
    await client.until("view")
    actor = client.view["turn"]
    await client.say(type="look", seat=actor)
    await client.until("view", seat=actor)
    await client.say(type="hint", number=client.number, seat=actor)
    assert (await client.until("hint"))["text"] in [each["text"] for each in there(client.legal)]


async def test_a_hint_of_the_strongest_bot_tells_apart_only_clear_differences(store: Path):
    async with in_process(store) as server:
        _, answer = await server.fetch(
            "POST", "/api/tables", {"game": "ur", "name": "Ann", "seats": [{"kind": "me"}] * 2, "start": True}
        )
        await choice.prepared("ur")
        client = await server.connect(answer["table"]["id"], answer["token"])
        await client.until("view")
        for _ in range(40):
            actor = server.registry.rooms[answer["table"]["id"]].session.match.actor
            await client.say(type="look", seat=actor)
            await client.until("view", seat=actor)
            if len(there(client.legal)) > 1:
                break
            await client.act(there(client.legal)[0]["text"])
            await client.until("done")
        await client.say(type="hint", number=client.number, seat=actor)
        hint = await client.until("hint")
        assert hint["meanwhile"] is False
        assert hint["considered"][0]["text"] == hint["text"]
        assert {each["text"] for each in hint["considered"]} == {each["text"] for each in there(client.legal)}
        chances = [each["chance"] for each in hint["considered"][1:]]
        assert chances == sorted(chances, reverse=True)
        best, *others = hint["considered"]
        error = hypot(best["error"], others[0]["error"])
        clear = [each for each in others if abs(each["chance"] - best["chance"]) > error]
        assert [each["close"] for each in others] == [each not in clear for each in others]
        assert hint["values"] == {each["text"]: each["chance"] for each in ([best, *clear] if clear else [])}
        assert {each["how"] for each in hint["considered"]} == {"searched"}


async def test_why_explains_a_seats_own_things_only(server: Server):
    table, token = server.create("ave-caesar", "me me me", options={"courses": ["white cw"]})
    client = await server.connect(table, token)
    await client.until("view")
    for seat in range(3):
        await client.say(type="look", seat=seat)
        await client.until("view", seat=seat)
        await client.say(type="why", ref="w")
        why = await client.until("why", ref="w")
        assert (why["seat"], why["number"]) == (seat, client.number)
        held, turn = {str(card) for card in client.view["hand"]}, client.view["turn"]
        legal = {each["text"].split()[0] for each in client.legal or []}
        assert set(why["things"]) == held - legal
        if seat != turn:
            assert [note["id"] for notes in why["things"].values() for note in notes] == [
                "ave-caesar.why.not.turn"
            ] * len(held)
    watcher = await server.connect(table)
    await watcher.say(type="why", ref="x")
    assert (await watcher.until("refused", ref="x"))["code"] == "act.not-yours"


# After the game.


async def test_a_rematch_keeps_the_seats_of_all_players(store: Path):
    async with in_process(store) as server:
        table, tokens = await start_table(server, options={"rules": "blitz", "markers": 1})
        one, other = await connect_all(server, table, tokens)
        await asyncio.gather(one.play(random.Random(1)), other.play(random.Random(2)))
        status, first = await server.fetch("POST", f"/api/tables/{table}/rematch", {}, tokens[0])
        assert (status, first["table"]["status"]) == (200, "waiting")
        fresh = first["table"]["id"]
        assert (await server.fetch("POST", f"/api/tables/{fresh}/join", {"name": "Eve"}))[1]["code"] == "table.full"
        status, second = await server.fetch("POST", f"/api/tables/{table}/rematch", {}, tokens[1])
        assert (second["table"]["id"], second["table"]["status"]) == (fresh, "playing")
        assert first["table"]["dice"]["commitment"] != one.table["dice"]["commitment"]
        player = await server.connect(fresh, second["token"])
        assert (await player.until("welcome"))["seats"] == [1]


async def test_a_finished_game_can_be_replayed_and_its_dice_checked(store: Path):
    async with in_process(store) as server:
        table, tokens = await start_table(server, "ave-caesar", "me bot bot", options={"courses": ["white cw"]})
        client = await server.connect(table, tokens[0])
        await client.play(random.Random(1))
        path = f"/api/tables/{table}"
        _, first = await server.fetch("GET", f"{path}/replay?seat=0&count=50")
        _, last = await server.fetch("GET", f"{path}/replay?seat=0&first={first['total'] - 1}")
        assert len(first["steps"]) == 50
        assert first["steps"][0]["event"] is None
        assert last["steps"][-1]["view"] == client.view
        assert last["steps"][-1]["scores"] == client.table["scores"]
        _, fair = await server.fetch("GET", f"{path}/fairness")
        check_dice(fair)


def check_dice(fair: dict[str, Any]) -> None:
    """Check the dice as the page does, from the protocol's description alone."""
    import hashlib
    import hmac

    seed = bytes.fromhex(fair["seed"])
    assert hashlib.sha256(seed).hexdigest() == fair["commitment"]
    words = json.dumps(fair["words"], ensure_ascii=False, separators=(",", ":")).encode()
    for number, event in enumerate(fair["events"]):
        total = sum(weight for _, weight in event["outcomes"])
        for attempt in range(100):
            message = b"quadriga/1\0" + words + b"\0" + number.to_bytes(8, "big") + attempt.to_bytes(4, "big")
            r = int.from_bytes(hmac.digest(seed, message, "sha256")[:16], "big")
            if r < 2**128 // total * total:
                break
        sums = accumulate(weight for _, weight in event["outcomes"])
        picked = next(index for index, reached in enumerate(sums) if reached > r % total)
        assert event["outcomes"][picked][0] == event["text"]
