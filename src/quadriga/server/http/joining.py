"""Become a member of the house: the name, the invitation and the terms are checked."""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa
from starlette.requests import Request

from quadriga.server.http.request import client_address, registry_of
from quadriga.server.moderation import invite_codes, terms
from quadriga.server.people.person import Person
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.oidc import OidcNaming
from quadriga.server.protocol.people import Keeping


def admission(request: Request, person: Person, asked: Keeping | OidcNaming) -> Callable[[sa.Connection], None]:
    """Return what admits a new member, in the transaction that makes them one.

    Raises RoomError if the name is not allowed, the invitation is missing, or the terms are not agreed to.
    """
    registry = registry_of(request)
    house = registry.house
    house.check_name(asked.name)
    version = house.pages.terms_version
    if version and asked.terms != version:
        raise RoomError("house.terms", 409)
    wants_code = house.rules.access == "invitation"
    if wants_code:
        if not asked.invitation:
            raise RoomError("house.invitation", 403)
        registry.limits.check_proof(client_address(request))

    def admit(connection: sa.Connection) -> None:
        if wants_code:
            invite_codes.use(connection, asked.invitation)
        if version:
            terms.agree(connection, person.id, version)

    return admit
