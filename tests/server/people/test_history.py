"""The games of people: whose turn it is, results, records, and what is left after an account was deleted."""

from __future__ import annotations

import asyncio
import io
import json
import random
import zipfile
from pathlib import Path
from typing import Any

from quadriga.engine.match import trace_reader
from quadriga.games import find
from quadriga.server.state import verify
from server.people.test_identity import MANY_PROOFS
from server.support.devices import Device
from server.support.in_process import in_process
from server.support.services import store_for


async def test_whose_turn_it_is_shows_on_every_device_and_after_a_restart(tmp_path: Path):
    path = tmp_path / "store.sqlite"
    async with in_process(path, **MANY_PROOFS) as server:
        people = [Device(server), Device(server)]
        for device, name in zip(people, ["Ann", "Bob"], strict=True):
            await device.member(name)
        table = await people[0].table(dice={"kind": "seeded", "seed": 3})
        waiting = (await people[0].get("/api/me/games"))["games"][0]
        assert (waiting["status"], waiting["mine"]) == ("waiting", False)
        await people[1].post(f"/api/tables/{table}/join", {"name": "somebody else"})
        await people[0].post(f"/api/tables/{table}/start")
        clients = [await each.connect(table) for each in people]
        for client in clients:
            await client.until("view")
        phone = Device(server)
        await phone.post("/api/link", {"code": (await people[1].post("/api/me/link"))["code"]})
        for _ in range(6):
            turn = next(seat for seat, client in enumerate(clients) if client.legal)
            shown = [(await each.get("/api/me/games"))["games"] for each in (*people, phone)]
            assert [[each["mine"] for each in games] for games in shown] == [[turn == 0], [turn == 1], [turn == 1]]
            assert [each["name"] for each in shown[0][0]["seats"]] == ["Ann", "Bob"]
            number = clients[turn].number
            await clients[turn].act(clients[turn].legal[0]["text"])  # type: ignore[index]
            for client in clients:
                while client.number <= number:
                    await client.hear()
            clients[turn].legal = clients[turn].news["legal"]
        last = [(await each.get("/api/me/games"))["games"] for each in people]
    async with in_process(path, **MANY_PROOFS) as server:
        for device, games in zip(people, last, strict=True):
            device.server = server
            assert (await device.get("/api/me/games"))["games"] == games


def check_record(record: bytes) -> None:
    """Replay a record, and check its dice."""
    (reading,) = trace_reader.read(record.splitlines(), find)
    assert reading.match.over
    assert trace_reader.verify(reading) > 0


async def play_out(devices: list[Device], game: str = "ur", **more: Any) -> str:
    """Play a whole game among people, who only listen to their sockets; return the table."""
    table = await devices[0].table(game, " ".join(["me"] + ["open"] * (len(devices) - 1)), **more)
    for device in devices[1:]:
        await device.post(f"/api/tables/{table}/join", {"name": "x"})
    await devices[0].post(f"/api/tables/{table}/start")
    clients = [await each.connect(table) for each in devices]
    await asyncio.gather(*(client.play(random.Random(seat)) for seat, client in enumerate(clients)))
    for client in clients:
        await client.close()
    return table


def filters(shown: list[Any]) -> list[tuple[str, list[Any]]]:
    """Return questions for some of Ann's games, each with those that it asks for."""
    middle = shown[1]["ended"]
    return [
        ("game=ave-caesar", [each for each in shown if each["game"] == "ave-caesar"]),
        ("place=1", [each for each in shown if each["place"] == 1]),
        ("place=1&game=ur", [each for each in shown if each["place"] == 1 and each["game"] == "ur"]),
        ("place=2", [each for each in shown if each["place"] == 2]),
        ("place=0", []),
        ("other=Cid", shown[:1]),
        ("other=cid", shown[:1]),  # as names are compared
        ("other=Bob", shown),
        ("other=B", []),
        ("other=person", []),
        ("other=%22Bob%22", []),
        (f"since={middle}", [each for each in shown if each["ended"] >= middle]),
        (f"until={middle}", [each for each in shown if each["ended"] < middle]),
        (f"since={middle}&until={middle + 1}&other=Bob", [each for each in shown if each["ended"] == middle]),
    ]


async def test_results_are_listed_counted_and_downloaded(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        people = [Device(server), Device(server), Device(server)]
        for device, name in zip(people, ["Ann", "Bob", "Cid"], strict=True):
            await device.member(name)
        tables = [await play_out(people[:2], options={"rules": "blitz"}) for _ in range(3)]
        tables.append(await play_out(people, "ave-caesar", options={"courses": ["white cw"]}))
        assert (await people[0].get("/api/me/games"))["games"] == []
        first = await people[0].get("/api/me/history?count=3")
        rest = await people[0].get(f"/api/me/history?count=3&before={first['next']}")
        assert rest["next"] is None
        shown = first["games"] + rest["games"]
        assert [each["table"] for each in shown] == tables[::-1]
        for each in shown:
            places = [seat["place"] for seat in each["seats"]]
            assert min(places) == 1
            assert each["place"] == places[0]
            scores = (await people[0].get(f"/api/tables/{each['table']}"))["scores"]
            assert places == [1 + sum(other > score for other in scores) for score in scores]
        for question, expected in filters(shown):
            listed = (await people[0].get(f"/api/me/history?{question}"))["games"]
            assert [each["table"] for each in listed] == [each["table"] for each in expected], question
        counted = await people[0].get("/api/me/statistics")
        ur, caesar = sorted(counted["results"], key=lambda each: each["game"], reverse=True)
        assert (ur["game"], ur["games"], sum(ur["places"]), ur["seats"]) == ("ur", 3, 3, 2)
        assert (caesar["games"], len(caesar["places"])) == (1, 3)
        assert sum(each["games"] for each in counted["months"]) == 4
        assert [each["won"] for each in counted["months"] if each["game"] == "ur"] == [ur["places"][0]]
        status, content, _ = await asyncio.to_thread(people[0].raw, "GET", "/api/me/records")
        assert status == 200
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            assert len(archive.namelist()) == 4
            for name in archive.namelist():
                check_record(archive.read(name))
        for question in ("before=nonsense", "place=x", "place=-2", "since=-1", f"other={'x' * 65}"):
            bad = await people[0].call("GET", f"/api/me/history?{question}")
            assert (bad[0], bad[1]["code"]) == (422, "wire.field"), question


async def test_a_deleted_account_is_gone_and_others_games_stay_whole(tmp_path: Path):
    path = tmp_path / "store.sqlite"
    async with in_process(path, **MANY_PROOFS) as server:
        ann, bob = Device(server), Device(server)
        recovery = await ann.member("Annunziata")
        await bob.member("Bob")
        finished = await play_out([ann, bob], options={"rules": "blitz"})
        rematch = (await bob.post(f"/api/tables/{finished}/rematch"))["table"]["id"]  # it keeps her name
        running = await ann.table()
        await bob.post(f"/api/tables/{running}/join", {"name": "x"})
        await ann.post(f"/api/tables/{running}/start")
        talker, listener = await ann.connect(running), await bob.connect(running)
        await talker.until("view")
        await listener.until("view")
        await talker.say(type="chat", text="my secret")
        await listener.until("chat")
        await talker.close()
        waiting = await ann.table()
        exported = json.loads((await asyncio.to_thread(ann.raw, "GET", "/api/me/export"))[1])
        assert exported["account"][0]["name"] == "Annunziata"
        assert len(exported["games"]) == 3
        assert "hash" not in json.dumps(exported)
        assert recovery.replace("-", "")[:8] not in json.dumps(exported)
        record = (await asyncio.to_thread(bob.raw, "GET", f"/api/tables/{finished}/record"))[1].decode()
        status, refused = await ann.call("POST", "/api/me/delete", {"name": "Bob"})
        assert (status, refused["code"]) == (422, "person.confirm")
        assert (await ann.post("/api/me/delete", {"name": "annunziata"}))["me"] is None
        assert (await ann.get("/api/me"))["me"] is None
        while listener.table["seats"][0]["kind"] != "bot":
            await listener.until("table")
        for table in (finished, running, rematch):
            shown = json.dumps(await bob.get(f"/api/tables/{table}"))
            assert "Annunziata" not in shown
        again = (await asyncio.to_thread(bob.raw, "GET", f"/api/tables/{finished}/record"))[1].decode()
        assert again == record.replace("Annunziata", "—")
        check_record(again.encode())
        assert "Annunziata" not in json.dumps(await bob.get("/api/me/history"))
        assert (await bob.get(f"/api/tables/{waiting}"))["seats"][0]["kind"] == "open"
        imitator = Device(server)
        await imitator.post("/api/me")
        assert (await imitator.call("POST", "/api/me/keep", {"name": "Annunziata"}))[1]["code"] == "person.taken"
    stored = b"".join(each.read_bytes() for each in tmp_path.iterdir())
    assert b"my secret" not in stored
    report = await asyncio.to_thread(verify.check, store_for(path))
    assert report.whole, report
