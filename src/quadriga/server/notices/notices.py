"""Everything about the notices of a server."""

from __future__ import annotations

from functools import partial

from quadriga.server.limits import Buckets
from quadriga.server.notices.channels import Channels
from quadriga.server.notices.delivery import Delivery
from quadriga.server.notices.push import PushKey
from quadriga.server.notices.sender import Sender
from quadriga.server.rooms.registry import Registry

STOP = "notices"
"""Takes the place of the table in tokens that stop notices. No table has this id."""


class Notices:
    """The channels of all people, and the task that sends."""

    def __init__(self, registry: Registry, push_key: PushKey) -> None:
        settings = registry.settings
        self.push_key, self.allows_private = push_key, bool(settings.notice_private)
        self.channels = Channels(registry.store)
        self.has_mail = bool(settings.mail)
        stop_token = partial(registry.tokens.issue, STOP)
        self.delivery = Delivery(settings, push_key, self.channels.waiting, stop_token)
        self.sender = Sender(registry, self.delivery)
        self.trials = Buckets(settings.notice_trials, settings.notice_trial_burst)

    @classmethod
    async def of(cls, registry: Registry) -> Notices:
        """Return the notices of a server, whose store gets a key for pushes if it has none."""
        return cls(registry, await PushKey.of(registry.store))
