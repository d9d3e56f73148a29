"""Large uploads: what stands around a record is parsed, and the record itself is left to a worker."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from starlette.requests import Request

from quadriga.engine.match import trace
from quadriga.engine.match.dice import SeededDice
from quadriga.games import find
from quadriga.lab.traces import random_match
from quadriga.server.http.request import SMALL, UndecodedPart, read_upload
from quadriga.server.protocol.errors import RoomError
from server.support.harness import Server

LONG = 'x"\\y\n' * SMALL


def read(body: str | bytes) -> UndecodedPart:
    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body if isinstance(body, bytes) else body.encode()}

    return asyncio.run(read_upload(Request({"type": "http", "method": "POST"}, receive), UndecodedPart))


@pytest.mark.parametrize(
    "text", [LONG, LONG + "\\", LONG + '","seat":3}', LONG + '"}', "short", LONG + "été"], ids=range(6)
)
@pytest.mark.parametrize("seat_first", [True, False])
@pytest.mark.parametrize("spaces", [(",", ":"), (" ,\n ", " : ")])
def test_a_record_is_found_between_the_other_fields(text: str, seat_first: bool, spaces: tuple[str, str]) -> None:
    fields = {"seat": 2, "record": text, "count": 7} if seat_first else {"record": text, "count": 7, "seat": 2}
    found = read(json.dumps(fields, separators=spaces, ensure_ascii=False))
    assert json.loads(bytes(found.record)) == text
    assert (found.seat, found.first, found.count) == (2, 0, 7)


@pytest.mark.parametrize(
    "body",
    [
        '{"record":' + json.dumps(LONG) + ',"seat":200}',
        '{"record":' + json.dumps(LONG) + ',"other":2}',
        '{"other":"","record":' + json.dumps(LONG) + "}",
        '{"record":' + json.dumps(LONG) + ",}",
        '{"record":' + json.dumps(LONG),
        '["record",' + json.dumps(LONG) + "]",
    ],
    ids=["range", "unknown-after", "unknown-before", "comma", "open", "list"],
)
def test_wrong_fields_beside_a_long_record_are_refused(body: str) -> None:
    with pytest.raises(RoomError) as fault:
        read(body)
    assert fault.value.code in ("wire.field", "wire.json")


def test_a_long_record_is_read_and_what_is_more_than_one_text_is_refused(server: Server) -> None:
    game = find("ave-caesar")
    settled, seats = game.resolve_options({"courses": ["white cw"]}, 3)
    one = trace.dumps(random_match(game, settled, seats, 7, 0, SeededDice(7)))
    many = SMALL // len(one) + 2
    status, found = server.call("POST", "/api/records", {"record": one * many})
    assert (status, len(found["games"])) == (200, many)
    status, refused = server.call("POST", "/api/records/replay", {"record": "x" * SMALL, "seat": "2"})
    assert (status, refused["code"]) == (400, "wire.json")
