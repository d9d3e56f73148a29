"""What a person has to do with others, as the protocol has it."""

from __future__ import annotations

from quadriga.server.people.company import Circle as StoredCircle
from quadriga.server.protocol.lobby import Circle, TableInvitation


def circle_of(stored: StoredCircle) -> Circle:
    """Return friends, requests, blocks and invitations."""
    invitations = [TableInvitation(*each) for each in stored.invitations]
    return Circle(stored.friends, stored.asks, stored.asked, stored.blocks, invitations)
