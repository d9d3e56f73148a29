"""Which identity provider the host has set, and what belongs to one attempt to sign in there."""

from __future__ import annotations

import base64
import hmac
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit, urlunsplit

from quadriga.engine.errors import FileError, MissingExtraError
from quadriga.server.protocol.errors import PACKAGE
from quadriga.server.settings import Settings

if TYPE_CHECKING:
    from quadriga.server.oidc.provider import Provider

MOST_CHARACTERS = 255  # of an issuer or a subject
_MOST_LABEL = 40
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class ProviderSettings(NamedTuple):
    """An identity provider, and this server as it is known there."""

    issuer: str
    client_id: str
    client_secret: str
    label: str


def provider_settings(text: str) -> ProviderSettings:
    """Return the provider of `https://CLIENT:SECRET@ISSUER?label=LABEL`. Raises FileError for anything else."""
    try:
        parts = urlsplit(text)
        given = parse_qs(parts.query, strict_parsing=True)
        (label,) = given.pop("label")
        issuer = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
        if given or parts.fragment or not parts.username or not is_safe(issuer):
            raise ValueError
        if not label.strip() or len(label) > _MOST_LABEL or not label.isprintable():
            raise ValueError
    except (ValueError, KeyError):
        shown = text.rpartition("@")[2] if "://" in text else text  # without the secret
        raise FileError("oidc.provider", package=PACKAGE, text=shown) from None
    return ProviderSettings(issuer, unquote(parts.username), unquote(parts.password or ""), label.strip())


def is_safe(url: str) -> bool:
    """Return whether an address of a provider has HTTPS, or is on this machine. Raises ValueError if it is none."""
    parts = urlsplit(url)
    is_local = parts.scheme == "http" and parts.hostname in _LOOPBACK
    is_remote = parts.scheme == "https" and bool(parts.hostname)
    return (is_local or is_remote) and parts.port != 0 and len(url) <= MOST_CHARACTERS


def derived(secret: str, purpose: str) -> str:
    """Return the state, the nonce or the verifier of an attempt. None of them tells another, or the secret."""
    digest = hmac.digest(secret.encode(), purpose.encode(), "sha256")
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def check(settings: Settings) -> None:
    """Raise FileError if the provider in the settings is not one; MissingExtraError without Authlib."""
    provider_of(settings)


def provider_of(settings: Settings) -> Provider | None:
    """Return the provider in the settings; None if there is none. Raises as `check` does."""
    if not settings.oidc:
        return None
    found = provider_settings(settings.oidc)
    try:
        from quadriga.server.oidc.provider import Provider
    except ModuleNotFoundError as missing:
        raise MissingExtraError("extra.missing", what=missing.name, extra="oidc") from None
    return Provider(found)
