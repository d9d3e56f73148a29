"""Requests and answers about the host's identity provider."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from quadriga.server.protocol.fields import Name, one_of
from quadriga.server.protocol.people import Label

Given = Annotated[str, Meta(min_length=1, max_length=4096)]
Proved = Annotated[str, Meta(min_length=1, max_length=512)]


class OidcReturn(Struct, forbid_unknown_fields=True):
    """The part of the address that the provider adds when it sends the browser back."""

    code: Given
    state: Given
    iss: str | None = None
    """The name of the provider, if it gives one."""


class OidcProof(Struct, forbid_unknown_fields=True):
    """Sign in by an account at the provider."""

    proof: Proved
    label: Label = ""
    """The name of the device."""
    merge: bool = False
    """True: if this device belongs to another member, make one account of both."""


class OidcLink(Struct, forbid_unknown_fields=True):
    """Make an account at the provider one's own."""

    proof: Proved


class OidcNaming(Struct, forbid_unknown_fields=True):
    """Become a member by an account at the provider."""

    name: Name
    proof: Proved
    invitation: Label = ""
    """The code of an invitation, where the house wants one."""
    terms: Annotated[str, Meta(max_length=16)] = ""
    """The version of the terms to which one agrees, where there are terms."""


class OidcStart(Struct):
    """Where to sign in at the provider."""

    url: str


class OidcProved(Struct):
    """A proof, for one use within five minutes, and whose account it is here."""

    proof: str
    owner: Annotated[str, one_of("nobody", "me", "other")]


OIDC_BODIES = (OidcLink, OidcNaming, OidcProof, OidcReturn)
OIDC_ANSWERS = (OidcProved, OidcStart)
