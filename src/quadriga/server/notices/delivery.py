"""Deliver a notice over a channel, and say what has become of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

import msgspec

from quadriga.server.logs import LOGGER
from quadriga.server.notices import push, texts, webhook
from quadriga.server.notices.http import Answer, NotSentError, UnsureError, post
from quadriga.server.notices.outbox import Row
from quadriga.server.notices.push import PushKey
from quadriga.server.notices.texts import Notice

_GONE = (404, 410)
_AGAIN = (429, 500, 502, 503)  # nothing was done; 504 leaves that open


class Result(NamedTuple):
    """What has become of a notice: `sent`, `again`, `gone` (its channel), `refused` or `unsure`."""

    kind: str
    after_s: float | None = None  # that the receiver asks to wait


class Delivery:
    """The three kinds of channels of a server."""

    def __init__(
        self, push_key: PushKey, waiting: Callable[[str], Awaitable[int]], allows_private: bool, contact: str = ""
    ) -> None:
        self._push_key, self._waiting = push_key, waiting
        self._allows_private, self._contact = allows_private, contact

    async def send(self, rows: Sequence[Row]) -> Result:
        """Send one notice for some rows of one channel."""
        first, notice = rows[0], texts.notice(rows)
        try:
            if first.channel == "push":
                return _result(await self._push(first, notice))
            return _result(await self._call(first, notice))
        except NotSentError as fault:
            LOGGER.info("a notice was not sent: %s", fault)
            return Result("again")
        except UnsureError as fault:
            LOGGER.info("a notice may have been sent: %s", fault)
            return Result("unsure")

    async def _push(self, row: Row, notice: Notice) -> Answer:
        shown = {
            "body": notice.text,
            "path": notice.path,
            "tag": notice.tag,
            "waiting": await self._waiting(row.person_id),
        }
        sealed = push.encrypted(msgspec.json.encode(shown), push.browser(row.keys))
        topic = push.topic(row.channel_id, notice.tag)
        headers = self._push_key.headers(row.address, self._contact or row.origin, topic)
        return await post(row.address, sealed, headers, self._allows_private)

    async def _call(self, row: Row, notice: Notice) -> Answer:
        body, headers = webhook.request(row.shape, notice.text, row.origin + notice.path)
        return await post(row.address, body, headers, self._allows_private)


def _result(answer: Answer) -> Result:
    if 200 <= answer.status < 300:
        return Result("sent")
    if answer.status in _GONE:
        return Result("gone")
    if answer.status in _AGAIN:
        return Result("again", answer.retry_after)
    return Result("refused")
