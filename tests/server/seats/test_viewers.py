"""The way of a frame: straight to the transport, or through the queue where that is full, and always in order."""

from __future__ import annotations

import pytest
from websockets.frames import Frame, Opcode

from quadriga.server.seats.viewers import SLOW, Viewer
from quadriga.server.ws.transport import _header
from server.support.harness import Server


class Wire:
    """What a transport does: takes frames, or is full."""

    def __init__(self) -> None:
        self.full = False
        self.written: list[tuple[bytes, ...]] = []

    def push(self, *frames: bytes) -> bool:
        if not self.full:
            self.written.append(frames)
        return not self.full

    def viewer(self, most: int = 100) -> Viewer:
        return Viewer(None, [], -1, explain=False, name="", most=most, push=self.push)


async def test_nothing_overtakes_what_waits():
    wire = Wire()
    viewer = wire.viewer()
    viewer.send(b"1")
    wire.full = True
    viewer.send(b"2")
    wire.full = False
    viewer.send(b"3")  # though there would be room
    assert wire.written == [(b"1",)]
    assert await viewer.next() == b"2"
    viewer.send(b"4")  # while 2 is on its way
    viewer.sent()
    assert [await viewer.next(), viewer.sent(), await viewer.next()] == [b"3", None, b"4"]
    viewer.sent()
    viewer.send(b"5")
    assert wire.written == [(b"1",), (b"5",)]


async def test_what_was_held_goes_out_in_one_go_or_waits_in_order():
    wire = Wire()
    viewer = wire.viewer()
    viewer.hold()
    viewer.send(b"1")
    viewer.send(b"2")
    assert wire.written == []
    viewer.release()
    assert wire.written == [(b"1", b"2")]
    wire.full = True
    viewer.hold()
    viewer.send(b"3")
    viewer.send(b"4")
    viewer.release()
    assert [await viewer.next(), viewer.sent(), await viewer.next()] == [b"3", None, b"4"]


async def test_who_reads_too_slowly_is_cut_off_and_gets_nothing_more():
    wire = Wire()
    viewer = wire.viewer(most=3)
    wire.full = True
    viewer.hold()
    for number in range(6):
        viewer.send(b"%d" % number)
    viewer.release()
    assert viewer.close_code == SLOW
    assert await viewer.next() is None
    wire.full = False
    viewer.send(b"more")
    assert wire.written == []


async def test_an_end_comes_after_what_was_held():
    wire = Wire()
    viewer = wire.viewer()
    viewer.hold()
    viewer.send(b"last")
    viewer.close(1000)
    viewer.release()
    assert wire.written == [(b"last",)]
    assert await viewer.next() is None


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 100_000])
def test_a_frame_is_what_the_library_would_have_made_of_it(size: int):
    text = b"x" * size
    assert _header(size) + text == Frame(Opcode.TEXT, text).serialize(mask=False)


async def test_many_messages_at_once_are_all_answered_in_order(server: Server):
    """More than are read ahead, and all on the way before the first is answered."""
    table, token = server.create("ur", "me me")
    client = await server.connect(table, token)
    refs = [str(number) for number in range(60)]
    for ref in refs:
        await client.say(type="ping", ref=ref)
    answered = [(await client.until("pong"))["ref"] for _ in refs]
    assert answered == refs
