"""Changes of a room that other processes change at the same time: they are tried again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from quadriga.server.protocol.errors import RoomError

_ATTEMPTS = 5
P = ParamSpec("P")
T = TypeVar("T")


def retried(change: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T]]:
    """Try a change of a room again if another process was faster to write; nothing was changed then."""

    @wraps(change)
    async def attempts(*arguments: P.args, **named: P.kwargs) -> T:
        for _ in range(_ATTEMPTS - 1):
            try:
                return await change(*arguments, **named)
            except RoomError as error:
                if error.code != "table.again":
                    raise
        return await change(*arguments, **named)

    return attempts
