"""A server that is told to stop: health says so, clients are told to connect again, and another process goes on."""

from __future__ import annotations

import asyncio
import logging
import os
import random
import signal

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from quadriga.server.logs import RateLimit
from server.support.cluster import processes
from server.support.harness import Server
from server.support.services import new_shared_store, shared_postgres, shared_redis


async def test_a_server_that_stops_says_so_and_opens_no_sockets():
    server = Server(new_shared_store(), drain=30.0).start()
    try:
        table, token = server.create("ur", "me bot")
        client = await server.connect(table, token)
        await client.play(random.Random(1), moves=3)
        os.kill(server.process.pid, signal.SIGTERM)
        with pytest.raises(ConnectionClosed) as closed:
            await client.until("never")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012
        status, health = server.call("GET", "/api/health")
        assert (status, health["status"]) == (503, "draining")
        with pytest.raises(InvalidStatus) as refused:
            await server.connect(table, token)
        assert refused.value.response.status_code == 503
        assert server.call("GET", f"/api/tables/{table}")[0] == 200  # requests are still answered
    finally:
        server.kill()


def test_a_socket_that_is_refused_while_draining_is_no_line_in_the_log():
    denied = logging.makeLogRecord({"msg": "ASGI callable returned without completing handshake."})
    assert not RateLimit(5).filter(denied)
    assert RateLimit(5).filter(logging.makeLogRecord({"msg": "anything else"}))


async def test_players_go_on_at_another_process_behind_nginx():
    """Every server is restarted, one after the other, while a game is played."""
    with processes(2, shared_postgres(), shared_redis(), drain=0.5) as where:
        table, token = where.front.create("ur", "me bot", options={"rules": "ben"})
        rng, closed = random.Random(4), []
        client = await where.front.connect(table, token)
        for server in where.servers:
            await client.play(rng, moves=4)
            known = client.number
            await asyncio.to_thread(server.kill, signal.SIGTERM)
            try:
                await client.say(type="ping", ref="here")
                await client.until("pong", ref="here")
            except ConnectionClosed as end:
                closed.append(end.rcvd.code if end.rcvd else None)
                client = await where.front.connect(table, token)
                assert (await client.until("view"))["number"] >= known
            await client.play(rng, moves=2)
            server.start()
        assert closed[:1] == [1012]  # the room was at one of them
        assert client.refused == []
