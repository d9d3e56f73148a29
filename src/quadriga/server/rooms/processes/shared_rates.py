"""Limits across processes: each tells the others what clients have spent, and takes off what they tell.

A check never waits. Between two messages a client may spend its limit at each process, and owes it afterwards. With
pub/sub down each process limits alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol, runtime_checkable

import msgspec

from quadriga.server.background import BackgroundTask
from quadriga.server.limits import Buckets

_EVERY_S = 0.25  # between two messages
_DECODER = msgspec.msgpack.Decoder(tuple[str, list[tuple[str, str, float]]])


@runtime_checkable
class RatesChannel(Protocol):
    """A channel that carries what clients have spent to other processes."""

    on_rates: Callable[[bytes], None]

    def publish_rates(self, message: bytes) -> None:
        """Tell all processes what clients have spent of their limits here."""
        ...


class SharedRates:
    """Shares the buckets of this process with the others."""

    def __init__(self, process: str, channel: RatesChannel, buckets: dict[str, Buckets]) -> None:
        self._process, self._channel, self._buckets = process, channel, buckets
        self._task = BackgroundTask("rates")

    def open(self) -> None:
        """Start to share."""
        for each in self._buckets.values():
            each.share()
        self._channel.on_rates = self._receive
        self._task.start(self._run())

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(_EVERY_S)
            spent = [
                (name, address, cost)
                for name, each in self._buckets.items()
                for address, cost in each.spent_since_last().items()
            ]
            if spent:
                self._channel.publish_rates(msgspec.msgpack.encode((self._process, spent)))

    def _receive(self, message: bytes) -> None:
        process, spent = _DECODER.decode(message)
        if process != self._process:
            for name, address, cost in spent:
                if (own := self._buckets.get(name)) is not None:
                    own.drain(address, cost)

    async def close(self) -> None:
        """Share no more."""
        await self._task.end()
