"""Sending messages: through the queue of a viewer, always in order, and not without end."""

from __future__ import annotations

from quadriga.server.seats.outbox import SLOW
from quadriga.server.seats.viewers import Viewer
from server.support.harness import Server


def viewer_with(most: int = 100) -> Viewer:
    return Viewer(None, [], -1, explain=False, name="", most=most)


async def test_no_message_overtakes_a_waiting_one():
    viewer = viewer_with()
    viewer.send(b"1")
    viewer.send(b"2")
    assert await viewer.next() == b"1"
    viewer.send(b"3")  # while 1 is on its way
    viewer.sent()
    assert await viewer.next() == b"2"
    viewer.sent()
    assert await viewer.next() == b"3"


async def test_a_client_that_reads_too_slowly_is_disconnected():
    viewer = viewer_with(most=3)
    for number in range(6):
        viewer.send(b"%d" % number)
    assert viewer.close_code == SLOW
    assert await viewer.next() is None
    viewer.send(b"more")
    assert await viewer.next() is None


async def test_a_close_comes_after_queued_messages():
    viewer = viewer_with()
    viewer.send(b"last")
    viewer.close(1000)
    assert await viewer.next() == b"last"
    viewer.sent()
    assert await viewer.next() is None


async def test_many_messages_at_once_are_all_answered_in_order(server: Server):
    """All are sent before the first is answered."""
    table, token = server.create("ur", "me me")
    client = await server.connect(table, token)
    refs = [str(number) for number in range(60)]
    for ref in refs:
        await client.say(type="ping", ref=ref)
    answered = [(await client.until("pong"))["ref"] for _ in refs]
    assert answered == refs
