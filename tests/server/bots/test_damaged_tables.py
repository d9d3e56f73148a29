"""A table on disk that is damaged: a game of people and bots goes on without it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from quadriga.lab.solver import solve
from quadriga.players.exact import tables
from quadriga.server.bots import choice
from server.support.in_process import in_process


async def test_a_game_goes_on_without_a_damaged_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    solve.solve("finkel", 2, where=tmp_path)
    for path in tmp_path.glob("*.table"):
        content = bytearray(path.read_bytes())
        content[-2] ^= 1
        path.write_bytes(content)
    monkeypatch.setenv("QUADRIGA_TABLES", str(tmp_path))
    async with in_process(tmp_path / "tables.sqlite") as server:
        await choice.prepared("ur")
        options = {"rules": "finkel", "markers": 2}
        chairs = [{"kind": "me"}, {"kind": "bot", "bot": "search:2"}]
        body = {"game": "ur", "options": options, "name": "Ann", "seats": chairs, "pace": 0, "start": True}
        status, made = await server.fetch("POST", "/api/tables", body)
        assert status == 201, made
        table, token = made["table"]["id"], made["token"]
        client = await server.connect(table, token)
        rng = random.Random(5)
        while not (client.legal and len(client.legal) > 1):
            if client.legal:
                await client.play(rng, 1)
            else:
                await client.hear()
        await client.say(type="hint", number=client.number, seat=0)
        hint = await client.until("hint")
        assert hint["bot"] == choice.STRONGEST
        assert hint["text"] in [each["text"] for each in client.legal]
        await client.play(rng)
        assert client.table["status"] == "over"
    told = [record.getMessage() for record in caplog.records if record.name == "quadriga.players"]
    assert any(str(tables.file("finkel", 2, 2, tmp_path)) in sentence for sentence in told)
    assert len(told) == len(set(told))
    assert not [record for record in caplog.records if record.name == "quadriga.server"]
