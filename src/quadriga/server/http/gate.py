"""The gate of the house: who may use an operation.

| access | for |
|---|---|
| `free` | everybody, also who is banned: what one is told here, and one's own data |
| `sign-in` | everybody who is not banned: one's own account and devices, also from a banned range of addresses |
| `join` | ... and who is no member, unless their address is in a banned range |
| `look` | ... and only members, where nobody else may see what is played |
| `play` | ... and only members, where nobody else may play |
| `begin` | the same, for new games |

Whoever has a part at a table may look and play there, also if the house is for members since they came. They are
known as the owner of a device, or by the token of their seat. They begin no new game, and so no rematch.
"""

from __future__ import annotations

from typing import Literal

from starlette.requests import Request

from quadriga.server.http.request import client_address, registry_of, secret_of, token_of, visitor_of
from quadriga.server.people.codes import is_secret
from quadriga.server.people.person import Person
from quadriga.server.protocol.errors import RoomError

Access = Literal["free", "sign-in", "join", "look", "play", "begin"]


async def check_access(request: Request, access: Access) -> None:
    """Raise RoomError unless whoever sends a request may do so. In an open house without bans nothing is read."""
    registry = registry_of(request)
    house = registry.house
    if house.is_open:
        return
    visitor = await visitor_of(request)
    person = None if visitor is None else visitor.person
    house.check_ban(None if person is None else person.id, secret=secret_of(request) if visitor is None else None)
    if access == "sign-in":
        return
    house.check_stranger(person, client_address(request))
    if access == "join" or (access != "begin" and await _has_part(request, person)):
        return
    if access == "look":
        house.check_watcher(person)
    else:
        house.check_player(person)


async def _has_part(request: Request, person: Person | None) -> bool:
    """Return whether somebody has a part at the table of a request: they play on, whatever the house wants now."""
    registry, table_id = registry_of(request), request.path_params.get("id")
    if registry.house.rules.access == "open" or (person is not None and person.is_member):
        return True
    if table_id is None or not request.url.path.startswith("/api/tables/"):
        return False
    if person is not None and await registry.people.history.holder(person, table_id) is not None:
        return True
    token = token_of(request)
    if token is None or is_secret(token):
        return False
    try:
        await registry.bearer(token, table_id)  # only who has a part gets one
    except RoomError as fault:
        if fault.code.startswith("house."):
            raise
        return False
    return True
