"""Connect this process with others, as the settings say."""

from __future__ import annotations

from quadriga.engine.errors import FileError, MissingExtraError
from quadriga.server.limits import Buckets
from quadriga.server.protocol.errors import PACKAGE
from quadriga.server.rooms.processes.pubsub import Channel, LocalChannel
from quadriga.server.rooms.processes.shared_rates import RatesChannel, SharedRates
from quadriga.server.rooms.registry import Registry
from quadriga.server.settings import Settings

_SCHEMES = ("redis://", "rediss://", "unix://")


def check(settings: Settings) -> None:
    """Raise FileError if the pub/sub address is unknown or the store is a file; MissingExtraError without Redis."""
    if not settings.pubsub:
        return
    if not settings.pubsub.startswith(_SCHEMES):
        raise FileError("store.pubsub", package=PACKAGE, text=settings.pubsub.partition("@")[2] or settings.pubsub)
    if not isinstance(settings.store, str):
        raise FileError("store.single", package=PACKAGE, path=str(settings.store))
    try:
        import redis  # noqa: F401
    except ModuleNotFoundError as missing:
        raise MissingExtraError("extra.missing", what=missing.name, extra="redis") from None


def open_channel(settings: Settings) -> Channel:
    """Return the channel to other processes; it works without them, too."""
    check(settings)
    if not settings.pubsub:
        return LocalChannel()
    from quadriga.server.rooms.processes.redis_channel import RedisChannel

    channel = RedisChannel(settings.pubsub)
    channel.open()
    return channel


def shared_rates(registry: Registry, buckets: dict[str, Buckets]) -> SharedRates | None:
    """Share the rates of addresses with other processes, if there is a channel to them."""
    if registry.cluster is None or not isinstance(registry.channel, RatesChannel):
        return None
    rates = SharedRates(registry.cluster.process, registry.channel, buckets)
    rates.open()
    return rates
