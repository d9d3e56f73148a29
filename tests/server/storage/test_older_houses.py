"""Stores of older versions with people, leagues, tournaments, reports and old games: all is there, and goes on."""

from __future__ import annotations

import asyncio
import gzip
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from quadriga.server.state import verify
from quadriga.server.storage.schema import HEAD
from server.lobby.test_live import MANY
from server.support.devices import Device
from server.support.in_process import in_process
from support import ROOT

HOUSES = sorted((ROOT / "tests" / "fixtures").glob("house-*"))
# What lasts minutes; its rows may go.
SHORT = {"duties", "seekers", "one_time_codes", "mail_codes", "open_tables", "invitations", "deadlines", "outbox"}


def counts(path: Path) -> dict[str, int]:
    """Return the number of rows of each table of a store."""
    with closing(sqlite3.connect(path)) as disk:
        names = [row[0] for row in disk.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: disk.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}


@pytest.mark.parametrize("house", HOUSES, ids=lambda path: path.name)
async def test_everything_in_a_house_of_an_older_version_is_there_and_goes_on(house: Path, tmp_path: Path):
    path = tmp_path / "house.sqlite"
    path.write_bytes(gzip.decompress((house / "house.sqlite.gz").read_bytes()))
    known = json.loads((house / "house.json").read_text("utf-8"))
    before = counts(path)
    assert {name for name, count in before.items() if not count} <= {"duties"}
    async with in_process(path, **MANY) as server:
        cookie = server.registry.people.cookie
        people = {name: Device(server, cookie=f"{cookie}={known['secrets'][name]}") for name in known["secrets"]}
        roles = {name: (await each.get("/api/me"))["me"]["role"] for name, each in people.items()}
        assert roles == {"Hera": "host", "Mo": "moderator", "Ann": "member", "Bob": "member"}
        ann, bob, mo = people["Ann"], people["Bob"], people["Mo"]
        history = [each["table"] for each in (await ann.get("/api/me/history"))["games"]]
        assert history == [known["finished"], known["archived"]]
        for table in history:
            assert (await ann.get(f"/api/tables/{table}/replay?count=1"))["total"] > 1
            assert (await asyncio.to_thread(ann.raw, "GET", f"/api/tables/{table}/record"))[0] == 200
        assert len((await ann.get("/api/me/ratings"))["ratings"]) == 2
        company = await ann.get("/api/me/company")
        assert "Bob" in str(company["friends"])
        assert [each["id"] for each in company["nights"]] in ([], [known["night"]])  # it goes after its date
        assert (await bob.get(f"/api/leagues/{known['league']}"))["counted"] == 1
        cup = (await bob.get(f"/api/tournaments/{known['cup']}"))["tournament"]
        assert {"Ann", "Bob"} == {each["name"] for each in cup["standings"]}
        (act,) = (await bob.get("/api/me/standing"))["acts"]
        assert (act["kind"], act["reason"]) == ("warn", "Be kind.")
        queue = await mo.get("/api/moderation/queue")
        assert [each["id"] for each in queue["appeals"]] == [act["id"]]
        assert len((await ann.get("/api/me/notices"))["channels"]) == 1
        secrets = [known["secrets"][name] for name in ("Ann", "Bob")]
        clients = [await server.connect(known["running"], secret) for secret in secrets]
        for client in clients:
            await client.until("view")
        mover = next(client for client in clients if client.legal)
        await mover.act(mover.legal[0]["text"] if mover.legal else "", ref="on")
        await mover.until("done", ref="on")
        await bob.post(f"/api/tables/{known['waiting']}/join", {"name": "x"})
        await ann.post(f"/api/tables/{known['waiting']}/start")
    after = counts(path)
    assert {name: count for name, count in before.items() if name not in SHORT and after[name] < count} == {}
    with closing(sqlite3.connect(path)) as disk:
        assert disk.execute("SELECT version_num FROM alembic_version").fetchone() == (HEAD,)
    assert verify.check(path).whole
