"""Pub/sub over Redis: messages between processes. They may be lost, and nothing waits for them.

One task sends what is published, another receives. Both connect again by themselves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

import msgspec
import redis.asyncio as redis
from redis.exceptions import RedisError

from quadriga.server import metrics
from quadriga.server.logs import LOGGER
from quadriga.server.rooms.processes.pubsub import Listener, LocalChannel

_PREFIX = "quadriga:room:"
_RATES = "quadriga:rates"
_LOBBY = "quadriga:lobby"
_RETRY_S = 0.5  # between two attempts to connect
_TIMEOUT_S = 5.0  # for an answer of Redis
_FAULTS = (RedisError, OSError, TimeoutError, asyncio.IncompleteReadError)


class RedisChannel:
    """A channel to all processes that use the same Redis."""

    def __init__(self, url: str) -> None:
        self._redis = redis.Redis.from_url(
            url, socket_timeout=_TIMEOUT_S, socket_connect_timeout=_TIMEOUT_S, health_check_interval=0
        )
        self._local = LocalChannel()
        self._rooms: set[str] = set()  # that are listened to
        self._pubsub: redis.client.PubSub | None = None
        self._outgoing: dict[str, bytes] = {}  # the newest numbers of each room count
        self._shared: list[tuple[str, bytes]] = []  # for all processes: the channel and the message
        self._has_work = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self.is_live = False
        self.on_lobby: Callable[[bytes], None] = lambda message: None  # called for news of other processes
        self.on_rates: Callable[[bytes], None] = lambda message: None  # called for what other processes spend

    def open(self) -> None:
        """Start to send and to receive."""
        self._tasks = [asyncio.create_task(each, name="pub/sub") for each in (self._send(), self._receive())]

    def publish(self, room: str, number: int, chat: int) -> None:
        """Tell all processes how far the log and the chat of a room are stored."""
        self._outgoing[_PREFIX + room] = b"%d %d" % (number, chat)
        self._has_work.set()

    def publish_rates(self, message: bytes) -> None:
        """Tell all processes what clients have spent of their limits here."""
        self._share(_RATES, message)

    def publish_lobby(self, message: bytes) -> None:
        """Tell all processes what has changed in the lobby."""
        self._share(_LOBBY, message)

    def _share(self, channel: str, message: bytes) -> None:
        if self.is_live:
            self._shared.append((channel, message))
            self._has_work.set()

    def subscribe(self, room: str, listener: Listener) -> None:
        """Call a listener for everything that is published for a room."""
        self._local.subscribe(room, listener)
        self._rooms.add(room)
        self._tell(room, True)

    def unsubscribe(self, room: str, listener: Listener) -> None:
        """Remove a listener."""
        self._local.unsubscribe(room, listener)
        self._rooms.discard(room)
        self._tell(room, False)

    def _tell(self, room: str, on: bool) -> None:
        """Subscribe or unsubscribe at Redis. A new connection subscribes to all rooms."""
        pubsub = self._pubsub
        if pubsub is not None:
            change = pubsub.subscribe if on else pubsub.unsubscribe

            async def tell() -> None:
                with suppress(*_FAULTS):
                    await change(_PREFIX + room)

            task = asyncio.create_task(tell())
            self._tasks.append(task)
            task.add_done_callback(self._tasks.remove)

    async def _send(self) -> None:
        while True:
            await self._has_work.wait()
            self._has_work.clear()
            outgoing, self._outgoing = self._outgoing, {}
            shared, self._shared = self._shared, []
            try:
                pipe = self._redis.pipeline(transaction=False)
                for channel, message in outgoing.items():
                    pipe.publish(channel, message)
                for channel, message in shared:
                    pipe.publish(channel, message)
                await pipe.execute()
                metrics.hints.inc(len(outgoing))
            except _FAULTS as fault:
                self._fail(fault)
                await asyncio.sleep(_RETRY_S)

    async def _receive(self) -> None:
        while True:
            try:
                await self._listen()
            except _FAULTS as fault:
                self._fail(fault)
            await asyncio.sleep(_RETRY_S)

    async def _listen(self) -> None:
        """Receive messages until the connection breaks."""
        async with self._redis.pubsub() as pubsub:
            await pubsub.subscribe(_RATES, _LOBBY, *[_PREFIX + room for room in self._rooms])
            self._pubsub = pubsub
            try:
                for room in self._rooms:  # those that have come while it subscribed
                    await pubsub.subscribe(_PREFIX + room)
                self.is_live = True
                while True:
                    message = await pubsub.get_message(ignore_subscribe_messages=True, timeout=_TIMEOUT_S)
                    if message is None:
                        await pubsub.ping()
                    elif message["type"] == "message":
                        self._handle(message["channel"].decode(), message["data"])
            finally:
                self._pubsub = None
                self.is_live = False

    def _handle(self, channel: str, data: bytes) -> None:
        """Pass a message on; one that no server of ours has sent is ignored."""
        try:
            if channel == _RATES:
                self.on_rates(data)
            elif channel == _LOBBY:
                self.on_lobby(data)
            else:
                number, chat = map(int, data.split())
                self._local.publish(channel.removeprefix(_PREFIX), number, chat)
        except (ValueError, msgspec.MsgspecError) as fault:
            LOGGER.warning("a message of pub/sub cannot be read: %s", fault)

    def _fail(self, fault: BaseException) -> None:
        LOGGER.warning("pub/sub does not work, the store is asked instead: %s", fault)
        self.is_live = False

    async def close(self) -> None:
        """Carry no more messages."""
        for task in (tasks := list(self._tasks)):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with suppress(*_FAULTS):
            await self._redis.aclose()
