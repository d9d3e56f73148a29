"""Requests to addresses that people type: only to the internet, to the address that was checked, and soon over."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import threading

import pytest

from quadriga.server.notices import http
from quadriga.server.notices.http import NotSentError, UnsureError, check_url, is_public, post
from quadriga.server.protocol.errors import RoomError
from server.support.receivers import receiving


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/",
        "ftp://example.org/",
        "https://",
        "https://user:word@example.org/",
        "https://example.org:0/",
        "https://example.org:99999/",
        "https://[::1/",
        "https://exa mple.org/",
        "https://example.org/\r\nx: y",
        "https://exämple.org/",
        "https://example.org/" + "x" * 1000,
        "https://localhost/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://10.1.2.3/",
        "https://[::ffff:192.168.1.1]/",
    ],
)
def test_an_address_that_notices_may_not_go_to_is_refused_when_it_is_typed(url: str):
    with pytest.raises(RoomError):
        check_url(url, False)


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.0.0.1", "192.168.0.1", "172.16.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
        *("224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fd00::1", "ff02::1", "::ffff:10.0.0.1"),
        *("2002:7f00:1::", "64:ff9b::a00:1", "64:ff9b:1::a00:1", "::127.0.0.1", "::ffff:0:127.0.0.1", "fec0::1"),
    ],
)
def test_private_addresses_are_not_public_in_whatever_form(address: str):
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["8.8.8.8", "2001:4860:4860::8888", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_addresses_of_the_internet_are_public(address: str):
    assert is_public(ipaddress.ip_address(address))


async def test_a_name_that_leads_to_a_private_address_is_not_connected_to(monkeypatch: pytest.MonkeyPatch):
    async with receiving() as receiver:

        def resolved(*asked: object, **more: object) -> list[tuple[object, ...]]:
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", receiver.port))]

        monkeypatch.setattr(socket, "getaddrinfo", resolved)
        with pytest.raises(NotSentError, match="private"):
            await post(f"https://example.org:{receiver.port}/", b"x", {}, False)
        assert receiver.got == []


async def test_names_that_are_slow_to_look_up_hold_up_nothing_else(monkeypatch: pytest.MonkeyPatch):
    is_found = threading.Event()

    def slow(*asked: object, **more: object) -> list[tuple[object, ...]]:
        is_found.wait(20)
        raise OSError

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    asked = [asyncio.create_task(post(f"https://{n}.example.org/", b"x", {}, False)) for n in range(40)]
    await asyncio.sleep(0)
    try:
        assert await asyncio.wait_for(asyncio.to_thread(int), 5) == 0  # other threads of the server
    finally:
        is_found.set()
    assert all(isinstance(each, NotSentError) for each in await asyncio.gather(*asked, return_exceptions=True))


async def test_a_redirect_is_an_answer_and_not_followed():
    async with receiving() as receiver:
        receiver.answers = [302]
        assert (await post(f"{receiver.address}/a?b=c", b"x", {"a": "b"}, True)).status == 302
        assert [(got.path, got.body, got.headers["a"]) for got in receiver.got] == [("/a?b=c", b"x", "b")]


async def test_nobody_there_is_not_sent_and_no_answer_is_unsure():
    async with receiving() as receiver:
        receiver.answers = [0]
        with pytest.raises(UnsureError):
            await post(receiver.address, b"x", {}, True)
    with pytest.raises(NotSentError):
        await post(receiver.address, b"x", {}, True)


async def test_an_endless_head_is_cut():
    async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 10_000)
        writer.close()

    serving = await asyncio.start_server(endless, "127.0.0.1", 0)
    with pytest.raises(UnsureError):
        await post(f"http://127.0.0.1:{serving.sockets[0].getsockname()[1]}/", b"x", {}, True)
    serving.close()


async def test_a_slow_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(http, "_TOTAL_S", 0.2)
    silent = asyncio.Event()

    async def slow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await silent.wait()
        writer.close()

    serving = await asyncio.start_server(slow, "127.0.0.1", 0)
    with pytest.raises(UnsureError):
        await post(f"http://127.0.0.1:{serving.sockets[0].getsockname()[1]}/", b"x", {}, True)
    silent.set()
    serving.close()
