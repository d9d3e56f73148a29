"""Deliver a notice over a channel, and say what has become of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

import msgspec

from quadriga.server.logs import LOGGER
from quadriga.server.mail import UnsureMailError
from quadriga.server.notices import letter, push, texts, webhook
from quadriga.server.notices.http import Answer, NotSentError, UnsureError, post
from quadriga.server.notices.outbox import Row
from quadriga.server.notices.push import PushKey
from quadriga.server.notices.texts import Notice
from quadriga.server.protocol.errors import RoomError
from quadriga.server.settings import Settings

_GONE = (404, 410)
_AGAIN = (429, 500, 502, 503)  # nothing was done; 504 leaves that open


class Result(NamedTuple):
    """The outcome of sending a notice: `sent`, `again`, `gone` (its channel), `refused` or `unsure`."""

    kind: str
    after_s: float | None = None  # that the receiver asks to wait


class Delivery:
    """The three kinds of channels of a server."""

    def __init__(
        self,
        settings: Settings,
        push_key: PushKey,
        waiting: Callable[[str], Awaitable[int]],
        stop_token: Callable[[str], str],
    ) -> None:
        self._settings, self._push_key = settings, push_key
        self._waiting, self._stop_token = waiting, stop_token
        self._allows_private = bool(settings.notice_private)

    async def send(self, rows: Sequence[Row]) -> Result:
        """Send one notice for some rows of one channel."""
        first, notice = rows[0], texts.notice(rows)
        try:
            if first.channel == "push":
                return _result(await self._push(first, notice))
            if first.channel == "mail":
                token = self._stop_token(first.channel_id)
                await letter.send(self._settings, first.address, notice, first.origin, token)
                return Result("sent")
            return _result(await self._call(first, notice))
        except UnsureMailError:
            return Result("unsure")
        except RoomError:
            return Result("again")
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
        headers = self._push_key.headers(row.address, row.origin, topic)
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
