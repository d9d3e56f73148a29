"""Friends, blocks and invitations of a person, as the protocol has them."""

from __future__ import annotations

from quadriga.server.people.people import People
from quadriga.server.people.person import Person
from quadriga.server.protocol.lobby import Circle, TableInvitation
from quadriga.server.protocol.nights import ComingNight


async def circle_of(people: People, person: Person) -> Circle:
    """Return friends, requests, blocks, invitations and game nights."""
    stored = await people.company.circle(person)
    invitations = [TableInvitation(*each) for each in stored.invitations]
    nights = [
        ComingNight(each.id, each.title, each.name, each.game, each.at, each.table_id)
        for each in await people.nights.of(person, await people.company.hidden(person.id))
    ]
    return Circle(stored.friends, stored.asks, stored.asked, stored.blocks, invitations, nights)
