"""A newer version of the server writes what this one does not know: the table is left to it, and others go on."""

from __future__ import annotations

from contextlib import suppress

import pytest
import websockets
from websockets.exceptions import ConnectionClosed, InvalidStatus

from quadriga.server.storage.address import open_store
from quadriga.server.storage.base import StoredEvent
from quadriga.server.storage.chain import next_hash
from server.support.in_process import in_process
from server.support.services import shared_postgres
from server.support.tables import connect_all, start_table

WRITTEN = {
    "an event of an unknown kind": ("future", b'{"seat":0}'),
    "an unknown field": ("pace", b'{"pace":1000,"steps":3}'),
    "a value of another type": ("pace", b'{"pace":{"least":5}}'),
}


@pytest.mark.parametrize("what", WRITTEN)
async def test_a_table_that_a_newer_version_has_written_to_is_left_to_it(what: str):
    database = shared_postgres().new_database()
    async with in_process(database) as server:
        table, tokens = await start_table(server, "ur", "me open")
        other, _ = await start_table(server, "ur", "me open")
        clients = await connect_all(server, table, tokens)
        state = server.registry.rooms[table].state
        newer = await open_store(database)
        kind, body = WRITTEN[what]
        digest = next_hash(state.hash, state.next, 5, kind, body)
        await newer.append(table, [StoredEvent(state.next, 5, kind, body, digest)])
        for client in clients:
            with suppress(ConnectionClosed):
                while True:
                    await client.hear()
            assert client.socket.close_code == 1012  # the page connects again at once
        status, said = await server.fetch("GET", f"/api/tables/{table}")
        assert (status, said["code"]) == (503, "table.newer")
        assert "newer version" in said["text"]["en"]
        assert "version plus récente" in said["text"]["fr"]
        with pytest.raises(InvalidStatus) as refused:  # a proxy asks another process
            await websockets.connect(f"ws://127.0.0.1:{server.port}/api/tables/{table}/socket")
        assert refused.value.response.status_code == 503
        assert (await server.fetch("GET", f"/api/tables/{other}"))[0] == 200
        assert table not in server.registry.rooms
        loaded = await newer.load(table)  # nothing was changed: the newer version goes on
        assert loaded is not None
        assert loaded.head.hash == digest
        await newer.close()


async def test_a_new_table_of_a_newer_version_is_refused_before_it_is_loaded():
    database = shared_postgres().new_database()
    async with in_process(database) as server:
        table, _ = await start_table(server, "ur", "me open")
        room = await server.registry.store.load(table)
        assert room is not None
        newer = await open_store(database)
        setup = room.row.setup.replace(b'{"game"', b'{"weather":"rain","game"')
        await newer.create(room.row._replace(id="a" * 20, setup=setup), [])
        status, said = await server.fetch("GET", f"/api/tables/{'a' * 20}")
        assert (status, said["code"]) == (503, "table.newer")
        assert (await server.fetch("GET", "/api/tables"))[0] == 200  # the list leaves it out
        await newer.close()
